"""A greedy order of documents that share groups: the one that adds most is always next.

Of several that add as much, the one whose groups have the fewest candidates is taken, then the
first by id; the place in the file does not matter.
"""

from collections.abc import Iterator
from heapq import heapify, heappop, heappush

from groupwise.evaluator.metrics.candidates import GainByGroup, index_by_group
from groupwise.evaluator.metrics.sequences import Gains


def order_greedily(shared: list[GainByGroup], own: GainByGroup) -> Gains:
    """Return what the documents add, in the order in which they are taken.

    Both are in order of id: documents that meet several groups, and the best of one group alone.
    """
    alone = ({group: gain} for group, gain in own.items())
    return tuple(GreedyOrder([*shared, *alone]).take_all())


class GreedyOrder:
    """Documents to be taken, given in order of id, with what each adds at the moment."""

    def __init__(self, documents: list[GainByGroup]) -> None:
        self._documents = documents
        self._rivals = index_by_group(documents)
        self._met = dict.fromkeys(self._rivals, 0)
        self._gains = [sum(gains.values()) for gains in documents]
        self._rarity = [sorted(len(self._rivals[group]) for group in gains) for gains in documents]
        self._queue = [self._entry(number) for number in range(len(documents))]
        heapify(self._queue)

    def _entry(self, number: int) -> tuple[int, list[int], int]:
        return -self._gains[number], self._rarity[number], number

    def take_all(self) -> Iterator[int]:
        """Yield what each document adds until none adds anything."""
        while self._queue:
            entry = heappop(self._queue)
            gain, _, number = entry
            if gain and -gain == self._gains[number]:
                yield -gain
                for changed in self._take(number):
                    heappush(self._queue, self._entry(changed))

    def _take(self, number: int) -> set[int]:
        """Take a document, and return those that add less after it."""
        changed: set[int] = set()
        for group, gain in self._documents[number].items():
            before = self._met[group]
            if gain > before:
                self._met[group] = gain
                changed.update(self._lower(group, before, gain))
        return changed

    def _lower(self, group: int, before: int, now: int) -> Iterator[int]:
        for rival in self._rivals[group]:
            lost = min(self._documents[rival][group], now) - before
            if lost > 0:
                self._gains[rival] -= lost
                yield rival
