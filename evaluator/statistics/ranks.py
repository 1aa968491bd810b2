"""Ranks are counted, not averaged."""

from collections import Counter
from collections.abc import Sequence

import numpy as np

from groupwise.evaluator.hits import FloatArray
from groupwise.evaluator.metrics.names import Measure
from groupwise.schemas import RankSummary


class RankCounts:
    """How often each rank occurred, for the measures that are ranks."""

    def __init__(self, labels: Sequence[str]) -> None:
        self._counts: dict[str, Counter[int]] = {label: Counter() for label in labels}

    def add(self, chosen: Sequence[Measure], block: FloatArray) -> None:
        """Count the ranks in a block of shape (measures, queries)."""
        for row, one in enumerate(chosen):
            if one.label in self._counts:
                found = block[row][~np.isnan(block[row])].astype(np.int64)
                self._counts[one.label].update(found.tolist())

    def summaries(self, scored: int) -> dict[str, RankSummary]:
        """A summary of each measure over this many scored queries."""
        return {label: _summary(counts, scored) for label, counts in self._counts.items()}


def _summary(counts: Counter[int], scored: int) -> RankSummary:
    found = counts.total()
    if not found:
        return RankSummary(found=0, not_found=scored, median=None, worst=None)
    middle = (_nth(counts, (found - 1) // 2) + _nth(counts, found // 2)) / 2
    return RankSummary(found=found, not_found=scored - found, median=middle, worst=max(counts))


def _nth(counts: Counter[int], number: int) -> int:
    """The rank at this place (from 0) of all ranks in order."""
    for rank in sorted(counts):
        number -= counts[rank]
        if number < 0:
            return rank
    raise IndexError(number)
