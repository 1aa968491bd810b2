"""Nearly equal texts, found exactly and in bounded memory.

Two texts are nearly equal if at least 80 % of all their runs of five words (shingles) are in both:
the Jaccard index of their sets of shingles. Then each of them lacks at most 20 % of the other's, so
of any 20 % of a text's shingles and one more, the other has at least one. This passes over almost
all texts at little cost and loses none: first who has none of its first shingles in any gold text,
then who has none of the rarest shingles of a gold text, its anchors. The others are compared whole.
"""

from array import array
from collections.abc import Iterator, Sequence
from itertools import chain, repeat
from tempfile import SpooledTemporaryFile
from typing import NamedTuple
from unicodedata import normalize

import numpy as np
from numpy.typing import NDArray

from groupwise.evaluator.hits.arrays import BoolArray, IntArray

WORDS = 5
"""A shingle is so many words; shorter texts are compared as a whole only."""

LIKENESS = 0.8
"""Texts whose sets of shingles have at least this Jaccard index are nearly equal."""

SHINGLES_KEPT = 1 << 23
"""The shingles of gold texts that are kept, 64 MiB of them; further texts are not compared."""

PAIRS_COMPARED = 1_000_000
"""The pairs of texts that are compared whole; then the search ends."""

KEPT_IN_MEMORY = 1 << 24
GOLD_AT_ONCE = 1024
TEXTS_AT_ONCE = 1 << 16
LARGEST_SIEVE = 25
"""A sieve has at most 2 to this power bytes."""

FACTORS = np.array(
    [
        0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9,
        0xD6E8FEB86659FD93, 0xA0761D6478BD642F,
    ],
    np.uint64,
)  # fmt: skip
Hashes = NDArray[np.uint64]


class Shingles(NamedTuple):
    """Shingles of several texts: the number of the text, and the hash, in order of the texts."""

    text: IntArray
    hash: Hashes

    def of(self, chosen: BoolArray) -> "Shingles":
        """Some of them."""
        return Shingles(self.text[chosen], self.hash[chosen])

    def repeating(self) -> IntArray:
        """The texts that have a shingle twice, and perhaps some that do not."""
        keys = self.hash + self.text.astype(np.uint64)
        ranked = np.sort(keys)
        twice = ranked[1:][ranked[1:] == ranked[:-1]]
        return self.text[np.isin(keys, twice)] if len(twice) else self.text[:0]

    def distinct(self) -> "Shingles":
        """Each shingle of a text once, where it comes first."""
        order = np.lexsort((self.hash, self.text))
        text, found = self.text[order], self.hash[order]
        first = np.ones(len(order), np.bool_)
        first[1:] = (text[1:] != text[:-1]) | (found[1:] != found[:-1])
        return self.of(_marked(len(order), order[first]))


def _marked(size: int, places: IntArray) -> BoolArray:
    marks = np.zeros(size, np.bool_)
    marks[places] = True
    return marks


def shingles_of(texts: Sequence[str]) -> Shingles:
    """All shingles of some texts; a word is what white space separates."""
    return _rolled([text.split() for text in _composed(texts)])


def first_shingles(normals: Sequence[str]) -> Shingles:
    """The first shingles of some normalised texts: one more than can be strange.

    The rest of a text is left as one last word, which makes one shingle that nobody else has.
    """
    counts = np.array([text.count(" ") + 1 for text in normals])
    wanted = (_one_too_many(counts - WORDS + 1) + WORDS - 1).tolist()
    return _rolled(list(map(str.split, normals, repeat(" "), wanted)))


def _one_too_many(sizes: IntArray) -> IntArray:
    """Of so many shingles, one more than a text that is nearly equal can lack."""
    lacking = np.floor(np.maximum(sizes, 0) * (1 - LIKENESS) + 1e-9)
    return lacking.astype(np.int64) + 1


def _composed(texts: Sequence[str]) -> Sequence[str]:
    if all(map(str.isascii, texts)):
        return texts
    return [text if text.isascii() else normalize("NFC", text) for text in texts]


