"""Suggestions: the ids of a corpus that resemble an id which is not in it.

The corpus is read once for all ids. Ids that differ only in case, composition and surrounding white
space, and those one edit away (a character inserted, removed or replaced, or two swapped), are
always found: these spellings are listed beforehand and looked up. Ids two edits away are found if
their first or second half is the same, until a budget of comparisons is used up.
"""

import string
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from groupwise.evaluator.errors import Problems
from groupwise.evaluator.intake.documents import open_corpus
from groupwise.evaluator.validation.corpus.comparable import ComparableCorpus
from groupwise.evaluator.validation.facts.normalisation import normalise
from groupwise.evaluator.validation.facts.request import TextIds
from groupwise.schemas import Id

MOST_SUGGESTED = 3
"""At most this many ids are suggested for a missing one."""

COMPARISONS = 5_000
FARTHEST = 2
LONGEST = 64
SHORTEST = 3
CHARACTERS = string.ascii_letters + string.digits + "-_./:# "


def find_nearest(
    missing: Sequence[Id], corpus: Any, ids: TextIds = None, comparisons: int = COMPARISONS
) -> dict[Id, list[Id]]:
    """Return the ids of the corpus that are nearest to each missing id, nearest first.

    There are none for whole numbers: every number has neighbours. ``ids="text"`` compares all ids
    as strings.
    """
    texts = list(dict.fromkeys(document for document in missing if isinstance(document, str)))
    search = _Search(texts, comparisons)
    if texts:
        for batch in ComparableCorpus(open_corpus(corpus), str, ids).batches(Problems()):
            search.add([document for document in batch.ids if isinstance(document, str)])
    return {document: search.list_nearest(document) for document in missing}


class _Search:
    """Collects the ids near to missing ones, with the number of edits between them."""

    def __init__(self, missing: Sequence[str], comparisons: int) -> None:
        self._by_form: dict[str, list[str]] = {}
        self._by_spelling: dict[str, list[str]] = {}
        for name in missing:
            self._by_form.setdefault(normalise(name), []).append(name)
            for spelling in _list_edited(name):
                self._by_spelling.setdefault(spelling, []).append(name)
        medium = [name for name in missing if SHORTEST <= len(name) <= LONGEST]
        self._halves = [(name, name[: len(name) // 2], name[len(name) // 2 :]) for name in medium]
        self._starts = tuple({start for _, start, _ in self._halves})
        self._ends = tuple({end for _, _, end in self._halves})
        self._distances: dict[Id, dict[str, int]] = {name: {} for name in missing}
        self._comparisons_left = comparisons

    def add(self, known: list[str]) -> None:
        """Look for near ids among some of the corpus."""
        for document in known:
            if (form := normalise(document)) in self._by_form:
                self._note(self._by_form[form], document, 0)
        for spelling in self._by_spelling.keys() & known:
            self._note(self._by_spelling[spelling], spelling, 1)
        if self._comparisons_left > 0:
            for document in known:
                if document.startswith(self._starts) or document.endswith(self._ends):
                    self._compare(document)

    def _note(self, missing: Iterable[str], document: str, distance: int) -> None:
        for name in missing:
            self._distances[name].setdefault(document, distance)

    def _compare(self, document: str) -> None:
        for name, start, end in self._halves:
            is_candidate = document.startswith(start) or document.endswith(end)
            is_candidate = is_candidate and abs(len(document) - len(name)) <= FARTHEST
            if is_candidate and self._comparisons_left > 0:
                self._comparisons_left -= 1
                distance = count_edits(name, document)
                if distance <= min(FARTHEST, len(name) // SHORTEST):
                    self._note([name], document, distance)

    def list_nearest(self, missing: Id) -> list[Id]:
        """Return the nearest ids, nearest first."""
        distances = self._distances.get(missing, {})
        ranked = sorted(distances, key=lambda near: (distances[near], near))
        return [*ranked[:MOST_SUGGESTED]]


def _list_edited(name: str) -> Iterator[str]:
    """Yield the spellings that one edit makes of an id; none if it is short or very long."""
    if not SHORTEST <= len(name) <= LONGEST:
        return
    characters = {*CHARACTERS, *name}
    for place in range(len(name) + 1):
        before, after = name[:place], name[place:]
        yield from (before + character + after for character in characters)
        if after:
            yield before + after[1:]
            yield from (before + character + after[1:] for character in characters)
        if len(after) > 1:
            yield before + after[1] + after[0] + after[2:]


def count_edits(first: str, second: str) -> int:
    """Return the Levenshtein distance: characters to insert, remove or replace."""
    row = list(range(len(second) + 1))
    for number, character in enumerate(first, 1):
        diagonal, row[0] = row[0], number
        for place, other in enumerate(second, 1):
            cheapest = min(row[place] + 1, row[place - 1] + 1, diagonal + (character != other))
            diagonal, row[place] = row[place], cheapest
    return row[-1]
