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
    """How often each shape occurs; of very many different ones, the rare ones by size only."""

    def __init__(self) -> None:
        self._short: Counter[bytes] = Counter()
        self._sizes: Counter[Sizes] = Counter()
        self._sharing: Counter[Numbered] = Counter()
        self._rich: Counter[Rich] = Counter()
        self._groups_per_query: Counter[int] = Counter()
        self._alternatives_per_group: Counter[int] = Counter()
        self.left_out = 0

    def add_plain(self, truths: Sequence[Sequence[Sequence[Id]]]) -> None:
        """Count ground truths in which no id occurs twice."""
        self._sizes.update([tuple(map(len, truth)) for truth in truths])
        self._bound(self._sizes)

    def add_shapes(self, shapes: list[bytes]) -> None:
        """Count ground truths in which no id occurs twice, by the sizes of their groups."""
        self._short.update(shapes)
        if len(self._short) > MOST_SHAPES:
            self._lengthen()

    def _lengthen(self) -> None:
        for sizes, count in self._short.items():
            self._sizes[tuple(sizes)] += count
        self._short.clear()
        self._bound(self._sizes)

    def add(self, truth: Truth) -> None:
        """Count any other ground truth."""
        if isinstance(truth, RichTruth):
            groups, weights, grades, labels = truth
            self._rich[_numbered(groups), tuple(weights), tuple(grades), tuple(labels)] += 1
            self._bound(self._rich)
        else:
            self._sharing[_numbered(truth)] += 1
            self._bound(self._sharing)

    def _bound(self, counter: "Counter[Sizes] | Counter[Numbered] | Counter[Rich]") -> None:
        """Forget the rarer half of too many shapes, after counting their sizes."""
        if len(counter) <= MOST_SHAPES:
            return
        for shape, count in counter.most_common()[MOST_SHAPES // 2 :]:
            self._count(_sizes_of(shape), count)
            self.left_out += count
            del counter[shape]

    def _count(self, sizes: Sizes, count: int) -> None:
        self._groups_per_query[len(sizes)] += count
        for size in sizes:
            self._alternatives_per_group[size] += count

    def histograms(self) -> tuple[Counter[int], Counter[int]]:
        """Groups per query, and alternatives per group."""
        self._lengthen()
        whole = Shapes()
        whole._groups_per_query += self._groups_per_query
        whole._alternatives_per_group += self._alternatives_per_group
        for counter in (self._sizes, self._sharing, self._rich):
            for shape, count in counter.items():
                whole._count(_sizes_of(shape), count)
        return whole._groups_per_query, whole._alternatives_per_group

    def counted(self) -> Iterator[tuple[Truth, int]]:
        """A ground truth of each shape, and how often the shape occurs."""
        self._lengthen()
        for sizes, count in self._sizes.items():
            yield _apart(sizes), count
        for groups, count in self._sharing.items():
            yield list(map(list, groups)), count
        for (groups, weights, grades, labels), count in self._rich.items():
            listed: list[list[Id]] = list(map(list, groups))
            yield RichTruth(listed, list(weights), list(grades), list(labels)), count


def _numbered(groups: Sequence[Sequence[Id]]) -> Numbered:
    """The groups with numbers for ids, from 0 in the order of their first occurrence."""
    names: dict[Id, int] = {}
    return tuple(tuple(names.setdefault(one, len(names)) for one in group) for group in groups)


def _sizes_of(shape: "Sizes | Numbered | Rich") -> Sizes:
    if not shape or isinstance(shape[0], int):
        return shape  # type: ignore[return-value]
    groups = shape[0] if shape[0] and isinstance(shape[0][0], tuple) else shape
    return tuple(len(group) for group in groups)


def _apart(sizes: Sizes) -> list[list[Id]]:
    """Groups of these sizes that share nothing."""
    groups: list[list[Id]] = []
    start = 0
    for size in sizes:
        groups.append(list(range(start, start + size)))
        start += size
    return groups
