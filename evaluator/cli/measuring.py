"""From the words of ``groupwise evaluate`` to a report; all that is heavy is imported here."""

from argparse import Namespace
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from groupwise.evaluator.cli.names import asked_names
from groupwise.evaluator.cli.progress import progress
from groupwise.evaluator.errors import InputError, Problem, UnknownMetric
from groupwise.evaluator.evaluate import Plan
from groupwise.evaluator.formats import Reading, Records, records_in
from groupwise.evaluator.intake import read_head
from groupwise.schemas import FixtureHead, Report


def report_on(words: Namespace, policies: Mapping[str, Any]) -> Report:
    """Evaluate the files, showing progress where a person watches."""
    try:
        with progress() as tell:
            return _evaluated(words, policies, tell)
    except UnknownMetric as error:
        # The names of the call are known by now: this one is in the file.
        raise InputError([Problem(str(error), words.files[0])]) from None


def _evaluated(
    words: Namespace, policies: Mapping[str, Any], tell: Callable[[int], None] | None
) -> Report:
    records = [records_in(name) for name in words.files]
    head = _head(records) if words.gate and not words.metrics else FixtureHead()
    names, at = asked_names(words, head)
    plan = Plan(names, words.profile, at, policies, per_query=words.per_query, progress=tell)
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
