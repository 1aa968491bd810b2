"""Records to documents of a corpus: ids, texts and spans, in bulk where the records are alike.

A document is a record with an id and perhaps a text, a text under its id in a map, or only an id.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from itertools import chain, repeat
from typing import Any

from pydantic import ValidationError

from groupwise.evaluator.errors import Problem, Problems
from groupwise.evaluator.intake.objects import Objects, open_table
from groupwise.evaluator.reading.file import unwrap
from groupwise.evaluator.reading.options import Options
from groupwise.evaluator.reading.records import Batch, Reading, Records
from groupwise.evaluator.reading.scan import Pointer
from groupwise.evaluator.text import json_pointer
from groupwise.schemas import Corpus, Document, Id, plain_kind
from groupwise.schemas.corpus import with_id
from groupwise.schemas.document_names import SPAN, names_in
from groupwise.schemas.ids import FARTHEST, text_of
from groupwise.schemas.reference import Reference
from groupwise.schemas.values import sort_set

OBJECTS_PER_BATCH = 4096
AS_CORPUS = Options(role="corpus")
CODES = {"id_blank": "GT002", "no_id": "GT002", "id_kind": "IO006", "id_range": "IO006"}
"""The rules that errors of the schema break; all others are a wrong shape (IO008)."""
SPANS = ("document", "start", "end")
Fields = Mapping[str, list[Any]]


@dataclass(frozen=True)
class DocumentBatch:
    """Some documents, and where they come from.

    Ids are not ``typed`` if they come from text without kinds (tables, lists, keys of a JSON map):
    "7" may be meant as a number there. ``texts`` is None if there are only ids; ``spans`` are the
    other fields of references, if they were asked for.
    """

    batch: Batch
    numbers: Sequence[int]
    typed: bool
    ids: list[Id]
    texts: list[str | None] | None
    spans: Fields = field(default_factory=dict)

    def place(self, number: int) -> tuple[int, int]:
        """Return line (or row) and column of a document; 0 where there is none."""
        return self.batch.place(self.numbers[number], ())

    @property
    def references(self) -> list[Reference]:
        """What the documents refer to."""
        spans = (self.spans.get(name, repeat(None)) for name in SPANS)
        return [*map(Reference, self.ids, self.texts or repeat(None), *spans)]


class Documents:
    """All documents of some records; can be read more than once."""

    def __init__(self, records: Records) -> None:
        self.name = records.name
        self._records = records

    def batches(
        self, problems: Problems, ids: str | None = None, *, spans: bool = False
    ) -> Iterator[DocumentBatch]:
        """Yield ids, texts and perhaps spans; records that are not documents become problems.

        ``ids="text"`` makes all ids strings.
        """
        for batch in self._batches(problems):
            numbers: Sequence[int] = range(len(batch.values))
            fields = _split_fields(batch)
            if fields is None or not _are_plain(fields, ("text", *SPANS) if spans else ("text",)):
                valid = [*self._check_each(batch, problems, ids)]
                numbers = [number for number, _ in valid]
                names = ("id", "text", *SPANS)
                fields = {n: [getattr(document, n) for _, document in valid] for n in names}
            named = [*map(text_of, fields["id"])] if ids == "text" else fields["id"]
            typed = self._records.typed_ids and batch.keys is None
            if named:
                texts = fields.get("text")
                yield DocumentBatch(batch, numbers, typed, named, texts, fields if spans else {})

    def models(self, problems: Problems, ids: str | None = None) -> Iterator[Document]:
        """Yield documents with all their fields; ``ids="text"`` makes all ids strings."""
        for batch in self._batches(problems):
            yield from (document for _, document in self._check_each(batch, problems, ids))

    def _batches(self, problems: Problems) -> Iterator[Batch]:
        reading = Reading()
        for batch in self._records.batches(reading):
            reading.move_to(problems)
            yield batch
        reading.move_to(problems)

    def _check_each(
        self, batch: Batch, problems: Problems, ids: str | None = None
    ) -> Iterator[tuple[int, Document]]:
        """Yield each valid document with its number; the others are problems."""
        for number, value in enumerate(batch.values):
            if problems.has_more:
                return
            record = value if batch.keys is None else with_id(batch.keys[number], value)
            try:
                yield number, Document.model_validate(record, context={"ids": ids})
            except ValidationError as error:
                problems.add(self._problem(error, batch, number))

    def _problem(self, error: ValidationError, batch: Batch, number: int) -> Problem:
        detail = error.errors(include_url=False, include_input=False)[0]
        pointer = _find_field(batch.values[number], detail["loc"])
        line, column = batch.place(number, pointer)
        return Problem(
            detail["msg"].replace("Input should be", "expected", 1),
            self.name, line or None, column or None,
            pointer=json_pointer((*batch.root(number), *batch.trace(number, pointer))),
            code=CODES.get(detail["type"], "IO008"),
        )  # fmt: skip


def _find_field(value: Any, location: Sequence[int | str]) -> Pointer:
    """Return the pointer to the field of a record that an error is about."""
    names = names_in(value) if isinstance(value, Mapping) else {}
    return [names[str(step)] for step in location[:1] if step in names]


def _split_fields(batch: Batch) -> dict[str, list[Any]] | None:
    """Return the fields of documents in columns, unchecked; None if these are of several kinds."""
    values, kinds = batch.values, {*map(type, batch.values)}
    if batch.keys is not None:
        return {"id": list(batch.keys), "text": values} if kinds == {str} else None
    if kinds in ({str}, {int}):
        return {"id": values}
    layouts = {*map(tuple, values)} if kinds == {dict} else set()
    spellings = {layout: names_in(layout) for layout in layouts if SPAN not in layout}
    if not layouts or len(spellings) < len(layouts):
        return None
    if not all("id" in names for names in spellings.values()):
        return None
    named = [(value, spellings[tuple(value)]) for value in values]
    fields = {*chain.from_iterable(spellings.values())}
    return {field: [value.get(names.get(field)) for value, names in named] for field in fields}


def _are_plain(fields: Fields, names: Sequence[str]) -> bool:
    """Whether ids are valid and of one kind, and the fields of these names have valid values."""
    if plain_kind(fields["id"]) is None:
        return False
    return all(_ACCEPTED[name](fields[name]) for name in names if name in fields)


def _are_texts(column: list[Any]) -> bool:
    return {*map(type, column)} <= {str, type(None)}


def _are_documents(column: list[Any]) -> bool:
    return {*map(type, column)} <= {str, int, type(None)}


def _are_offsets(column: list[Any]) -> bool:
    if not {*map(type, column)} <= {int, type(None)}:
        return False
    known = [offset for offset in column if offset is not None]
    return min(known, default=0) >= 0 and max(known, default=0) <= FARTHEST


_ACCEPTED: dict[str, Callable[[list[Any]], bool]] = {
    "text": _are_texts,
    "document": _are_documents,
    "start": _are_offsets,
    "end": _are_offsets,
}


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
        return Documents(Objects(name, list(given.values()), list(given), OBJECTS_PER_BATCH))
    if isinstance(given, Sequence) and not isinstance(given, str | bytes | bytearray):
        return Documents(Objects(name, given, None, OBJECTS_PER_BATCH))
    accepted = "texts by id, a list of ids or records, a Corpus, a data frame or a path"
    return Documents(open_table(given, name, options, accepted))