def _rolled(words: list[list[str]]) -> Shingles:
    """The hashes of all runs of words that lie in one text."""
    hashes = np.fromiter(map(hash, chain.from_iterable(words)), np.int64).view(np.uint64)
    text = np.repeat(np.arange(len(words)), list(map(len, words)))
    if len(hashes) < WORDS:
        return Shingles(text[:0], hashes[:0])
    end = len(hashes) - WORDS + 1
    rolled = hashes[:end] * FACTORS[0]
    for step in range(1, WORDS):
        rolled += hashes[step : end + step] * FACTORS[step]
    whole = text[:end] == text[WORDS - 1 :]
    return Shingles(text[:end][whole], rolled[whole])


class Samples:
    """The first shingles of all texts of a corpus, in a temporary file.

    It is told from them, once the gold texts are known, who may be nearly equal to one.
    """

    def __init__(self) -> None:
        self._file = SpooledTemporaryFile(KEPT_IN_MEMORY)  # noqa: SIM115
        self._counts = array("i")
        self._repeating: list[IntArray] = []

    def add(self, normals: Sequence[str]) -> None:
        """Keep what is needed of some normalised texts."""
        found = first_shingles(normals)
        # Of a text that repeats a shingle there may be too few different ones to tell.
        self._repeating.append(found.repeating() + len(self._counts))
        self._counts.frombytes(
            np.bincount(found.text, minlength=len(normals)).astype(np.int32).tobytes()
        )
        self._file.write(found.hash.tobytes())

    def close(self) -> None:
        """Remove the file."""
        self._file.close()

    def add_blank(self, count: int) -> None:
        """Pass over some documents that have no text."""
        self._counts.frombytes(bytes(4 * count))

    def suspects(self, known: "Sieve") -> IntArray:
        """The numbers of the texts that may be nearly equal to a gold text."""
        self._file.seek(0)
        counts = np.frombuffer(self._counts, np.int32) if self._counts else np.zeros(0, np.int32)
        found = list(self._repeating)
        for start in range(0, len(counts), TEXTS_AT_ONCE):
            some = counts[start : start + TEXTS_AT_ONCE]
            hashes = np.frombuffer(self._file.read(8 * int(some.sum())), np.uint64)
            text = np.repeat(np.arange(start, start + len(some)), some)
            found.append(text[known.has(hashes)])
        return np.unique(np.concatenate(found or [np.zeros(0, np.int64)]))


class GoldShingles:
    """The shingles of gold texts; each text has the number of its row among the gold ids."""

    def __init__(self, kept: int = SHINGLES_KEPT) -> None:
        self.room = kept
        self.left_out = 0
        self._parts: list[Shingles] = []

    def add(self, rows: IntArray, texts: Sequence[str]) -> None:
        """Keep the shingles of some texts, as long as there is room for them."""
        found = shingles_of(texts).distinct()
        sizes = np.bincount(found.text, minlength=len(texts))
        fits = np.cumsum(sizes) <= self.room
        self.left_out += int(np.sum(~fits & (sizes > 0)))
        kept = found.of(fits[found.text])
        self.room = self.room - len(kept.hash) if fits.all() else 0
        self._parts.append(Shingles(rows[kept.text], kept.hash))

    def index(self, rows: int) -> "AnchorIndex":
        """The anchors of all texts, and what is needed to compare."""
        text = np.concatenate([part.text for part in self._parts] or [np.zeros(0, np.int64)])
        found = np.concatenate([part.hash for part in self._parts] or [np.zeros(0, np.uint64)])
        self._parts.clear()
        return AnchorIndex(Shingles(text, found), rows)


class Sieve:
    """Some hashes, and a quick way to say of most others that they are not among them."""

    def __init__(self, hashes: Hashes) -> None:
        self._hashes = hashes
        bits = max(20, min(LARGEST_SIEVE, (len(hashes) * 128).bit_length()))
        self._shift = np.uint64(64 - bits)
        self._marks = np.zeros(1 << bits, np.bool_)
        self._marks[hashes >> self._shift] = True

    def may_have(self, hashes: Hashes) -> BoolArray:
        """For each hash whether it may be among them; False is certain."""
        found: BoolArray = self._marks[hashes >> self._shift]
        return found

    def has(self, hashes: Hashes) -> BoolArray:
        """For each hash whether it is among them."""
        found = self.may_have(hashes)
        found[found] = np.isin(hashes[found], self._hashes)
        return found


