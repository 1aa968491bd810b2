"""Passages by their place: the chunks of a document that cover some of its characters."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from groupwise.evaluator.hits.spans import Span, Union
from groupwise.evaluator.passages.index import fold_letters
from groupwise.evaluator.passages.landing import Landing
from groupwise.schemas.ids import text_of
from groupwise.schemas.reference import Reference


class Stretch(NamedTuple):
    """The characters of a document that a chunk holds."""

    start: int
    end: int
    chunk: int


class SpanIndex:
    """Finds the chunks that cover a part of a document."""

    def __init__(self, chunks: Sequence[Reference]) -> None:
        self._chunks = chunks
        self._stretches: dict[str, list[Stretch]] = {}
        for number, chunk in enumerate(chunks):
            if place := place_of(chunk):
                stretch = Stretch(place.start, place.end, number)
                self._stretches.setdefault(place.document, []).append(stretch)
        self._longest = {
            document: max(end - start for start, end, _ in stretches)
            for document, stretches in self._stretches.items()
        }
        for stretches in self._stretches.values():
            stretches.sort()

    def find(self, passage: Reference) -> Landing | None:
        """Return the chunks that cover a passage.

        None: its place is not known, or the texts there are not the same.
        """
        place = trim(passage)
        if place is None:
            return None
        touching = self._list_touching(place)
        whole = [found for found in touching if _clip(found, place) == (place.start, place.end)]
        chosen = whole or _choose_cover(place, touching)
        if not chosen or not all(self._agrees(passage, found) for found in chosen):
            return None
        largest = max(chosen, key=lambda found: (_overlap(found, place), -found.chunk))
        return Landing(
            tuple(found.chunk for found in chosen), _cover_share(passage, place, chosen), "span",
            len({_clip(found, place) for found in chosen}) > 1, largest.chunk, place,
        )  # fmt: skip

    def _list_touching(self, place: Span) -> list[Stretch]:
        """Return the stretches that have a character of a place, by their start."""
        stretches = self._stretches.get(place.document, [])
        if not stretches:
            return []
        first = bisect_left(stretches, (place.start - self._longest[place.document], 0, 0))
        last = bisect_left(stretches, (place.end, 0, 0))
        return [found for found in stretches[first:last] if found.end > place.start]

    def _agrees(self, passage: Reference, found: Stretch) -> bool:
        """Whether a chunk says what the passage says, where both are known."""
        held = self._chunks[found.chunk]
        if passage.text is None or held.text is None:
            return True
        start, end = passage.start or 0, passage.end or 0
        if len(held.text) == found.end - found.start and len(passage.text) == end - start:
            low, high = max(start, found.start), min(end, found.end)
            wanted = passage.text[low - start : high - start]
            return fold_letters(wanted) == fold_letters(
                held.text[low - found.start : high - found.start]
            )
        is_whole = found.start <= start and end <= found.end
        return not is_whole or fold_letters(passage.text) in fold_letters(held.text)


def place_of(reference: Reference) -> Span | None:
    """Return the place of a chunk or an alternative, if it has a proper one."""
    document, start, end = reference.document, reference.start, reference.end
    if document is None or start is None or end is None or start >= end:
        return None
    return Span(text_of(document), start, end)


def trim(passage: Reference) -> Span | None:
    """Return the place of a passage without the white space around it."""
    place = place_of(passage)
    text = passage.text
    if place is None or text is None or len(text) != place.end - place.start or text.isspace():
        return place
    before, after = len(text) - len(text.lstrip()), len(text) - len(text.rstrip())
    return Span(place.document, place.start + before, place.end - after)


def _overlap(found: Stretch, place: Span) -> int:
    start, end = _clip(found, place)
    return end - start


def _choose_cover(place: Span, touching: list[Stretch]) -> list[Stretch]:
    """Return the fewest stretches that cover as much of a place as all of them.

    If it is one, those that cover the same part are added.
    """
    chosen = [*_walk_cover(place, touching)]
    if len(chosen) != 1:
        return chosen
    part = _clip(chosen[0], place)
    return [found for found in touching if _clip(found, place) == part]


def _clip(found: Stretch, place: Span) -> tuple[int, int]:
    return max(found.start, place.start), min(found.end, place.end)


def _walk_cover(place: Span, touching: list[Stretch]) -> Iterator[Stretch]:
    """Yield at each gap the stretch that reaches farthest."""
    reached = place.start
    while reached < place.end:
        within = [found for found in touching if found.start <= reached < found.end]
        if within:
            best = max(within, key=lambda found: (found.end, -found.chunk))
            yield best
            reached = best.end
        else:
            reached = min((one.start for one in touching if one.start > reached), default=place.end)


def _cover_share(passage: Reference, place: Span, chosen: list[Stretch]) -> float:
    """Return the share of a place that is covered; white space between chunks is."""
    union = Union()
    for found in chosen:
        union.add(*_clip(found, place))
    return (union.size + _count_blanks(passage, union)) / (place.end - place.start)


def _count_blanks(passage: Reference, union: Union) -> int:
    """Return how much white space of a passage is not covered."""
    place, text = trim(passage), passage.text or ""
    start, end = passage.start or 0, passage.end or 0
    if place is None or len(text) != end - start:
        return 0
    gaps = union.find_gaps(place.start, place.end)
    return sum(sum(map(str.isspace, text[low - start : high - start])) for low, high in gaps)
