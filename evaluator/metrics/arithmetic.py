"""Arithmetic that several metrics share."""

from functools import lru_cache

from groupwise.evaluator.hits import BoolArray, FloatArray, Hits, IntArray
from groupwise.evaluator.hits.arrays import are_all, np

TINY = 1e-3
TABLED = 1024
ROUNDING = 2.0**-51


def share(part: FloatArray | IntArray, whole: FloatArray | IntArray) -> FloatArray:
    """Return part / whole, and 0 where the whole is 0."""
    if are_all(whole):
        quotient: FloatArray = part / whole
        return quotient
    return np.divide(part, whole, out=np.zeros(len(part)), where=whole != 0)


def over_best(gained: FloatArray, best: FloatArray, terms: FloatArray) -> FloatArray:
    """Return gained / best, and 1 where they differ by no more than sums of these many terms round.

    So a perfect ranking scores exactly 1, in whatever order its equals come.
    """
    ratio = share(gained, best)
    return np.where(ratio >= 1 - ROUNDING * (terms + 4), 1.0, ratio)


def harmonic_mean(first: FloatArray, second: FloatArray) -> FloatArray:
    """Return 2ab / (a + b), and 0 where both are 0."""
    return share(2 * first * second, first + second)


def exponential_gain(grade: FloatArray) -> FloatArray:
    """Return 2^grade - 1, exact even where 2^grade rounds to 1."""
    gain: FloatArray = np.exp2(grade) - 1
    if grade.min(initial=1.0) < TINY:
        return np.where(grade < TINY, np.expm1(np.minimum(grade, TINY) * np.log(2)), gain)
    return gain


def gain_over_rank(grade: FloatArray, rank: IntArray) -> FloatArray:
    """Return (2^grade - 1) / log2(rank + 1)."""
    gain: FloatArray = exponential_gain(grade) / np.log2(rank + 1)
    return gain


def discount(rank: IntArray) -> FloatArray:
    """Return 1 / log2(rank + 1), the discounted gain of grade 1; from a table, where it goes."""
    try:
        return _list_discounts().take(rank)
    except IndexError:
        return gain_over_rank(np.ones(len(rank)), rank)


@lru_cache(maxsize=1)
def _list_discounts() -> FloatArray:
    ranks = np.arange(1, TABLED)
    return np.concatenate([[0.0], gain_over_rank(np.ones(len(ranks)), ranks)])


def ideal_gain(hits: Hits) -> FloatArray:
    """Return the discounted gain of the best listed grades, as many as there are results."""
    if hits.is_uniform:
        return _sum_discounts(np.minimum(hits.listed_count, hits.length))
    listed = hits.best_listed
    kept = listed.place <= hits.length[listed.query]
    gain = gain_over_rank(listed.grade[kept], listed.place[kept])
    return hits.per_query(listed.query[kept], gain)


def _sum_discounts(count: IntArray) -> FloatArray:
    """Return the discounted gain of so many results of grade 1, one after the other."""
    try:
        return _list_discount_sums().take(count)
    except IndexError:
        ranks = np.arange(1, int(count.max()) + 1)
        return np.concatenate([[0.0], np.cumsum(discount(ranks))]).take(count)


@lru_cache(maxsize=1)
def _list_discount_sums() -> FloatArray:
    return np.cumsum(_list_discounts())


def sum_runs(begins: BoolArray, values: FloatArray) -> FloatArray:
    """Return the sum of each run of values; ``begins`` marks the starts of runs."""
    run = np.cumsum(begins) - 1
    return np.bincount(run, values, minlength=int(begins.sum())).astype(np.float64, copy=False)