class NearPair(NamedTuple):
    """A text of a batch, a gold text, and how alike they are."""

    text: int
    row: int
    likeness: float


class AnchorIndex:
    """Finds the gold texts that a text is nearly equal to."""

    def __init__(self, gold: Shingles, rows: int, pairs: int = PAIRS_COMPARED) -> None:
        by_row = np.argsort(gold.text, kind="stable")
        self._hashes = gold.hash[by_row]
        self._sizes = np.bincount(gold.text, minlength=rows)
        self._starts = np.cumsum(self._sizes) - self._sizes
        self._anchors, self._anchor_rows = _anchors(gold.text[by_row], self._hashes, self._sizes)
        self.known = Sieve(self._hashes)
        self._anchored = Sieve(self._anchors)
        self.pairs_left = pairs

    def __bool__(self) -> bool:
        return len(self._anchors) > 0 and self.pairs_left > 0

    def near(self, found: Shingles, own: IntArray | None = None) -> Iterator[NearPair]:
        """The pairs of these texts and gold texts that are nearly equal.

        Where the texts are gold texts themselves, ``own`` has their rows.
        """
        pairs = self._pairs(found.of(self._anchored.may_have(found.hash)))
        if own is not None:
            pairs = pairs[own[pairs[:, 0]] != pairs[:, 1]]
        pairs = pairs[: self.pairs_left]
        self.pairs_left -= len(pairs)
        if len(pairs):
            yield from self._compared(found, pairs)

    def has(self, row: IntArray) -> BoolArray:
        """Whether the shingles of a gold text were kept."""
        kept: BoolArray = self._sizes[row] > 0
        return kept

    def near_gold(self, rows: IntArray) -> Iterator[NearPair]:
        """The pairs of gold texts that are nearly equal, both ways; here both are rows."""
        for start in range(0, len(rows), GOLD_AT_ONCE):
            some = rows[start : start + GOLD_AT_ONCE]
            sizes = self._sizes[some]
            text = np.repeat(np.arange(len(some)), sizes)
            within = np.arange(len(text)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
            found = Shingles(text, self._hashes[np.repeat(self._starts[some], sizes) + within])
            for pair in self.near(found, some):
                yield pair._replace(text=int(some[pair.text]))

    def _pairs(self, hits: Shingles) -> IntArray:
        """Each text with each gold text of which it has an anchor."""
        first = np.searchsorted(self._anchors, hits.hash, "left")
        counts = np.searchsorted(self._anchors, hits.hash, "right") - first
        within = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
        rows = self._anchor_rows[np.repeat(first, counts) + within]
        size = max(1, len(self._sizes))
        keys = np.unique(np.repeat(hits.text, counts) * size + rows)
        return np.stack([keys // size, keys % size], axis=1)

    def _compared(self, found: Shingles, pairs: IntArray) -> Iterator[NearPair]:
        chosen = np.isin(found.text, pairs[:, 0])
        text, hashes = found.of(chosen).distinct()
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


def _anchors(text: IntArray, hashes: Hashes, sizes: IntArray) -> tuple[Hashes, IntArray]:
    """The rarest shingles of each gold text, sorted, with the rows that they stand for."""
    _, which, counts = np.unique(hashes, return_inverse=True, return_counts=True)
    order = np.lexsort((np.arange(len(hashes)), counts[which], text))
    starts = np.cumsum(sizes) - sizes
    rank = np.arange(len(order)) - starts[text[order]]
    chosen = order[rank < _one_too_many(sizes)[text[order]]]
    chosen = chosen[np.argsort(hashes[chosen], kind="stable")]
    return hashes[chosen], text[chosen]
