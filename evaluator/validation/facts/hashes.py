"""Which values occur, and which of them more than once, as hashes of eight bytes each.

Equal hashes raise a suspicion; a second reading of the source finds the values.
"""

from array import array
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from groupwise.evaluator.native.loader import walk

Hashes = NDArray[np.int64]
SMALLEST_BUFFER = 1 << 20
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


class HashBag:
    """Distinct hashes, and those that were added more than once."""

    def __init__(self, buffer: int = SMALLEST_BUFFER) -> None:
        self._parts: list[Hashes] = []
        self._waiting = 0
        self._smallest = buffer
        self._distinct = NO_HASHES
        self._repeated = NO_HASHES

    def add(self, values: Iterable[object]) -> None:
        """Add the hashes of values."""
        self.add_hashes(hash_all(values))

    def add_hashes(self, hashes: Hashes) -> None:
        """Add hashes."""
        self._parts.append(hashes)
        self._waiting += len(hashes)
        if self._waiting >= max(self._smallest, len(self._distinct)):
            self._compact()

    def _compact(self) -> None:
        if not self._waiting:
            return
        new = np.sort(np.concatenate(self._parts))
        self._parts, self._waiting = [], 0
        again = new[1:][new[1:] == new[:-1]]
        new = drop_repeats(new)
        whole = np.sort(np.concatenate([self._distinct, new]), kind="stable")
        both = whole[1:][whole[1:] == whole[:-1]]
        self._distinct = drop_repeats(whole)
        self._repeated = unite([self._repeated, again, both])

    def merge(self, other: "HashBag") -> None:
        """Add the hashes of another bag."""
        self._repeated = unite([self._repeated, other.repeated])
        self.add_hashes(other.distinct)

    def __getstate__(self) -> dict[str, Any]:
        """Return what goes to another process: each hash once."""
        self._compact()
        return vars(self)

    @property
    def distinct(self) -> Hashes:
        """All hashes, each once, sorted."""
        self._compact()
        return self._distinct

    @property
    def repeated(self) -> Hashes:
        """The hashes that were added more than once, sorted."""
        self._compact()
        return self._repeated


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

    def find_clashes(self, ids: Hashes) -> set[int]:
        """Return the hashes of the normal forms that several of all ids have."""
        if not self._forms:
            return set()
        forms, exact = np.array(self._forms, np.int64), np.array(self._exact, np.int64)
        order = np.lexsort([exact, forms])
        forms, exact = forms[order], exact[order]
        differ = (forms[1:] == forms[:-1]) & (exact[1:] != exact[:-1])
        distinct = drop_repeats(forms)
        return set(forms[1:][differ].tolist()) | (set(distinct.tolist()) - subtract(distinct, ids))
