"""Which document each result counts as, where a result may meet several.

A chunk may cover several spans, and a span may be covered by several chunks. A metric that counts
documents counts each document once, and each result as one document: the first result as any of its
own, the next one as another, even if the first has to stand for a different one. So what counts
depends neither on the order of alternatives nor on results further down.
"""

from collections.abc import Sequence

Meetings = Sequence[tuple[int, float]]
"""The documents that a result meets, each with its grade, the best first."""


class Assignment:
    """Assigns results, in order of rank, to documents of one query."""

    def __init__(self) -> None:
        self._owner: dict[int, int] = {}
        self._met: list[Meetings] = []

    def add(self, met: Meetings) -> float | None:
        """Add the next result; return the grade of the document that it adds, None if it is none.

        Results before it may be assigned to other documents of theirs.
        """
        self._met.append(met)
        came_from, grades = self._search(len(self._met) - 1)
        free = [document for document in grades if document not in self._owner]
        if not free:
            return None
        best = max(free, key=lambda document: (grades[document], -document))
        self._assign(best, came_from)
        return grades[best]

    def _search(self, result: int) -> tuple[dict[int, int], dict[int, float]]:
        """Return the result by which each document within reach was reached, and their grades."""
        came_from: dict[int, int] = {}
        grades: dict[int, float] = {}
        waiting = [result]
        while waiting:
            current = waiting.pop()
            for document, grade in self._met[current]:
                if document not in came_from:
                    came_from[document], grades[document] = current, grade
                    if document in self._owner:
                        waiting.append(self._owner[document])
        return came_from, grades

    def _assign(self, document: int, came_from: dict[int, int]) -> None:
        """Give a document to the result that reached it, and its former one to the one before."""
        held = {result: owned for owned, result in self._owner.items()}
        current: int | None = document
        while current is not None:
            result = came_from[current]
            self._owner[current] = result
            current = held.get(result)
