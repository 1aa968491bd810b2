"""Values of runs to a comparison: means, intervals, differences, tests.

A metric is compared on the queries that every run is scored on. The others are left out of all
runs, so that all means are over the same queries.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from groupwise.evaluator.evaluation.comparison_settings import Settings
from groupwise.evaluator.evaluation.comparison_tests import Tested, test_metrics
from groupwise.evaluator.evaluation.pair_verdicts import describe_pair
from groupwise.evaluator.evaluation.run_values import RunValues
from groupwise.evaluator.hits import FloatArray
from groupwise.evaluator.hits.arrays import BoolArray, IntArray, np
from groupwise.evaluator.statistics.agreement import kendall_tau
from groupwise.evaluator.statistics.means import ExactMeans
from groupwise.evaluator.statistics.paired import compare_by_query, effect_size, standard_deviation
from groupwise.evaluator.statistics.power import detectable_difference
from groupwise.schemas.comparison import (
    Agreement,
    ComparedCounts,
    ComparedMetric,
    Pair,
    QueryChange,
    RunScore,
)

RUNS_TO_ORDER = 4
"""From this many runs on, metrics are compared by the order in which they put the runs."""


class Part(NamedTuple):
    """A comparison on some queries."""

    counts: ComparedCounts
    runs: dict[str, dict[str, RunScore]]
    pairs: tuple[Pair, ...]
    metrics: dict[str, ComparedMetric]
    exact: bool
    permutations: int | None
    details: str


class Compared(NamedTuple):
    """One metric on the queries that every run is scored on; rows of ``values`` are runs."""

    label: str
    queries: IntArray
    values: FloatArray
    dropped: int
    means: Sequence[float | None]
    tested: Tested


def compare_values(values: RunValues, settings: Settings, unanswerable: int = 0) -> Part:
    """Return the comparison on all queries of these values."""
    pairs = settings.choose_pairs(values.runs)
    compared = list(_compare_metrics(values, pairs, settings))
    found = {
        metric.label: list(_build_pairs(metric, values, pairs, settings)) for metric in compared
    }
    return Part(
        counts=_count_queries(values, unanswerable),
        runs={
            name: _build_scores(name, row, compared, found) for row, name in enumerate(values.runs)
        },
        pairs=tuple(pair for built in found.values() for pair in built),
        metrics={metric.label: _summarise(metric, found[metric.label]) for metric in compared},
        exact=all(metric.tested.exact for metric in compared),
        permutations=max((metric.tested.permutations or 0 for metric in compared), default=0)
        or None,
        details=next(filter(None, (metric.tested.details for metric in compared)), ""),
    )


def _compare_metrics(
    values: RunValues, pairs: Sequence[tuple[int, int]], settings: Settings
) -> Iterator[Compared]:
    """Yield what is computed for each metric; those scored on the same queries share resamples."""
    is_scored = ~np.isnan(values.values)
    is_compared: BoolArray = np.logical_and.reduce(is_scored, axis=1)
    dropped = (is_scored.any(axis=1) & ~is_compared).sum(axis=1).tolist()
    done: dict[int, Compared] = {}
    for rows in _group_alike(is_compared):
        queries = np.flatnonzero(is_compared[rows[0]])
        block = values.values[rows][:, :, queries]
        means = _average(block)
        tested = test_metrics(block, pairs, settings)
        for place, row in enumerate(rows):
            done[row] = Compared(
                values.metrics[row], queries, block[place], dropped[row],
                means[place], tested[place],
            )  # fmt: skip
    return (done[row] for row in sorted(done))


def _group_alike(masks: BoolArray) -> list[list[int]]:
    """Return the numbers of equal rows together."""
    alike: dict[bytes, list[int]] = {}
    for row, mask in enumerate(np.packbits(masks, axis=1)):
        alike.setdefault(mask.tobytes(), []).append(row)
    return list(alike.values())


def _average(block: FloatArray) -> list[list[float | None]]:
    """Return the exact means by metric and run."""
    metrics, runs, queries = block.shape
    means = ExactMeans(metrics * runs)
    means.add(block.reshape(metrics * runs, queries))
    flat = means.means()
    return [flat[start : start + runs] for start in range(0, len(flat), runs)]


def _count_queries(values: RunValues, unanswerable: int) -> ComparedCounts:
    is_scored = ~np.isnan(values.values)
    is_compared = is_scored.all(axis=1).any(axis=0)
    is_dropped = is_scored.any(axis=(0, 1)) & ~is_compared
    return ComparedCounts(
        queries=len(values.queries),
        compared=int(is_compared.sum()),
        unanswerable=unanswerable,
        dropped=int(is_dropped.sum()),
    )


def _build_scores(
    name: str, row: int, compared: Sequence[Compared], pairs: dict[str, list[Pair]]
) -> dict[str, RunScore]:
    """Return the mean of a run on each metric, and the runs that it beats."""
    return {
        metric.label: _build_score(name, row, metric, pairs[metric.label]) for metric in compared
    }


def _build_score(name: str, row: int, metric: Compared, pairs: Sequence[Pair]) -> RunScore:
    mean, interval = metric.means[row], metric.tested.runs[row]
    known = [other for other in metric.means if other is not None]
    return RunScore(
        mean=mean,
        low=interval.low,
        high=interval.high,
        n=len(metric.queries),
        interval=interval.kind,
        best=mean is not None and mean == max(known),
        better_than=tuple(sorted(filter(None, (_find_beaten(name, pair) for pair in pairs)))),
    )


def _find_beaten(name: str, pair: Pair) -> str | None:
    """Return the run that this one is significantly better than, if the pair says so."""
    if not pair.significant or not pair.difference or name not in (pair.a, pair.b):
        return None
    better, worse = (pair.b, pair.a) if pair.difference > 0 else (pair.a, pair.b)
    return worse if name == better else None


def _summarise(metric: Compared, pairs: Sequence[Pair]) -> ComparedMetric:
    significant = sum(pair.significant for pair in pairs)
    return ComparedMetric(
        n=len(metric.queries),
        dropped=metric.dropped,
        pairs=len(pairs),
        significant=significant,
        share=significant / len(pairs) if len(metric.queries) else None,
        exact=metric.tested.exact,
    )


def _build_pairs(
    metric: Compared, values: RunValues, pairs: Sequence[tuple[int, int]], settings: Settings
) -> Iterator[Pair]:
    """Yield the pairs of runs on one metric."""
    names = [values.queries[row] for row in metric.queries.tolist()]
    for number, (a, b) in enumerate(pairs):
        runs = values.runs[a], values.runs[b]
        pair = _build_pair(metric, number, (a, b), runs, settings)
        gains, losses = _find_changes(names, metric.values[a], metric.values[b], settings.explain)
        yield pair.model_copy(
            update={
                "verdict": describe_pair(pair, len(names), settings),
                "largest_gains": gains,
                "largest_losses": losses,
            }
        )


def _build_pair(
    metric: Compared,
    number: int,
    rows: tuple[int, int],
    runs: tuple[str, str],
    settings: Settings,
) -> Pair:
    first, second = metric.values[rows[0]], metric.values[rows[1]]
    differences = second - first
    wins, ties, losses = compare_by_query(first, second)
    tested, before = metric.tested, metric.means[rows[0]]
    difference = _subtract(metric.means[rows[1]], before)
    corrected = tested.p_corrected[number]
    worse = tested.p_non_inferior[number]
    return Pair.model_construct(
        metric=metric.label,
        a=runs[0],
        b=runs[1],
        difference=difference,
        relative=difference / before if difference is not None and before else None,
        low=tested.pairs[number].low,
        high=tested.pairs[number].high,
        p=tested.p[number],
        p_corrected=corrected,
        significant=corrected is not None and corrected <= settings.level,
        wins=wins,
        ties=ties,
        losses=losses,
        effect=effect_size(differences),
        detectable=_find_detectable(differences),
        p_non_inferior=worse,
        non_inferior=None if worse is None else worse <= settings.level,
    )


def _subtract(mean: float | None, before: float | None) -> float | None:
    return None if mean is None or before is None else mean - before


def _find_detectable(differences: FloatArray) -> float | None:
    """Return the smallest difference that so many queries of this variance can show."""
    spread = standard_deviation(differences)
    return None if spread is None else detectable_difference(spread, len(differences))


def _find_changes(
    names: Sequence[str], first: FloatArray, second: FloatArray, most: int
) -> tuple[tuple[QueryChange, ...], tuple[QueryChange, ...]]:
    """Return the queries with the largest gains, and those with the largest losses."""
    differences = second - first
    gains, losses = (
        tuple(
            QueryChange.model_construct(
                query=names[row],
                a=float(first[row]),
                b=float(second[row]),
                difference=float(differences[row]),
            )
            for row in _find_largest(change, most)
        )
        for change in (differences, -differences)
    )
    return gains, losses


def _find_largest(change: FloatArray, most: int) -> list[int]:
    """Return the places of the largest values above 0, equal ones by place."""
    places = np.flatnonzero(change > 0)
    values = change[places]  # ties with 0 would make the partition slow
    count = min(most, len(places))
    if not count:
        return []
    least = np.partition(values, len(values) - count)[len(values) - count]
    above, equal = places[values > least], places[values == least]
    ordered = above[np.argsort(-change[above], kind="stable")]
    return [*ordered.tolist(), *equal[: count - len(above)].tolist()]


def compare_orders(part: Part) -> tuple[Agreement, ...]:
    """Return how alike metrics order the runs, if there are enough runs to order."""
    if len(part.runs) < RUNS_TO_ORDER:
        return ()
    return tuple(
        Agreement(a=first, b=second, tau=_correlate(part, first, second))
        for first, second in combinations(part.metrics, 2)
    )


def _correlate(part: Part, first: str, second: str) -> float | None:
    """Return Kendall's tau of two metrics over the means of all runs."""
    means = [(scores[first].mean, scores[second].mean) for scores in part.runs.values()]
    known = [(a, b) for a, b in means if a is not None and b is not None]
    if len(known) < len(means):
        return None
    firsts, seconds = zip(*known, strict=True)
    return kendall_tau(firsts, seconds)
