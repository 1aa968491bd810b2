"""What is known about scores beside their values: intervals and ceilings, overall and in slices."""

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from groupwise.evaluator.evaluation.intervals import find_intervals
from groupwise.evaluator.evaluation.shapes import ShapeCounts
from groupwise.evaluator.evaluation.slicing import Cell
from groupwise.evaluator.hits import FloatArray
from groupwise.evaluator.hits.arrays import np
from groupwise.evaluator.metrics.names import Measure

if TYPE_CHECKING:
    from groupwise.evaluator.evaluation.reach import Reach
    from groupwise.schemas import Band, MeanInterval

NO_BANDS = "no bands: no published source has words for these scores of these metrics"


class Estimate(NamedTuple):
    """The intervals and ceilings of some queries, by label."""

    intervals: "dict[str, MeanInterval]"
    ceilings: dict[str, float]


class ScoredValues(NamedTuple):
    """The values of all scored queries, for intervals of a level.

    ``blocks`` are of shape (measures, queries); ``ids`` and ``cells`` have the id and the slices of
    each query in the same order.
    """

    ids: Sequence[str]
    blocks: Sequence[FloatArray]
    level: float
    cells: Sequence[tuple[Cell, ...]] = ()


class Estimates:
    """Finds intervals, if there are values, and ceilings, if there are shapes."""

    def __init__(
        self,
        measures: Sequence[Measure],
        values: ScoredValues | None = None,
        shapes: ShapeCounts | None = None,
        ceilings: frozenset[str] = frozenset(),
    ) -> None:
        self._measures = measures
        self._values = values
        self._shapes = shapes
        self._ceilings = ceilings

    def of_all(self) -> Estimate:
        """Return what is known about the scores of all queries."""
        return Estimate(
            {} if self._values is None else self._find_intervals(self._ordered),
            {} if self._shapes is None else self._reach.ceilings(self._shapes.counts),
        )

    def of_slice(self, cell: Cell) -> Estimate:
        """Return what is known about the scores of a slice."""
        return Estimate(
            {} if self._values is None else self._find_intervals(self._take(cell)),
            {} if self._shapes is None else self._reach.ceilings(self._shapes.in_slice(cell)),
        )

    def _find_intervals(self, block: FloatArray) -> "dict[str, MeanInterval]":
        assert self._values is not None  # noqa: S101  (asked for with values only)
        return find_intervals(self._measures, block, self._values.level)

    def _take(self, cell: Cell) -> FloatArray:
        return self._ordered[:, self._members.get(cell, [])]

    @cached_property
    def _order(self) -> list[int]:
        ids = self._values.ids if self._values else []
        return sorted(range(len(ids)), key=ids.__getitem__)

    @cached_property
    def _ordered(self) -> FloatArray:
        """The values in order of query id."""
        blocks = self._values.blocks if self._values else []
        none = np.zeros((len(self._measures), 0))
        return np.concatenate([none, *blocks], axis=1)[:, self._order]

    @cached_property
    def _members(self) -> dict[Cell, list[int]]:
        cells = self._values.cells if self._values else []
        return group_members([cells[number] for number in self._order]) if cells else {}

    @cached_property
    def _reach(self) -> "Reach":
        from groupwise.evaluator.evaluation.reach import Reach  # noqa: PLC0415  (rarely needed)

        shapes = self._shapes.counts if self._shapes else {}
        return Reach([m for m in self._measures if m.label in self._ceilings], shapes)


def group_members(marked: Sequence[tuple[Cell, ...]]) -> dict[Cell, list[int]]:
    """Return the numbers of the queries in each slice."""
    members: dict[Cell, list[int]] = {}
    for number, cells in enumerate(marked):
        for cell in cells:
            members.setdefault(cell, []).append(number)
    return members


def name_bands(means: Iterable[tuple[Measure, float | None]]) -> "dict[str, Band]":
    """Return what published sources call scores, by label; most metrics have no such source."""
    from groupwise.schemas import Band  # noqa: PLC0415  (loads pydantic)

    found: dict[str, Band] = {}
    for measure, mean in means:
        bands = measure.metric.bands
        if bands is None or mean is None or not measure.is_asked_score:
            continue
        if word := bands.find_word(mean, measure.k):
            found[measure.label] = Band(word=word, source=str(bands.source))
    return found
