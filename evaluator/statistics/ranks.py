"""Ranks are counted, not averaged."""

from collections import Counter
from collections.abc import Sequence

import numpy as np

from groupwise.evaluator.hits import FloatArray
from groupwise.evaluator.metrics.names import Measure
from groupwise.schemas import RankSummary


class RankCounts:
    """How often each rank occurred, for the measures that are ranks."""

    def __init__(self, measures: Sequence[Measure]) -> None:
        self.counts: dict[int, Counter[int]] = {
            row: Counter() for row, measure in enumerate(measures) if measure.metric.kind == "rank"
        }
        self._labels = [measures[row].label for row in self.counts]

    def add(self, block: FloatArray) -> None:
        """Count the ranks in a block of shape (measures, queries); NaN is no rank."""
        for row, counts in self.counts.items():
            counts.update(block[row][~np.isnan(block[row])].astype(np.int64).tolist())

    def merge(self, other: "RankCounts") -> None:
        """Add the ranks that another has counted for the same measures."""
        for row, counts in other.counts.items():
            self.counts[row].update(counts)

    def summaries(self, scored: int) -> dict[str, RankSummary]:
        """Return a summary of each measure over this many scored queries, by label."""
        counts = self.counts.values()
        return {label: _summarise(c, scored) for label, c in zip(self._labels, counts, strict=True)}


def _summarise(counts: Counter[int], scored: int) -> RankSummary:
    found = counts.total()
    if not found:
        return RankSummary(found=0, not_found=scored, median=None, worst=None)
    middle = (_find_nth(counts, (found - 1) // 2) + _find_nth(counts, found // 2)) / 2
    return RankSummary(found=found, not_found=scored - found, median=middle, worst=max(counts))


def _find_nth(counts: Counter[int], number: int) -> int:
    """Return the rank at this place (from 0) of all ranks in ascending order."""
    for rank in sorted(counts):
        number -= counts[rank]
        if number < 0:
            return rank
    raise IndexError(number)
