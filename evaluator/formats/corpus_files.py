"""A corpus, from a file of any of its forms or from Python objects.

JSON Lines, JSON (a list of records or of ids, a map of texts by id), parquet, TSV and CSV with a
header, a list of ids: told by the ending of the name and, where that says nothing, by the content.
All of them may be gzipped.
"""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from groupwise.evaluator.errors import InputError, Problem
from groupwise.evaluator.formats.corpus_documents import (
    ID_NAMES,
    NOWHERE,
    OBJECTS_PER_BATCH,
    Corpus,
    CorpusBatch,
    RecordCorpus,
    named_in,
)
from groupwise.evaluator.formats.corpus_tables import CommaTable, IdList, Parquet, TabTable
from groupwise.evaluator.reading.detection import suffix_of
from groupwise.evaluator.reading.json import JsonDocument
from groupwise.evaluator.reading.jsonl import JsonLines
from groupwise.evaluator.reading.records import Batch, Reading, Records
from groupwise.evaluator.reading.scan import Pointer, is_json
from groupwise.evaluator.reading.source import Source
from groupwise.schemas.shape import describe

__all__ = ["Corpus", "CorpusBatch", "as_corpus", "corpus_in"]

PEEKED_BYTES = 1 << 16
PARQUET = b"PAR1"


def as_corpus(given: Any, name: str = "corpus") -> Corpus:
    """A corpus from a path, a mapping of ids to texts, or a list of ids or records.

    Raises:
        InputError: It is none of these, or a file that cannot be read.
    """
    if isinstance(given, str | os.PathLike):
        return corpus_in(given)
    if isinstance(given, Mapping):
        return RecordCorpus(_Objects(name, list(given.values()), list(given)))
    if isinstance(given, Sequence) and not isinstance(given, bytes | bytearray):
        return RecordCorpus(_Objects(name, given, None))
    if hasattr(given, "name") and hasattr(given, "batches"):
        return given  # type: ignore[no-any-return]
    message = f"{describe(given)}; it is a path, texts by id, or a list of ids or records"
    raise InputError([Problem(message, name)])


def corpus_in(path: str | os.PathLike[str]) -> Corpus:
    """The corpus in a file; an empty file is refused."""
    source = Source(path)
    with source.open() as stream:
        start = stream.read(PEEKED_BYTES)
    if not start.strip():
        message = "the file is empty; it should hold at least one document"
        raise InputError([Problem(message, source.name, code="IO009")])
    return BY_SUFFIX.get(suffix_of(source.name), _by_content(start))(source)


def _json_lines(source: Source) -> Corpus:
    return RecordCorpus(JsonLines(source))


def _json(source: Source) -> Corpus:
    return RecordCorpus(_Document(source))


BY_SUFFIX: Mapping[str, Callable[[Source], Corpus]] = {
    ".jsonl": _json_lines,
    ".ndjson": _json_lines,
    ".json": _json,
    ".tsv": TabTable,
    ".csv": CommaTable,
    ".parquet": Parquet,
}


def _by_content(start: bytes) -> Callable[[Source], Corpus]:
    if start.startswith(PARQUET):
        return Parquet
    first, _, others = start.lstrip().partition(b"\n")
    if first.startswith((b"{", b"[")):
        return _json_lines if others.strip() and is_json(first) else _json
    header = first.decode("utf-8", "replace").strip().lower().split("\t")
    return TabTable if len(header) > 1 and named_in(header)[0] else IdList


class _Document(JsonDocument):
    """A JSON document; one that is a record by itself is no map of texts by id."""

    def batches(self, reading: Reading) -> Iterator[Batch]:
        for batch in super().batches(reading):
            yield _OneRecord(batch) if _is_one_record(batch) else batch


def _is_one_record(batch: Batch) -> bool:
    if batch.keys is None or not any(key in ID_NAMES for key in batch.keys[:16]):
        return False
    return all(named_in(batch.keys))


class _OneRecord(Batch):
    """The members of an object as the record that they are."""

    keys: list[str] | None = None

    def __init__(self, members: Batch) -> None:
        self.values: list[Any] = [dict(zip(members.keys or (), members.values, strict=True))]
        self._members = members

    def place(self, _number: int, pointer: Pointer) -> tuple[int, int]:
        """The place of a member, or of the first one."""
        keys = self._members.keys or []
        member = keys.index(pointer[0]) if pointer and pointer[0] in keys else 0
        return self._members.place(member, pointer[1:])

    def root(self, _number: int) -> Pointer:
        """The record is the document."""
        return ()


@dataclass
class _ObjectBatch(Batch):
    values: list[Any]
    keys: list[Any] | None
    first: int

    def place(self, _number: int, _pointer: Pointer) -> tuple[int, int]:
        return NOWHERE

    def root(self, number: int) -> Pointer:
        return (self.first + number,) if self.keys is None else (self.keys[number],)


class _Objects(Records):
    """Python objects in batches."""

    def __init__(self, name: str, values: Sequence[Any], keys: Sequence[Any] | None) -> None:
        self.name = name
        self._values = values
        self._keys = keys

    def batches(self, _reading: Reading) -> Iterator[Batch]:
        values = iter(self._values)
        first = 0
        while some := list(islice(values, OBJECTS_PER_BATCH)):
            keys = None if self._keys is None else list(self._keys[first : first + len(some)])
            yield _ObjectBatch(some, keys, first)
            first += len(some)
