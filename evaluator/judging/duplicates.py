"""Candidates from a corpus: chunks that hold what an alternative holds.

Chunks overlap, and documents repeat each other. What answers a query is the excerpt that an
alternative carries, as text or as a span; an alternative without one stands for its whole chunk.
"""

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from groupwise.evaluator.hits.spans import Span
from groupwise.evaluator.judging.merging import list_judgements
from groupwise.evaluator.matching.span_columns import span_of
from groupwise.evaluator.passages.index import FORM, Holding, PassageIndex, fold_letters
from groupwise.evaluator.passages.text_search import locate
from groupwise.evaluator.text import quote_id
from groupwise.schemas import Alternative, Id, Query, Reference
from groupwise.schemas.reference import reference_of

MARGIN = 0.1
"""Letters are counted when a text is looked for, characters when it is measured."""
LEAST = 0.05
NEAR = 0.9
"""From this share on, a chunk with some other words in between is a copy of another chunk."""
CACHED_TEXTS = 4096


class Held(NamedTuple):
    """A chunk, the share of an alternative that it holds, and what that share is of.

    ``what`` is ``"span"``, ``"excerpt"`` (the text that the alternative carries) or ``"text"``
    (that of its chunk).
    """

    chunk: int
    share: float
    what: str


class Duplicate(NamedTuple):
    """A chunk that holds what an alternative of a group holds.

    ``is_neighbour``: it is known to overlap the chunk of the alternative.
    """

    query: str
    group: int
    chunk: Reference
    held: Held
    alternative: Id
    is_neighbour: bool

    @property
    def order(self) -> tuple[bool, float, str]:
        """What duplicates of a group are sorted by: neighbours first, then by share."""
        return not self.is_neighbour, -self.held.share, str(self.chunk.id)

    @property
    def why(self) -> str:
        """What the chunk holds, for people."""
        share = "all" if self.held.share >= 1 else f"{self.held.share:.0%}"
        name = quote_id(self.alternative)
        if self.is_neighbour:
            return f"overlaps {name} and holds {share} of its {self.held.what}"
        return f"holds {share} of the {self.held.what} of {name}"


class DuplicateFinder:
    """Finds the chunks of a corpus that hold at least a share of what alternatives hold.

    Attributes:
        unknown: The alternatives that have neither a text nor a span, and no chunk in the corpus.
    """

    def __init__(self, chunks: Sequence[Reference], threshold: float) -> None:
        self._chunks = chunks
        self._threshold = threshold
        self._number_of = {chunk.id: number for number, chunk in enumerate(chunks)}
        self._spans = SpanIndex(chunks)
        self._index = PassageIndex(chunks)
        self._find_text = lru_cache(CACHED_TEXTS)(self._measure_text)
        self.unknown: list[Id] = []

    def find(self, query: Query) -> Iterator[Duplicate]:
        """Yield the duplicates of each group of a query, neighbours of its chunks first."""
        for group, given in enumerate(query.ground_truth.groups):
            known = {each.id for each in given.alternatives} | _list_judged(query, group)
            best: dict[Id, Duplicate] = {}
            for alternative in given.alternatives:
                for held in self._find_holding(alternative) if alternative.grade > 0 else ():
                    found = self._describe(query.id, group, alternative.id, held)
                    other = best.get(found.chunk.id, found)
                    best[found.chunk.id] = min(found, other, key=_get_order)
            kept = [found for name, found in best.items() if name not in known]
            yield from sorted(kept, key=_get_order)

    def _describe(self, query: str, group: int, alternative: Id, held: Held) -> Duplicate:
        number, chunk = self._number_of.get(alternative), self._chunks[held.chunk]
        is_neighbour = number is not None and are_neighbours(self._chunks[number], chunk)
        return Duplicate(query, group, chunk, held, alternative, is_neighbour)

    def _find_holding(self, alternative: Alternative) -> Iterator[Held]:
        """Yield each chunk that holds enough of an alternative, but for its own.

        Where a chunk and the alternative are spans of the same document, the spans decide, unless
        the chunk holds the whole text: then the document repeats it.
        """
        number = self._number_of.get(alternative.id)
        own = None if number is None else self._chunks[number]
        reference = _complete(reference_of(alternative), own)
        if reference is None:
            self.unknown.append(alternative.id)
            return
        by_span = self._spans.measure(span_of(reference))
        what = "excerpt" if alternative.text and alternative.text.strip() else "text"
        by_text = self._find_text(reference.text or "", 1.0 if what == "excerpt" else NEAR)
        found = [Held(chunk, share, "span") for chunk, share in by_span.items()]
        found += [
            Held(chunk, share, what)
            for chunk, share in by_text.items()
            if share >= 1 or chunk not in by_span
        ]
        yield from (
            held for held in found if held.share >= self._threshold and held.chunk != number
        )

    def _measure_text(self, text: str, near: float) -> Mapping[int, float]:
        """Return how much of a text the chunks hold that hold enough of it."""
        if not text.strip():
            return {}
        if self._threshold >= 1:
            return {holding.chunk: 1.0 for holding in self._index.find_whole(text)}
        found = self._index.find(text, least=max(LEAST, self._threshold - MARGIN))
        return {
            each.chunk: measure_share(text, self._chunks[each.chunk], each, near) for each in found
        }


