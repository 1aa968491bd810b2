"""The shapes of ground truths: how many groups of which sizes, with which ids in common.

A score depends on which ids are equal, not on what they are. So ground truths of one shape share
what an ideal ranking scores, and it is computed once for all of them.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TypeAlias

from groupwise.schemas import Id, RichTruth, Truth

Sizes: TypeAlias = tuple[int, ...]
Numbered: TypeAlias = tuple[tuple[int, ...], ...]
Rich: TypeAlias = tuple[Numbered, tuple[float, ...], tuple[float, ...], tuple[str | None, ...]]
MOST_SHAPES = 20_000


class Shapes:
    """How often each shape occurs; of very many different ones, the rare ones by size only.

    Attributes:
        left_out: How many ground truths are counted by size only.
    """

    def __init__(self) -> None:
        self._packed: Counter[bytes] = Counter()
        self._sizes: Counter[Sizes] = Counter()
        self._sharing: Counter[Numbered] = Counter()
        self._rich: Counter[Rich] = Counter()
        self._groups_per_query: Counter[int] = Counter()
        self._alternatives_per_group: Counter[int] = Counter()
        self.left_out = 0

    def add_plain(self, truths: Sequence[Sequence[Sequence[Id]]]) -> None:
        """Count ground truths in which no id occurs twice."""
        self._sizes.update([tuple(map(len, truth)) for truth in truths])
        self._forget_rare(self._sizes)

    def add_shapes(self, shapes: list[bytes]) -> None:
        """Count ground truths in which no id occurs twice, by the sizes of their groups."""
        self._packed.update(shapes)
        if len(self._packed) > MOST_SHAPES:
            self._unpack()

    def _unpack(self) -> None:
        for sizes, count in self._packed.items():
            self._sizes[tuple(sizes)] += count
        self._packed.clear()
        self._forget_rare(self._sizes)

    def add(self, truth: Truth) -> None:
        """Count any other ground truth."""
        if isinstance(truth, RichTruth):
            groups, weights, grades, labels = truth
            self._rich[_number_ids(groups), tuple(weights), tuple(grades), tuple(labels)] += 1
            self._forget_rare(self._rich)
        else:
            self._sharing[_number_ids(truth)] += 1
            self._forget_rare(self._sharing)

    def _forget_rare(self, counter: "Counter[Sizes] | Counter[Numbered] | Counter[Rich]") -> None:
        """Drop the rarer half of too many shapes, after counting their sizes."""
        if len(counter) <= MOST_SHAPES:
            return
        for shape, count in counter.most_common()[MOST_SHAPES // 2 :]:
            self._count(_get_sizes(shape), count)
            self.left_out += count
            del counter[shape]

    def _count(self, sizes: Sizes, count: int) -> None:
        self._groups_per_query[len(sizes)] += count
        for size in sizes:
            self._alternatives_per_group[size] += count

    def histograms(self) -> tuple[Counter[int], Counter[int]]:
        """Return groups per query, and alternatives per group."""
        self._unpack()
        whole = Shapes()
        whole._groups_per_query += self._groups_per_query
        whole._alternatives_per_group += self._alternatives_per_group
        for counter in (self._sizes, self._sharing, self._rich):
            for shape, count in counter.items():
                whole._count(_get_sizes(shape), count)
        return whole._groups_per_query, whole._alternatives_per_group

    def count_truths(self) -> Iterator[tuple[Truth, int]]:
        """Yield a ground truth of each shape, and how often the shape occurs."""
        self._unpack()
        for sizes, count in self._sizes.items():
            yield _build_disjoint(sizes), count
        for groups, count in self._sharing.items():
            yield list(map(list, groups)), count
        for (groups, weights, grades, labels), count in self._rich.items():
            listed: list[list[Id]] = list(map(list, groups))
            yield RichTruth(listed, list(weights), list(grades), list(labels)), count


def _number_ids(groups: Sequence[Sequence[Id]]) -> Numbered:
    """Return the groups with numbers for ids, from 0 in the order of their first occurrence."""
    numbers: dict[Id, int] = {}
    return tuple(tuple(numbers.setdefault(i, len(numbers)) for i in group) for group in groups)


def _get_sizes(shape: "Sizes | Numbered | Rich") -> Sizes:
    if not shape or isinstance(shape[0], int):
        return shape  # type: ignore[return-value]
    groups = shape[0] if shape[0] and isinstance(shape[0][0], tuple) else shape
    return tuple(len(group) for group in groups)


def _build_disjoint(sizes: Sizes) -> list[list[Id]]:
    """Return groups of these sizes that share nothing."""
    groups: list[list[Id]] = []
    start = 0
    for size in sizes:
        groups.append(list(range(start, start + size)))
        start += size
    return groups
