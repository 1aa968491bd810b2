"""Results without query ids, as AutoRAG has them: row by row, in the order of the ground truth."""

from collections.abc import Iterator

from groupwise.evaluator.errors import InputError, Problem
from groupwise.evaluator.intake.records import query_of
from groupwise.evaluator.reading.records import Batch, Reading, Records


def in_order_of(truths: Records, results: Records) -> Records:
    """The results with the ids of the ground truth, where they have none of their own."""
    return Ordered(truths, results) if results.positional else results


class Ordered(Records):
    """Results whose place says which query they belong to."""

    def __init__(self, truths: Records, results: Records) -> None:
        self.name = results.name
        self._truths = truths
        self._results = results

    def batches(self, reading: Reading) -> Iterator[Batch]:
        """The same batches, with the ids of the ground truth as keys."""
        ids = self._ids()
        first = 0
        for batch in self._results.batches(reading):
            count = len(batch.keys or batch.values)
            batch.keys = ids[first : first + count]
            first += count
            if first > len(ids):
                break
            yield batch
        if first != len(ids):
            raise InputError([Problem(self._unequal(first, len(ids)), self.name)])

    def _ids(self) -> list[str]:
        """The query ids of the ground truth; a source is not read twice at the same time."""
        ids: list[str] = []
        for batch in self._truths.batches(Reading()):
            ids.extend(batch.keys or [query_of(value) or "" for value in batch.values])
        return ids

    def _unequal(self, rows: int, queries: int) -> str:
        count = f"more than {queries}" if rows > queries else str(rows)
        return (
            f"{count} rows without query ids for {queries} queries of {self._truths.name}; "
            "such rows are paired by their order, so there is one for each query"
        )
