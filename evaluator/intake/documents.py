"""Records to documents of a corpus: ids and texts, in bulk where the records are plain.

A document is a record with an id and perhaps a text, a text under its id in a map, or only an id.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from itertools import repeat
from operator import itemgetter
from typing import Any

from pydantic import ValidationError

from groupwise.evaluator.errors import Problem, Problems
from groupwise.evaluator.intake.assembly import is_unicode
from groupwise.evaluator.intake.objects import Objects, open_table
from groupwise.evaluator.reading.options import Options
from groupwise.evaluator.reading.records import Batch, Reading, Records
from groupwise.evaluator.reading.scan import Pointer
from groupwise.evaluator.text import json_pointer
from groupwise.schemas import Corpus, Document, Id, plain_kind
from groupwise.schemas.corpus import with_id
from groupwise.schemas.document_names import DOCUMENT_NAMES, SPAN, names_in
from groupwise.schemas.ids import text_of
from groupwise.schemas.reference import FARTHEST, Reference, reference_of
from groupwise.schemas.values import sort_set

OBJECTS_PER_BATCH = 4096
AS_CORPUS = Options(role="corpus")
CODES = {"id_blank": "GT002", "no_id": "GT002", "id_kind": "IO006", "id_range": "IO006"}
"""The rules that errors of the schema break; all others are a wrong shape (IO008)."""

IDS = frozenset(DOCUMENT_NAMES["id"])
NO_IDS = frozenset({list, float, bool, type(None)})
NO_TEXTS = frozenset({list, int, float, bool})
"""Values of JSON that are no document by themselves, or under an id."""

Texts = list[str | None]


@dataclass(frozen=True)
class PlacedBatch:
    """Where some documents come from.

    Ids are not ``typed`` if they come from text without kinds (tables, lists, keys of a JSON map):
    "7" may be meant as a number there.
    """

    batch: Batch
    numbers: Sequence[int]
    typed: bool

    def place(self, number: int) -> tuple[int, int]:
        """Return line (or row) and column of a document; 0 where there is none."""
        return self.batch.place(self.numbers[number], ())


@dataclass(frozen=True)
class DocumentBatch(PlacedBatch):
    """Some documents. ``texts`` is None if there are only ids."""

    ids: list[Id]
    texts: Texts | None


@dataclass(frozen=True)
class ReferenceBatch(PlacedBatch):
    """What some documents refer to: their ids, texts and spans."""

    references: list[Reference]


class Documents:
    """All documents of some records; can be read more than once."""

    def __init__(self, records: Records) -> None:
        self.name = records.name
        self._records = records

    def batches(self, problems: Problems) -> Iterator[DocumentBatch]:
        """Yield ids and texts; records that are not documents become problems."""
        for batch in self._batches(problems):
            documents = self._take_bulk(batch) or self._take_each(batch, problems)
            if documents.ids:
                yield documents

    def models(self, problems: Problems, ids: str | None = None) -> Iterator[Document]:
        """Yield documents with all their fields; ``ids="text"`` makes all ids strings."""
        for batch in self._batches(problems):
            if plain := self._take_plain(batch, ids):
                yield from _assemble(plain)
            else:
                yield from (document for _, document in self._check_each(batch, problems, ids))

    def references(self, problems: Problems, ids: str | None = None) -> Iterator[ReferenceBatch]:
        """Yield ids, texts and spans; ``ids="text"`` makes all ids strings."""
        for batch in self._batches(problems):
            found = split_references(batch, ids)
            numbers: Sequence[int] = range(len(found or ()))
            if found is None:
                valid = [*self._check_each(batch, problems, ids)]
                found = [reference_of(document) for _, document in valid]
                numbers = [number for number, _ in valid]
            if found:
                yield ReferenceBatch(batch, numbers, self._is_typed(batch), found)

    def _batches(self, problems: Problems) -> Iterator[Batch]:
        reading = Reading()
        for batch in self._records.batches(reading):
            reading.move_to(problems)
            yield batch
        reading.move_to(problems)

    def _take_bulk(self, batch: Batch) -> DocumentBatch | None:
        """Return all documents at once, if all are valid."""
        found = _split_columns(batch)
        if found is None:
            return None
        ids, texts = found
        if plain_kind(ids) is None or not set(map(type, texts or ())) <= {str, type(None)}:
            return None
        return DocumentBatch(batch, range(len(ids)), self._is_typed(batch), ids, texts)

    def _take_plain(self, batch: Batch, ids: str | None) -> DocumentBatch | None:
        """Return all documents at once, if they have no more than ids and texts."""
        found = self._take_bulk(batch) if _has_ids_and_texts(batch) else None
        if found is None or not _are_plain(found):
            return None
        return replace(found, ids=[*map(text_of, found.ids)]) if ids == "text" else found

    def _take_each(self, batch: Batch, problems: Problems) -> DocumentBatch:
        valid = list(self._check_each(batch, problems))
        numbers = [number for number, _ in valid]
        ids: list[Id] = [document.id for _, document in valid]
        texts = [document.text for _, document in valid]
        return DocumentBatch(batch, numbers, self._is_typed(batch), ids, texts)

    def _is_typed(self, batch: Batch) -> bool:
        return self._records.typed_ids and batch.keys is None

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


def _assemble(documents: DocumentBatch) -> Iterator[Document]:
    """Yield documents of ids and texts that are known to be valid."""
    given = {"id"} if documents.texts is None else {"id", "text"}
    fields = (
        {"id": document, "text": text, "document": None, "start": None, "end": None,
         "metadata": None}
        for document, text in zip(documents.ids, documents.texts or repeat(None), strict=False)
    )  # fmt: skip
    return Document.assemble_each(fields, given)


def _find_field(value: Any, location: Sequence[int | str]) -> Pointer:
    """Return the pointer to the field of a record that an error is about."""
    names = names_in(value) if isinstance(value, Mapping) else {}
    return [names[str(step)] for step in location[:1] if step in names]


def _has_ids_and_texts(batch: Batch) -> bool:
    """Whether documents have no other fields, and the same two, by the same names."""
    if (columns := batch.columns()) is not None:
        return columns.keys() <= {"id", "text"}
    if {*map(type, batch.values)} != {dict}:
        return True
    layouts = {*map(frozenset, batch.values)}
    found = {tuple(names_in(layout).items()) for layout in layouts}
    has_others = any(SPAN in layout for layout in layouts) or len(found) > 1
    return not has_others and {field for field, _ in found.pop()} <= {"id", "text"}


def _are_plain(documents: DocumentBatch) -> bool:
    """Whether ids are of one kind that models have, and whether all is text that they accept."""
    texts = [text for text in documents.texts or () if text is not None]
    kinds = {*map(type, documents.ids)}
    return kinds in ({str}, {int}) and is_unicode([*documents.ids, *texts])


def _split_columns(batch: Batch) -> tuple[list[Any], list[Any] | None] | None:
    """Return ids and texts of records that are alike, unchecked."""
    if (columns := batch.columns()) is not None:
        texts = columns.get("text")
        return list(columns["id"]), None if texts is None else list(texts)
    kinds = set(map(type, batch.values))
    if batch.keys is not None:
        return (list(batch.keys), batch.values) if kinds == {str} else None
    if kinds in ({str}, {int}):
        return batch.values, None
    return _split_objects(batch.values) if kinds == {dict} else None


def _split_objects(values: list[Any]) -> tuple[list[Any], list[Any] | None] | None:
    spellings = {keys: names_in(keys) for keys in set(map(tuple, values))}
    if not all("id" in names for names in spellings.values()):
        return None
    pairs = {(names["id"], names.get("text")) for names in spellings.values()}
    if len(pairs) == 1:
        id_name, text_name = pairs.pop()
        texts = [value[text_name] for value in values] if text_name else None
        return [value[id_name] for value in values], texts
    named = [(value, spellings[tuple(value)]) for value in values]
    ids = [value[names["id"]] for value, names in named]
    return ids, [value.get(names.get("text")) for value, names in named]


def split_references(batch: Batch, ids: str | None = None) -> list[Reference] | None:
    """Return what documents that are plain and alike refer to; None for any others."""
    fields = _split_fields(batch)
    if fields is None or plain_kind(fields["id"]) is None:
        return None
    if not all(_ACCEPTED[name](fields[name]) for name in fields.keys() & _ACCEPTED.keys()):
        return None
    named = [*map(text_of, fields["id"])] if ids == "text" else fields["id"]
    return [*map(Reference, named, *(fields.get(name, repeat(None)) for name in _ACCEPTED))]


def _split_fields(batch: Batch) -> dict[str, list[Any]] | None:
    """Return the fields of records that have the same ones, unchecked."""
    if batch.columns() is None and set(map(type, batch.values)) == {dict} and batch.keys is None:
        layouts = set(map(tuple, batch.values))
        names = names_in(next(iter(layouts)))
        if len(layouts) > 1 or "id" not in names or SPAN in next(iter(layouts)):
            return None
        return {field: [*map(itemgetter(name), batch.values)] for field, name in names.items()}
    found = _split_columns(batch)
    if found is None:
        return None
    return {"id": found[0]} if found[1] is None else {"id": found[0], "text": found[1]}


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
"""What the fields of a reference may hold, in their order; ids are checked apart."""


def open_corpus(given: Any, name: str = "corpus", options: Options = AS_CORPUS) -> Documents:
    """Return the documents of a path, a Corpus, texts by id, a list of ids or records, or a frame.

    Raises:
        InputError: It is none of these, or a file that cannot be read.
    """
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
