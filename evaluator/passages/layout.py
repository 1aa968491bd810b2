"""Where chunks would stand if their documents were laid out one after the other.

Neighbours are compared: what the end of a chunk and the beginning of the next have in common is an
overlap. So chunks without spans get places too, if their ids have an order.
"""

from collections.abc import Iterable, Sequence

from groupwise.evaluator.passages.seeds import SHORTEST
from groupwise.schemas.reference import Reference

TRIES = 64
FAR = 1 << 40
"""Between two documents."""
MOSTLY = 0.5


class Layout:
    """The places of chunks, in letters.

    Attributes:
        starts: Where each chunk begins.
        is_ordered: Whether most neighbours overlap, so that their order is that of the documents.
    """

    def __init__(self, chunks: Sequence[Reference], texts: Iterable[str]) -> None:
        """Lay out chunks that are in order, by their letters."""
        self.starts: list[int] = []
        self._firsts: list[int] = []
        overlapping, end, before = 0, 0, ""
        for number, letters in enumerate(texts):
            is_next = number and chunks[number].document == chunks[number - 1].document
            overlap = find_overlap(before, letters) if is_next else -FAR
            overlapping += overlap > 0
            self.starts.append(end - overlap)
            self._firsts.append(self._firsts[-1] if is_next else end - overlap)
            end, before = end - overlap + len(letters), letters
        self.is_ordered = overlapping > MOSTLY * (len(chunks) - 1)

    def within(self, number: int) -> int:
        """Return where a chunk begins in its document."""
        return self.starts[number] - self._firsts[number]


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
