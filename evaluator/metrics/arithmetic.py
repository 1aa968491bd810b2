"""Arithmetic that several metrics share."""

from groupwise.evaluator.arrays import np
from groupwise.evaluator.hits import FloatArray, Hits, IntArray


def share(part: FloatArray | IntArray, whole: FloatArray | IntArray) -> FloatArray:
    """Part / whole, and 0 where the whole is 0."""
    quotient = np.zeros(len(part))
    np.divide(part, whole, out=quotient, where=whole != 0)
    return quotient


def harmonic_mean(one: FloatArray, other: FloatArray) -> FloatArray:
    """2ab / (a + b), and 0 where both are 0."""
    return share(2 * one * other, one + other)


def gain_over_rank(grade: FloatArray, rank: IntArray) -> FloatArray:
    """(2^grade - 1) / log2(rank + 1)."""
    gain: FloatArray = (np.exp2(grade) - 1) / np.log2(rank + 1)
    return gain


def ideal_gain(hits: Hits) -> FloatArray:
    """Discounted gain of the best listed grades of each query, as many as there are results."""
    listed = hits.best_listed
    kept = listed.place <= hits.length[listed.query]
    gain = gain_over_rank(listed.grade[kept], listed.place[kept])
    return hits.per_query(listed.query[kept], gain)
