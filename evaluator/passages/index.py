"""An index of the chunks of a corpus by what they say."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property
from itertools import accumulate
from typing import NamedTuple

from groupwise.evaluator.errors import InputError, Problem
from groupwise.evaluator.hits.arrays import BoolArray, IntArray, np
from groupwise.evaluator.passages.seeds import (
    LENGTH,
    SHORTEST,
    STEP,
    Codes,
    build_seeds,
    encode,
)
from groupwise.evaluator.passages.text_search import (
    BREAK,
    TextForm,
    is_unspaced,
    locate,
)
from groupwise.schemas import Id
from groupwise.schemas.reference import Reference

FORM = TextForm(punctuation="ignore", space="ignore")
"""Only letters and digits count."""
WORDED = TextForm(punctuation="ignore")
MOST_LETTERS = 1 << 32
COMMON = 500
"""Runs with more places say too little to look for parts by them."""
WIDESPREAD = 200_000
"""A text whose rarest runs have more places is searched for from one end to the other."""
SEEDS = 2
"""How many seeds a shared part has at least, with the same shift."""
SHARED = LENGTH + SEEDS * STEP - 1
"""A shared part has at least so many letters."""
SHORT = 200
"""In a shorter text, smaller parts count, with one seed."""
SPARSEST = 14
"""A shared part has a seed in at least so many letters."""
WIDTH = 40
CANDIDATES = 64
"""How many chunks are compared with a text that they may hold partly."""
SHIFTS = 16
"""How many pieces of a text are looked for in a chunk."""
WORD_LETTERS = 24
"""A shorter text is not found within a word."""
PART = 0.05
"""The least share of a text that is worth mentioning."""

Range = tuple[int, int]
Run = tuple[int, int, int]
"""Start and end in a text, and how far it is moved in a chunk."""


class Holding(NamedTuple):
    """A chunk that holds a text or parts of it.

    Attributes:
        chunk: The number of the chunk.
        coverage: The share of the letters of the text that it holds.
        parts: Which letters of the text it holds, as half-open ranges.
        places: Where they are among the letters of the chunk.
        shift: How much further the longest part stands in the chunk than in the text.
    """

    chunk: int
    coverage: float
    parts: list[Range]
    places: list[Range]
    shift: int

    @property
    def is_whole(self) -> bool:
        """Whether the chunk holds all of the text, in one piece."""
        return self.coverage == 1 and len(self.parts) == 1


class PassageIndex:
    """Finds the chunks that hold a text; see the docstring of the package."""

    def __init__(self, chunks: Sequence[Reference]) -> None:
        """Index the texts of chunks; those without text are never found.

        Raises:
            InputError: The corpus has more letters than can be numbered.
        """
        self.chunks = chunks
        folded = [fold_letters(chunk.text or "") for chunk in chunks]
        self._starts = [0, *accumulate(len(letters) + 1 for letters in folded)]
        if self._starts[-1] >= MOST_LETTERS:
            got = f"expected a corpus of fewer than {MOST_LETTERS} letters, got {self._starts[-1]}"
            raise InputError([Problem(got)])
        self._letters = BREAK.join([*folded, ""])
        del folded
        self._seeds = build_seeds(self._letters)

    @cached_property
    def _by_document(self) -> dict[Id, frozenset[int]]:
        numbers: dict[Id, list[int]] = {}
        for number, chunk in enumerate(self.chunks):
            if chunk.document is not None:
                numbers.setdefault(chunk.document, []).append(number)
        return {document: frozenset(found) for document, found in numbers.items()}

    def of_document(self, document: Id | None) -> frozenset[int]:
        """Return the numbers of the chunks of a document."""
        return frozenset() if document is None else self._by_document.get(document, frozenset())

    def find_whole(self, text: str, among: AbstractSet[int] | None = None) -> list[Holding]:
        """Return the chunks that hold all of a text, in their order."""
        letters = fold_letters(text)
        places = dict(self._find_places(letters)) if letters else {}
        numbers = sorted(places if among is None else places.keys() & among)
        if len(letters) < WORD_LETTERS and not is_unspaced(text):
            words = _spell_words(text)
            numbers = [one for one in numbers if words in _spell_words(self.chunks[one].text or "")]
        size = len(letters)
        return [
            Holding(number, 1.0, [(0, size)], [(place, place + size)], place)
            for number, place in ((number, places[number]) for number in numbers)
        ]

    def find(
        self, text: str, among: AbstractSet[int] | None = None, least: float = PART
    ) -> list[Holding]:
        """Return the chunks that hold at least a share of a text, with most of it first.

        Args:
            text: The text to look for.
            among: The numbers of the chunks to look at; None: all.
            least: The share.
        """
        whole = self.find_whole(text, among)
        known = {holding.chunk for holding in whole}
        letters = fold_letters(text)
        if len(letters) < WORD_LETTERS:
            return whole
        found = [
            self._compare(letters, number, shifts, least)
            for number, shifts in self._find_shifts(letters, least)
            if number not in known and (among is None or number in among)
        ]
        partly = [holding for holding in found if holding and holding.coverage >= least]
        return whole + sorted(partly, key=lambda holding: (-holding.coverage, holding.chunk))

    def locate(self, holding: Holding) -> Range | None:
        """Return where in the text of a chunk the parts are, from the first to the last."""
        text = self.chunks[holding.chunk].text or ""
        start = min(start for start, _ in holding.places)
        end = max(end for _, end in holding.places)
        return locate(text, FORM, start, end - start)

    def letters_of(self, number: int) -> str:
        """Return the letters and digits of a chunk."""
        return self._letters[self._starts[number] : self._starts[number + 1] - 1]

    def _number_at(self, place: int) -> int:
        return bisect_right(self._starts, place) - 1

    def _find_places(self, letters: str) -> Iterator[tuple[int, int]]:
        """Yield each chunk that has some letters, and where it has them first."""
        found = self._list_places(letters) if len(letters) >= SHORTEST else None
        seen: set[int] = set()
        for place in self._scan(letters) if found is None else found:
            number = self._number_at(place)
            if number not in seen:
                seen.add(number)
                yield number, place - self._starts[number]

    def _list_places(self, letters: str) -> list[int] | None:
        """Return all places of some letters, by their rarest runs; None if these are frequent.

        One of any four neighbouring runs is kept.
        """
        first, counts = self._seeds.look_up(encode(letters))
        sums = np.convolve(counts, np.ones(STEP, np.int64), "valid")
        rarest = int(sums.argmin())
        if sums[rarest] > WIDESPREAD:
            return None
        chosen = slice(rarest, rarest + STEP)
        places, runs = self._seeds.expand(first[chosen], counts[chosen])
        begins = np.unique(places - runs - rarest).tolist()
        text = self._letters
        return [place for place in begins if place >= 0 and text.startswith(letters, place)]

    def _scan(self, letters: str) -> Iterator[int]:
        """Yield the first place of some letters in each chunk that has them."""
        place = self._letters.find(letters)
        while place >= 0:
            yield place
            place = self._letters.find(letters, self._starts[self._number_at(place) + 1])

    def _find_shifts(self, letters: str, least: float) -> Iterator[tuple[int, list[int]]]:
        """Yield each chunk that may have enough of some letters, and how far they are shifted."""
        first, counts = self._seeds.look_up(encode(letters))
        usable = np.flatnonzero((counts > 0) & (counts <= COMMON))
        places, runs = self._seeds.expand(first[usable], counts[usable])
        numbers = np.searchsorted(self._starts, places, "right") - 1
        keys = (numbers << WIDTH) + (places - usable[runs] + len(letters))
        found, seeds = np.unique(keys, return_counts=True)
        is_likely = seeds >= (SEEDS if len(letters) >= SHORT else 1)
        found, seeds = found[is_likely], seeds[is_likely]
        order = np.lexsort((found, -seeds))
        found, seeds = found[order], seeds[order]
        chosen = _take_frequent(found >> WIDTH, seeds, least * len(letters) / SPARSEST)
        shifts: dict[int, list[int]] = {}
        for key in found[chosen].tolist():
            if len(listed := shifts.setdefault(key >> WIDTH, [])) < SHIFTS:
                listed.append((key & ((1 << WIDTH) - 1)) - len(letters))
        yield from shifts.items()

    def _compare(
        self, letters: str, number: int, shifts: list[int], least: float
    ) -> Holding | None:
        """Return which letters a chunk has, at some shifts; None: too few."""
        start = self._starts[number]
        wanted, codes = encode(letters), encode(self.letters_of(number))
        runs = [run for shift in shifts for run in _find_runs(wanted, codes, shift - start)]
        if sum(end - begin for begin, end, _ in runs) < least * len(letters):
            return None
        pairs = _choose_runs(runs, len(letters))
        covered = sum(end - begin for (begin, end), _ in pairs)
        parts = _unite([part for part, _ in pairs])
        longest = max(pairs, key=lambda pair: pair[0][1] - pair[0][0], default=((0, 0), (0, 0)))
        shift = longest[1][0] - longest[0][0]
        return Holding(number, covered / len(letters), parts, [place for _, place in pairs], shift)


def fold_letters(text: str) -> str:
    """Return the letters and digits of a text, as they are compared.

    >>> fold_letters("To be, or  NOT?")
    'tobeornot'
    """
    return FORM.apply(text.replace(BREAK, " "))


def _take_frequent(numbers: IntArray, seeds: IntArray, least: float) -> BoolArray:
    """Return which entries are of a chunk that has enough seeds, and is among those with most.

    Of chunks with as many the first ones are taken.
    """
    counts = np.bincount(numbers, seeds)
    likely = np.flatnonzero(counts >= max(1, least))
    kept = likely[np.argsort(-counts[likely], kind="stable")][:CANDIDATES]
    return np.isin(numbers, kept)


def _spell_words(text: str) -> str:
    return f" {WORDED.apply(text)} "


def find_shortest(size: int) -> int:
    """Return how many letters a part of a text of some size must have to count."""
    return SHARED if size >= SHORT else SHORTEST


def _find_runs(wanted: Codes, held: Codes, shift: int) -> Iterator[Run]:
    """Yield where two texts are equal for long enough, the second moved by some letters."""
    begin, end = max(0, -shift), min(len(wanted), len(held) - shift)
    shortest = find_shortest(len(wanted))
    if end - begin < shortest:
        return
    equal = np.zeros(end - begin + 2, np.int8)
    equal[1:-1] = wanted[begin:end] == held[begin + shift : end + shift]
    changes: IntArray = np.flatnonzero(np.diff(equal)) + begin
    for start, stop in changes.reshape(-1, 2).tolist():
        if stop - start >= shortest:
            yield start, stop, shift


def _choose_runs(runs: list[Run], size: int) -> list[tuple[Range, Range]]:
    """Return what each run adds to longer ones, as parts of the text and of the chunk, in order."""
    is_free = np.ones(size, bool)
    pairs = []
    for start, end, shift in sorted(runs, key=lambda run: (run[0] - run[1], run)):
        places = np.flatnonzero(is_free[start:end]) + start
        is_free[start:end] = False
        if len(places):
            gaps = np.flatnonzero(np.diff(places) > 1)
            firsts = places[np.append(0, gaps + 1)].tolist()
            lasts = places[np.append(gaps, -1)].tolist()
            for first, last in zip(firsts, lasts, strict=True):
                pairs.append(((first, last + 1), (first + shift, last + 1 + shift)))
    return sorted(pairs)


def _unite(ranges: list[Range]) -> list[Range]:
    """Return sorted ranges with those that touch joined."""
    united: list[Range] = []
    for start, end in ranges:
        if united and start == united[-1][1]:
            united[-1] = united[-1][0], end
        else:
            united.append((start, end))
    return united
