"""Which values occur, and which of them more than once, as hashes of eight bytes each.

Equal hashes raise a suspicion; a second reading of the source finds the values.
"""

import os
import weakref
from array import array
from collections.abc import Iterable, Sequence
from typing import IO, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from groupwise.evaluator.errors import OutputError
from groupwise.evaluator.native.loader import walk

Hashes = NDArray[np.int64]
KEPT = 1 << 19
"""How many hashes a bag has in memory."""
BUCKETS = 64
LAST_BUCKET = BUCKETS - 1
BUCKET_BITS, REST_BITS = np.uint64(6), np.uint64(58)
FIRST_OF_BUCKETS = np.arange(BUCKETS, dtype=np.uint64) << REST_BITS
HASH_BYTES = 8
LARGEST_INTEGER = 2**63 - 1
NO_HASHES: Hashes = np.empty(0, np.int64)


def hash_id(value: object) -> int:
    """Return the hash of a value; an integer is its own, because hash(-1) == hash(-2)."""
    return value if type(value) is int and abs(value) <= LARGEST_INTEGER else hash(value)


def hash_all(values: Iterable[object]) -> Hashes:
    """Return the hashes of values, in their order."""
    given = values if isinstance(values, list) else list(values)
    texts = walk.hash_texts(given)
    if texts is not None:
        return np.frombuffer(texts, np.int64)
    function = hash_id if int in {*map(type, given)} else hash
    return np.fromiter(map(function, given), np.int64, len(given))


def are_in(hashes: Hashes, known: Hashes) -> NDArray[np.bool_]:
    """Return for each hash whether it is among the known ones, which are sorted."""
    if not len(known):
        return np.zeros(len(hashes), np.bool_)
    places = np.minimum(np.searchsorted(known, hashes), len(known) - 1)
    found: NDArray[np.bool_] = known[places] == hashes
    return found


class Occurring(NamedTuple):
    """Hashes, each once, and those that were added more than once; both are sorted."""

    distinct: Hashes
    repeated: Hashes


class HashBag:
    """Distinct hashes, and those that were added more than once.

    Many different ones go to a temporary file, so that memory does not grow with their number.
    """

    def __init__(self, kept: int = KEPT) -> None:
        self._kept = kept
        self._parts: list[Hashes] = []
        self._waiting = 0
        self._is_sorted = False
        self._has_runs = False
        self._spilled: SpilledHashes | None = None

    def add(self, values: Iterable[object]) -> None:
        """Add the hashes of values."""
        self.add_hashes(hash_all(values))

    def add_hashes(self, hashes: Hashes) -> None:
        """Add hashes."""
        self._parts.append(hashes)
        self._waiting += len(hashes)
        self._is_sorted = False
        if self._waiting >= self._kept:
            self._make_room()

    def merge(self, other: "HashBag") -> None:
        """Add the hashes of another bag."""
        self._has_runs = self._has_runs or self._is_sorted
        for run in other._list_all():  # noqa: SLF001  (of the same class)
            self.add_hashes(self._join_runs(run) if self._has_runs else run)
            self._has_runs = True

    def settle(self) -> None:
        """Sort the hashes in memory now, in place of later."""
        self._sort()

    def _join_runs(self, run: Hashes) -> Hashes:
        """Return a sorted run with those before it of about its size: few are left for the end."""
        while self._parts and 2 * len(self._parts[-1]) <= 3 * len(run):
            last = self._parts.pop()
            self._waiting -= len(last)
            run = np.concatenate([last, run])
            run.sort(kind="stable")
        return run

    def _list_all(self) -> list[Hashes]:
        """Return all hashes; those that were added more than once, twice."""
        return [self.distinct, self.repeated] if self.is_large else [self._sort()]

    def __getstate__(self) -> dict[str, Any]:
        """Return what goes to another process: all hashes, none in a file."""
        parts = self._list_all()
        waiting, is_sorted = sum(map(len, parts)), not self.is_large
        kept = {"_kept": self._kept, "_parts": parts, "_waiting": waiting}
        return {**kept, "_is_sorted": is_sorted, "_has_runs": True, "_spilled": None}

    def _make_room(self) -> None:
        """Drop what is not needed; if that is not enough, move all to the file."""
        held = self._sort()
        if 2 * len(held) >= self._kept:
            self._spilled = self._spilled or SpilledHashes()
            self._spilled.add(held)
            self._parts, self._waiting, self._is_sorted = [], 0, False

    def _sort(self) -> Hashes:
        """Return the hashes in memory, sorted: those that were added more than once, twice."""
        if not self._is_sorted:
            held = np.concatenate([NO_HASHES, *self._parts])
            held.sort(kind="stable" if self._has_runs else None)  # which finds what is sorted
            is_third = held[2:] == held[:-2]
            if is_third.any():
                held = held[~np.concatenate([[False, False], is_third])]
            self._parts, self._waiting, self._is_sorted = [held], len(held), True
        return self._parts[0]

    def count(self) -> tuple[int, int]:
        """Return how many hashes there are in memory, and how many were added more than once."""
        held = self._sort()
        repeated = int(np.count_nonzero(held[1:] == held[:-1]))
        return len(held) - repeated, repeated

    @property
    def is_large(self) -> bool:
        """Whether hashes are in the file; then they are best read bucket by bucket."""
        return self._spilled is not None

    def read(self, bucket: int) -> Occurring:
        """Return the hashes of a bucket; a hash is in the same one in each bag."""
        held = self._sort()
        parts = [held[held & LAST_BUCKET == bucket]]
        if self._spilled is not None:
            parts.append(self._spilled.read(bucket))
        return _find_occurring(np.sort(np.concatenate(parts)))

    def _read_all(self) -> Occurring:
        if not self.is_large:
            return _find_occurring(self._sort())
        distinct, repeated = zip(*map(self.read, range(BUCKETS)), strict=True)
        return Occurring(np.sort(np.concatenate(distinct)), np.sort(np.concatenate(repeated)))

    @property
    def distinct(self) -> Hashes:
        """All hashes, each once, sorted."""
        return self._read_all().distinct

    @property
    def repeated(self) -> Hashes:
        """The hashes that were added more than once, sorted."""
        if not self.is_large:
            return _find_occurring(self._sort()).repeated
        return np.sort(np.concatenate([self.read(bucket).repeated for bucket in range(BUCKETS)]))


