"""Ground truth in memory, read and checked once, found by query id."""

from collections.abc import Iterator, Mapping
from typing import Any

from groupwise.evaluator.evaluation.partial import Partial
from groupwise.evaluator.evaluation.sources import (
    add_rows,
    concatenate,
    open_intake,
    read_warnings,
)
from groupwise.evaluator.intake.positional import pair_by_position
from groupwise.evaluator.intake.rows import Rows
from groupwise.evaluator.native.collector import paused_collector
from groupwise.evaluator.reading.records import Records
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


class IndexJoin:
    """The results of a run beside their ground truths; ``extra`` has ids without ground truth.

    Args:
        truths: The ground truths.
        row_of: The row of each by query id.
        rankings: The results.
    """

    def __init__(self, truths: Rows, row_of: Mapping[str, int], rankings: Iterator[Rows]) -> None:
        self._truths = truths
        self._row_of = row_of
        self._rankings = rankings
        self.is_seen = bytearray(len(truths))
        self.extra: dict[str, None] = {}

    def rows(self) -> Iterator[Rows]:
        """Yield the queries that have both."""
        start = 0
        for rankings in self._rankings:
            start = self._find_start(rankings, start)
            end = start + len(rankings)
            if rankings.ids == self._truths.ids[start:end]:
                self.is_seen[start:end] = b"\1" * len(rankings)
                yield self._truths.part(start, end).with_results(rankings)
            else:
                yield self._look_up(rankings)
            start = end

    def _find_start(self, rankings: Rows, expected: int) -> int:
        """Return the row of the first query, so that a part of a run may be in order, too."""
        first = rankings.ids[:1]
        if first == self._truths.ids[expected : expected + 1]:
            return expected
        return self._row_of.get(first[0], expected) if first else expected

    def _look_up(self, rankings: Rows) -> Rows:
        """Return the queries of a batch that is not in the order of the ground truth."""
        row_at: dict[int, int] = {}
        for place, query_id in enumerate(rankings.ids):
            row = self._row_of.get(query_id)
            if row is None or self.is_seen[row]:
                self.extra[query_id] = None
            else:
                self.is_seen[row] = 1
                row_at[place] = row
        return self._truths.only([*row_at.values()]).with_results(rankings.only([*row_at]))

    def missing(self) -> Rows:
        """Return the ground truths that no results were found for."""
        return self._truths.only([row for row, seen in enumerate(self.is_seen) if not seen])
