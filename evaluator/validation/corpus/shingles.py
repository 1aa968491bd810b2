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

TEXTS_COMPARED = 100
"""How many texts are compared in full with a gold text; in sound data few resemble one."""

PAIRED_AT_ONCE = 1 << 20
SHINGLES_AT_ONCE = 1 << 20

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
    """Finds the gold texts that are nearly equal to a text.

    A gold text is compared with the first texts that have one of its anchors, and a length that
    fits; ``is_cut`` says whether any were left out.
    """

    def __init__(
        self, gold: Shingles, rows: int, pairs: int = PAIRS_COMPARED, each: int = TEXTS_COMPARED
    ) -> None:
        by_row = np.argsort(gold.text, kind="stable")
        self._hashes = gold.hash[by_row]
        self._sizes = np.bincount(gold.text, minlength=rows)
        self._starts = np.cumsum(self._sizes) - self._sizes
        anchors = _choose_anchors(gold.text[by_row], self._hashes, self._sizes)
        self._anchor_rows, self._anchors = anchors
        self.sieve = Sieve(self._hashes)
        self._anchor_sieve = Sieve(self._anchors)
        self._pairs_left = pairs
        self._room = np.full(rows, each)
        self.is_cut = False

    def __bool__(self) -> bool:
        return len(self._anchors) > 0 and self._pairs_left > 0

    def find_near(self, shingles: Shingles, own: IntArray | None = None) -> Iterator[NearPair]:
        """Yield the pairs of these texts and gold texts that are nearly equal.

        Where the texts are gold texts themselves, ``own`` has their rows.
        """
        anchored = shingles.select(self._anchor_sieve.may_have(shingles.hash))
        chosen = np.isin(shingles.text, anchored.text)
        texts = TextSets(shingles.select(chosen).drop_repeats())
        for part in self._divide(anchored):
            pairs = self._pair(part)
            if own is not None:
                pairs = pairs[own[pairs[:, 0]] != pairs[:, 1]]
            yield from self._compare(texts, self._limit(pairs[self._may_be_near(texts, pairs)]))
            self._drop_full_rows()

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

    def _divide(self, anchored: Shingles) -> Iterator[Shingles]:
        """Yield the shingles of a few texts at a time: as many as have few enough gold texts."""
        start = 0
        while start < len(anchored.text):
            rest = Shingles(anchored.text[start:], anchored.hash[start:])
            total = np.cumsum(self._count_rows(rest.hash)[1])
            end = int(np.searchsorted(total, PAIRED_AT_ONCE))
            if end < len(total):
                end = int(np.searchsorted(rest.text, rest.text[end], "right"))
            yield Shingles(rest.text[:end], rest.hash[:end])
            start += end

    def _count_rows(self, hashes: Hashes) -> tuple[IntArray, IntArray]:
        """Return where the rows of each hash begin among those of all anchors, and how many."""
        first = np.searchsorted(self._anchors, hashes, "left")
        return first, np.searchsorted(self._anchors, hashes, "right") - first

    def _pair(self, anchored: Shingles) -> IntArray:
        """Return each text with each gold text of which it has an anchor."""
        first, counts = self._count_rows(anchored.hash)
        rows = self._anchor_rows[_list_ranges(first, counts)]
        size = max(1, len(self._sizes))
        keys = np.unique(np.repeat(anchored.text, counts) * size + rows)
        return np.stack([keys // size, keys % size], axis=1)

    def _may_be_near(self, texts: "TextSets", pairs: IntArray) -> BoolArray:
        """Return for each pair whether the numbers of shingles allow for it."""
        sizes, others = texts.count(pairs[:, 0]), self._sizes[pairs[:, 1]]
        allowed: BoolArray = np.minimum(sizes, others) >= (
            LIKENESS * np.maximum(sizes, others) - 1e-9
        )
        return allowed

    def _limit(self, pairs: IntArray) -> IntArray:
        """Return the first pairs of each gold text, and the first of all, within the limits."""
        by_row = np.argsort(pairs[:, 1], kind="stable")
        counts = np.bincount(pairs[:, 1], minlength=len(self._room))
        rank = np.empty(len(pairs), np.int64)
        rank[by_row] = _list_ranges(np.zeros_like(counts), counts)
        kept = pairs[rank < self._room[pairs[:, 1]]][: self._pairs_left]
        self._room -= np.bincount(kept[:, 1], minlength=len(self._room))
        self._pairs_left -= len(kept)
        self.is_cut = self.is_cut or len(kept) < len(pairs)
        return kept

    def _drop_full_rows(self) -> None:
        """Forget the anchors of gold texts that were compared often enough, if they are many."""
        is_open = self._room[self._anchor_rows] > 0
        if self._pairs_left == 0 or 2 * is_open.sum() <= len(is_open):
            is_open &= self._pairs_left > 0
            self._anchors = self._anchors[is_open]
            self._anchor_rows = self._anchor_rows[is_open]

    def _compare(self, texts: "TextSets", pairs: IntArray) -> Iterator[NearPair]:
        """Yield the pairs that are nearly equal, with their likeness."""
        ends = np.cumsum(self._sizes[pairs[:, 1]])
        for part in np.split(pairs, _find_cuts(ends, SHINGLES_AT_ONCE)):
            number, row = part[:, 0], part[:, 1]
            size, other = texts.count(number), self._sizes[row]
            hashes = self._hashes[_list_ranges(self._starts[row], other)]
            is_shared = texts.have(np.repeat(number, other), hashes)
            pair = np.repeat(np.arange(len(part)), other)
            both = np.bincount(pair[is_shared], minlength=len(part))
            likeness = both / np.maximum(1, size + other - both)
            for found in np.flatnonzero(likeness >= LIKENESS).tolist():
                yield NearPair(int(number[found]), int(row[found]), float(likeness[found]))


class TextSets:
    """The sets of shingles of several texts, to be asked for many shingles at once."""

    def __init__(self, shingles: Shingles) -> None:
        self._sizes = np.bincount(shingles.text)
        self._keys = np.sort(_combine(shingles.text, shingles.hash))

    def count(self, texts: IntArray) -> IntArray:
        """Return the number of shingles of each text."""
        sizes: IntArray = self._sizes[texts]
        return sizes

    def have(self, texts: IntArray, hashes: Hashes) -> BoolArray:
        """Return for each text and shingle whether the text has it."""
        keys = _combine(texts, hashes)
        places = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
        found: BoolArray = self._keys[places] == keys
        return found


def _combine(texts: IntArray, hashes: Hashes) -> Hashes:
    """Return a hash of the number of a text and of a shingle."""
    combined: Hashes = hashes + texts.astype(np.uint64) * FACTORS[0]
    return combined


def _find_cuts(ends: IntArray, most: int) -> list[int]:
    """Return where to cut a list, given the running totals, so that parts are not much larger."""
    steps = ends // most
    return (np.flatnonzero(steps[1:] != steps[:-1]) + 1).tolist()


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
