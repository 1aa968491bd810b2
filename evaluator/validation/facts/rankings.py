"""Rankings in numbers: their depths, and how many have tied scores."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from itertools import accumulate

from groupwise.evaluator.reading.packed_ids import lengths_of
from groupwise.schemas import Id


class Rankings:
    """Counts over all rankings of a source."""

    def __init__(self) -> None:
        self.depths: Counter[int] = Counter()
        self.scored = 0
        self.tied = 0

    def add(self, results: Sequence[list[Id]], scores: list[list[float]]) -> None:
        """Count rankings and their scores."""
        self.depths.update(lengths_of(results))
        scored = [row for row in scores if row]
        self.scored += len(scored)
        self.tied += sum(len(set(row)) != len(row) for row in scored)

    def merge(self, other: "Rankings") -> None:
        """Add the counts of other rankings."""
        self.depths.update(other.depths)
        self.scored += other.scored
        self.tied += other.tied

    @property
    def are_empty(self) -> bool:
        """Whether no ranking holds a result."""
        return self.depths.total() == self.depths[0]

    @property
    def median(self) -> int:
        """The median depth of the rankings that hold results."""
        depths = sorted(filter(None, self.depths))
        counts = list(accumulate(self.depths[depth] for depth in depths))
        return depths[bisect_right(counts, counts[-1] // 2)] if depths else 0
