"""Which values there were, and which came twice, kept as hashes: eight bytes each.

Equal hashes are a suspicion; whom it concerns is looked up by reading the source again.
"""

from array import array
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from groupwise.evaluator.native.loader import walk

Hashes = NDArray[np.int64]
SMALLEST_BUFFER = 1 << 20
NOTHING: Hashes = np.empty(0, np.int64)


LARGEST = 2**63 - 1


def hash_of(value: object) -> int:
    """The hash of a value; a whole number is its own, for Python's -1 and -2 have the same."""
    return value if type(value) is int and abs(value) <= LARGEST else hash(value)


def hashes_of(values: Iterable[object]) -> Hashes:
    """The hashes of values, in their order."""
    given = values if isinstance(values, list) else list(values)
    texts = walk.hash_texts(given)
    if texts is not None:
        return np.frombuffer(texts, np.int64)
    hashed = hash_of if given and type(given[0]) is int else hash
    return np.fromiter(map(hashed, given), np.int64, len(given))


def are_in(some: Hashes, known: Hashes) -> NDArray[np.bool_]:
    """For each of some hashes whether it is among those known, which are sorted."""
    if not len(known):
        return np.zeros(len(some), np.bool_)
    places = np.minimum(np.searchsorted(known, some), len(known) - 1)
    found: NDArray[np.bool_] = known[places] == some
    return found


def holds_any(values: Iterable[object], hashes: Hashes) -> bool:
    """Whether one of the values has one of the hashes."""
    return bool(are_in(hashes_of(values), hashes).any())


class HashBag:
    """Distinct hashes, and those that were added more than once."""

    def __init__(self, buffer: int = SMALLEST_BUFFER) -> None:
        self._parts: list[Hashes] = []
        self._waiting = 0
        self._smallest = buffer
        self._distinct = NOTHING
        self._repeated = NOTHING

    def add(self, values: Iterable[object]) -> None:
        """Remember some values."""
        self.add_hashes(hashes_of(values))

    def add_hashes(self, hashes: Hashes) -> None:
        """Remember values whose hashes are known."""
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
        new = without_repeats(new)
        whole = np.sort(np.concatenate([self._distinct, new]), kind="stable")
        both = whole[1:][whole[1:] == whole[:-1]]
        self._distinct = without_repeats(whole)
        self._repeated = union([self._repeated, again, both])

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


def without_repeats(hashes: Hashes) -> Hashes:
    """Sorted hashes, each once."""
    return hashes[np.concatenate([[True], hashes[1:] != hashes[:-1]])] if len(hashes) else hashes


def union(parts: Iterable[Hashes]) -> Hashes:
    """All hashes of several, each once, sorted."""
    return without_repeats(np.sort(np.concatenate([NOTHING, *parts]), kind="stable"))


def in_several(parts: Sequence[Hashes]) -> Hashes:
    """The hashes that at least two have, each of which has no hash twice; sorted."""
    whole = np.sort(np.concatenate([NOTHING, *parts]), kind="stable")
    return without_repeats(whole[1:][whole[1:] == whole[:-1]])


def only_in(one: Hashes, other: Hashes) -> set[int]:
    """The hashes that the first has and the second has not; both are sorted."""
    return set(one[~are_in(one, other)].tolist())


class Spellings:
    """Ids whose normal forms are equal though they themselves are not.

    Most ids are their own normal form; only of the others both hashes are kept.
    """

    def __init__(self) -> None:
        self._forms = array("q")
        self._exact = array("q")

    def add(self, ids: Iterable[str], forms: Iterable[str]) -> None:
        """Remember ids with their normal forms."""
        for one, form in zip(ids, forms, strict=True):
            if one != form:
                self._forms.append(hash(form))
                self._exact.append(hash(one))

    def clashes(self, ids: Hashes) -> set[int]:
        """The hashes of normal forms that several of all ids have."""
        if not self._forms:
            return set()
        forms, exact = np.array(self._forms, np.int64), np.array(self._exact, np.int64)
        order = np.lexsort([exact, forms])
        forms, exact = forms[order], exact[order]
        differ = (forms[1:] == forms[:-1]) & (exact[1:] != exact[:-1])
        distinct = without_repeats(forms)
        return set(forms[1:][differ].tolist()) | (set(distinct.tolist()) - only_in(distinct, ids))
