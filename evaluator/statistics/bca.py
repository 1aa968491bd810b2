"""Bias-corrected and accelerated bootstrap intervals (BCa) of means and of differences of means.

Efron (1987), Better Bootstrap Confidence Intervals; Efron & Tibshirani (1993), chapter 14. All
columns share their resamples, so the resamples of a difference are the difference of resamples.
"""

import math
from statistics import NormalDist

from groupwise.evaluator.hits import FloatArray
from groupwise.evaluator.hits.arrays import np
from groupwise.evaluator.statistics.grid import build_grid
from groupwise.evaluator.statistics.resampling import RESAMPLES, resample_sums

NORMAL = NormalDist()


class Bootstrap:
    """The resampled means of columns, and the intervals that follow from them.

    Args:
        values: Of shape (columns, queries), or (metrics, columns, queries): then the columns of all
            metrics follow each other, and those of one metric can be subtracted.
        seed: Of the random numbers.
        resamples: How many.
    """

    def __init__(self, values: FloatArray, *, seed: int = 0, resamples: int = RESAMPLES) -> None:
        self.grid = build_grid(values)
        self.sums = resample_sums(self.grid.whole, resamples, seed)

    def interval(self, column: int, confidence: float) -> tuple[float, float] | None:
        """Return the ends of the interval of a column's mean; None if its values are all equal."""
        return self._estimate(column, self.grid.whole[column], self.sums[column], confidence)

    def difference(self, a: int, b: int, confidence: float) -> tuple[float, float] | None:
        """Return the ends of the interval of the mean of column b less that of column a."""
        whole = self.grid.whole[b] - self.grid.whole[a]
        return self._estimate(a, whole, self.sums[b] - self.sums[a], confidence)

    def _estimate(
        self, column: int, whole: FloatArray, sums: FloatArray, confidence: float
    ) -> tuple[float, float] | None:
        if np.ptp(whole) <= 2.0:  # the grid's own rounding
            return None
        bias = _measure_bias(sums, float(whole.sum()), self.grid.tolerance)
        levels = _find_levels(confidence, bias, _measure_acceleration(whole))
        low, high = (value / len(whole) for value in _find_quantiles(sums, levels))
        return self.grid.restore(column, low), self.grid.restore(column, high)


def _measure_bias(sums: FloatArray, observed: float, tolerance: float) -> float:
    """Return the normal quantile of the share of resamples below the mean; ties count half."""
    below = np.count_nonzero(sums < observed - tolerance)
    tied = np.count_nonzero(sums <= observed + tolerance) - below
    least = 0.5 / len(sums)  # a share of 0 or 1 has no quantile
    share = (2 * below + tied) / (2 * len(sums))
    return NORMAL.inv_cdf(min(max(share, least), 1 - least))


def _measure_acceleration(whole: FloatArray) -> float:
    """Return the acceleration of a mean by the jackknife: the skewness over 6 root n."""
    centred = whole - whole.mean()
    centred /= np.abs(centred).max()
    squares = centred * centred
    return float((squares * centred).sum() / (6 * squares.sum() ** 1.5))


def _find_levels(confidence: float, bias: float, acceleration: float) -> list[float]:
    """Return the levels of the resamples at which the interval begins and ends."""
    tail = (1 - confidence) / 2
    return [
        _adjust(NORMAL.inv_cdf(level), bias, acceleration) if level > 0 else round(level)
        for level in (tail, 1 - tail)
    ]


def _adjust(normal: float, bias: float, acceleration: float) -> float:
    """Return the level that corresponds to a normal quantile."""
    moved = bias + normal
    slack = 1 - acceleration * moved
    if slack <= 0:  # beyond the last resample
        return float(moved > 0)
    return 0.5 * math.erfc(-(bias + moved / slack) / math.sqrt(2))


def _find_quantiles(sums: FloatArray, levels: list[float]) -> list[float]:
    """Return quantiles, interpolated linearly, as ``numpy.quantile`` does, in half the time."""
    last = len(sums) - 1
    places = [min(int(level * last), last) for level in levels]
    around = [*places, *(min(place + 1, last) for place in places)]
    ordered = np.partition(sums, around)
    return [
        float(ordered[place] + (level * last - place) * (ordered[above] - ordered[place]))
        for level, place, above in zip(levels, places, around[len(places) :], strict=True)
    ]
