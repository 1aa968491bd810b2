"""Scores of slices: what has been found so far for the queries of each.

Only sums are kept, so memory does not grow with the number of queries; for intervals, the slices of
each query are kept as well.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from groupwise.evaluator.evaluation.estimates import Estimate, Estimates, group_members
from groupwise.evaluator.evaluation.slicing import Cell, Slicer, choose_cells
from groupwise.evaluator.hits import BoolArray, FloatArray
from groupwise.evaluator.hits.arrays import np
from groupwise.evaluator.intake.rows import Rows
from groupwise.evaluator.metrics.names import Measure
from groupwise.evaluator.statistics.means import ExactMeans
from groupwise.evaluator.statistics.ranks import RankCounts
from groupwise.evaluator.text import cut
from groupwise.schemas import Counts, Scores, Spellings

if TYPE_CHECKING:
    from groupwise.schemas import Slice

FEW = 10
"""Slices of fewer scored queries are pointed out."""
SHOWN_SLICES = 5
LONGEST_NAME = 40


@dataclass
class SliceTotals:
    """Counts, sums and ranks of the queries of a slice."""

    counts: dict[str, int]
    means: ExactMeans
    ranks: RankCounts

    @classmethod
    def of(cls, measures: Sequence[Measure]) -> "SliceTotals":
        """Return the totals of no queries."""
        counts = dict.fromkeys(Counts.model_fields, 0)
        return cls(counts, ExactMeans(len(measures)), RankCounts(measures))

    def add(self, block: FloatArray, asked: Mapping[int, BoolArray]) -> None:
        """Add the values of scored queries."""
        self.counts["scored"] += block.shape[1]
        self.means.add(block)
        self.ranks.add(block, asked)

    def merge(self, other: "SliceTotals") -> None:
        """Add the totals of other queries."""
        for name, count in other.counts.items():
            self.counts[name] += count
        self.means.merge(other.means)
        self.ranks.merge(other.ranks)

    def summary(
        self, measures: Sequence[Measure], spellings: Spellings, estimate: Estimate
    ) -> "Slice":
        """Return the scores of the slice, with what is known about them."""
        means = zip(measures, self.means.means(), strict=True)
        scores = {measure.label: mean for measure, mean in means if measure.is_asked_score}
        from groupwise.schemas import Counts, Slice  # noqa: PLC0415  (loads pydantic)

        return Slice.model_construct(
            counts=Counts.model_construct(None, **self.counts),
            scores=Scores.under(spellings, scores),
            intervals=estimate.intervals,
            ceilings=estimate.ceilings,
            ranks=self.ranks.summaries(),
        )


class Slices:
    """The totals of all slices. Queries are marked with their slices, counted, and scored."""

    def __init__(
        self, fields: Sequence[str], measures: Sequence[Measure], *, keep: bool = False
    ) -> None:
        self.slicer = Slicer(fields)
        self._measures = measures
        self._keep = keep
        self.scored: list[tuple[Cell, ...]] = []
        self.totals: dict[Cell, SliceTotals] = {}
        self._waiting: list[tuple[Cell, ...]] = []

    def mark(self, rows: Rows) -> Rows:
        """Return the rows with their slices in place of their metadata."""
        return replace(rows, metadata=self.slicer.locate(rows))

    def count(self, name: str, rows: Rows) -> None:
        """Count marked rows under a name of ``Counts``."""
        for cells in rows.metadata:
            for cell in cells:
                self._totals_of(cell).counts[name] += 1

    def expect(self, rows: Rows) -> None:
        """Keep the slices of marked rows until their scores are added, in the same order."""
        self._waiting += rows.metadata

    def add(self, block: FloatArray, asked: Mapping[int, BoolArray]) -> None:
        """Add the values of queries, of shape (measures, queries), in the order expected."""
        queries = block.shape[1]
        for cell, members in group_members(self._waiting[:queries]).items():
            among = {row: asks[members] for row, asks in asked.items()}
            self._totals_of(cell).add(np.take(block, members, axis=1), among)
        if self._keep:
            self.scored += self._waiting[:queries]
        del self._waiting[:queries]

    def _totals_of(self, cell: Cell) -> SliceTotals:
        totals = self.totals.get(cell)
        if totals is None:
            totals = self.totals[cell] = SliceTotals.of(self._measures)
        return totals

    def merge(self, other: "Slices") -> None:
        """Add the slices of other queries."""
        self.slicer.merge(other.slicer)
        for cell, totals in other.totals.items():
            self._totals_of(cell).merge(totals)
        self.scored += other.scored

    def summaries(
        self, spellings: Spellings, estimates: Estimates
    ) -> "dict[str, dict[str, Slice]]":
        """Return the slices of each field, by name."""
        return {
            field: {
                cell.name: self._summarise(cell, spellings, estimates)
                for cell in choose_cells(self.totals, field, self.slicer)
            }
            for field in self.slicer.fields
        }

    def _summarise(self, cell: Cell, spellings: Spellings, estimates: Estimates) -> "Slice":
        return self.totals[cell].summary(self._measures, spellings, estimates.of_slice(cell))


def warn_of_few(slices: "Mapping[str, Mapping[str, Slice]]") -> Iterator[str]:
    """Yield a warning for each field that has slices of few queries."""
    for field, found in slices.items():
        few = [(name, each.counts.scored) for name, each in found.items()]
        few = [(name, scored) for name, scored in few if scored < FEW]
        if few:
            shown = ", ".join(f"{cut(name, LONGEST_NAME)} ({n})" for name, n in few[:SHOWN_SLICES])
            more = ", …" if len(few) > SHOWN_SLICES else ""
            have = "1 slice has" if len(few) == 1 else f"{len(few):,} slices have"
            yield (
                f"by {cut(field, LONGEST_NAME)}: {have} fewer than {FEW} scored queries, too few "
                f"to tell much: {shown}{more}"
            )
