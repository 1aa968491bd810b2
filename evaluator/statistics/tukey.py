"""Randomised Tukey HSD: p-values for all pairs of runs that account for each other.

Carterette (2012), Multiple Testing in Statistical Analysis of Systems-Based Information Retrieval
Experiments; Sakai (2018), Laboratory Experiments in Information Retrieval. If the runs do not
differ, the values of a query could belong to any of them. So the values of each query are put into
a random order, and the largest difference between any two means is compared with that of a pair.
As the largest is taken, the probability of any false positive is what p says, and the p-values need
no further correction.

A random order is drawn for each query, and rotated by a random number of places for each of the
next permutations. That is as random as an order of its own, and the sums of rotated values are one
product of matrices.
"""

from itertools import combinations
from typing import Any

from groupwise.evaluator.hits import FloatArray, IntArray
from groupwise.evaluator.hits.arrays import np
from groupwise.evaluator.statistics.grid import build_grid
from groupwise.evaluator.statistics.products import choose_rows, multiply
from groupwise.evaluator.statistics.resampling import (
    ORDERS,
    draw_indices,
    draw_orders,
    open_stream,
)

ROTATIONS = 16
"""How many permutations are rotations of one order."""
PValues = dict[tuple[int, int], float]


def randomised_tukey(values: FloatArray, *, permutations: int = 10_000, seed: int = 0) -> PValues:
    """Return the p-value of each pair of runs (a, b), a before b.

    Args:
        values: Of shape (runs, queries), the queries in order of their ids, without NaN.
        permutations: How many; p = (b + 1) / (m + 1).
        seed: Of the random numbers.
    """
    return randomised_tukey_of_metrics(values[None], permutations=permutations, seed=seed)[0]


def randomised_tukey_of_metrics(
    values: FloatArray, *, permutations: int = 10_000, seed: int = 0
) -> list[PValues]:
    """Return what ``randomised_tukey`` does for each metric: (metrics, runs, queries)."""
    grid = build_grid(values)
    whole = grid.whole.reshape(values.shape)
    ranges = _draw_ranges(whole, permutations, seed) if values.size else np.zeros((len(values), 1))
    return [
        _find_p_values(sums, metric_ranges, grid.tolerance)
        for sums, metric_ranges in zip(whole.sum(axis=2), ranges, strict=True)
    ]


def _find_p_values(sums: FloatArray, ranges: FloatArray, tolerance: float) -> PValues:
    ascending = np.sort(ranges)
    p_values = {}
    for a, b in combinations(range(len(sums)), 2):
        below = int(np.searchsorted(ascending, abs(sums[b] - sums[a]) - tolerance))
        p_values[a, b] = (len(ranges) - below + 1) / (len(ranges) + 1)
    return p_values


def _draw_ranges(whole: FloatArray, permutations: int, seed: int) -> FloatArray:
    """Return the largest difference of sums in each permutation: (metrics, permutations)."""
    stream = open_stream(seed, ORDERS)
    turned = np.ascontiguousarray(whole.transpose(2, 1, 0))
    queries, runs, _ = turned.shape
    ranges = []
    for start in range(0, permutations, ROTATIONS):
        ordered = _order_runs(turned, stream)
        places = draw_indices(stream, min(ROTATIONS, permutations - start), queries, runs)
        size = max(1, choose_rows(queries, turned[0].size) // runs)
        for first in range(0, len(places), size):
            sums = _sum_rotated(ordered, places[first : first + size])
            ranges.append(np.ptp(sums, axis=1))
    return np.concatenate(ranges).T


def _order_runs(turned: FloatArray, stream: Any) -> FloatArray:
    """Return values of shape (queries, runs, metrics), the runs of each query in random order."""
    queries, runs, metrics = turned.shape
    orders = draw_orders(stream, queries, runs) + np.arange(queries)[:, None] * runs
    ordered: FloatArray = turned.reshape(-1, metrics)[orders.ravel()].reshape(turned.shape)
    return ordered


def _sum_rotated(ordered: FloatArray, places: IntArray) -> FloatArray:
    """Return sums over queries that are rotated by so many places: (permutations, runs, metrics).

    The queries that are rotated by the same number of places are summed up first, then these sums
    are rotated.
    """
    queries, runs, metrics = ordered.shape
    chosen = np.zeros((len(places), runs, queries))
    np.put_along_axis(chosen, places[:, None], 1.0, axis=1)
    sums = multiply(chosen.reshape(-1, queries), ordered.reshape(queries, -1).T)
    by_place = sums.reshape(len(places), runs, runs, metrics)
    place, run = np.ogrid[:runs, :runs]
    rotated: FloatArray = by_place[:, place, (place + run) % runs].sum(axis=1)
    return rotated


def tukey_effect_sizes(values: FloatArray) -> PValues | None:
    """Return the differences of means over the residual standard deviation, for each pair (a, b).

    It is b - a. The residual is what the means of runs and of queries leave, by the two-way
    analysis of variance without replication (Sakai 2018); None if that is nothing.
    """
    variance = residual_variance(values)
    if not variance:
        return None
    means = values.mean(axis=1).tolist()
    return {
        (a, b): (means[b] - means[a]) / variance**0.5 for a, b in combinations(range(len(means)), 2)
    }


def residual_variance(values: FloatArray) -> float | None:
    """Return the residual mean square of runs and queries; None for fewer than two of either."""
    runs, queries = values.shape
    if runs < 2 or queries < 2:
        return None
    left = values - values.mean(axis=1, keepdims=True) - values.mean(axis=0) + values.mean()
    return float((left * left).sum() / ((runs - 1) * (queries - 1)))
