"""Nearly equal texts, found exactly and in bounded memory.

Two texts are nearly equal if the Jaccard index of their sets of shingles (runs of five words) is at
least 0.8. Then each of them lacks at most 20 % of the other's shingles, so of any 20 % of a text's
shingles and one more, the other has at least one. This rules out almost all texts at little cost,
and never a match: first those none of whose first shingles is in any gold text, then those that
have none of the rarest shingles of a gold text, its anchors. The others are compared in full.
"""

from array import array
from collections.abc import Iterator, Sequence
from itertools import chain, repeat
from tempfile import SpooledTemporaryFile
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from groupwise.evaluator.hits.arrays import BoolArray, IntArray
from groupwise.evaluator.reading.content import normalise_text

WORDS = 5
"""The length of a shingle; shorter texts have none and are only compared for equality."""

LIKENESS = 0.8
"""Texts whose sets of shingles have at least this Jaccard index are nearly equal."""

SHINGLES_KEPT = 1 << 23
"""How many shingles of gold texts are kept, 64 MiB; further gold texts are not compared."""

PAIRS_COMPARED = 1_000_000
"""How many pairs of texts are compared in full; then the search ends."""

KEPT_IN_MEMORY = 1 << 24
GOLD_AT_ONCE = 1024
TEXTS_AT_ONCE = 1 << 16
LARGEST_SIEVE = 25
"""The size of the largest sieve, as a power of 2 in bytes."""

FACTORS = np.array(
    [
        0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9,
        0xD6E8FEB86659FD93, 0xA0761D6478BD642F,
    ],
    np.uint64,
)  # fmt: skip
Hashes = NDArray[np.uint64]
NO_TEXTS: IntArray = np.zeros(0, np.int64)


class Shingles(NamedTuple):
    """Shingles of several texts: the number of the text, and the hash, in order of the texts."""

    text: IntArray
    hash: Hashes

    def select(self, chosen: BoolArray | IntArray) -> "Shingles":
        """Return the chosen shingles."""
        return Shingles(self.text[chosen], self.hash[chosen])

    def find_repeating_texts(self) -> IntArray:
        """Return the texts that have a shingle twice, and perhaps some that do not."""
        keys = self.hash + self.text.astype(np.uint64)
        ranked = np.sort(keys)
        twice = ranked[1:][ranked[1:] == ranked[:-1]]
        return self.text[np.isin(keys, twice)] if len(twice) else self.text[:0]

    def drop_repeats(self) -> "Shingles":
        """Return each shingle of a text once, where it comes first."""
        order = np.lexsort((self.hash, self.text))
        text, hashes = self.text[order], self.hash[order]
        is_first = np.ones(len(order), np.bool_)
        is_first[1:] = (text[1:] != text[:-1]) | (hashes[1:] != hashes[:-1])
        return self.select(np.sort(order[is_first]))


def compute_shingles(texts: Sequence[str]) -> Shingles:
    """Return all shingles of texts; words are separated by white space."""
    return _hash_runs([normalise_text(text).split() for text in texts])


def compute_first_shingles(normals: Sequence[str]) -> Shingles:
    """Return the first shingles of normalised texts: one more than a nearly equal text can lack.

    The rest of a text stays one last word, which makes one shingle that no other text has.
    """
    counts = np.array([text.count(" ") + 1 for text in normals])
    wanted = (_count_sufficient(counts - WORDS + 1) + WORDS - 1).tolist()
    return _hash_runs(list(map(str.split, normals, repeat(" "), wanted)))


def _count_sufficient(sizes: IntArray) -> IntArray:
    """Return how many shingles of each text suffice: nearly equal texts share one of them."""
    lacking = np.floor(np.maximum(sizes, 0) * (1 - LIKENESS) + 1e-9)
    return lacking.astype(np.int64) + 1


def _hash_runs(words: list[list[str]]) -> Shingles:
    """Return the hashes of all runs of words within a text."""
    hashes = np.fromiter(map(hash, chain.from_iterable(words)), np.int64).view(np.uint64)
    text = np.repeat(np.arange(len(words)), list(map(len, words)))
    if len(hashes) < WORDS:
        return Shingles(text[:0], hashes[:0])
    end = len(hashes) - WORDS + 1
    runs = hashes[:end] * FACTORS[0]
    for step in range(1, WORDS):
        runs += hashes[step : end + step] * FACTORS[step]
    is_within = text[:end] == text[WORDS - 1 :]
    return Shingles(text[:end][is_within], runs[is_within])


