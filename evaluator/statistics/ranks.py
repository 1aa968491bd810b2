"""Ranks are counted, not averaged."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from groupwise.evaluator.hits import BoolArray, FloatArray, Hits, Order
from groupwise.evaluator.metrics.names import Measure

if TYPE_CHECKING:
    from groupwise.schemas import RankSummary


class RankCounts:
    """How often each rank occurred, for the measures that are ranks."""

    def __init__(self, measures: Sequence[Measure]) -> None:
        self.measures = {
            row: measure for row, measure in enumerate(measures) if measure.metric.kind == "rank"
        }
        self.counts: dict[int, Counter[int]] = {row: Counter() for row in self.measures}
        self.queries = dict.fromkeys(self.measures, 0)

    def find_asked(self, ordered: Mapping[Order, Hits]) -> dict[int, BoolArray]:
        """Return for each measure which queries it is asked of."""
        return {
            row: measure.find_queries(ordered[measure.order])
            for row, measure in self.measures.items()
        }

    def add(self, block: FloatArray, asked: Mapping[int, BoolArray]) -> None:
        """Count the ranks in a block of shape (measures, queries); NaN is no rank."""
        for row in self.measures:
            ranks = block[row][~np.isnan(block[row])]
            self.counts[row].update(ranks.astype(np.int64).tolist())
            self.queries[row] += int(asked[row].sum())

    def merge(self, other: "RankCounts") -> None:
        """Add the ranks that another has counted for the same measures."""
        for row, counts in other.counts.items():
            self.counts[row].update(counts)
            self.queries[row] += other.queries[row]

    def summaries(self) -> "dict[str, RankSummary]":
        """Return a summary of each measure over the queries that it is asked of, by label."""
        return {
            measure.label: _summarise(self.counts[row], self.queries[row])
            for row, measure in self.measures.items()
        }


def _summarise(counts: Counter[int], queries: int) -> "RankSummary":
    from groupwise.schemas import RankSummary  # noqa: PLC0415  (loads pydantic)

    found = counts.total()
    if not found:
        return RankSummary(found=0, not_found=queries, median=None, worst=None)
    middle = (_find_nth(counts, (found - 1) // 2) + _find_nth(counts, found // 2)) / 2
    return RankSummary(found=found, not_found=queries - found, median=middle, worst=max(counts))


def _find_nth(counts: Counter[int], number: int) -> int:
    """Return the rank at this place (from 0) of all ranks in ascending order."""
    for rank in sorted(counts):
        number -= counts[rank]
        if number < 0:
            return rank
    raise IndexError(number)
