"""Ground truth and results to a report, under stated policies."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Literal

import numpy as np
from pydantic import ValidationError

from groupwise.evaluator.errors import InputError, Problem, Problems
from groupwise.evaluator.formats.batch import Records
from groupwise.evaluator.hits import FloatArray
from groupwise.evaluator.inputs import as_records, is_positional
from groupwise.evaluator.intake import Intake, Kinds, first_id, read_head
from groupwise.evaluator.matching import Matcher
from groupwise.evaluator.metrics.names import Measure, measures
from groupwise.evaluator.rows import Join, Rows
from groupwise.evaluator.statistics.means import ExactMeans
from groupwise.evaluator.statistics.ranks import RankCounts
from groupwise.schemas import (
    Counts,
    Fixture,
    FixtureHead,
    FixtureQuery,
    Id,
    PerQuery,
    Policies,
    Query,
    Report,
    RunQuery,
    Scores,
    Truth,
)
from groupwise.schemas.shape import shortened

QUERIES_PER_BATCH = 4096
Progress = Callable[[int], None]
NO_HEAD = FixtureHead()


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
    ties: Literal["score", "input"] | None = None,
    per_query: bool = True,
    progress: Progress | None = None,
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
        ties: How the trec profile orders results with scores; the others keep the given order.
        per_query: Whether to keep the scores of each query.
        progress: Called now and then with the number of queries done.

    Returns:
        The report: ``scores``, ``per_query``, ``counts``, ``warnings``.

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
    }  # fmt: skip
    plan = Plan(metrics, profile, _cutoffs(k), asked, per_query=per_query, progress=progress)
    _refuse_unequal_lists(ground_truth, results)
    if results is None:
        return plan.evaluate_both(as_records(ground_truth, "ground_truth"), _head_of(ground_truth))
    return plan.evaluate_pair(
        as_records(ground_truth, "ground_truth"), as_records(results, "results")
    )


def _cutoffs(k: int | Sequence[int] | None) -> tuple[int, ...]:
    if k is None:
        return ()
    return (k,) if isinstance(k, int) else tuple(k)


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
    ) -> None:
        self.metrics = metrics if metrics is None or isinstance(metrics, str) else list(metrics)
        self.profile = profile
        self.cutoffs = cutoffs
        self.asked = {name: value for name, value in asked.items() if value is not None}
        self.per_query = per_query
        self.progress = progress

    def policies(self, head: FixtureHead) -> Policies:
        """The policies asked for, over those of the fixture."""
        return checked_policies(head.policies, tuple(self.asked.items()))

    def start(self, head: FixtureHead) -> "Evaluation":
        """An evaluation with nothing in it yet."""
        profile = self.profile or head.profile
        chosen = measures(
            head.metrics if self.metrics is None else self.metrics, profile, self.cutoffs
        )
        return Evaluation(chosen, profile, self.policies(head), self.per_query, self.progress)

    def evaluate_pair(self, truths: Records, results: Records) -> Report:
        """A report on ground truth and results that come apart."""
        evaluation = self.start(NO_HEAD)
        problems, policies = evaluation.problems, evaluation.policies
        kinds = Kinds(problems)
        join = Join(
            Intake(truths, Query, policies, problems, kinds).rows(),
            Intake(results, RunQuery, policies, problems, kinds).rows(),
        )
        for rows in join.rows():
            evaluation.add(rows)
        evaluation.add_missing(join.missing)
        evaluation.note_extra(join.extra)
        return evaluation.report(marked(truths, results))

    def evaluate_both(self, records: Records, head: FixtureHead) -> Report:
        """A report on records that hold both; a head that comes late means to begin anew."""
        evaluation = self.start(head)
        problems = evaluation.problems
        intake = Intake(records, FixtureQuery, evaluation.policies, problems, Kinds(problems))
        for rows in intake.rows():
            evaluation.add(rows)
        known = read_head(intake.reading.head, records.name) if intake.reading.head else head
        if (known.metrics, known.profile, known.policies) != (
            head.metrics,
            head.profile,
            head.policies,
        ):
            return self.evaluate_both(records, known)
        return evaluation.report(marked(records))


def marked(*sources: Records) -> list[str]:
    """A warning for each source that begins with a byte order mark."""
    names = [s.name for s in sources if getattr(getattr(s, "source", None), "marked", False)]
    return [f"{name} begins with a byte order mark; it was ignored" for name in names]


@lru_cache(maxsize=64)
def checked_policies(base: Policies, asked: tuple[tuple[str, Any], ...]) -> Policies:
    """The base with what was asked for, or an InputError that says what a policy may be."""
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


class Evaluation:
    """Queries are added one by one, scored in batches, and reported at the end."""

    def __init__(
        self,
        chosen: Sequence[Measure],
        profile: str,
        policies: Policies,
        per_query: bool,  # noqa: FBT001
        progress: Progress | None = None,
    ) -> None:
        self.chosen = chosen
        self.profile = profile
        self.policies = policies
        self.problems = Problems()
        self.per_query = per_query
        self.progress = progress
        self.counts = dict.fromkeys(Counts.model_fields, 0)
        self._matcher = Matcher(_depth(chosen))
        self._means = ExactMeans(len(chosen))
        self._ranks = RankCounts([one.label for one in chosen if one.metric.kind == "rank"])
        self._ids: list[str] = []
        self._unscored: list[str] = []
        self._blocks: list[FloatArray] = []
        self._missing: list[str] = []
        self._extra: list[str] = []
        self._example: tuple[Truth, list[Id]] | None = None
        self._matched = False
        self._repeating = 0

    def add(self, rows: Rows) -> None:
        """Take queries that have both ground truth and results."""
        if not rows:
            return
        self.counts["queries"] += len(rows)
        if not (all(rows.truths) and all(rows.results)):
            rows = self._scorable(rows)
        if self._example is None and any(rows.results):
            self._example = rows.truths[0], next(filter(None, rows.results))
        self._score(rows.ids, rows.truths, rows.results)

    def _scorable(self, rows: Rows) -> Rows:
        """The rows that are scored; what is left out is counted."""
        kept = Rows()
        for query_id, truth, results in zip(rows.ids, rows.truths, rows.results, strict=True):
            if truth and not results:
                self.counts["empty_results"] += 1
            if not truth:
                self._add_unanswerable(query_id)
            elif not results and self.policies.empty_results == "skip":
                self._leave_out(query_id)
            else:
                kept.extend(Rows([query_id], [truth], [results]))
        return kept

    def _score(self, ids: list[str], truths: list[Truth], results: list[list[Id]]) -> None:
        self._ids.extend(ids)
        self._matcher.add(truths, results)
        if len(self._matcher) >= QUERIES_PER_BATCH:
            self._flush()

    def add_missing(self, truths: Mapping[str, Truth]) -> None:
        """Take queries that have ground truth only."""
        self.counts["queries"] += len(truths)
        for query_id, truth in truths.items():
            if not truth:
                self._add_unanswerable(query_id)
                continue
            self.counts["missing"] += 1
            self._missing.append(query_id)
            if self.policies.missing == "zero":
                self._score([query_id], [truth], [[]])
            else:
                self._leave_out(query_id)

    def _add_unanswerable(self, query_id: str) -> None:
        self.counts["unanswerable"] += 1
        if self.policies.unanswerable == "error":
            self.problems.add(Problem("no groups: nothing answers this query", query=query_id))
        self._leave_out(query_id)

    def _leave_out(self, query_id: str) -> None:
        if self.per_query:
            self._unscored.append(query_id)

    def note_extra(self, results: Mapping[str, Any]) -> None:
        """Take note of queries that have results only."""
        self.counts["extra"] = len(results)
        self._extra = list(results)

    def _flush(self) -> None:
        if not len(self._matcher):
            return
        hits = self._matcher.batch()
        self.counts["scored"] += hits.queries
        self._matched = self._matched or len(hits.rank) > 0
        self._repeating += hits.repeating_queries
        cut = {k: hits.at(k) for k in {one.k for one in self.chosen}}
        block = np.array([one.of(cut[one.k]) for one in self.chosen])
        self._means.add(block)
        self._ranks.add(self.chosen, block)
        if self.per_query:
            self._blocks.append(block)
        else:
            self._ids.clear()
        if self.progress:
            self.progress(self.counts["queries"])

    def report(self, warnings: Sequence[str] = ()) -> Report:
        """Everything found, or one InputError for all problems."""
        self._flush()
        self._check()
        means = zip(self.chosen, self._means.means(), strict=True)
        return Report.model_construct(
            schema_="groupwise.report/1",
            profile=self.profile,
            counts=Counts.model_construct(None, **self.counts),
            scores=Scores({one.label: mean for one, mean in means if one.metric.kind == "score"}),
            ranks=self._ranks.summaries(self.counts["scored"]),
            per_query=self._table(),
            warnings=(*warnings, *self._warnings()),
        )

    def _check(self) -> None:
        if self._missing and self.policies.missing == "error":
            self.problems.add(*(Problem("no results", query=one) for one in sorted(self._missing)))
        if self._extra and self.policies.extra == "error":
            self.problems.add(
                *(Problem("no ground truth", query=one) for one in sorted(self._extra))
            )
        self.problems.raise_if_any()
        if not self.counts["queries"]:
            raise InputError([Problem("no queries in the ground truth")])

    def _table(self) -> PerQuery:
        if not self.per_query:
            return PerQuery([], {})
        unscored = np.full((len(self.chosen), len(self._unscored)), np.nan)
        table = np.concatenate([*self._blocks, unscored], axis=1)
        return PerQuery(
            self._ids + self._unscored,
            {one.label: row for one, row in zip(self.chosen, table, strict=True)},
        )

    def _warnings(self) -> Iterator[str]:
        if self._example and not self._matched:
            gold, found = (shortened(repr(first_id(one))) for one in self._example)
            yield (
                "no result of any query is in its ground truth: are these two id spaces? "
                f"The ground truth has {gold}, the results have {found}"
            )
        if self._repeating:
            yield f"{_queries(self._repeating)} a relevant result"
        yield from self._left_out()

    def _left_out(self) -> Iterator[str]:
        counts, skips = self.counts, self.policies
        if counts["missing"]:
            outcome = "scored 0" if skips.missing == "zero" else "not scored"
            yield f"{counts['missing']} without results, {outcome}: {_some(self._missing)}"
        if counts["empty_results"] and skips.empty_results == "skip":
            yield f"{counts['empty_results']} with an empty result, not scored"
        if counts["unanswerable"]:
            yield f"{counts['unanswerable']} without ground truth (unanswerable), not scored"
        if counts["extra"]:
            yield f"{counts['extra']} in the results only, ignored: {_some(self._extra)}"


def _depth(chosen: Sequence[Measure]) -> int | None:
    """The deepest cutoff; None if a measure looks at whole rankings."""
    cutoffs = [one.k for one in chosen]
    return None if None in cutoffs else max(k for k in cutoffs if k is not None)


def _queries(count: int) -> str:
    return "1 query repeats" if count == 1 else f"{count} queries repeat"


def _some(ids: list[str]) -> str:
    shown = ", ".join(shortened(repr(one)) for one in sorted(ids)[:3])
    return shown + (", …" if len(ids) > 3 else "")
