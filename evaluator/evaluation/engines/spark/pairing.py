"""Ground truth and results that arrive in order of query id, paired and added to a part.

Of each query the ground truth comes first. So no more is held than a few hundred queries, however
many a partition has.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from groupwise.evaluator.errors import Problem
from groupwise.evaluator.evaluation.engines.spark.records import Reader
from groupwise.evaluator.evaluation.part import EvaluationPart
from groupwise.evaluator.evaluation.sources import open_intake
from groupwise.evaluator.intake.rows import Rows
from groupwise.evaluator.intake.seen_ids import UncheckedIds
from groupwise.evaluator.reading.arrow import arrow

REPEATED = "the query id is repeated"
SIDE = "side"
"""The column that says what a row is: 0 for ground truth, 1 for a run."""
QUERIES_PER_PIECE = 256
"""Few enough to stay in the processor's cache from reading to matching."""


class Side:
    """The rows of ground truth, or of a run, of a partition."""

    def __init__(self, reader: Reader, names: dict[str, str]) -> None:
        self._reader = reader
        self._names = names
        self._last: str | None = None

    def take(self, piece: Any, part: EvaluationPart) -> Rows:
        """Return the valid rows of a piece; add what is wrong with the others to the part."""
        columns = [piece.column(name) for name in self._names]
        chosen = arrow().RecordBatch.from_arrays(columns, names=list(self._names.values()))
        records, model = self._reader.read(chosen), self._reader.model
        intake = open_intake(part.partial, records, model)
        intake.seen = UncheckedIds()
        rows = Rows()
        for found in intake.rows():
            rows = _join(rows, found)
        part.folded += intake.folded
        part.add_prints(records, model)
        return self._refuse_repeated(rows, records.name, part)

    def _refuse_repeated(self, rows: Rows, name: str, part: EvaluationPart) -> Rows:
        """Return the rows without those that repeat an id, which are adjacent and a problem."""
        before = [self._last, *rows.ids[:-1]]
        kept = [row for row, query_id in enumerate(rows.ids) if query_id != before[row]]
        self._last = rows.ids[-1] if rows else self._last
        if len(kept) == len(rows):
            return rows
        repeated = [each for each, last in zip(rows.ids, before, strict=True) if each == last]
        part.partial.problems.add(*(Problem(REPEATED, name, query=each) for each in repeated))
        return rows.only(kept)


class Pairing:
    """Pairs the rows of a partition and adds them to a part."""

    def __init__(self, part: EvaluationPart, truths: Side, rankings: Side) -> None:
        self.part = part
        self._truths = truths
        self._rankings = rankings
        self._waiting = Rows()

    def add(self, batch: Any) -> None:
        """Add a batch of rows."""
        for piece in _cut(batch):
            is_ranking = piece.column(SIDE).cast("bool")
            compute = arrow("pyarrow.compute")
            truths = self._truths.take(piece.filter(compute.invert(is_ranking)), self.part)
            rankings = self._rankings.take(piece.filter(is_ranking), self.part)
            self._pair(_join(self._waiting, truths), rankings, ended=is_ranking[-1].as_py())

    def _pair(self, truths: Rows, rankings: Rows, *, ended: bool) -> None:
        """Add queries; the last ground truth waits if its results may be in the next piece."""
        end = len(truths) if ended or not truths else len(truths) - 1
        truths, self._waiting = truths.part(0, end), truths.part(end, len(truths))
        if truths.ids == rankings.ids:
            self.part.partial.add(truths.with_results(rankings))
        else:
            self._pair_some(truths, rankings)

    def _pair_some(self, truths: Rows, rankings: Rows) -> None:
        partial = self.part.partial
        row_of = {query_id: row for row, query_id in enumerate(rankings.ids)}
        paired = [row for row, query_id in enumerate(truths.ids) if query_id in row_of]
        both = truths.only(paired)
        partial.add(both.with_results(rankings.only([row_of[query_id] for query_id in both.ids])))
        partial.add_missing(_leave_out(truths, {*both.ids}))
        partial.add_extra(_leave_out(rankings, {*both.ids}).ids)

    def finish(self) -> EvaluationPart:
        """Return the part with all rows of the partition."""
        self.part.partial.add_missing(self._waiting)
        self._waiting = Rows()
        return self.part


def _cut(batch: Any) -> Iterator[Any]:
    """Yield a batch in pieces that are not empty."""
    for start in range(0, batch.num_rows, 2 * QUERIES_PER_PIECE):
        yield batch.slice(start, 2 * QUERIES_PER_PIECE)


def _join(first: Rows, second: Rows) -> Rows:
    """Return all rows; the first ones are not used any more."""
    if not first:
        return second
    first.extend(second)
    return first


def _leave_out(rows: Rows, ids: set[str]) -> Rows:
    return rows.only([row for row, query_id in enumerate(rows.ids) if query_id not in ids])


def pair_all(pairing: Pairing, batches: Iterable[Any]) -> EvaluationPart:
    """Return the part of a whole partition."""
    for batch in batches:
        pairing.add(batch)
    return pairing.finish()
