"""Ground truth in memory, read and checked once, found by query id."""

from dataclasses import dataclass
from functools import cached_property

from groupwise.evaluator.evaluation.partial import Partial
from groupwise.evaluator.evaluation.sources import add_rows, open_intake, read_warnings
from groupwise.evaluator.intake.check import Intake
from groupwise.evaluator.intake.join import IndexJoin, concatenate
from groupwise.evaluator.intake.kinds import Kinds
from groupwise.evaluator.intake.positional import pair_by_position
from groupwise.evaluator.intake.rows import Rows
from groupwise.evaluator.reading.records import Records, paused_collector
from groupwise.schemas import Query, RunQuery


@dataclass
class TruthIndex:
    """The ground truths of a source; runs are joined with it one after another.

    ``kinds`` are those of its ids, ``warnings`` those of reading it.
    """

    name: str
    rows: Rows
    kinds: Kinds
    warnings: tuple[str, ...] = ()

    @classmethod
    def read(cls, records: Records, partial: Partial) -> "TruthIndex":
        """Read the source, as the setup of the partial says.

        Raises:
            InputError: The ground truth is invalid; all problems are listed.
        """
        intake = open_intake(partial, records, Query, queries=True)
        with paused_collector():
            rows = concatenate(intake.rows())
        partial.problems.raise_if_any()
        return cls(records.name, rows, partial.kinds, tuple(read_warnings(intake)))

    @cached_property
    def row_of(self) -> dict[str, int]:
        """The row of each ground truth by query id."""
        return {query_id: row for row, query_id in enumerate(self.rows.ids)}

    def add_run(self, partial: Partial, results: Records) -> list[str]:
        """Add the queries with the results of a run to a partial; return warnings of reading."""
        intake, join = self.add_results(partial, results)
        partial.add_missing(join.missing())
        return [*self.warnings, *read_warnings(intake)]

    def add_results(self, partial: Partial, results: Records) -> tuple[Intake, IndexJoin]:
        """Add the queries that have results; return what has read and joined these."""
        partial.kinds.merge(self.kinds)
        intake = open_intake(partial, self.pair(results), RunQuery)
        join = IndexJoin(self.rows, self.row_of, intake.rows())
        add_rows(partial, join.rows())
        partial.add_extra(join.extra)
        return intake, join

    def pair(self, results: Records) -> Records:
        """Return results with the ids of the queries at their positions, if they have none."""
        return pair_by_position(results, self.name, lambda: self.rows.ids)