def _find_occurring(hashes: Hashes) -> Occurring:
    """Return which of sorted hashes there are, and which of them more than once."""
    return Occurring(drop_repeats(hashes), drop_repeats(hashes[1:][hashes[1:] == hashes[:-1]]))


class SpilledHashes:
    """Hashes in a temporary file, in buckets by their last bits: whole numbers share the first."""

    def __init__(self) -> None:
        self._file: IO[bytes] | None = None
        self._size = 0
        self._borders: list[NDArray[np.int64]] = []

    def add(self, hashes: Hashes) -> None:
        """Add hashes.

        Raises:
            OutputError: There is no room for them.
        """
        turned = hashes.view(np.uint64)
        turned = (turned >> BUCKET_BITS) | (turned << REST_BITS)
        turned.sort()
        borders = np.searchsorted(turned, FIRST_OF_BUCKETS)
        self._borders.append(self._size + np.append(borders, len(turned)))
        self._size += len(turned)
        try:
            self._file = self._file or self._create()
            self._file.seek(0, os.SEEK_END)
            self._file.write(turned.data)
            self._file.flush()
        except OSError as error:
            reason = error.strerror or error
            raise OutputError(f"a temporary file cannot be written: {reason}") from error

    def _create(self) -> IO[bytes]:
        import tempfile  # noqa: PLC0415  (rarely needed)

        file = tempfile.TemporaryFile()  # noqa: SIM115
        weakref.finalize(self, file.close)
        return file

    def read(self, bucket: int) -> Hashes:
        """Return the hashes of a bucket."""
        assert self._file is not None  # noqa: S101  (there is something in it)
        parts = []
        for borders in self._borders:
            start, end = borders[bucket : bucket + 2].tolist()
            self._file.seek(start * HASH_BYTES)
            parts.append(self._file.read((end - start) * HASH_BYTES))
        turned = np.frombuffer(b"".join(parts), np.uint64)
        return ((turned << BUCKET_BITS) | (turned >> REST_BITS)).view(np.int64)


def count_occurring(bags: Sequence[HashBag]) -> tuple[int, int]:
    """Return how many hashes bags have, and how many were added more than once, to any of them."""
    if len(bags) == 1 and not bags[0].is_large:
        return bags[0].count()
    if any(bag.is_large for bag in bags):
        buckets = ([bag.read(bucket) for bag in bags] for bucket in range(BUCKETS))
    else:
        buckets = ([Occurring(bag.distinct, bag.repeated) for bag in bags] for _ in range(1))
    distinct = repeated = 0
    for parts in buckets:
        if len(parts) == 1:
            distinct += len(parts[0].distinct)
            repeated += len(parts[0].repeated)
            continue
        every = [part.distinct for part in parts]
        distinct += len(unite(every))
        repeated += len(unite([find_shared(every), *(part.repeated for part in parts)]))
    return distinct, repeated


def drop_repeats(hashes: Hashes) -> Hashes:
    """Return sorted hashes, each once."""
    return hashes[np.concatenate([[True], hashes[1:] != hashes[:-1]])] if len(hashes) else hashes


def unite(parts: Iterable[Hashes]) -> Hashes:
    """Return the hashes of all parts, each once, sorted."""
    return drop_repeats(np.sort(np.concatenate([NO_HASHES, *parts]), kind="stable"))


def find_shared(parts: Sequence[Hashes]) -> Hashes:
    """Return the hashes in at least two parts, sorted; no part has a hash twice."""
    whole = np.sort(np.concatenate([NO_HASHES, *parts]), kind="stable")
    return drop_repeats(whole[1:][whole[1:] == whole[:-1]])


def subtract(hashes: Hashes, others: Hashes) -> set[int]:
    """Return the hashes that are not among the others; both are sorted."""
    return set(hashes[~are_in(hashes, others)].tolist())


class Spellings:
    """Ids that differ but have equal normal forms.

    Most ids are their own normal form; only for the others both hashes are kept.
    """

    def __init__(self) -> None:
        self._forms = array("q")
        self._exact = array("q")

    def add(self, ids: Iterable[str], forms: Iterable[str]) -> None:
        """Add ids with their normal forms."""
        for spelling, form in zip(ids, forms, strict=True):
            if spelling != form:
                self._forms.append(hash(form))
                self._exact.append(hash(spelling))

    def merge(self, other: "Spellings") -> None:
        """Add the ids of another collection."""
        self._forms += other._forms  # noqa: SLF001  (of this class)
        self._exact += other._exact  # noqa: SLF001

    def find_clashes(self, ids: HashBag) -> set[int]:
        """Return the hashes of the normal forms that several of all ids have."""
        if not self._forms:
            return set()
        forms, exact = np.array(self._forms, np.int64), np.array(self._exact, np.int64)
        order = np.lexsort([exact, forms])
        forms, exact = forms[order], exact[order]
        differ = (forms[1:] == forms[:-1]) & (exact[1:] != exact[:-1])
        distinct = drop_repeats(forms)
        return set(forms[1:][differ].tolist()) | (
            set(distinct.tolist()) - subtract(distinct, ids.distinct)
        )
