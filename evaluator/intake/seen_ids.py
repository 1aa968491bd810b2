"""Query ids that occur twice, told in memory that does not grow with their number.

Of each id only its hash is kept, and beyond a fixed number hashes go to a temporary file. Equal
hashes are a suspicion; who is suspected is looked up by reading the source again.
"""

import tempfile
from array import array
from typing import IO

import numpy as np
from numpy.typing import NDArray

from groupwise.evaluator.native.loader import walk

KEPT = 1 << 18


class SeenIds:
    """Remembers which ids there were."""

    def __init__(self, kept: int = KEPT) -> None:
        self.kept = kept
        self._hashes = array("q")
        self._file: IO[bytes] | None = None
        self._spilled = 0

    def add(self, ids: list[str]) -> None:
        """Remember some ids."""
        hashes = walk.hash_texts(ids)
        if hashes is None:
            hashes = array("q", map(hash, ids)).tobytes()
        self._hashes.frombytes(hashes)
        if len(self._hashes) >= self.kept:
            self._spill()

    def _spill(self) -> None:
        if self._file is None:
            self._file = tempfile.TemporaryFile()  # noqa: SIM115
        self._hashes.tofile(self._file)
        self._spilled += len(self._hashes)
        self._hashes = array("q")

    def repeated(self) -> set[int]:
        """The hashes that occurred more than once."""
        if self._file is None:
            distinct = len(set(self._hashes)) == len(self._hashes)
            return set() if distinct else _repeated(np.array(self._hashes, np.int64))
        self._spill()
        parts = -(-self._spilled // self.kept)
        return set().union(*(_repeated(self._part(part, parts)) for part in range(parts)))

    def _part(self, part: int, parts: int) -> NDArray[np.int64]:
        """The hashes of one of several parts of about equal size."""
        assert self._file is not None  # noqa: S101
        self._file.seek(0)
        chosen = []
        while block := self._file.read(8 * self.kept // 4):
            hashes = np.frombuffer(block, np.int64)
            chosen.append(hashes[hashes.view(np.uint64) % np.uint64(parts) == part])
        return np.concatenate(chosen)


def _repeated(hashes: NDArray[np.int64]) -> set[int]:
    hashes = np.sort(hashes)
    return set(hashes[1:][hashes[1:] == hashes[:-1]].tolist())
