"""The ideal ranking where a group counts again for further hits, less each time.

Always a document that gains most is next. Where several gain as much, each of them is tried if
there are few documents; else the one whose groups have the fewest documents is taken, then the
first by id. Documents of a kind meet the same groups.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from heapq import heapify, heappop, heappush, heapreplace
from typing import NamedTuple, TypeAlias

from groupwise.evaluator.metrics.candidates import connect
from groupwise.evaluator.metrics.sequences import Gains, combine, keep_best

UNIT = 1 << 64
"""The whole number that stands for a gain of 1."""

FEW_KINDS = 20
FEW_DOCUMENTS = 64
MOST_WAYS = 64
LARGE = 8
"""Groups that more kinds of documents meet are large."""

Entry: TypeAlias = tuple[int, list[int], int]
"""Minus what the next document of a kind gains, how many kinds meet its groups, its number."""
Counts: TypeAlias = tuple[int, ...]
"""How many documents of each kind are taken."""


class Kind(NamedTuple):
    """The groups that documents of a kind meet, and how many documents there are."""

    groups: tuple[int, ...]
    size: int


def find_sequences(documents: Iterable[tuple[int, ...]], alpha: float) -> list[Gains]:
    """Return the best sequences of gains; documents are given by their groups, in order of id."""
    kinds = [Kind(*counted) for counted in Counter(documents).items()]
    credits_ = _Credits(alpha)
    parts = connect([kind.groups for kind in kinds])
    return combine(_search([kinds[number] for number in part], credits_) for part in parts)


class _Credits(dict[int, int]):
    """What a group gains after each number of hits."""

    def __init__(self, alpha: float) -> None:
        super().__init__()
        self._left = 1 - alpha

    def __missing__(self, hits: int) -> int:
        credit = self[hits] = int(self._left**hits * UNIT)
        return credit


def _search(kinds: list[Kind], credits_: _Credits) -> list[Gains]:
    """Return the best sequences of a part of a query."""
    if len(kinds) == 1:
        ((groups, size),) = kinds
        return [tuple(len(groups) * credits_[hits] for hits in range(size))]
    documents = sum(kind.size for kind in kinds)
    if len(kinds) <= FEW_KINDS and documents <= FEW_DOCUMENTS:
        return _try_all_ties(kinds, documents, credits_)
    return [tuple(NoveltyQueue(kinds, credits_).take_all())]


def _try_all_ties(kinds: list[Kind], documents: int, credits_: _Credits) -> list[Gains]:
    """Return the best sequences over all orders of documents that gain as much.

    Of too many ways the best are followed, and of equal ones the first by id.
    """
    ways: dict[Counts, list[Gains]] = {(0,) * len(kinds): [()]}
    for _ in range(documents):
        longer: dict[Counts, list[Gains]] = {}
        for counts, sequences in ways.items():
            gain, steps = _find_steps(kinds, counts, credits_)
            for after in steps:
                longer.setdefault(after, []).extend((*gains, gain) for gains in sequences)
        ranked = sorted(((keep_best(s), counts) for counts, s in longer.items()), reverse=True)
        ways = {counts: sequences for sequences, counts in ranked[:MOST_WAYS]}
    return next(iter(ways.values()))


def _find_steps(kinds: list[Kind], counts: Counts, credits_: _Credits) -> tuple[int, list[Counts]]:
    """Return the highest gain of a next document, and where each that gains as much leads."""
    hits = _count_hits(kinds, counts)
    gains = {
        number: sum(credits_[hits[group]] for group in kind.groups)
        for number, kind in enumerate(kinds)
        if counts[number] < kind.size
    }
    highest = max(gains.values())
    return highest, [
        (*counts[:number], counts[number] + 1, *counts[number + 1 :])
        for number, gain in gains.items()
        if gain == highest
    ]


def _count_hits(kinds: list[Kind], counts: Counts) -> Counter[int]:
    hits: Counter[int] = Counter()
    for kind, taken in zip(kinds, counts, strict=True):
        for group in kind.groups:
            hits[group] += taken
    return hits


class NoveltyQueue:
    """Kinds of documents by what the next one of them gains; what was queued is lowered late.

    Kinds that meet the same large groups queue together, by what they gain in the others: a further
    hit of a large group lowers all of them alike.
    """

    def __init__(self, kinds: list[Kind], credits_: _Credits) -> None:
        self._kinds = kinds
        self._credits = credits_
        sizes = Counter(group for kind in kinds for group in kind.groups)
        self._rarity = [sorted(sizes[group] for group in kind.groups) for kind in kinds]
        self._left = [kind.size for kind in kinds]
        self._hits = dict.fromkeys(sizes, 0)
        self._large = [tuple(g for g in k.groups if sizes[g] > LARGE) for k in kinds]
        self._small = [tuple(g for g in k.groups if sizes[g] <= LARGE) for k in kinds]
        self._queues: dict[tuple[int, ...], list[Entry]] = {}
        for number, large in enumerate(self._large):
            self._queues.setdefault(large, []).append(self._entry(number, self._small[number]))
        for queue in self._queues.values():
            heapify(queue)
        self._first = [
            self._entry(queue[0][2], kinds[queue[0][2]].groups) for queue in self._queues.values()
        ]
        heapify(self._first)

    def _entry(self, number: int, groups: tuple[int, ...]) -> Entry:
        gain = sum(self._credits[self._hits[group]] for group in groups)
        return -gain, self._rarity[number], number

    def take_all(self) -> Iterator[int]:
        """Yield what each document gains when it is taken."""
        while self._first:
            entry = heappop(self._first)
            queue = self._queues[self._large[entry[2]]]
            best = self._find_first(queue)
            if best == entry:
                yield -best[0]
                self._take(best[2])
                best = self._find_first(queue)
            if best is not None:
                heappush(self._first, best)

    def _find_first(self, queue: list[Entry]) -> Entry | None:
        """Return the best kind of a queue, with what it gains in all groups."""
        while queue:
            number = queue[0][2]
            entry = self._entry(number, self._small[number])
            if not self._left[number]:
                heappop(queue)
            elif entry != queue[0]:
                heapreplace(queue, entry)
            else:
                return self._entry(number, self._kinds[number].groups)
        return None

    def _take(self, number: int) -> None:
        self._left[number] -= 1
        for group in self._kinds[number].groups:
            self._hits[group] += 1
