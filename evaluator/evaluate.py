"""Ground truth and results to a report, under stated policies."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any, Literal

from pydantic import ValidationError

from groupwise.evaluator.errors import InputError, Problem
from groupwise.evaluator.evaluation import Evaluation, Progress
from groupwise.evaluator.formats.batch import Reading, Records
from groupwise.evaluator.formats.options import Options, Role
from groupwise.evaluator.formats.vectors import vector_table
from groupwise.evaluator.garbage import uncollected
from groupwise.evaluator.inputs import as_records, is_positional
from groupwise.evaluator.intake import Intake, Kinds, read_head
from groupwise.evaluator.metrics.names import Measure, curve_measures, measures
from groupwise.evaluator.pairing import in_order_of
from groupwise.evaluator.rows import Join
from groupwise.schemas import (
    Fixture,
    FixtureHead,
    FixtureQuery,
    Policies,
    Query,
    Report,
    RunQuery,
)

NO_HEAD = FixtureHead.model_construct()


def evaluate(  # noqa: PLR0913  (the contract's policies, all by keyword)
    ground_truth: Any,
    results: Any = None,
    *,
    metrics: str | Iterable[str] | None = None,
    profile: str | None = None,
    k: int | Sequence[int] | None = None,
    missing: Literal["zero", "skip", "error"] | None = None,
    extra: Literal["ignore", "error"] | None = None,
    empty_results: Literal["zero", "skip"] | None = None,
    unanswerable: Literal["skip", "error"] | None = None,
    flat: Literal["any", "all"] | None = None,
    ids: Literal["text"] | None = None,
    ties: Literal["score", "input", "report"] | None = None,
    characters_per_token: float | None = None,
    vectors: Any = None,
    curve: int | None = None,
    per_query: bool = True,
    progress: Progress | None = None,
    retriever: Any = None,
    workers: int = 4,
    timeout: float | None = 60.0,
) -> Report:
    """Evaluate results against grouped ground truth.

    Args:
        ground_truth: Groups by query id, a list of ground truths, records, a Dataset, or a path;
            without ``results`` a Fixture, records that hold both, or a path to such a file.
        results: Results by query id, a list in the same order, records, a Run, or a path.
        metrics: Names such as ``"ndcg@10"``; None means the six of the profile.
        profile: The meaning of the names; None means what a fixture says, else ``"autorag"``.
        k: Cutoffs for the metrics that name none.
        missing: For a query without results: ``"zero"`` (default), ``"skip"`` or ``"error"``.
        extra: For a query without ground truth: ``"ignore"`` (default) or ``"error"``.
        empty_results: For an empty result: ``"zero"`` (default) or ``"skip"``, as AutoRAG does.
        unanswerable: For a query without groups: ``"skip"`` (default) or ``"error"``.
        flat: For a flat list of ids: ``"any"`` makes it one group, ``"all"`` one group per id.
        ids: ``"text"`` compares all ids as strings.
        ties: How the trec profile orders results with scores (the others keep the given order):
            ``"score"`` (default), ``"input"``, or ``"report"`` for worst and best values as well.
        characters_per_token: Tokens of results that carry only their text, for budgets.
        vectors: A vector per document, for diversity: by id, or the path of a ``.npy`` file with
            its ids beside it (``NAME.ids.txt``), or of JSON Lines with ``id`` and ``vector``.
        curve: Also give recall, precision and complete at every cutoff up to this one.
        per_query: Whether to keep the scores of each query.
        progress: Called now and then with the number of queries done.
        retriever: In place of ``results``: a function that is called with the text of each query,
            also an async one, and returns ids, (id, score) pairs, mappings or documents, best
            first. A call that fails counts as an empty result, its reason is in ``failures``.
        workers: How many calls of the retriever there are at a time.
        timeout: How many seconds a call of the retriever may take; None means any number.

    Returns:
        The report: ``scores``, ``per_query``, ``counts``, ``warnings``, ``failures``.

    Raises:
        InputError: The input is unsound; all problems are listed, each with its place.
        UnknownMetric: There is no such metric; the nearest name is suggested.

    Example:
        >>> truth, results = {"q1": [["a", "b"], ["c"]]}, {"q1": ["a", "x", "b"]}
        >>> evaluate(truth, results, metrics="recall").scores["recall"]
        0.5
    """
    asked = {
        "missing": missing, "extra": extra, "empty_results": empty_results,
        "unanswerable": unanswerable, "flat": flat, "ids": ids, "ties": ties,
        "characters_per_token": characters_per_token,
    }  # fmt: skip
    plan = Plan(
        metrics, profile, _cutoffs(k), asked,
        per_query=per_query, progress=progress, vectors=vectors, curve=curve,
    )  # fmt: skip
    if retriever is not None:
        from groupwise.evaluator.live import evaluate_live  # noqa: PLC0415  (brings asyncio)

        _refuse_results(results)
        return evaluate_live(plan, ground_truth, retriever, (workers, timeout, ids))
    _refuse_unequal_lists(ground_truth, results)
    texts = characters_per_token is not None
    if results is None:
        both = as_records(ground_truth, "ground_truth", _options(None, texts=texts))
        return plan.evaluate_both(both, _head_of(ground_truth))
    return plan.evaluate_pair(
        as_records(ground_truth, "ground_truth", _options("ground_truth")),
        as_records(results, "results", _options("run", texts=texts)),
    )


@cache
def _options(role: Role | None, *, texts: bool = False) -> Options:
    return Options(role=role, texts=texts)


def _refuse_results(results: Any) -> None:
    if results is not None:
        raise InputError([Problem("both results and a retriever; give one of them")])


def _cutoffs(k: int | Sequence[int] | None) -> tuple[int, ...]:
    if k is None:
        return ()
    return tuple(k) if isinstance(k, Iterable) else (k,)


def _refuse_unequal_lists(ground_truth: Any, results: Any) -> None:
    """Lists are paired by their order, so they must be equally long."""
    lists = [value for value in (ground_truth, results) if is_positional(value)]
    if len(lists) == 2 and len(lists[0]) != len(lists[1]):
        found = f"{len(ground_truth)} ground truths and {len(results)} results"
        raise InputError([Problem(f"{found}; lists are paired by their order")])


def _head_of(value: Any) -> FixtureHead:
    return value if isinstance(value, Fixture) else NO_HEAD


class Plan:
    """What was asked for; a fixture answers what was left open."""

    def __init__(
        self,
        metrics: str | Iterable[str] | None,
        profile: str | None,
        cutoffs: tuple[int, ...],
        asked: Mapping[str, Any],
        *,
        per_query: bool = True,
        progress: Progress | None = None,
        vectors: Any = None,
        curve: int | None = None,
    ) -> None:
        self.metrics = metrics if metrics is None or isinstance(metrics, str) else list(metrics)
        self.profile = profile
        self.cutoffs = cutoffs
        self.asked = {name: value for name, value in asked.items() if value is not None}
        self.per_query = per_query
        self.progress = progress
        self.curve = curve
        self.vectors = None if vectors is None else vector_table(vectors)

    def policies(self, head: FixtureHead, chosen: Sequence[Measure]) -> Policies:
        """The policies asked for, over those of the fixture.

        Where groups are dissolved anyway, a flat list raises no question.
        """
        asked = dict(self.asked)
        if {one.profile for one in chosen} == {"trec"} and head.policies.flat is None:
            asked.setdefault("flat", "any")
        return checked_policies(head.policies, tuple(asked.items()))

    def start(self, head: FixtureHead) -> "Evaluation":
        """An evaluation with nothing in it yet."""
        profile = self.profile or head.profile
        chosen = measures(
            head.metrics if self.metrics is None else self.metrics, profile, self.cutoffs
        )
        if self.curve is not None:
            chosen = (*chosen, *curve_measures(profile, self.curve))
        return Evaluation(
            chosen, profile, self.policies(head, chosen),
            per_query=self.per_query, progress=self.progress, vectors=self.vectors,
        )  # fmt: skip

    def queries(self, truths: Records) -> tuple[Query, ...]:
        """The ground truth as models, or an InputError with all its problems."""
        evaluation = self.start(NO_HEAD)
        problems = evaluation.problems
        intake = Intake(truths, Query, evaluation.policies, problems, Kinds(problems))
        queries = tuple(one for one in intake.models() if isinstance(one, Query))
        problems.raise_if_any()
        return queries

    def evaluate_pair(self, truths: Records, results: Records) -> Report:
        """A report on ground truth and results that come apart."""
        evaluation = self.start(NO_HEAD)
        results = in_order_of(truths, results)
        problems, policies = evaluation.problems, evaluation.policies
        kinds = Kinds(problems)
        intakes = [
            Intake(truths, Query, policies, problems, kinds),
            Intake(results, RunQuery, policies, problems, kinds),
        ]
        join = Join(*(intake.rows() for intake in intakes))
        with uncollected():
            for rows in join.rows():
                evaluation.add(rows)
        evaluation.add_missing(join.missing)
        evaluation.note_extra(join.extra)
        return evaluation.report(read_warnings(*intakes))

    def evaluate_both(self, records: Records, head: FixtureHead) -> Report:
        """A report on records that hold both; a head that comes late means to begin anew."""
        if head is NO_HEAD:
            head = _first_head(records)
        evaluation = self.start(head)
        problems = evaluation.problems
        intake = Intake(records, FixtureQuery, evaluation.policies, problems, Kinds(problems))
        with uncollected():
            for rows in intake.rows():
                evaluation.add(rows)
        known = read_head(intake.reading, records.name) if intake.reading.head else head
        if _decisive(known) != _decisive(head):
            return self.evaluate_both(records, known)
        return evaluation.report(read_warnings(intake))


def _first_head(records: Records) -> FixtureHead:
    """What a fixture says before its queries."""
    reading = Reading()
    for _ in records.batches(reading):
        break
    return read_head(reading, records.name) if reading.head else NO_HEAD


def _decisive(head: FixtureHead) -> tuple[Any, ...]:
    """The part of a head that an evaluation depends on."""
    return head.metrics, head.profile, head.policies


def marked(*sources: Records) -> list[str]:
    """A warning for each source that begins with a byte order mark."""
    names = [s.name for s in sources if getattr(getattr(s, "source", None), "marked", False)]
    return [f"{name} begins with a byte order mark; it was ignored" for name in names]


def read_warnings(*intakes: Intake) -> list[str]:
    """What reading the sources gave cause to say, besides records and problems."""
    said = [warning for intake in intakes for warning in intake.reading.warnings]
    return [*marked(*(intake.records for intake in intakes)), *said]


@lru_cache(maxsize=64)
def checked_policies(base: Policies, asked: tuple[tuple[str, Any], ...]) -> Policies:
    """The base with what was asked for, or an InputError that says what a policy may be."""
    if not asked:
        return base
    try:
        return Policies(**{**dict(base), **dict(asked)})
    except ValidationError as error:
        raise InputError(
            [
                Problem(f"{detail['loc'][0]}={detail['input']!r}: it {_may_be(detail['msg'])}")
                for detail in error.errors(include_url=False)
            ]
        ) from None


def _may_be(message: str) -> str:
    return message.replace("Input should be", "may be")
