"""Ground truth and results to a report, under stated policies."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any, Literal

import numpy as np
from pydantic import ValidationError

from groupwise.evaluator.errors import InputError, Problem, Problems
from groupwise.evaluator.formats.batch import Records
from groupwise.evaluator.hits import FloatArray
from groupwise.evaluator.inputs import as_records
from groupwise.evaluator.intake import Case, Intake, Kinds, read_head
from groupwise.evaluator.matching import Matcher
from groupwise.evaluator.metrics.names import Measure, measures
from groupwise.evaluator.statistics.means import ExactMeans
from groupwise.evaluator.statistics.ranks import RankCounts
from groupwise.schemas import (
    Counts,
    Fixture,
    FixtureHead,
    FixtureQuery,
    Id,
    PerQuery,
    PlainTruth,
    Policies,
    Query,
    Report,
    RunQuery,
    Scores,
)
from groupwise.schemas.shape import shortened

QUERIES_PER_BATCH = 4096
Progress = Callable[[int], None]


def evaluate(
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
        >>> report = evaluate({"q1": [["a", "b"], ["c"]]}, {"q1": ["a", "x", "b"]}, metrics="recall")
        >>> report.scores["recall"]
        0.5
    """
    asked = {
        "missing": missing, "extra": extra, "empty_results": empty_results,
        "unanswerable": unanswerable, "flat": flat, "ids": ids, "ties": ties,
    }  # fmt: skip
    plan = Plan(metrics, profile, _cutoffs(k), asked, per_query=per_query, progress=progress)
    if results is None:
        return plan.evaluate_both(as_records(ground_truth, "ground_truth"), _head_of(ground_truth))
    return plan.evaluate_pair(as_records(ground_truth, "ground_truth"), as_records(results, "results"))


def _cutoffs(k: int | Sequence[int] | None) -> tuple[int, ...]:
    if k is None:
        return ()
    return (k,) if isinstance(k, int) else tuple(k)


def _head_of(value: Any) -> FixtureHead:
    return value if isinstance(value, Fixture) else FixtureHead()


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
        return checked_policies({**head.policies.model_dump(), **self.asked})

    def start(self, head: FixtureHead) -> "Evaluation":
        """An evaluation with nothing in it yet."""
        profile = self.profile or head.profile
        chosen = measures(head.metrics if self.metrics is None else self.metrics, profile, self.cutoffs)
        return Evaluation(chosen, profile, self.policies(head), self.per_query, self.progress)

    def evaluate_pair(self, truths: Records, results: Records) -> Report:
        """A report on ground truth and results that come apart."""
        evaluation = self.start(FixtureHead())
        problems, policies = evaluation.problems, evaluation.policies
        kinds = Kinds(problems)
        evaluation.add_pairs(
            Intake(truths, Query, policies, problems, kinds).cases(),
            Intake(results, RunQuery, policies, problems, kinds).cases(),
        )
        return evaluation.report(marked(truths, results))

    def evaluate_both(self, records: Records, head: FixtureHead) -> Report:
        """A report on records that hold both; a head that comes late means to begin anew."""
        evaluation = self.start(head)
        problems = evaluation.problems
        intake = Intake(records, FixtureQuery, evaluation.policies, problems, Kinds(problems))
        for case in intake.cases():
            evaluation.add(case.id, case.truth, case.results)
        known = read_head(intake.reading.head, records.name) if intake.reading.head else head
        if (known.metrics, known.profile, known.policies) != (head.metrics, head.profile, head.policies):
            return self.evaluate_both(records, known)
        return evaluation.report(marked(records))


def marked(*sources: Records) -> list[str]:
    """A warning for each source that begins with a byte order mark."""
    names = [s.name for s in sources if getattr(getattr(s, "source", None), "marked", False)]
    return [f"{name} begins with a byte order mark; it was ignored" for name in names]


def checked_policies(asked: Mapping[str, Any]) -> Policies:
    """The policies, or an InputError that says what a policy may be."""
    try:
        return Policies(**asked)
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
        self._example: tuple[Id, Id] | None = None

    def add_pairs(self, truths: Iterator[Case], rankings: Iterator[Case]) -> None:
        """Join ground truth and results by query id; in the same order, nothing is held back."""
        waiting_truths: dict[str, PlainTruth] = {}
        waiting_results: dict[str, list[Id]] = {}
        for truth, ranking in zip_longest(truths, rankings):
            if truth and ranking and truth.id == ranking.id:
                self.add(truth.id, truth.truth, ranking.results)
                continue
            if truth:
                waiting_truths[truth.id] = truth.truth
            if ranking:
                waiting_results[ranking.id] = ranking.results
            for one in (truth, ranking):
                if one and one.id in waiting_truths and one.id in waiting_results:
                    self.add(one.id, waiting_truths.pop(one.id), waiting_results.pop(one.id))
        for query_id, unmatched in waiting_truths.items():
            self._add_missing(query_id, unmatched)
        self._note_extra(waiting_results)

    def add(self, query_id: str, truth: PlainTruth, results: list[Id]) -> None:
        """Take one query that has both ground truth and results."""
        self.counts["queries"] += 1
        if not truth.sizes:
            self._add_unanswerable(query_id)
            return
        if not results:
            self.counts["empty_results"] += 1
            if self.policies.empty_results == "skip":
                self._leave_out(query_id)
                return
        elif self._example is None:
            self._example = truth.ids[0], results[0]
        self._score(query_id, truth, results)

    def _score(self, query_id: str, truth: PlainTruth, results: list[Id]) -> None:
        self._ids.append(query_id)
        self._matcher.add(truth, results)
        if len(self._matcher) == QUERIES_PER_BATCH:
            self._flush()

    def _add_missing(self, query_id: str, truth: PlainTruth) -> None:
        self.counts["queries"] += 1
        if not truth.sizes:
            self._add_unanswerable(query_id)
            return
        self.counts["missing"] += 1
        self._missing.append(query_id)
        if self.policies.missing == "zero":
            self._score(query_id, truth, [])
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

    def _note_extra(self, waiting: Mapping[str, Any]) -> None:
        self.counts["extra"] = len(waiting)
        self._extra = list(waiting)

    def _flush(self) -> None:
        if not len(self._matcher):
            return
        hits = self._matcher.batch()
        self.counts["scored"] += hits.queries
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
            counts=Counts(**self.counts),
            scores=Scores({one.label: mean for one, mean in means if one.metric.kind == "score"}),
            ranks=self._ranks.summaries(self.counts["scored"]),
            per_query=self._table(),
            warnings=(*warnings, *self._warnings()),
        )

    def _check(self) -> None:
        if self._missing and self.policies.missing == "error":
            self.problems.add(*(Problem("no results", query=one) for one in sorted(self._missing)))
        if self._extra and self.policies.extra == "error":
            self.problems.add(*(Problem("no ground truth", query=one) for one in sorted(self._extra)))
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
        if self._example and not self._matcher.matched:
            gold, found = (shortened(repr(one)) for one in self._example)
            yield (
                "no result of any query is in its ground truth: are these two id spaces? "
                f"The ground truth has {gold}, the results have {found}"
            )
        if self._matcher.repeated:
            yield f"{_queries(self._matcher.repeated)} a relevant result more than once"
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
