"""The documents of a corpus, from records of any spelling: ids, and texts where there are any.

A document is a record with an id and perhaps a text, a text under its id in a map, or only an id.
All other fields are left alone. Only the text counts as content: titles and metadata differ from
one export to the next, and no retriever is scored on them.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from groupwise.evaluator.errors import Problem, Problems
from groupwise.evaluator.reading.records import Batch, Reading, Records
from groupwise.evaluator.reading.scan import Pointer
from groupwise.schemas import Id, plain_kind
from groupwise.schemas.ids import ACCEPTED, LARGEST
from groupwise.schemas.shape import describe

ID_NAMES = ("id", "doc_id", "_id", "docid", "document_id")
TEXT_NAMES = ("text", "contents", "content", "page_content")
"""The names that the two fields go by; where a record has several, the first one counts."""

Texts = list[str | None]
NOWHERE = (0, 0)
OBJECTS_PER_BATCH = 4096


@dataclass(frozen=True)
class CorpusBatch:
    """Some documents. ``texts`` is None where there are only ids.

    Ids from text without kinds (tables, lists, keys of a JSON map) are not ``typed``: "7" may be
    meant as a number there.
    """

    ids: list[Id]
    texts: Texts | None
    where: Callable[[int], tuple[int, int]] = lambda _number: NOWHERE
    typed: bool = True

    def place(self, number: int) -> tuple[int, int]:
        """Line (or row) and column of a document; 0 where there is none."""
        return self.where(number)


class Corpus(Protocol):
    """All documents of a corpus, in batches; can be read more than once."""

    name: str

    def batches(self, problems: Problems) -> Iterator[CorpusBatch]:
        """Read from the beginning; what is no document is added to the problems."""
        ...


class Document(NamedTuple):
    """An id and a text, not yet looked at, and the way to each in the record."""

    id: Any
    text: Any
    id_way: Pointer = ()
    text_way: Pointer = ()


class Wrong(NamedTuple):
    """Why something is no document: what to say, the way to it, and the rule."""

    message: str
    way: Pointer
    code: str


class RecordCorpus:
    """The documents of JSON, JSON Lines or Python objects."""

    def __init__(self, records: Records) -> None:
        self.name = records.name
        self._records = records

    def batches(self, problems: Problems) -> Iterator[CorpusBatch]:
        """The documents of each batch of records."""
        reading = Reading()
        for batch in self._records.batches(reading):
            problems.add(*reading.problems)
            reading.problems.clear()
            documents = in_bulk(batch) or self._one_by_one(batch, problems)
            if documents.ids:
                yield documents
        problems.add(*reading.problems)

    def _one_by_one(self, batch: Batch, problems: Problems) -> CorpusBatch:
        ids: list[Id] = []
        texts: Texts = []
        numbers: list[int] = []
        for number in range(len(batch.values)):
            document = _document(batch, number)
            wrong = wrong_in(document) if isinstance(document, Document) else document
            if wrong or isinstance(document, Wrong):
                problems.add(self._problem(wrong or document, batch, number))
                continue
            ids.append(document.id)
            texts.append(document.text)
            numbers.append(number)
        return CorpusBatch(
            ids, texts, lambda place: batch.place(numbers[place], ()), batch.keys is None
        )

    def _problem(self, wrong: Any, batch: Batch, number: int) -> Problem:
        line, column = batch.place(number, wrong.way)
        pointer = "".join(f"/{step}" for step in (*batch.root(number), *wrong.way)) or None
        return Problem(
            wrong.message, self.name, line or None, column or None, pointer=pointer, code=wrong.code
        )


def in_bulk(batch: Batch) -> CorpusBatch | None:
    """All documents at once, where their records are alike and sound; else None."""
    columns = _keyed(batch) if batch.keys is not None else _columns(batch.values)
    if columns is None:
        return None
    ids, texts = columns
    if plain_kind(ids) is None or not set(map(type, texts or ())) <= {str, type(None)}:
        return None
    return CorpusBatch(ids, texts, lambda number: batch.place(number, ()), batch.keys is None)


def _keyed(batch: Batch) -> tuple[list[Any], list[Any] | None] | None:
    texts = set(map(type, batch.values)) == {str}
    return (list(batch.keys or ()), batch.values) if texts else None


def _columns(values: list[Any]) -> tuple[list[Any], list[Any] | None] | None:
    kinds = set(map(type, values))
    if kinds in ({str}, {int}):
        return values, None
    if kinds != {dict}:
        return None
    names = {named_in(spelling) for spelling in set(map(tuple, values))}
    id_name, text_name = names.pop() if len(names) == 1 else (None, None)
    if id_name is None:
        return None
    texts = [value[text_name] for value in values] if text_name else None
    return [value[id_name] for value in values], texts


def named_in(fields: Sequence[str]) -> tuple[str | None, str | None]:
    """Which of these fields are the id and the text."""
    return _first(ID_NAMES, fields), _first(TEXT_NAMES, fields)


def _first(names: Sequence[str], fields: Sequence[str]) -> str | None:
    return next((name for name in names if name in fields), None)


def _document(batch: Batch, number: int) -> Document | Wrong:
    value = batch.values[number]
    if batch.keys is not None:
        return _under_key(batch.keys[number], value)
    if not isinstance(value, Mapping):
        return Document(value, None)
    id_name, text_name = named_in(list(value))
    if id_name is None:
        return Wrong(f"no id; its field is one of {', '.join(ID_NAMES)}", (), "GT002")
    return Document(value[id_name], value.get(text_name), (id_name,), (text_name or "",))


def _under_key(key: Any, value: Any) -> Document:
    if not isinstance(value, Mapping):
        return Document(key, value)
    _, text_name = named_in(list(value))
    return Document(key, value.get(text_name), (), (text_name or "",))


def wrong_in(document: Document) -> Wrong | None:
    """What is wrong with a document; None where nothing is."""
    one, text = document.id, document.text
    if isinstance(one, str) and not one.strip():
        return Wrong(f"a blank id; {ACCEPTED}", document.id_way, "GT002")
    if type(one) is not str and (type(one) is not int or abs(one) > LARGEST):
        return Wrong(f"{_shown(one)} is not an id; {ACCEPTED}", document.id_way, "IO006")
    if text is not None and type(text) is not str:
        return Wrong(f"{describe(text)} where a text belongs", document.text_way, "IO008")
    return None


def _shown(value: Any) -> str:
    return "a fraction" if isinstance(value, float) else describe(value)
