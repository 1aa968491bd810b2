"""Query ids that occur twice, found in memory that does not grow with their number.

Only the hash of each id is kept; beyond a fixed number hashes go to a temporary file. Ids with
equal hashes are suspects, which a second pass over the source confirms.
"""

from array import array
from collections.abc import Iterable, Iterator
from typing import IO, TYPE_CHECKING

import numpy as np

from groupwise.evaluator.errors import Problem, Problems
from groupwise.evaluator.intake.query_ids import query_of
from groupwise.evaluator.native.loader import walk
from groupwise.evaluator.reading.records import Batch, Reading, Records

if TYPE_CHECKING:
    from numpy.typing import NDArray

KEPT = 1 << 18
FEW = 1 << 10


class SeenIds:
    """The hashes of the ids seen so far; ``kept`` of them stay in memory."""

    def __init__(self, kept: int = KEPT) -> None:
        self.kept = kept
        self._hashes = array("q")
        self._has_runs = False
        self._file: IO[bytes] | None = None
        self._spilled = 0

    def add(self, ids: list[str]) -> None:
        """Add ids."""
        hashes = walk.hash_texts(ids)
        if hashes is None:
            hashes = array("q", map(hash, ids)).tobytes()
        self._add(hashes)

    def merge(self, hashes: bytes) -> None:
        """Add the hashes of a part; its process must hash strings as this one does."""
        self._has_runs = True
        self._add(hashes)

    def _add(self, hashes: bytes) -> None:
        self._hashes.frombytes(hashes)
        if len(self._hashes) >= self.kept:
            self._spill()

    def hashes(self) -> bytes:
        """Return the hashes of all ids, sorted if they are all in memory."""
        if self._file is None:
            return self._sort().tobytes()
        self._spill()
        self._file.seek(0)
        return self._file.read()

    def _spill(self) -> None:
        if self._file is None:
            import tempfile  # noqa: PLC0415  (rarely needed)

            self._file = tempfile.TemporaryFile()  # noqa: SIM115
        self._hashes.tofile(self._file)
        self._spilled += len(self._hashes)
        self._hashes = array("q")

    def find_repeated(self) -> set[int]:
        """Return the hashes that occurred more than once."""
        if self._file is None:
            return self._find_in_memory()
        self._spill()
        parts = -(-self._spilled // self.kept)
        return set().union(*(_find_repeated(self._read_part(part, parts)) for part in range(parts)))

    def _find_in_memory(self) -> set[int]:
        """Return the hashes that occurred more than once; few are compared without NumPy."""
        if len(self._hashes) < FEW and len(set(self._hashes)) == len(self._hashes):
            return set()
        hashes = self._sort()
        return set(hashes[1:][hashes[1:] == hashes[:-1]].tolist())

    def _sort(self) -> "NDArray[np.int64]":
        """Return the hashes in memory, sorted; those of parts are sorted already, part by part."""
        hashes = np.array(self._hashes, np.int64)
        hashes.sort(kind="stable" if self._has_runs else None)
        self._hashes, self._has_runs = array("q", hashes.tobytes()), True
        return hashes

    def _read_part(self, part: int, parts: int) -> "NDArray[np.int64]":
        """Return the hashes of one of several parts of about equal size."""
        assert self._file is not None  # noqa: S101
        self._file.seek(0)
        chosen = []
        while block := self._file.read(8 * self.kept // 4):
            hashes = np.frombuffer(block, np.int64)
            chosen.append(hashes[hashes.view(np.uint64) % np.uint64(parts) == part])
        return np.concatenate(chosen)


class UncheckedIds(SeenIds):
    """Keeps nothing: for traffic without end, where a query may come again."""

    def add(self, ids: list[str]) -> None:
        """Ignore the ids."""


def _find_repeated(hashes: "NDArray[np.int64]") -> set[int]:
    hashes = np.sort(hashes)
    return set(hashes[1:][hashes[1:] == hashes[:-1]].tolist())


class Suspects:
    """Query ids with certain hashes; finds the records that have them."""

    def __init__(self, hashes: Iterable[int]) -> None:
        self._sorted = np.array(sorted(hashes), np.int64)

    def find(self, batch: Batch) -> list[tuple[int, str]] | None:
        """Return the numbers of records in a batch, with their query ids, at C speed.

        None if a query id is not a text under its usual name: then each record must be looked at.
        """
        ids = batch.field("id") if batch.keys is None else batch.keys
        hashes = None if ids is None else walk.hash_texts(ids)
        if ids is None or hashes is None:
            return None
        found = np.frombuffer(hashes, np.int64)
        last = len(self._sorted) - 1
        is_suspect = self._sorted[np.minimum(np.searchsorted(self._sorted, found), last)] == found
        return [(row, ids[row]) for row in np.flatnonzero(is_suspect).tolist()]


def report_repeats(records: Records, suspected: set[int], problems: Problems) -> None:
    """Read the records again; add a problem for each query id that occurred before."""
    first: dict[str, str] = {}
    suspects = Suspects(suspected)
    for batch in records.batches(Reading.quiet()):
        found = suspects.find(batch)
        for number, query in _find_each(batch, suspected) if found is None else found:
            if not problems.room:
                problems.count += query in first
                first.setdefault(query, "")
                continue
            line, column = batch.place(number, [])
            if query in first:
                message = f"the query id is repeated{first[query]}"
                problems.add(Problem(message, records.name, line or None, column or None, query))
            first.setdefault(query, f" (first at line {line})" if line else "")


def _find_each(batch: Batch, suspected: set[int]) -> Iterator[tuple[int, str]]:
    """Yield the numbers of the records whose query ids have certain hashes, with the query ids."""
    for number, value in enumerate(batch.values):
        query = query_of(value if batch.keys is None else {"id": batch.keys[number]})
        if query is not None and hash(query) in suspected:
            yield number, query
