"""Search for the best ranking of few documents, over all sets of them.

What a document adds to a score depends on its place and on which documents came before, not on
their order. So the best order of each set follows from those of the sets that lack one document.
"""

import math
from collections.abc import Callable, Iterator
from functools import cache

from groupwise.evaluator.evaluation.shapes import TruthShape
from groupwise.evaluator.matching.truths import grades_of, groups_of

MOST_DOCUMENTS = 8
"""So many documents can be searched: there are 2^8 sets."""
MOST_IN_SETS = 6
"""So many where a set matters as a whole: there are 3^6 pairs of a set and one within it."""
Gain = Callable[[int, int, int], float]
"""What a document adds: to a set, as bits; the document; its place."""


class Members:
    """The documents of each group of a shape, as bits, with the gain of each."""

    def __init__(self, shape: TruthShape) -> None:
        truth = shape.truth()
        listed = iter(grades_of(truth))
        self.weights = shape.weights
        self.gains: list[dict[int, float]] = []
        for group in groups_of(truth):
            gains: dict[int, float] = {}
            for document in map(int, group):
                gains[document] = max(gains.get(document, 0.0), 2 ** next(listed) - 1)
            best = max(gains.values())
            self.gains.append({document: gain / best for document, gain in gains.items()})
        self.bits = [sum(1 << document for document in gains) for gains in self.gains]

    def count(self, group: int, documents: int) -> int:
        """Return how many of the documents are in a group."""
        return (self.bits[group] & documents).bit_count()

    def best(self, group: int, documents: int, *, graded: bool) -> float:
        """Return how far a set of documents meets a group."""
        if not graded:
            return float(bool(self.bits[group] & documents))
        found = [gain for d, gain in self.gains[group].items() if documents >> d & 1]
        return max(found, default=0.0)

    def groups_with(self, document: int) -> list[int]:
        """Return the groups that a document is in."""
        return [number for number, bits in enumerate(self.bits) if bits >> document & 1]

    def worth(self, documents: int, *, graded: bool) -> float:
        """Return the weight that a set of documents meets."""
        pairs = enumerate(self.weights)
        return math.fsum(w * self.best(group, documents, graded=graded) for group, w in pairs)


class BestOrders:
    """The best order of each set of documents, for what each document adds."""

    def __init__(self, gain: Gain, within: int) -> None:
        self._gain = gain
        self.within = within
        self._find = cache(self._find_best)

    def value(self, documents: int) -> float:
        """Return the most that a set of documents adds up to."""
        return self._find(documents)[0]

    def order(self, documents: int) -> list[int]:
        """Return the order in which it does."""
        ranking: list[int] = []
        while documents:
            last = self._find(documents)[1]
            ranking.append(last)
            documents &= ~(1 << last)
        return ranking[::-1]

    def _find_best(self, documents: int) -> tuple[float, int]:
        """Return the value of the best order, and its last document."""
        if not documents:
            return 0.0, -1
        place = documents.bit_count()
        options = []
        for document in list_bits(documents):
            before = documents & ~(1 << document)
            added = self._gain(before, document, place)
            options.append((self.value(before) + added, -document))
        value, last = max(options)
        return value, -last


def list_bits(documents: int) -> Iterator[int]:
    """Yield the documents of a set."""
    return (place for place in range(documents.bit_length()) if documents >> place & 1)


def list_sets(documents: int, most: int) -> Iterator[int]:
    """Yield the sets of at most so many documents, but for the empty one."""
    chosen = documents
    while chosen:
        if chosen.bit_count() <= most:
            yield chosen
        chosen = (chosen - 1) & documents


def best_of_each_size(
    orders: BestOrders, most: int, value: Callable[[int], float] | None = None
) -> list[list[int]]:
    """Return the best ranking of each number of documents."""
    worth = value or orders.value
    best: dict[int, tuple[float, int]] = {}
    for chosen in list_sets(orders.within, most):
        size = chosen.bit_count()
        best[size] = max(best.get(size, (-1.0, 0)), (worth(chosen), -chosen))
    return [orders.order(-chosen) for _, chosen in best.values()]
