"""Rankings in numbers: their depths, and how many have tied scores."""

from collections import Counter

from groupwise.schemas import Id


class Rankings:
    """Counts over all rankings of a source."""

    def __init__(self) -> None:
        self.depths: Counter[int] = Counter()
        self.scored = 0
        self.tied = 0

    def add(self, results: list[list[Id]], scores: list[list[float]]) -> None:
        """Count rankings and their scores."""
        self.depths.update(map(len, results))
        scored = [row for row in scores if row]
        self.scored += len(scored)
        self.tied += sum(len(set(row)) != len(row) for row in scored)

    @property
    def are_empty(self) -> bool:
        """Whether no ranking holds a result."""
        return self.depths.total() == self.depths[0]

    @property
    def median(self) -> int:
        """The median depth of the rankings that hold results."""
        counted = sorted((depth, count) for depth, count in self.depths.items() if depth)
        middle = sum(count for _, count in counted) // 2
        for depth, count in counted:
            middle -= count
            if middle < 0:
                return depth
        return 0
