"""Query ids that occur twice, found by their hashes: eight bytes for each id.

Ids with equal hashes are suspects, which a second pass over the source confirms.
"""

from array import array
from collections.abc import Iterator

import numpy as np

from groupwise.evaluator.errors import Problem, Problems
from groupwise.evaluator.intake.query_ids import query_of
from groupwise.evaluator.reading.records import Batch, Reading, Records


class SeenIds:
    """The hashes of the ids seen so far."""

    def __init__(self) -> None:
        self._hashes = array("q")

    def add(self, ids: list[str]) -> None:
        """Add ids."""
        self._hashes.extend(map(hash, ids))

    def merge(self, hashes: bytes) -> None:
        """Add the hashes of a part; its process must hash strings as this one does."""
        self._hashes.frombytes(hashes)

    def hashes(self) -> bytes:
        """Return the hashes of all ids."""
        return self._hashes.tobytes()

    def find_repeated(self) -> set[int]:
        """Return the hashes that occurred more than once."""
        hashes = np.sort(np.frombuffer(self._hashes, np.int64))
        return set(hashes[1:][hashes[1:] == hashes[:-1]].tolist())


class UncheckedIds(SeenIds):
    """Keeps nothing: for traffic without end, where a query may come again."""

    def add(self, ids: list[str]) -> None:
        """Ignore the ids."""


def report_repeats(records: Records, suspected: set[int], problems: Problems) -> None:
    """Read the records again; add a problem for each query id that occurred before."""
    first: dict[str, str] = {}
    for batch in records.batches(Reading()):
        for number, query in _find_suspects(batch, suspected):
            line, column = batch.place(number, [])
            if query in first:
                message = f"the query id is repeated{first[query]}"
                problems.add(Problem(message, records.name, line or None, column or None, query))
            first.setdefault(query, f" (first at line {line})" if line else "")
        if problems.has_more:
            return


def _find_suspects(batch: Batch, suspected: set[int]) -> Iterator[tuple[int, str]]:
    """Yield the numbers of the records whose query ids have certain hashes, with the query ids."""
    for number, value in enumerate(batch.values):
        query = query_of(value if batch.keys is None else {"id": batch.keys[number]})
        if query is not None and hash(query) in suspected:
            yield number, query
