"""The shapes of ground truths: how many groups of which sizes, with which ids in common.

A score depends on which ids are equal, not on what they are. So ground truths of one shape share
what an ideal ranking scores, and it is computed once for all of them.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import count
from typing import Any, TypeAlias

from groupwise.schemas import Id, RichTruth, Truth

Sizes: TypeAlias = tuple[int, ...]
MOST_SHAPES = 20_000


class Shapes:
    """How often each shape occurs; of very many different ones, the rare ones by size only.

    A shape is the sizes of the groups where no id occurs twice; otherwise it is the groups with
    numbers for ids, followed by weights, grades and labels if the ground truth is rich.

    Attributes:
        left_out: How many ground truths are counted by size only.
    """

    def __init__(self) -> None:
        self._shapes: Counter[tuple[Any, ...]] = Counter()
        self._groups_per_query: Counter[int] = Counter()
        self._alternatives_per_group: Counter[int] = Counter()
        self.left_out = 0

    def add(self, truth: Truth | Sequence[Sequence[Id]]) -> None:
        """Count a ground truth."""
        rest: list[Any] = []
        if isinstance(truth, RichTruth):
            truth, *rest = truth
        numbered = _number_ids(truth)
        is_plain = not rest and _count_ids(numbered) == sum(map(len, numbered))
        shape = tuple(map(len, numbered)) if is_plain else (numbered, *map(tuple, rest))
        self._shapes[shape] += 1
        self._forget_rare()

    def _forget_rare(self) -> None:
        """Drop the rarer half of too many shapes, after counting their sizes."""
        if len(self._shapes) <= MOST_SHAPES:
            return
        for shape, times in self._shapes.most_common()[MOST_SHAPES // 2 :]:
            self._count(_get_sizes(shape), times)
            self.left_out += times
            del self._shapes[shape]

    def _count(self, sizes: Sizes, times: int) -> None:
        self._groups_per_query[len(sizes)] += times
        for size in sizes:
            self._alternatives_per_group[size] += times

    def histograms(self) -> tuple[Counter[int], Counter[int]]:
        """Return groups per query, and alternatives per group."""
        whole = Shapes()
        whole._groups_per_query += self._groups_per_query
        whole._alternatives_per_group += self._alternatives_per_group
        for shape, times in self._shapes.items():
            whole._count(_get_sizes(shape), times)
        return whole._groups_per_query, whole._alternatives_per_group

    def count_truths(self) -> Iterator[tuple[Truth, int]]:
        """Yield a ground truth of each shape, and how often the shape occurs."""
        for shape, times in self._shapes.items():
            yield _build_truth(shape), times


def _number_ids(groups: Sequence[Sequence[Id]]) -> tuple[tuple[int, ...], ...]:
    """Return the groups with numbers for ids, from 0 in the order of their first occurrence."""
    numbers: dict[Id, int] = {}
    return tuple(tuple(numbers.setdefault(i, len(numbers)) for i in group) for group in groups)


def _count_ids(numbered: tuple[tuple[int, ...], ...]) -> int:
    return max(map(max, filter(None, numbered)), default=-1) + 1


def _has_sizes_only(shape: tuple[Any, ...]) -> bool:
    return not shape or isinstance(shape[0], int)


def _get_sizes(shape: tuple[Any, ...]) -> Sizes:
    return shape if _has_sizes_only(shape) else tuple(map(len, shape[0]))


def _build_truth(shape: tuple[Any, ...]) -> Truth:
    """Return a ground truth of a shape."""
    if _has_sizes_only(shape):
        numbers = count()
        return [[next(numbers) for _ in range(size)] for size in shape]
    groups, *rest = (list(map(list, shape[0])), *map(list, shape[1:]))
    return RichTruth(groups, *rest) if rest else groups