def _get_order(duplicate: Duplicate) -> tuple[bool, float, str]:
    return duplicate.order


def are_neighbours(first: Reference, second: Reference) -> bool:
    """Whether two chunks overlap in a document; False where their spans are not known."""
    one, other = span_of(first), span_of(second)
    if one is None or other is None or one.document != other.document:
        return False
    return one.start < other.end and other.start < one.end


def _list_judged(query: Query, group: int) -> set[Id]:
    """Return the documents on which there is a verdict for a group."""
    kept = list_judgements(query)
    judged = {entry.get("candidate") for entry in kept if entry.get("group") == group}
    return {each for each in judged if isinstance(each, str | int)} | {*query.judged_not_relevant()}


def _complete(given: Reference, own: Reference | None) -> Reference | None:
    """Return what an alternative refers to; without a text and a span of its own, its chunk.

    None if nothing is known.
    """
    text = given.text if given.text and given.text.strip() else None
    if text is not None or span_of(given) is not None:
        return given._replace(text=text)
    return own


def measure_share(text: str, chunk: Reference, holding: Holding, near: float) -> float:
    """Return the share of the characters of a text that a chunk holds.

    A chunk that begins or ends within the text holds a part of it. One that goes on differently is
    about something else, such as another year, unless it has at least the share ``near``.
    """
    if holding.is_whole or holding.coverage >= near:
        return holding.coverage
    letters, own = fold_letters(text), fold_letters(chunk.text or "")
    if own in letters:
        return holding.coverage
    head, tail = find_border(letters, own), find_border(own, letters)
    start = 0 if head >= tail else len(letters) - tail
    place = locate(text, FORM, start, max(head, tail)) if head or tail else None
    return 0.0 if place is None else _widen(text, *place) / len(text)


def find_border(first: str, second: str) -> int:
    """Return the length of the longest beginning of one text that the other ends with.

    >>> find_border("end of", "the end")
    3
    """
    second = second[-len(first) :] if first else ""
    joined = f"{first}\0{second}"
    borders = [0] * len(joined)
    for place in range(1, len(joined)):
        length = borders[place - 1]
        while length and joined[place] != joined[length]:
            length = borders[length - 1]
        borders[place] = length + (joined[place] == joined[length])
    return borders[-1] if second else 0


def _widen(text: str, start: int, end: int) -> int:
    """Return the length of a range with what is not a letter or a digit on either side."""
    while start and not text[start - 1].isalnum():
        start -= 1
    while end < len(text) and not text[end].isalnum():
        end += 1
    return end - start


class SpanIndex:
    """The spans of chunks by document."""

    def __init__(self, chunks: Sequence[Reference]) -> None:
        self._by_document: dict[str, list[tuple[int, int, int]]] = {}
        for number, chunk in enumerate(chunks):
            if span := span_of(chunk):
                place = span.start, span.end, number
                self._by_document.setdefault(span.document, []).append(place)
        self._longest: dict[str, int] = {}
        for document, places in self._by_document.items():
            places.sort()
            self._longest[document] = max(end - start for start, end, _ in places)

    def measure(self, span: Span | None) -> dict[int, float]:
        """Return how much of a span each chunk of its document covers that overlaps it."""
        if span is None or span.end <= span.start or span.document not in self._by_document:
            return {}
        places = self._by_document[span.document]
        first = bisect_left(places, (span.start - self._longest[span.document],))
        last = bisect_left(places, (span.end,))
        covered = {
            number: min(end, span.end) - max(start, span.start)
            for start, end, number in places[first:last]
        }
        size = span.end - span.start
        return {number: held / size for number, held in covered.items() if held > 0}
