"""Records to documents of a corpus: ids, texts and spans.

A document is a record with an id and perhaps a text, a text under its id in a map, or only an id.
"""

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from groupwise.evaluator.errors import Problem, Problems
from groupwise.evaluator.intake.objects import Objects, open_table
from groupwise.evaluator.reading.file import unwrap
from groupwise.evaluator.reading.options import Options
from groupwise.evaluator.reading.records import Batch, Reading, Records
from groupwise.evaluator.reading.scan import Pointer
from groupwise.evaluator.text import json_pointer
from groupwise.schemas import Corpus, Document, Id
from groupwise.schemas.corpus import with_id
from groupwise.schemas.reference import Reference, reference_of
from groupwise.schemas.values import DOCUMENT_NAMES, SPAN, names_in, sort_set

AS_CORPUS = Options(role="corpus")
CODES = {"id_blank": "GT002", "no_id": "GT002", "id_kind": "IO006", "id_range": "IO006"}
"""The rules that errors of the schema break; all others are a wrong shape (IO008)."""
TEXTS = (*DOCUMENT_NAMES["id"], *DOCUMENT_NAMES["text"])
SPANS = (*TEXTS, *DOCUMENT_NAMES["document"], "start", "end", SPAN)
"""The names of the fields that are looked at, for texts and for spans."""


@dataclass(frozen=True)
class DocumentBatch:
    """Some documents, and where they come from.

    Ids are not ``typed`` if they come from text without kinds (tables, lists, keys of a JSON map):
    "7" may be meant as a number there.
    """

    batch: Batch
    numbers: Sequence[int]
    typed: bool
    ids: list[Id]
    references: list[Reference]

    @property
    def texts(self) -> list[str | None] | None:
        """The texts; None if there are only ids."""
        texts = [reference.text for reference in self.references]
        return texts if any(text is not None for text in texts) else None

    def place(self, number: int) -> tuple[int, int]:
        """Return line (or row) and column of a document; 0 where there is none."""
        return self.batch.place(self.numbers[number], ())


class Documents:
    """All documents of some records; can be read more than once."""

    def __init__(self, records: Records) -> None:
        self.name = records.name
        self._records = records

    def batches(
        self, problems: Problems, ids: str | None = None, *, spans: bool = False
    ) -> Iterator[DocumentBatch]:
        """Yield ids, texts and perhaps spans; records that are not documents become problems.

        ``ids="text"`` makes all ids strings. Other fields are not looked at.
        """
        for batch in self._batches(problems):
            checked = [*self._check(batch, problems, ids, SPANS if spans else TEXTS)]
            if checked:
                numbers = [number for number, _ in checked]
                references = [reference_of(document) for _, document in checked]
                typed = self._records.typed_ids and batch.keys is None
                given = [reference.id for reference in references]
                yield DocumentBatch(batch, numbers, typed, given, references)

    def models(self, problems: Problems, ids: str | None = None) -> Iterator[Document]:
        """Yield documents with all their fields; ``ids="text"`` makes all ids strings."""
        for batch in self._batches(problems):
            yield from (document for _, document in self._check(batch, problems, ids))

    def _batches(self, problems: Problems) -> Iterator[Batch]:
        reading = Reading()
        for batch in self._records.batches(reading):
            reading.move_to(problems)
            yield batch
            if problems.has_more:
                return
        reading.move_to(problems)

    def _check(
        self, batch: Batch, problems: Problems, ids: str | None, names: Sequence[str] | None = None
    ) -> Iterator[tuple[int, Document]]:
        """Yield each valid document with its number; the others are problems."""
        for number, value in enumerate(batch.values):
            if problems.has_more:
                return
            record = value if batch.keys is None else with_id(batch.keys[number], value)
            if names is not None and isinstance(record, Mapping):
                record = {name: record[name] for name in names if name in record}
            try:
                yield number, Document.model_validate(record, context={"ids": ids})
            except ValidationError as error:
                problems.add(self._problem(error, batch, number))

    def _problem(self, error: ValidationError, batch: Batch, number: int) -> Problem:
        detail, value = (
            error.errors(include_url=False, include_input=False)[0],
            batch.values[number],
        )
        names = names_in(value) if isinstance(value, Mapping) else {}
        pointer: Pointer = [names[str(step)] for step in detail["loc"][:1] if step in names]
        line, column = batch.place(number, pointer)
        return Problem(
            detail["msg"].replace("Input should be", "expected", 1),
            self.name, line or None, column or None,
            pointer=json_pointer((*batch.root(number), *batch.trace(number, pointer))),
            code=CODES.get(detail["type"], "IO008"),
        )  # fmt: skip


def open_corpus(given: Any, name: str = "corpus", options: Options = AS_CORPUS) -> Documents:
    """Return the documents of a path, a Corpus, texts by id, a list of ids or records, or a frame.

    Raises:
        InputError: It is none of these, or a file that cannot be read.
    """
    given, options = unwrap(given, options)
    if isinstance(given, Documents):
        return given
    if isinstance(given, Corpus):
        given = [document.model_dump() for document in given]
    if isinstance(given, AbstractSet):
        given = sort_set(given)
    if isinstance(given, Mapping):
        return Documents(Objects(name, list(given.values()), list(given)))
    if isinstance(given, Sequence) and not isinstance(given, str | bytes | bytearray):
        return Documents(Objects(name, given, None))
    accepted = "texts by id, a list of ids or records, a Corpus, a data frame or a path"
    return Documents(open_table(given, name, options, accepted))
