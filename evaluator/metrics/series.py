"""Sums of many terms of a smooth function, in a time that does not depend on how many they are."""

import math
from collections.abc import Callable
from functools import lru_cache

from groupwise.evaluator.hits.arrays import FloatArray, IntArray, np

TERMS = 4096
"""As many terms are added one by one; what is beyond is an integral, by Euler and Maclaurin."""

NODES = 20
PANEL = 0.5


def sum_upto(function: Callable[[FloatArray], FloatArray], last: IntArray) -> FloatArray:
    """Return for each number n the sum of the function over 1, 2 … n.

    The function is positive, never rises, and is smooth on a logarithmic scale.
    """
    few = int(min(last.max(initial=0), TERMS))
    totals = np.concatenate([[0.0], np.cumsum(function(np.arange(1.0, few + 1)))])
    sums: FloatArray = totals[np.minimum(last, few)]
    for number in np.unique(last[last > TERMS]):
        sums[last == number] += _sum_beyond(function, float(number))
    return sums


def _sum_beyond(function: Callable[[FloatArray], FloatArray], last: float) -> float:
    """Return the sum over the whole numbers from TERMS + 1 to the last."""
    ends = np.array([float(TERMS), last])
    first_value, last_value = function(ends)
    below, above = function(ends - 0.5), function(ends + 0.5)
    slopes = above - below
    trapezoid = _integrate(function, *ends) + (last_value - first_value) / 2
    return float(trapezoid + (slopes[1] - slopes[0]) / 12)


def _integrate(function: Callable[[FloatArray], FloatArray], first: float, last: float) -> float:
    """Return the integral, by Gauss and Legendre on panels of equal ratio."""
    panels = math.ceil(math.log(last / first) / PANEL)
    edges = np.linspace(math.log(first), math.log(last), panels + 1)
    nodes, weights = _gauss()
    half = (edges[1:] - edges[:-1]) / 2
    places = np.exp((edges[:-1] + half)[:, None] + half[:, None] * nodes)
    return float(((function(places) * places) @ weights) @ half)


@lru_cache(maxsize=1)
def _gauss() -> tuple[FloatArray, FloatArray]:
    return np.polynomial.legendre.leggauss(NODES)
