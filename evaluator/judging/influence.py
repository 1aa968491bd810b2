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
from groupwise.evaluator.matching.lookup import Lookup
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


class Cases(NamedTuple):
    """Ground truths to score: the query of each, its groups, and what they refer to."""

    queries: list[int]
    truths: list[Truth]
    references: list[list[list[Reference]] | None]


class InfluenceFinder:
    """Scores runs with and without candidates, many at a time.

    Args:
        setup: The metric, and how results meet groups.
        queries: The queries, each with groups.
        runs: The runs.
        lookup: What completes ids from a corpus, if there is one.
    """

    def __init__(
        self,
        setup: Setup,
        queries: Sequence[Query],
        runs: Sequence[NamedRun],
        lookup: Lookup | None = None,
    ) -> None:
        self._setup = setup
        self._runs = runs
        self._lookup = lookup
        self._ids = [query.id for query in queries]
        self._truths = [query.ground_truth.truth() for query in queries]
        self._groups = [len(query.ground_truth.groups) for query in queries]
        self._unwanted = [query.judged_not_relevant() for query in queries]
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
            size += self._groups[hypothesis.query]
            if size >= QUERIES_PER_BATCH:
                yield some
                some, size = [], 0
        if some:
            yield some

    def _find_some(self, hypotheses: list[Hypothesis]) -> Iterator[Influence]:
        queries = sorted({hypothesis.query for hypothesis in hypotheses})
        place_of = {query: place for place, query in enumerate(queries)}
        before, after = self._list_given(queries), self._list_extended(hypotheses)
        places = [place_of[query] for query in after.queries]
        changes = np.array(
            [self._score(run, after) - self._score(run, before)[places] for run in self._runs]
        )
        first = 0
        for hypothesis in hypotheses:
            last = first + self._groups[hypothesis.query]
            yield _choose(changes[:, first:last])
            first = last

    def _list_given(self, queries: list[int]) -> Cases:
        """Return the ground truths as they are."""
        truths = [self._truths[query] for query in queries]
        return Cases(queries, truths, [self._refer(query) for query in queries])

    def _list_extended(self, hypotheses: list[Hypothesis]) -> Cases:
        """Return the ground truths with each candidate in each of its groups."""
        cases = Cases([], [], [])
        for query, reference in hypotheses:
            for group in range(self._groups[query]):
                cases.queries.append(query)
                cases.truths.append(add_alternative(self._truths[query], group, reference))
                cases.references.append(self._refer(query, group, reference))
        return cases

    def _refer(
        self, query: int, group: int | None = None, more: Reference | None = None
    ) -> list[list[Reference]] | None:
        """Return what the groups of a query refer to, perhaps with one more in a group."""
        if self._references is None:
            return None
        return [
            [*given, more] if more is not None and number == group else given
            for number, given in enumerate(self._references[query])
        ]

    def _score(self, run: NamedRun, cases: Cases) -> FloatArray:
        """Return the score of a run in each case."""
        rows = complete_rows(self._build_rows(run, cases), run.name, self._setup, self._lookup)
        orders = self._setup.matcher(None, [])
        orders.add(rows)
        batches = orders.batches()
        return np.concatenate([compute_scores(self._setup.measures, b.hits)[0] for b in batches])

    def _build_rows(self, run: NamedRun, cases: Cases) -> Rows:
        ids = [self._ids[query] for query in cases.queries]
        rankings = [run.rank(name) for name in ids]
        rows = Rows(
            ids,
            cases.truths,
            [ranking.ids for ranking in rankings],
            scores=[ranking.scores for ranking in rankings],
            not_relevant=[self._unwanted[query] for query in cases.queries],
        )
        if self._references is not None:
            rows.truth_references = cases.references
            rows.result_references = [list_references(ranking) for ranking in rankings]
        return rows


def complete_rows(rows: Rows, run: str, setup: Setup, lookup: Lookup | None) -> Rows:
    """Return rows of a run with what a corpus knows of them.

    Raises:
        InputError: They lack what the matcher cannot do without.
    """
    if lookup is None:
        problems = setup.matching.find_problems(rows)
    else:
        rows = lookup.fill(rows)
        problems = [*lookup.find_problems(rows, setup.matching)]
    if problems:
        raise InputError([problem._replace(source=f"run {run!r}") for problem in problems])
    return rows


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
