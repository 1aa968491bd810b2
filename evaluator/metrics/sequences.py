"""Sequences of gains: what the documents of a ranking add, place by place, never rising.

Gains are whole numbers, so that no order of addition changes anything. One sequence is as good as
another if it has gained as much after every number of documents; then it is for every discount and
every cutoff, and so it is among the documents of any other part of the query.
"""

from collections.abc import Callable, Iterable, Sequence
from heapq import merge
from itertools import accumulate, repeat
from typing import TypeAlias

from groupwise.evaluator.hits.arrays import FloatArray, np

Discount: TypeAlias = Callable[[FloatArray], FloatArray]
Gains: TypeAlias = tuple[int, ...]


def is_as_good(totals: Sequence[int], others: Sequence[int]) -> bool:
    """Whether running totals are never below others; a sequence that ends keeps its last total."""
    if not totals:
        return not any(others)
    shared = len(totals)
    rest = others[shared:]
    return all(map(int.__ge__, totals, others)) and (not rest or totals[-1] >= rest[-1])


def keep_best(sequences: Iterable[Gains]) -> list[Gains]:
    """Return the sequences for which no other one is as good, highest first."""
    distinct = sorted(set(sequences), reverse=True)
    if len(distinct) == 1:
        return distinct
    kept: list[tuple[Gains, list[int]]] = []
    for gains in distinct:
        totals = list(accumulate(gains))
        if not any(is_as_good(other, totals) for _, other in kept):
            kept.append((gains, totals))
    return [gains for gains, _ in kept]


def combine(parts: Iterable[Iterable[Gains]]) -> list[Gains]:
    """Return the best sequences of a query whose parts share no group, from those of each part."""
    given = [list(part) for part in parts]
    best = [interleave(*(part[0] for part in given if len(part) == 1))]
    for part in (part for part in given if len(part) > 1):
        best = keep_best(interleave(gains, other) for gains in best for other in part)
    return best


def interleave(*sequences: Gains) -> Gains:
    """Return the gains of several sequences, highest first."""
    return tuple(merge(*sequences, reverse=True))


def worth_by_place(sequences: Iterable[Gains], unit: int, discount: Discount) -> FloatArray:
    """Return the highest discounted gain after each number of documents.

    ``unit`` is the whole number that stands for a gain of 1.
    """
    worth = [_worth(gains, unit, discount) for gains in sequences]
    if len(worth) == 1:
        return worth[0]
    places = max(map(len, worth))
    best: FloatArray = np.max(
        [np.pad(column, (0, places - len(column)), "edge") for column in worth], axis=0
    )
    return best


def _worth(gains: Gains, unit: int, discount: Discount) -> FloatArray:
    places = np.arange(1.0, len(gains) + 1)
    values = np.array(list(map(int.__truediv__, gains, repeat(unit))), np.float64)
    return np.cumsum(values * discount(places))
