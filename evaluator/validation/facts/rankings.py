"""Rankings in numbers: their depths, and how many have tied scores."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from itertools import accumulate

from groupwise.schemas import Id


class Rankings:
    """Counts over all rankings of a source."""

    def __init__(self) -> None:
        self.depths: Counter[int] = Counter()
        self.scored = 0
        self.tied = 0

    def add(self, results: Sequence[Id], scores: Sequence[float]) -> None:
        """Count a ranking and its scores."""
        self.depths[len(results)] += 1
        self.scored += bool(scores)
        self.tied += len(set(scores)) != len(scores)

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
