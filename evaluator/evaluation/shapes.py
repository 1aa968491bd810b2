"""Shapes of ground truths: groups, weights, grades and labels, without the ids.

What can be reached on a ground truth depends on its shape alone, and there are few of them.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import chain, repeat
from typing import NamedTuple

from groupwise.evaluator.evaluation.slicing import Cell
from groupwise.evaluator.intake.rows import Rows
from groupwise.evaluator.matching.truths import grades_of, groups_of, labels_of, weights_of
from groupwise.schemas import Id, RichTruth, Truth


class TruthShape(NamedTuple):
    """A ground truth whose documents are numbers, counted from 0.

    ``grades`` has the grade of each alternative, in the order of the groups; ``unwanted`` is the
    number of other documents that are judged not relevant.
    """

    groups: tuple[tuple[int, ...], ...]
    weights: tuple[float, ...]
    grades: tuple[float, ...]
    labels: tuple[str | None, ...]
    unwanted: int = 0

    def truth(self) -> Truth:
        """Return the ground truth, as matching takes it."""
        groups: list[list[Id]] = [[*group] for group in self.groups]
        if not groups:
            return groups
        return RichTruth(groups, [*self.weights], [*self.grades], [*self.labels])

    @property
    def documents(self) -> list[int]:
        """The documents, in the order in which they are listed."""
        return list(dict.fromkeys(chain.from_iterable(self.groups)))

    @property
    def is_shared(self) -> bool:
        """Whether a document is listed twice."""
        return sum(map(len, self.groups)) != len({*chain.from_iterable(self.groups)})

    def labelled(self, label: str) -> "TruthShape":
        """Return the shape as if there were no groups but those with this label."""
        wanted = label.lower()
        chosen = [n for n, own in enumerate(self.labels) if own and own.lower() == wanted]
        grades = _split_grades(self)
        return TruthShape(
            _number_documents(self.groups[number] for number in chosen),
            tuple(self.weights[number] for number in chosen),
            tuple(chain.from_iterable(grades[number] for number in chosen)),
            tuple(self.labels[number] for number in chosen),
            self.unwanted,
        )


def _split_grades(shape: TruthShape) -> list[tuple[float, ...]]:
    """Return the grades of each group."""
    grades = iter(shape.grades)
    return [tuple(next(grades) for _ in group) for group in shape.groups]


def find_shape(truth: Truth, unwanted: Iterable[Id] = ()) -> TruthShape:
    """Return the shape of a ground truth."""
    groups = groups_of(truth)
    others = len({*unwanted}.difference(chain.from_iterable(groups)))
    if not isinstance(truth, RichTruth) and len({*chain(*groups)}) == sum(map(len, groups)):
        return _find_plain_shape(tuple(sorted(map(len, groups))), others)
    return TruthShape(
        _number_documents(groups),
        tuple(weights_of(truth)), tuple(grades_of(truth)), tuple(labels_of(truth)), others,
    )  # fmt: skip


def _number_documents(groups: Iterable[Iterable[Id]]) -> tuple[tuple[int, ...], ...]:
    """Return groups whose documents are numbered in the order in which they are listed."""
    numbers: dict[Id, int] = {}
    return tuple(tuple(numbers.setdefault(id_, len(numbers)) for id_ in group) for group in groups)


@lru_cache(maxsize=4096)
def _find_plain_shape(sizes: tuple[int, ...], unwanted: int) -> TruthShape:
    """Return the shape of groups of these sizes that have no document in common."""
    numbers = iter(range(sum(sizes)))
    groups = tuple(tuple(next(numbers) for _ in range(size)) for size in sizes)
    ones, blank = (1.0,) * sum(sizes), (None,) * len(sizes)
    return TruthShape(groups, (1.0,) * len(sizes), ones, blank, unwanted)


class ShapeCounts:
    """How often each shape occurs: in all scored queries, and in each slice.

    What is judged not relevant is a part of shapes only if a metric looks at it, ``judged``.
    """

    def __init__(self, *, judged: bool = False) -> None:
        self._judged = judged
        self.counts: Counter[TruthShape] = Counter()
        self.by_cell: dict[Cell, Counter[TruthShape]] = {}

    def add(self, rows: Rows) -> None:
        """Count the shapes of queries, which may be marked with their slices."""
        known = rows.not_relevant if self._judged else []
        unwanted: Iterable[list[Id]] = known or repeat([], len(rows))
        pairs = zip(rows.truths, unwanted, strict=True)
        shapes = [find_shape(truth, others) for truth, others in pairs]
        self.counts.update(shapes)
        for shape, cells in zip(shapes, rows.metadata, strict=False):
            for cell in cells:
                self.by_cell.setdefault(cell, Counter())[shape] += 1

    def merge(self, other: "ShapeCounts") -> None:
        """Add the shapes of other queries."""
        self.counts.update(other.counts)
        for cell, counts in other.by_cell.items():
            self.by_cell.setdefault(cell, Counter()).update(counts)

    def in_slice(self, cell: Cell) -> Mapping[TruthShape, int]:
        """Return the shapes in a slice."""
        return self.by_cell.get(cell, {})