class Samples:
    """The first shingles of all texts of a corpus, in a temporary file.

    Once all gold texts are known, they tell which texts may be nearly equal to one.
    """

    def __init__(self) -> None:
        self._file = SpooledTemporaryFile(KEPT_IN_MEMORY)  # noqa: SIM115
        self._counts = array("i")
        self._repeating: list[IntArray] = []

    def add(self, normals: Sequence[str]) -> None:
        """Add the first shingles of normalised texts."""
        shingles = compute_first_shingles(normals)
        # A text that repeats a shingle may have too few different ones to be ruled out.
        self._repeating.append(shingles.find_repeating_texts() + len(self._counts))
        counts = np.bincount(shingles.text, minlength=len(normals))
        self._counts.frombytes(counts.astype(np.int32).tobytes())
        self._file.write(shingles.hash.tobytes())

    def close(self) -> None:
        """Remove the file."""
        self._file.close()

    def add_blank(self, count: int) -> None:
        """Add documents without a text."""
        self._counts.frombytes(bytes(4 * count))

    def find_suspects(self, gold: "Sieve") -> IntArray:
        """Return the numbers of the texts that may be nearly equal to a gold text."""
        self._file.seek(0)
        counts = np.frombuffer(self._counts, np.int32)
        found = [NO_TEXTS, *self._repeating]
        for start in range(0, len(counts), TEXTS_AT_ONCE):
            part = counts[start : start + TEXTS_AT_ONCE]
            hashes = np.frombuffer(self._file.read(8 * int(part.sum())), np.uint64)
            text = np.repeat(np.arange(start, start + len(part)), part)
            found.append(text[gold.has(hashes)])
        return np.unique(np.concatenate(found))


class GoldShingles:
    """The shingles of gold texts; the number of a text is its row among the gold ids."""

    def __init__(self, kept: int = SHINGLES_KEPT) -> None:
        self.room = kept
        self.left_out = 0
        self._parts: list[Shingles] = []

    def add(self, rows: IntArray, texts: Sequence[str]) -> None:
        """Add the shingles of texts, as long as there is room."""
        found = compute_shingles(texts).drop_repeats()
        sizes = np.bincount(found.text, minlength=len(texts))
        fits = np.cumsum(sizes) <= self.room
        self.left_out += int(np.sum(~fits & (sizes > 0)))
        kept = found.select(fits[found.text])
        self.room = self.room - len(kept.hash) if fits.all() else 0
        self._parts.append(Shingles(rows[kept.text], kept.hash))

    def build_index(self, rows: int) -> "AnchorIndex":
        """Return the index of all texts, which takes their shingles over."""
        text = np.concatenate([NO_TEXTS, *(part.text for part in self._parts)])
        hashes = np.concatenate([NO_TEXTS.view(np.uint64), *(part.hash for part in self._parts)])
        self._parts.clear()
        return AnchorIndex(Shingles(text, hashes), rows)


class Sieve:
    """A set of hashes that rules out most others quickly."""

    def __init__(self, hashes: Hashes) -> None:
        self._hashes = hashes
        bits = max(20, min(LARGEST_SIEVE, (len(hashes) * 128).bit_length()))
        self._shift = np.uint64(64 - bits)
        self._marks = np.zeros(1 << bits, np.bool_)
        self._marks[hashes >> self._shift] = True

    def may_have(self, hashes: Hashes) -> BoolArray:
        """Return for each hash whether it may be in the set; False is certain."""
        found: BoolArray = self._marks[hashes >> self._shift]
        return found

    def has(self, hashes: Hashes) -> BoolArray:
        """Return for each hash whether it is in the set."""
        found = self.may_have(hashes)
        found[found] = np.isin(hashes[found], self._hashes)
        return found


class NearPair(NamedTuple):
    """A text of a batch, a gold text, and how alike they are."""

    text: int
    row: int
    likeness: float


