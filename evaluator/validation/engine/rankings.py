"""Rankings in numbers: their depths, and how many have equal scores."""

from collections import Counter

from groupwise.schemas import Id


class Rankings:
    """Counted over all records of a run."""

    def __init__(self) -> None:
        self.depths: Counter[int] = Counter()
        self.scored = 0
        self.tied = 0

    def add(self, results: list[list[Id]], scores: list[list[float]]) -> None:
        """Count rankings and their scores."""
        self.depths.update(map(len, results))
        given = [row for row in scores if row]
        self.scored += len(given)
        self.tied += sum(len(set(row)) != len(row) for row in given)

    @property
    def median(self) -> int:
        """The depth of the ranking in the middle; of those that hold anything."""
        counted = sorted((depth, count) for depth, count in self.depths.items() if depth)
        middle = sum(count for _, count in counted) // 2
        for depth, count in counted:
            middle -= count
            if middle < 0:
                return depth
        return 0
