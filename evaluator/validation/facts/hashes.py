"""Which values occur, and which of them more than once, as hashes of eight bytes each.

Equal hashes raise a suspicion; a second reading of the source finds the values.
"""

from array import array
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from groupwise.evaluator.validation.facts.normalisation import normalise

Hashes = NDArray[np.int64]
LEAST_SORTED = 1 << 16
"""Fewer hashes than this are not sorted until somebody asks."""
LARGEST_INTEGER = 2**63 - 1
NO_HASHES: Hashes = np.empty(0, np.int64)


def hash_id(value: object) -> int:
    """Return the hash of a value; an integer is its own, because hash(-1) == hash(-2)."""
    return value if type(value) is int and abs(value) <= LARGEST_INTEGER else hash(value)


def hash_all(values: Iterable[object]) -> Hashes:
    """Return the hashes of values, in their order."""
    return np.fromiter(map(hash_id, values), np.int64)


def are_in(hashes: Hashes, known: Hashes) -> NDArray[np.bool_]:
    """Return for each hash whether it is among the known ones, which are sorted."""
    if not len(known):
        return np.zeros(len(hashes), np.bool_)
    places = np.minimum(np.searchsorted(known, hashes), len(known) - 1)
    found: NDArray[np.bool_] = known[places] == hashes
    return found


class HashBag:
    """Hashes of values: which of them there are, and which were added more than once.

    Each takes eight bytes; of those that were added more often than twice, two are kept.
    """

    def __init__(self) -> None:
        self._held = NO_HASHES
        self._added = array("q")

    def add(self, values: Sequence[object]) -> None:
        """Add the hashes of values."""
        self._added.extend(map(hash_id, values))
        if len(self._added) >= max(LEAST_SORTED, len(self._held)):
            self._sort()

    def _sort(self) -> Hashes:
        """Return the hashes, sorted: those that were added more than once, twice."""
        if self._added:
            held = np.concatenate([self._held, np.array(self._added, np.int64)])
            held.sort()
            is_third = np.zeros(len(held), np.bool_)
            is_third[2:] = held[2:] == held[:-2]
            self._held, self._added = held[~is_third], array("q")
        return self._held

    @property
    def distinct(self) -> Hashes:
        """All hashes, each once, sorted."""
        return drop_repeats(self._sort())

    @property
    def repeated(self) -> Hashes:
        """The hashes that were added more than once, sorted."""
        held = self._sort()
        repeated: Hashes = held[1:][held[1:] == held[:-1]]
        return repeated


def count_occurring(bags: Sequence[HashBag]) -> tuple[int, int]:
    """Return how many hashes bags have, and how many were added more than once, to any of them."""
    every = [bag.distinct for bag in bags]
    repeated = unite([find_shared(every), *(bag.repeated for bag in bags)])
    return len(unite(every)), len(repeated)


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

    def add(self, ids: Iterable[str]) -> None:
        """Add ids."""
        for spelling in ids:
            if (form := normalise(spelling)) != spelling:
                self._forms.append(hash(form))
                self._exact.append(hash(spelling))

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
