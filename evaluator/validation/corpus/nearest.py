"""The ids of a corpus that an id which is not there may have been meant to be.

One reading of the ids for all that are asked for. What is equal but for case, composition and white
space, and what is one edit away (a character more, less or other, or two swapped), is always found:
these spellings are listed beforehand and looked up. What is two edits away is found if it
begins or ends as the id does, as long as there is time: the comparisons are counted.
"""

import string
from collections.abc import Iterator, Sequence
from typing import Any
from unicodedata import normalize

from groupwise.evaluator.errors import Problems
from groupwise.evaluator.intake.documents import open_corpus
from groupwise.evaluator.validation.corpus.comparable import ComparableCorpus, Ids
from groupwise.schemas import Id

SHOWN = 3
"""The ids that are suggested for one, at most."""

ASKED = 20
"""The ids for which others are suggested, at most."""

COMPARISONS = 5_000
FARTHEST = 2
LONGEST = 64
SHORTEST = 3
CHARACTERS = string.ascii_letters + string.digits + "-_./:# "


def find_nearest(
    missing: Sequence[Id], corpus: Any, ids: Ids = None, comparisons: int = COMPARISONS
) -> dict[Id, list[Id]]:
    """For each of the first missing ids those of the corpus that are nearest to it.

    Whole numbers get none: every number has neighbours. ``ids="text"`` compares all as strings.
    """
    asked = [one for one in dict.fromkeys(missing[:ASKED]) if isinstance(one, str)]
    near: dict[Id, list[Id]] = {one: [] for one in missing[:ASKED]}
    if asked:
        search = _Search(asked, comparisons)
        for batch in ComparableCorpus(open_corpus(corpus), str, ids).batches(Problems()):
            search.take([one for one in batch.ids if isinstance(one, str)])
        near |= {one: search.found(one) for one in asked}
    return near


class _Search:
    def __init__(self, asked: Sequence[str], comparisons: int) -> None:
        self._folded: dict[str, list[str]] = {}
        self._edited: dict[str, list[str]] = {}
        for one in asked:
            self._folded.setdefault(_folded(one), []).append(one)
            for spelling in _one_edit(one):
                self._edited.setdefault(spelling, []).append(one)
        halves = [(one, *_halves(one)) for one in asked if SHORTEST <= len(one) <= LONGEST]
        self._begins = tuple({begin for _, begin, _ in halves})
        self._ends = tuple({end for _, _, end in halves})
        self._halves = halves
        self._near: dict[str, dict[str, int]] = {one: {} for one in asked}
        self._left = comparisons

    def take(self, ids: list[str]) -> None:
        """Look at some ids of the corpus."""
        for one in ids:
            folded = _folded(one)
            if folded in self._folded:
                self._note(self._folded[folded], one, 0)
        for spelling in self._edited.keys() & ids:
            self._note(self._edited[spelling], spelling, 1)
        if self._left > 0:
            for one in ids:
                if one.startswith(self._begins) or one.endswith(self._ends):
                    self._compare(one)

    def _note(self, asked: Sequence[str], one: str, distance: int) -> None:
        for each in asked:
            self._near[each].setdefault(one, distance)

    def _compare(self, one: str) -> None:
        for asked, begin, end in self._halves:
            alike = one.startswith(begin) or one.endswith(end)
            if alike and abs(len(one) - len(asked)) <= FARTHEST and self._left > 0:
                self._left -= 1
                distance = _edits(asked, one)
                if distance <= min(FARTHEST, len(asked) // SHORTEST):
                    self._note([asked], one, distance)

    def found(self, asked: str) -> list[Id]:
        """The nearest ids, nearest first."""
        near = self._near[asked]
        return list(sorted(near, key=lambda one: (near[one], one))[:SHOWN])


def _folded(one: str) -> str:
    return (one if one.isascii() else normalize("NFC", one)).strip().casefold()


def _halves(one: str) -> tuple[str, str]:
    middle = len(one) // 2
    return one[:middle], one[middle:]


def _one_edit(one: str) -> Iterator[str]:
    """The spellings that one edit makes of an id; of a short or very long one, none."""
    if not SHORTEST <= len(one) <= LONGEST:
        return
    characters = {*CHARACTERS, *one}
    for place in range(len(one) + 1):
        before, after = one[:place], one[place:]
        yield from (before + character + after for character in characters)
        if after:
            yield before + after[1:]
            yield from (before + character + after[1:] for character in characters)
        if len(after) > 1:
            yield before + after[1] + after[0] + after[2:]


def _edits(first: str, second: str) -> int:
    """The number of characters to insert, remove or replace."""
    row = list(range(len(second) + 1))
    for number, one in enumerate(first, 1):
        diagonal, row[0] = row[0], number
        for place, other in enumerate(second, 1):
            cheapest = min(row[place] + 1, row[place - 1] + 1, diagonal + (one != other))
            diagonal, row[place] = row[place], cheapest
    return row[-1]
