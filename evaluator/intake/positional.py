"""Results without query ids, as AutoRAG has them: a row per query, in the same order."""

from collections.abc import Callable, Iterator

from groupwise.evaluator.errors import InputError, Problem
from groupwise.evaluator.intake.query_ids import query_of
from groupwise.evaluator.reading.records import Batch, Reading, Records
from groupwise.evaluator.text import plural


def pair_by_position(results: Records, name: str, ids: Callable[[], list[str]]) -> Records:
    """Return the results with the query ids of the ground truth, if they have none themselves.

    ``name`` is that of the ground truth.
    """
    return PositionalResults(results, name, ids) if results.positional else results


def read_ids(truths: Records) -> list[str]:
    """Return the query ids of a ground truth."""
    ids: list[str] = []
    for batch in truths.batches(Reading()):
        ids.extend(batch.keys or [query_of(value) or "" for value in batch.values])
    return ids


class PositionalResults(Records):
    """Results that belong to the query at the same position."""

    def __init__(self, results: Records, truths: str, ids: Callable[[], list[str]]) -> None:
        self.name = results.name
        self._results = results
        self._truths = truths
        self._find_ids = ids

    def batches(self, reading: Reading) -> Iterator[Batch]:
        """Yield the batches with the query ids of the ground truth as keys.

        Raises:
            InputError: There are more or fewer rows than queries.
        """
        ids = self._find_ids()
        first = 0
        for batch in self._results.batches(reading):
            count = len(batch.keys or batch.values)
            batch.keys = ids[first : first + count]
            first += count
            if first > len(ids):
                break
            yield batch
        if first != len(ids):
            raise InputError([Problem(self._describe_mismatch(first, len(ids)), self.name)])

    def _describe_mismatch(self, rows: int, queries: int) -> str:
        found = plural(min(rows, queries), "row")
        count = f"more than {found}" if rows > queries else found
        given = plural(queries, "query", "queries")
        return (
            f"{count} without query ids for {given} of {self._truths}; "
            "rows are paired with queries by position: give one row per query"
        )
