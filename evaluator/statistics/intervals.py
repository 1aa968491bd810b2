"""Confidence intervals of means: Wilson for shares, BCa for everything else."""

import math
from collections.abc import Sequence
from statistics import NormalDist
from typing import NamedTuple

from groupwise.evaluator.hits import FloatArray
from groupwise.evaluator.statistics.bca import Bootstrap
from groupwise.evaluator.statistics.resampling import RESAMPLES

__all__ = [
    "FEW",
    "NOTHING",
    "RESAMPLES",
    "Estimates",
    "Interval",
    "estimate_all",
    "estimate_intervals",
    "is_binary",
    "wilson_interval",
]

FEW = 10
"""Below this many queries, an interval says little; reports say so."""
FEWEST = 2


class Interval(NamedTuple):
    """The ends of a confidence interval, and how it was found: ``wilson``, ``bca`` or ``none``.

    ``none`` has no ends: there are fewer than two queries, or their values are all equal and not
    all 0 or 1, so that nothing can be said about other queries.
    """

    low: float | None
    high: float | None
    kind: str


NOTHING = Interval(None, None, "none")


class Estimates(NamedTuple):
    """Intervals of a comparison, for each metric: of its runs, and of its pairs of runs."""

    runs: list[list[Interval]]
    pairs: list[list[Interval]]


def wilson_interval(successes: int, count: int, confidence: float) -> tuple[float, float]:
    """Return the score interval of a share (Wilson 1927).

    It is where the score test does not reject, and so covers well near 0 and 1 too.

    >>> low, high = wilson_interval(16, 16, 0.95)
    >>> round(low, 4), high
    (0.8064, 1.0)
    """
    z = _find_quantile(confidence)
    share, spread = successes / count, z * z / count
    middle = share + spread / 2
    half = z * math.sqrt((share * (1 - share) + spread / 4) / count)
    low = 0.0 if successes == 0 else (middle - half) / (1 + spread)
    high = 1.0 if successes == count else (middle + half) / (1 + spread)
    return low, high


def _find_quantile(confidence: float) -> float:
    return -NormalDist().inv_cdf((1 - confidence) / 2)


def is_binary(values: FloatArray) -> bool:
    """Whether all values are 0 or 1."""
    return bool(((values == 0) | (values == 1)).all())


def estimate_intervals(
    values: FloatArray,
    *,
    confidence: float = 0.95,
    seed: int = 0,
    resamples: int = RESAMPLES,
    binary: bool | Sequence[bool] | None = None,
) -> list[Interval]:
    """Return the interval of the mean of each column.

    Args:
        values: Of shape (columns, queries), the queries in order of their ids, without NaN.
        confidence: How often such intervals hold the mean.
        seed: Of the resamples, which all columns share.
        resamples: How many.
        binary: Whether the values are shares of 0 and 1, for all columns or for each; None: a
            column is, if all of its own values are 0 or 1. Where columns are runs of one metric,
            use ``estimate_all``, which decides for all runs alike.
    """
    flags = _choose_flags(values, binary=binary)
    return _estimate_columns(values, flags, confidence, seed, resamples)


def _choose_flags(values: FloatArray, *, binary: bool | Sequence[bool] | None) -> list[bool]:
    if binary is None:
        return [is_binary(column) for column in values]
    return [binary] * len(values) if isinstance(binary, bool) else list(binary)


def _estimate_columns(
    values: FloatArray, flags: list[bool], confidence: float, seed: int, resamples: int
) -> list[Interval]:
    if values.shape[1] < FEWEST:
        return [NOTHING] * len(values)
    others = [column for column, flag in enumerate(flags) if not flag]
    found = dict(
        zip(others, _estimate_others(values[others], confidence, seed, resamples), strict=True)
    )
    return [
        found.get(column) or _estimate_share(values[column], confidence)
        for column in range(len(values))
    ]


def _estimate_others(
    values: FloatArray, confidence: float, seed: int, resamples: int
) -> list[Interval]:
    if not len(values):
        return []
    bootstrap = Bootstrap(values[:, None], seed=seed, resamples=resamples)
    return [_name_bca(bootstrap.interval(column, confidence)) for column in range(len(values))]


def _estimate_share(values: FloatArray, confidence: float) -> Interval:
    return Interval(*wilson_interval(int(values.sum()), len(values), confidence), "wilson")


def _name_bca(ends: tuple[float, float] | None) -> Interval:
    return NOTHING if ends is None else Interval(*ends, "bca")


def estimate_all(
    values: FloatArray,
    pairs: Sequence[tuple[int, int]],
    *,
    confidence: float = 0.95,
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> Estimates:
    """Return the intervals of all runs and pairs of all metrics, from one set of resamples.

    A metric is a share if the values of all of its runs are 0 or 1. The interval of a pair (a, b)
    is that of the mean of b - a over the queries, always BCa.

    Args:
        values: Of shape (metrics, runs, queries), the queries in order of their ids, without NaN.
        pairs: Numbers of runs.
        confidence: How often such intervals hold the mean.
        seed: Of the resamples.
        resamples: How many.
    """
    metrics, runs, queries = values.shape
    if queries < FEWEST:
        return Estimates([[NOTHING] * runs] * metrics, [[NOTHING] * len(pairs)] * metrics)
    bootstrap = Bootstrap(values, seed=seed, resamples=resamples)
    return Estimates(
        [_estimate_runs(bootstrap, values, metric, confidence) for metric in range(metrics)],
        [
            [
                _name_bca(bootstrap.difference(metric * runs + a, metric * runs + b, confidence))
                for a, b in pairs
            ]
            for metric in range(metrics)
        ],
    )


def _estimate_runs(
    bootstrap: Bootstrap, values: FloatArray, metric: int, confidence: float
) -> list[Interval]:
    if is_binary(values[metric]):
        return [_estimate_share(run, confidence) for run in values[metric]]
    start = metric * values.shape[1]
    return [
        _name_bca(bootstrap.interval(start + run, confidence)) for run in range(values.shape[1])
    ]
