"""From the words of ``groupwise evaluate`` to a report; all that is heavy is imported here."""

from argparse import Namespace
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from groupwise.evaluator.cli.data import in_words_of_the_shell, options_of
from groupwise.evaluator.cli.names import asked_names
from groupwise.evaluator.cli.progress import progress
from groupwise.evaluator.errors import InputError, Problem, UnknownMetric
from groupwise.evaluator.evaluation.plan import Plan
from groupwise.evaluator.formats.opening import records_in
from groupwise.evaluator.intake.problems import read_head
from groupwise.evaluator.reading.options import Role
from groupwise.evaluator.reading.records import Reading, Records
from groupwise.schemas import FixtureHead, Report


def report_on(words: Namespace, policies: Mapping[str, Any]) -> Report:
    """Evaluate the files, showing progress where a person watches."""
    try:
        with progress() as tell:
            return _evaluated(words, policies, tell)
    except UnknownMetric as error:
        # The names of the call are known by now: this one is in the file.
        raise InputError([Problem(str(error), words.files[0])]) from None
    except InputError as error:
        raise _in_words_of_the_shell(error, words.files) from None


def _in_words_of_the_shell(error: InputError, files: Sequence[str]) -> InputError:
    """The same problems, with options as they are typed, and what may have been forgotten."""
    problems = list(in_words_of_the_shell(error).problems)
    if len(files) == 1 and all(one.message == "no results" for one in problems):
        hint = "no results; if this is a ground truth, give the run as a second file"
        problems[0] = replace(problems[0], message=hint)
    return InputError(problems, error.count)


def _evaluated(
    words: Namespace, policies: Mapping[str, Any], tell: Callable[[int], None] | None
) -> Report:
    roles: list[Role | None] = ["ground_truth", "run"] if len(words.files) == 2 else [None]
    texts = words.characters_per_token is not None
    options = [replace(one, texts=texts) for one in options_of(words, roles, "evaluate")]
    records = [records_in(name, one) for name, one in zip(words.files, options, strict=True)]
    head = _head(records) if words.gate and not words.metrics else FixtureHead.model_construct()
    names, at = asked_names(words, head)
    asked = {**policies, "characters_per_token": words.characters_per_token}
    plan = Plan(
        names, words.profile, at, asked,
        per_query=words.per_query, progress=tell, vectors=words.vectors, curve=words.curve,
    )  # fmt: skip
    if len(records) == 2:
        return plan.evaluate_pair(*records)
    return plan.evaluate_both(records[0], head)


def _head(records: Sequence[Records]) -> FixtureHead:
    """What a fixture says besides its queries, read ahead: gates add to the metrics it names."""
    if len(records) == 2:
        return FixtureHead()
    reading = Reading()
    for _ in records[0].batches(reading):
        pass
    return read_head(reading, records[0].name)
