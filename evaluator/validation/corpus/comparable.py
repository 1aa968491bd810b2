"""A corpus whose ids can be compared with those of the ground truth."""

from collections.abc import Iterator
from dataclasses import replace

from groupwise.evaluator.errors import Problem, Problems
from groupwise.evaluator.intake.documents import DocumentBatch, Documents
from groupwise.evaluator.text import quote_id
from groupwise.evaluator.validation.facts.request import TextIds
from groupwise.schemas import Id, Kind

KINDS: dict[type | None, str] = {str: "a string", int: "a whole number"}


class ComparableCorpus:
    """Reads a corpus with ids of the same kind as those of the ground truth.

    With ``ids="text"`` all ids become strings. Ids from text without kinds (a list, a table, the
    keys of a map) become numbers where the ground truth has numbers, if they are spelt like one.
    """

    def __init__(self, corpus: Documents, kind: Kind | None, ids: TextIds = None) -> None:
        self.name = corpus.name
        self.kind = kind
        self.ids = ids
        self._corpus = corpus
        self._first: dict[type, tuple[Id, tuple[int, int]]] = {}

    def batches(self, problems: Problems) -> Iterator[DocumentBatch]:
        """Yield the batches of the corpus, with ids to compare."""
        return map(self._convert_ids, self._corpus.batches(problems))

    def _convert_ids(self, batch: DocumentBatch) -> DocumentBatch:
        kinds = set(map(type, batch.ids))
        if self.ids == "text":
            return batch if kinds == {str} else replace(batch, ids=list(map(str, batch.ids)))
        if kinds == {str} and self.kind is int and not batch.typed:
            return replace(batch, ids=list(map(_as_number, batch.ids)))
        if not kinds <= self._first.keys():
            for number, document in enumerate(batch.ids):
                if type(document) not in self._first:
                    self._first[type(document)] = (document, batch.place(number))
        return batch

    def describe_mixture(self) -> Problem | None:
        """Return the problem of ids of another kind than the ground truth's, or than the first."""
        expected = self.kind if self.kind in KINDS else next(iter(self._first), None)
        odd = next((kind for kind in self._first if kind is not expected), None)
        if odd is None:
            return None
        document, (line, column) = self._first[odd]
        whose = "the ground truth" if self.kind in KINDS else "the documents before it"
        message = (
            f"the id {quote_id(document)} is {KINDS[odd]}, while those of {whose} are each "
            f"{KINDS[expected]}; use one kind, or --ids text (ids='text') to compare all as strings"
        )
        return Problem(message, self.name, line or None, column or None, code="IO006")


def _as_number(document: Id) -> Id:
    """Return the number that an id spells, if it is spelt as JSON writes numbers."""
    if isinstance(document, int) or not document.removeprefix("-").isdecimal():
        return document
    number = int(document[:20])
    return number if str(number) == document else document
