"""Ground truth in memory, read and checked once, found by query id."""

from typing import Any

from groupwise.evaluator.evaluation.partial import Partial
from groupwise.evaluator.evaluation.sources import (
    add_rows,
    open_intake,
    read_warnings,
)
from groupwise.evaluator.intake.join import IndexJoin, concatenate
from groupwise.evaluator.intake.positional import pair_by_position
from groupwise.evaluator.reading.records import Records, paused_collector
from groupwise.schemas.parts import RESULTS, TRUTHS


class TruthIndex:
    """The ground truths of a source; runs are joined with it one after another."""

    def __init__(self, records: Records, partial: Partial) -> None:
        """Read the source, as the setup of the partial says.

        Raises:
            InputError: The ground truth is invalid; all problems are listed.
        """
        intake = open_intake(partial, records, TRUTHS, queries=True)
        with paused_collector():
            self.rows = concatenate(intake.rows())
        partial.problems.raise_if_any()
        self.row_of = {query_id: row for row, query_id in enumerate(self.rows.ids)}
        self.kinds = partial.kinds
        self.intake = intake

    def __getstate__(self) -> dict[str, Any]:
        """Return what other processes need: the rows, without what read them."""
        return {**self.__dict__, "intake": None}

    def add_run(self, partial: Partial, results: Records) -> list[str]:
        """Add the queries with the results of a run to a partial; return warnings of reading."""
        partial.kinds.merge(self.kinds)
        intake = open_intake(partial, self.pair(results), RESULTS)
        join = IndexJoin(self.rows, self.row_of, intake.rows())
        add_rows(partial, join.rows())
        partial.add_missing(join.missing())
        partial.add_extra(join.extra)
        return read_warnings(self.intake, intake)

    def pair(self, results: Records) -> Records:
        """Return results with the ids of the queries at their positions, if they have none."""
        return pair_by_position(results, self.intake.records, self.rows.ids)
