"""The best order of documents that meet groups: exact for few, greedy beam search for many."""

from collections.abc import Callable
from dataclasses import dataclass
from operator import itemgetter
from typing import Protocol, TypeAlias

from groupwise.evaluator.hits.arrays import FloatArray, IntArray, np

WAYS = 64
ROUNDING = 1e-12
Discount: TypeAlias = Callable[[FloatArray], FloatArray]
Way: TypeAlias = tuple[float, tuple[float, ...], FloatArray]
"""The gain so far, the gains of the documents left (highest first), and the state."""


def exact(
    candidates: FloatArray, weight: FloatArray, alone: FloatArray, discount: Discount
) -> FloatArray:
    """Return the highest worth after each number of documents, over all sets and orders.

    ``candidates`` holds the gain of each document (row) in each group (column); ``alone`` are the
    weights of groups that no candidate meets, each to be had by a document of its own.

    What a document adds depends only on the set before it, so the best order of a set follows
    from the best orders of the sets with one document less. Of the groups alone the heaviest is
    always next, so a set and the number of these are all there is to remember.
    """
    worth = _worth_of_sets(candidates, weight)
    size = np.array([chosen.bit_count() for chosen in range(len(worth))])
    steps = discount(np.arange(1.0, len(candidates) + len(alone) + 1))
    best = np.full((len(worth), len(alone) + 1), -np.inf)
    best[0, 0] = 0.0
    heaviest = np.sort(alone)[::-1]
    for taken in range(len(candidates) + 1):
        _reach(best, worth, np.flatnonzero(size == taken), taken, heaviest, steps)
    return _best_by_number(best, size)


def _reach(
    best: FloatArray, worth: FloatArray, sets: IntArray, taken: int, alone: FloatArray,
    steps: FloatArray,
) -> None:  # fmt: skip
    """Fill in the sets of one size from the sets with one document less."""
    count = len(worth).bit_length() - 1
    for others in range(len(alone) + 1):
        place = taken + others
        if not place:
            continue
        for document in range(count if taken else 0):
            holding = sets[(sets >> document) & 1 == 1]
            before = holding ^ (1 << document)
            reached = best[before, others] + (worth[holding] - worth[before]) * steps[place - 1]
            best[holding, others] = np.maximum(best[holding, others], reached)
        if others:
            reached = best[sets, others - 1] + alone[others - 1] * steps[place - 1]
            best[sets, others] = np.maximum(best[sets, others], reached)


def _best_by_number(best: FloatArray, size: IntArray) -> FloatArray:
    places = size[:, None] + np.arange(best.shape[1])
    highest = np.full(int(places.max()) + 1, -np.inf)
    np.maximum.at(highest, places, best)
    return highest[1:]


def _worth_of_sets(candidates: FloatArray, weight: FloatArray) -> FloatArray:
    """Return the weight covered by each set of documents; a set has a bit per document."""
    covered = np.zeros((1, candidates.shape[1]))
    for gains in candidates:
        covered = np.concatenate([covered, np.maximum(covered, gains)])
    return _sum_rows(covered * weight)


def _sum_rows(values: FloatArray) -> FloatArray:
    """Return the sum of each row, lowest value first, so that the order of groups is irrelevant."""
    sums: FloatArray = np.cumsum(np.sort(values, axis=1), axis=1)[:, -1]
    return sums


class Hill(Protocol):
    """The gain of documents in a state, and the state after one is taken."""

    def start(self) -> FloatArray:
        """Return the state before any document is taken."""
        ...

    def gains(self, state: FloatArray) -> FloatArray:
        """Return what each document would gain; nothing for a document already taken."""
        ...

    def after(self, state: FloatArray, document: int) -> FloatArray:
        """Return the state after a document is taken."""
        ...


@dataclass(frozen=True)
class CoverageHill:
    """Each group counts once, as far as it is met; the state holds how far each is met."""

    candidates: FloatArray
    weight: FloatArray

    def start(self) -> FloatArray:
        """Return the state in which no group is met."""
        return np.zeros(self.candidates.shape[1])

    def gains(self, state: FloatArray) -> FloatArray:
        """Return the weight that each document adds."""
        return _sum_rows((np.maximum(self.candidates, state) - state) * self.weight)

    def after(self, state: FloatArray, document: int) -> FloatArray:
        """Return the state with each group met as far as the better of both."""
        after: FloatArray = np.maximum(state, self.candidates[document])
        return after


@dataclass(frozen=True)
class NoveltyHill:
    """A group counts again, less each time; the state holds credits and documents left."""

    meets: FloatArray
    alpha: float

    def start(self) -> FloatArray:
        """Return the state with full credit for every group, and every document left."""
        return np.ones(sum(self.meets.shape))

    def gains(self, state: FloatArray) -> FloatArray:
        """Return the remaining credit of the groups of each document."""
        documents = len(self.meets)
        gains: FloatArray = (self.meets @ state[documents:]) * state[:documents]
        return gains

    def after(self, state: FloatArray, document: int) -> FloatArray:
        """Return the state with less credit for its groups, and without the document."""
        documents = len(self.meets)
        after = state.copy()
        after[document] = 0.0
        after[documents:] *= np.power(1 - self.alpha, self.meets[document])
        return after


def climb(hill: Hill, steps: int, discount: Discount) -> FloatArray:
    """Return the worth after each number of documents, always taking one that gains most.

    Of several that gain most each is tried. Ways are told apart by what they gained and by what
    the documents left would gain, which no order of groups or documents can change; the best ones
    are followed.
    """
    ways: list[Way] = [(0.0, (), hill.start())]
    best = []
    for step in discount(np.arange(1.0, steps + 1)):
        ways = _higher(hill, ways, float(step))
        best.append(ways[0][0])
    return np.array(best)


def _higher(hill: Hill, ways: list[Way], step: float) -> list[Way]:
    longer: dict[tuple[float, tuple[float, ...]], Way] = {}
    for total, _, state in ways:
        gains = hill.gains(state)
        for document in np.flatnonzero(gains >= gains.max() - ROUNDING):
            after = hill.after(state, int(document))
            left = tuple(np.round(-np.sort(-hill.gains(after)), 9).tolist())
            reached = total + float(gains[document]) * step
            longer.setdefault((round(reached, 9), left), (reached, left, after))
    return sorted(longer.values(), key=itemgetter(0, 1), reverse=True)[:WAYS]
