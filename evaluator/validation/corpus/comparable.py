"""A corpus whose ids are of the kind of the ground truth's, as far as they can be."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Literal

from groupwise.evaluator.errors import Problem, Problems
from groupwise.evaluator.intake.documents import DocumentBatch, Documents
from groupwise.evaluator.text import quote_id
from groupwise.schemas import Id, Kind

KINDS: dict[type, str] = {str: "a string", int: "a whole number"}
Ids = Literal["text"] | None


class ComparableCorpus:
    """Reads a corpus with its ids as those of the ground truth.

    With ``ids="text"`` all are text. Ids from text without kinds (a list, a table, the keys of a
    map) are numbers beside numbers, where they are written as numbers are.
    """

    def __init__(self, corpus: Documents, kind: Kind | None, ids: Ids = None) -> None:
        self.name = corpus.name
        self.kind = kind
        self.ids = ids
        self._corpus = corpus
        self._seen: dict[type, tuple[Id, tuple[int, int]]] = {}

    def batches(self, problems: Problems) -> Iterator[DocumentBatch]:
        """The batches of the corpus, with ids to compare."""
        for batch in self._corpus.batches(problems):
            if batch.ids:
                yield self._compared(batch)

    def _compared(self, batch: DocumentBatch) -> DocumentBatch:
        kinds = set(map(type, batch.ids))
        if self.ids == "text":
            return batch if kinds == {str} else replace(batch, ids=list(map(str, batch.ids)))
        if kinds == {str} and self.kind is int and not batch.typed:
            return replace(batch, ids=[_as_number(one) for one in batch.ids])
        if not kinds <= self._seen.keys():
            self._note(batch)
        return batch

    def _note(self, batch: DocumentBatch) -> None:
        for number, one in enumerate(batch.ids):
            if type(one) not in self._seen:
                self._seen[type(one)] = (one, batch.place(number))

    def mixture(self) -> Problem | None:
        """What is wrong if the ids read so far are not all of one kind, the ground truth's."""
        expected = {self.kind} & KINDS.keys() or set(list(self._seen)[:1])
        odd = next((kind for kind in self._seen if kind not in expected), None)
        if odd is None:
            return None
        one, (line, column) = self._seen[odd]
        beside = " or ".join(KINDS[kind] for kind in KINDS if kind in expected)
        whose = "the ground truth" if self.kind in KINDS else "the documents before it"
        message = (
            f"the id {quote_id(one)} is {KINDS[odd]}, while those of {whose} are each {beside}; "
            "use one kind, or --ids text (ids='text') to compare all as strings"
        )
        return Problem(message, self.name, line or None, column or None, code="IO006")


def _as_number(one: Id) -> Id:
    """The number that a text is, if it is written as numbers are."""
    if isinstance(one, int) or not one.removeprefix("-").isdecimal() or len(one) > 20:
        return one
    number = int(one)
    return number if str(number) == one else one