class AnchorIndex:
    """Finds the gold texts that are nearly equal to a text."""

    def __init__(self, gold: Shingles, rows: int, pairs: int = PAIRS_COMPARED) -> None:
        by_row = np.argsort(gold.text, kind="stable")
        self._hashes = gold.hash[by_row]
        self._sizes = np.bincount(gold.text, minlength=rows)
        self._starts = np.cumsum(self._sizes) - self._sizes
        anchors = _choose_anchors(gold.text[by_row], self._hashes, self._sizes)
        self._anchor_rows, self._anchors = anchors
        self.sieve = Sieve(self._hashes)
        self._anchor_sieve = Sieve(self._anchors)
        self.pairs_left = pairs

    def __bool__(self) -> bool:
        return len(self._anchors) > 0 and self.pairs_left > 0

    def find_near(self, shingles: Shingles, own: IntArray | None = None) -> Iterator[NearPair]:
        """Yield the pairs of these texts and gold texts that are nearly equal.

        Where the texts are gold texts themselves, ``own`` has their rows.
        """
        pairs = self._pair(shingles.select(self._anchor_sieve.may_have(shingles.hash)))
        if own is not None:
            pairs = pairs[own[pairs[:, 0]] != pairs[:, 1]]
        pairs = pairs[: self.pairs_left]
        self.pairs_left -= len(pairs)
        if len(pairs):
            yield from self._compare(shingles, pairs)

    def has(self, rows: IntArray) -> BoolArray:
        """Return for each gold text whether its shingles were kept."""
        kept: BoolArray = self._sizes[rows] > 0
        return kept

    def find_near_gold(self, rows: IntArray) -> Iterator[NearPair]:
        """Yield the pairs of gold texts that are nearly equal, both ways; here both are rows."""
        for start in range(0, len(rows), GOLD_AT_ONCE):
            part = rows[start : start + GOLD_AT_ONCE]
            sizes = self._sizes[part]
            text = np.repeat(np.arange(len(part)), sizes)
            shingles = Shingles(text, self._hashes[_list_ranges(self._starts[part], sizes)])
            for pair in self.find_near(shingles, part):
                yield pair._replace(text=int(part[pair.text]))

    def _pair(self, anchored: Shingles) -> IntArray:
        """Return each text with each gold text of which it has an anchor."""
        first = np.searchsorted(self._anchors, anchored.hash, "left")
        counts = np.searchsorted(self._anchors, anchored.hash, "right") - first
        rows = self._anchor_rows[_list_ranges(first, counts)]
        size = max(1, len(self._sizes))
        keys = np.unique(np.repeat(anchored.text, counts) * size + rows)
        return np.stack([keys // size, keys % size], axis=1)

    def _compare(self, shingles: Shingles, pairs: IntArray) -> Iterator[NearPair]:
        chosen = np.isin(shingles.text, pairs[:, 0])
        text, hashes = shingles.select(chosen).drop_repeats()
        for number, row in pairs.tolist():
            start, end = np.searchsorted(text, [number, number + 1])
            size, other = end - start, self._sizes[row]
            if min(size, other) < LIKENESS * max(size, other) - 1e-9:
                continue
            own = self._hashes[self._starts[row] : self._starts[row] + other]
            both = len(np.intersect1d(own, hashes[start:end], assume_unique=True))
            likeness = both / (size + other - both)
            if likeness >= LIKENESS:
                yield NearPair(number, row, float(likeness))


def _list_ranges(starts: IntArray, sizes: IntArray) -> IntArray:
    """Return the numbers of all ranges, one after the other."""
    shifts = np.repeat(starts - np.cumsum(sizes) + sizes, sizes)
    return np.arange(len(shifts)) + shifts


def _choose_anchors(text: IntArray, hashes: Hashes, sizes: IntArray) -> Shingles:
    """Return the rarest shingles of each gold text, sorted by hash."""
    _, which, counts = np.unique(hashes, return_inverse=True, return_counts=True)
    order = np.lexsort((counts[which], text))
    rank = _list_ranges(np.zeros_like(sizes), sizes)
    chosen = order[rank < _count_sufficient(sizes)[text[order]]]
    chosen = chosen[np.argsort(hashes[chosen], kind="stable")]
    return Shingles(text[chosen], hashes[chosen])
