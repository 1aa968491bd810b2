"""Arithmetic that several metrics share."""

import numpy as np

from groupwise.evaluator.hits import FloatArray, Hits, IntArray


def share(part: FloatArray, whole: FloatArray | IntArray) -> FloatArray:
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
    listed = hits.alternatives
    query = hits.groups.query[listed.group]
    order = np.lexsort((-listed.grade, query))
    query = query[order]
    place = number_within(query, hits.queries)
    kept = place <= hits.length[query]
    return hits.per_query(query[kept], gain_over_rank(listed.grade[order][kept], place[kept]))


def number_within(query: IntArray, queries: int) -> IntArray:
    """1, 2, 3 … anew for each run of equal numbers in a sorted column."""
    count = np.bincount(query, minlength=queries)
    numbers: IntArray = np.arange(1, len(query) + 1) - (np.cumsum(count) - count)[query]
    return numbers
