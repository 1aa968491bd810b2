"""Where chunks would stand if their documents were laid out one after the other.

Neighbours are compared: what the end of a chunk and the beginning of the next have in common is an
overlap. So chunks without spans get places too, if their ids have an order.
"""

import re
from collections.abc import Iterable, Sequence

from groupwise.evaluator.passages.seeds import SHORTEST
from groupwise.schemas import Id
from groupwise.schemas.ids import text_of
from groupwise.schemas.reference import Reference

TRIES = 64
FAR = 1 << 40
"""Between two documents."""
MOSTLY = 0.5
NUMBERED = re.compile(r"(.*?)(\d+)(\D*)", re.DOTALL)
"""An id with its last number."""
MOST_DIGITS = 18


class Layout:
    """The places of chunks, in letters.

    Attributes:
        starts: Where each chunk begins.
        is_ordered: Whether most neighbours overlap, so that their order is that of the documents.
        is_known: Whether most neighbours overlap, have spans, or ids with consecutive numbers: only
            then it means something where a chunk is.
    """

    def __init__(self, chunks: Sequence[Reference], texts: Iterable[str]) -> None:
        """Lay out chunks that are in order, by their letters."""
        self.starts: list[int] = []
        self._firsts: list[int] = []
        overlapping, known, neighbours, end, before = 0, 0, 0, 0, ""
        for number, letters in enumerate(texts):
            is_next = number and chunks[number].document == chunks[number - 1].document
            overlap = find_overlap(before, letters) if is_next else -FAR
            overlapping += overlap > 0
            neighbours += bool(is_next)
            known += overlap > 0 or (is_next and _do_follow(*chunks[number - 1 : number + 1]))
            self.starts.append(end - overlap)
            self._firsts.append(self._firsts[-1] if is_next else end - overlap)
            end, before = end - overlap + len(letters), letters
        self.is_ordered = overlapping > MOSTLY * (len(chunks) - 1)
        self.is_known = known > MOSTLY * neighbours

    def within(self, number: int) -> int:
        """Return where a chunk begins in its document."""
        return self.starts[number] - self._firsts[number]


def _do_follow(first: Reference, second: Reference) -> bool:
    """Whether it is known that a chunk comes after another one of its document."""
    has_spans = first.start is not None and second.start is not None
    return has_spans or are_consecutive(first.id, second.id)


def are_consecutive(first: Id, second: Id) -> bool:
    """Whether the last number of an id is one more than that of another, and all else is equal.

    >>> are_consecutive("doc-1#9", "doc-1#10"), are_consecutive("3f9a", "3f9b")
    (True, False)
    """
    one, other = (NUMBERED.fullmatch(text_of(each)) for each in (first, second))
    if one is None or other is None or (one[1], one[3]) != (other[1], other[3]):
        return False
    return int(other[2][-MOST_DIGITS:]) - int(one[2][-MOST_DIGITS:]) == 1


def find_overlap(before: str, after: str) -> int:
    """Return how many letters at the end of a text are those at the beginning of another.

    >>> find_overlap("tobeornottobe thatis", "nottobe thatisthequestion")
    14
    """
    head = after[:SHORTEST]
    if len(head) < SHORTEST:
        return 0
    place = before.find(head)
    for _ in range(TRIES):
        if place < 0 or after.startswith(before[place:]):
            break
        place = before.find(head, place + 1)
    else:
        return 0
    return len(before) - place if place >= 0 else 0
