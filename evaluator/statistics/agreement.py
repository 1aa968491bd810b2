"""Agreement of metrics on the order of runs, and how well a metric tells runs apart."""

from collections.abc import Sequence
from itertools import combinations
from math import sqrt

ALPHA = 0.05


def kendall_tau(a: Sequence[float], b: Sequence[float]) -> float | None:
    """Return Kendall's tau-b of two lists of means; None if all of one are equal (Kendall 1945).

    It is 1 where both put the runs into the same order, -1 where the orders are reversed.

    >>> kendall_tau([0.1, 0.2, 0.3, 0.4], [0.1, 0.3, 0.2, 0.4])
    0.6666666666666666
    """
    signs = [
        (_compare(a[i], a[j]), _compare(b[i], b[j])) for i, j in combinations(range(len(a)), 2)
    ]
    apart_in_a, apart_in_b = sum(x != 0 for x, _ in signs), sum(y != 0 for _, y in signs)
    if not apart_in_a or not apart_in_b:
        return None
    return sum(x * y for x, y in signs) / sqrt(apart_in_a * apart_in_b)


def _compare(first: float, second: float) -> int:
    return (second > first) - (second < first)


def share_significant(p_values: Sequence[float], alpha: float = ALPHA) -> float | None:
    """Return the share of p-values of at most alpha; None if there are none.

    Over all pairs of runs, it says how well a metric tells runs apart on this data (discriminative
    power; Sakai 2006).

    >>> share_significant([0.01, 0.05, 0.2, 0.9])
    0.5
    """
    return sum(p <= alpha for p in p_values) / len(p_values) if p_values else None
