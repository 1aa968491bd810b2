"""How much a verdict could change a comparison: scores as if a candidate were relevant.

If a candidate were an alternative of a group, the score of each run would change by some amount.
The difference between two runs changes by the difference of these amounts. The influence of a
candidate is the largest such change over all groups and all pairs of runs; of a single run, the
largest change of its score.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from groupwise.evaluator.errors import InputError, OptionError, Problem
from groupwise.evaluator.evaluation.comparison_settings import check_measures
from groupwise.evaluator.evaluation.partial import QUERIES_PER_BATCH, Setup
from groupwise.evaluator.hits import Budget, FloatArray
from groupwise.evaluator.hits.arrays import np
from groupwise.evaluator.intake.rows import Rows
from groupwise.evaluator.judging.rankings import NamedRun, Ranking
from groupwise.evaluator.matching.truths import grades_of, groups_of, labels_of, weights_of
from groupwise.evaluator.metrics.names import Measure
from groupwise.evaluator.metrics.scoring import compute_scores
from groupwise.schemas import Query, Reference, RichTruth, Truth


class Influence(NamedTuple):
    """The largest change that a candidate could make, and to what.

    ``gainer`` and ``loser`` are the places of two runs: the difference between them changes by
    ``change``. Without a loser it is the change of the gainer's score.
    """

    change: float
    group: int
    gainer: int = 0
    loser: int | None = None


def check_measure(measure: Measure) -> Measure:
    """Return the measure, if a score of it can be computed from rankings alone.

    Raises:
        OptionError: It is a rank, or needs tokens or vectors.
    """
    check_measures([measure])
    needs_more = measure.metric.needs and not measure.metric.needs_spans
    if needs_more or isinstance(measure.k, Budget):
        message = f"metric: {measure.label} needs tokens or vectors; choose one such as ndcg@10"
        raise OptionError([Problem(message)])
    return measure


class Hypothesis(NamedTuple):
    """A candidate of a query: what it refers to."""

    query: int
    reference: Reference


class InfluenceFinder:
    """Scores runs with and without candidates, many at a time.

    Args:
        setup: The metric, and how results meet groups.
        queries: The queries, each with groups.
        runs: The runs.
    """

    def __init__(self, setup: Setup, queries: Sequence[Query], runs: Sequence[NamedRun]) -> None:
        self._setup = setup
        self._queries = queries
        self._runs = runs
        self._truths = [query.ground_truth.truth() for query in queries]
        self._references = (
            [query.ground_truth.references() for query in queries]
            if setup.needs_references
            else None
        )

    def find(self, hypotheses: Sequence[Hypothesis]) -> list[Influence]:
        """Return the influence of each candidate."""
        found: list[Influence] = []
        for some in self._batch(hypotheses):
            found += self._find_some(some)
        return found

    def _batch(self, hypotheses: Iterable[Hypothesis]) -> Iterator[list[Hypothesis]]:
        """Yield as many candidates at a time as have a batch of groups."""
        some: list[Hypothesis] = []
        size = 0
        for hypothesis in hypotheses:
            some.append(hypothesis)
            size += 1 + len(groups_of(self._truths[hypothesis.query]))
            if size >= QUERIES_PER_BATCH:
                yield some
                some, size = [], 0
        if some:
            yield some

    def _find_some(self, hypotheses: list[Hypothesis]) -> Iterator[Influence]:
        cases = [
            (hypothesis, group)
            for hypothesis in hypotheses
            for group in range(len(groups_of(self._truths[hypothesis.query])))
        ]
        before = [(hypothesis, None) for hypothesis in hypotheses]
        changes = np.array([self._find_changes(run, cases, before) for run in self._runs])
        first = 0
        for hypothesis in hypotheses:
            count = len(groups_of(self._truths[hypothesis.query]))
            yield _choose(changes[:, first : first + count])
            first += count

    def _find_changes(
        self,
        run: NamedRun,
        cases: list[tuple[Hypothesis, int]],
        before: Sequence[tuple[Hypothesis, int | None]],
    ) -> FloatArray:
        """Return by how much each case changes the score of a run."""
        old = self._score(run, before)
        counts = [len(groups_of(self._truths[hypothesis.query])) for hypothesis, _ in before]
        return self._score(run, cases) - np.repeat(old, counts)

    def _score(self, run: NamedRun, cases: Sequence[tuple[Hypothesis, int | None]]) -> FloatArray:
        """Return the score of a run in each case."""
        rows = self._build_rows(run, cases)
        if problems := self._setup.matching.find_problems(rows):
            raise InputError([problem._replace(source=f"run {run.name!r}") for problem in problems])
        orders = self._setup.matcher(None, [])
        orders.add(rows)
        blocks = [compute_scores(self._setup.measures, batch.hits)[0] for batch in orders.batches()]
        return np.concatenate(blocks)

    def _build_rows(self, run: NamedRun, cases: Sequence[tuple[Hypothesis, int | None]]) -> Rows:
        chosen = [self._queries[hypothesis.query] for hypothesis, _ in cases]
        rankings = [run.rank(query.id) for query in chosen]
        rows = Rows(
            [query.id for query in chosen],
            [self._extend_truth(hypothesis, group) for hypothesis, group in cases],
            [ranking.ids for ranking in rankings],
            scores=[ranking.scores for ranking in rankings],
            not_relevant=[query.judged_not_relevant() for query in chosen],
        )
        if self._references is not None:
            rows.truth_references = [self._extend_references(*case) for case in cases]
            rows.result_references = [list_references(ranking) for ranking in rankings]
        return rows

    def _extend_truth(self, hypothesis: Hypothesis, group: int | None) -> Truth:
        truth = self._truths[hypothesis.query]
        return truth if group is None else add_alternative(truth, group, hypothesis.reference)

    def _extend_references(
        self, hypothesis: Hypothesis, group: int | None
    ) -> list[list[Reference]]:
        assert self._references is not None  # noqa: S101  (the caller has looked)
        groups = self._references[hypothesis.query]
        return [
            [*given, hypothesis.reference] if number == group else given
            for number, given in enumerate(groups)
        ]


def list_references(ranking: Ranking) -> list[Reference]:
    """Return what the results of a ranking refer to."""
    return [ranking.find_reference(place) for place in range(len(ranking.ids))]


def add_alternative(truth: Truth, group: int, reference: Reference) -> Truth:
    """Return a ground truth with one more alternative, of grade 1, in a group."""
    groups = [
        [*ids, reference.id] if number == group else ids
        for number, ids in enumerate(groups_of(truth))
    ]
    if not isinstance(truth, RichTruth):
        return groups
    place = sum(map(len, groups_of(truth)[: group + 1]))
    grades = [*grades_of(truth)]
    grades.insert(place, 1.0)
    return RichTruth(groups, [*weights_of(truth)], grades, [*labels_of(truth)])


def _choose(changes: FloatArray) -> Influence:
    """Return the largest change; ``changes`` has a row per run and a column per group.

    A run without a score in a case takes no part in it.
    """
    known = ~np.isnan(changes)
    high = np.where(known, changes, -np.inf)
    low = np.where(known, changes, np.inf)
    if len(changes) == 1:
        sizes = np.where(known[0], np.abs(changes[0]), -1.0)
        group = int(np.argmax(np.round(sizes, 12)))
        return Influence(float(changes[0, group]) if known[0, group] else 0.0, group)
    spread = np.where(known.sum(axis=0) > 1, high.max(axis=0) - low.min(axis=0), 0.0)
    group = int(np.argmax(np.round(spread, 12)))
    if not spread[group] > 0:
        return Influence(0.0, group, 0, 1)
    gainer, loser = int(np.argmax(high[:, group])), int(np.argmin(low[:, group]))
    return Influence(float(spread[group]), group, gainer, loser)
