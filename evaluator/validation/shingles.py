"""Nearly equal texts, found exactly and in bounded memory.

Two texts are nearly equal if at least 80 % of all their runs of five words (shingles) are in both:
the Jaccard index of their sets of shingles. Then each of them lacks at most 20 % of the other's, so
of any 20 % of a text's shingles and one more, the other has at least one. This passes over almost
all texts at little cost and loses none: first who has none of its first shingles in any gold text,
then who has none of the rarest shingles of a gold text, its anchors. The others are compared whole.
"""

from collections.abc import Iterator, Sequence
from itertools import chain, repeat
from typing import NamedTuple
from unicodedata import normalize

import numpy as np
from numpy.typing import NDArray

from groupwise.evaluator.arrays import BoolArray, IntArray

WORDS = 5
"""A shingle is so many words; shorter texts are compared as a whole only."""

LIKENESS = 0.8
"""Texts whose sets of shingles have at least this Jaccard index are nearly equal."""

SHINGLES_KEPT = 1 << 23
"""The shingles of gold texts that are kept, 64 MiB of them; further texts are not compared."""

PAIRS_COMPARED = 1_000_000
"""The pairs of texts that are compared whole; then the search ends."""

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


def first_shingles(texts: Sequence[str], counts: IntArray) -> Shingles:
    """The first shingles of some texts, of so many words each: one more than can be strange.

    The rest of a text is left as one last word, which makes one shingle that nobody else has.
    """
    wanted = (_one_too_many(counts - WORDS + 1) + WORDS - 1).tolist()
    return _rolled(list(map(str.split, _composed(texts), repeat(None), wanted)))


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
    """Says of most hashes that they are not among some others, at the cost of one look."""

    def __init__(self, hashes: Hashes) -> None:
        bits = max(20, min(LARGEST_SIEVE, (len(hashes) * 128).bit_length()))
        self._shift = np.uint64(64 - bits)
        self._marks = np.zeros(1 << bits, np.bool_)
        self._marks[hashes >> self._shift] = True

    def may_have(self, hashes: Hashes) -> BoolArray:
        """For each hash whether it may be among them; False is certain."""
        found: BoolArray = self._marks[hashes >> self._shift]
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
        self._known = Sieve(self._hashes)
        self._anchored = Sieve(self._anchors)
        self.pairs_left = pairs

    def __bool__(self) -> bool:
        return len(self._anchors) > 0 and self.pairs_left > 0

    def suspects(self, texts: Sequence[str], counts: IntArray) -> IntArray:
        """The numbers of the texts, of so many words each, that may be nearly equal to any."""
        first = first_shingles(texts, counts)
        known: IntArray = first.text[self._known.may_have(first.hash)]
        return np.unique(np.concatenate([known, first.repeating()]))

    def near(self, texts: Sequence[str]) -> Iterator[NearPair]:
        """The pairs of these texts and gold texts that are nearly equal."""
        found = shingles_of(texts)
        pairs = self._pairs(found.of(self._anchored.may_have(found.hash)))[: self.pairs_left]
        self.pairs_left -= len(pairs)
        if len(pairs):
            yield from self._compared(found, pairs)

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
