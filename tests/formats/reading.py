"""Read bytes as the package does, in blocks of a chosen size, and tell what came out."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

from groupwise import InputError
from groupwise.evaluator.formats.opening import records_in
from groupwise.evaluator.reading import lines
from groupwise.evaluator.reading.json import Document
from groupwise.evaluator.reading.jsonl import JsonLines
from groupwise.evaluator.reading.records import Reading

BLOCKS = (1, 16, 64, 1000, 1 << 18)
Step = str | int


@dataclass
class Record:
    """A record, its query id where that stands outside, and the place of anything in it."""

    key: str | None
    value: Any
    places: dict[tuple[Step, ...], tuple[int, int]]


@dataclass
class Outcome:
    """What reading gave: records and head, and the problems, without the name of the file."""

    records: list[Record]
    head: dict[str, Any]
    problems: list[str]

    @property
    def values(self) -> list[Any]:
        return [record.value for record in self.records]

    @property
    def by_key(self) -> dict[str | None, Any]:
        return {record.key: record.value for record in self.records}


@contextmanager
def file_of(data: bytes | str, suffix: str = ".json") -> Iterator[Path]:
    handle, name = tempfile.mkstemp(suffix)
    path = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data if isinstance(data, bytes) else data.encode())
        yield path
    finally:
        path.unlink()


@contextmanager
def blocks_of(size: int) -> Iterator[None]:
    """Whatever is read as bytes is read in blocks of this size for a while."""
    with ExitStack() as stack:
        stack.enter_context(mock.patch.object(lines, "BLOCK_BYTES", size))
        for reader in (Document, JsonLines):
            stack.enter_context(mock.patch.object(reader.batches, "__defaults__", (size,)))
        yield


def pointers(value: Any, way: tuple[Step, ...] = ()) -> Iterator[tuple[Step, ...]]:
    """The way to every value within a value."""
    yield way
    if isinstance(value, dict):
        for key, part in value.items():
            yield from pointers(part, (*way, key))
    if isinstance(value, list):
        for number, part in enumerate(value):
            yield from pointers(part, (*way, number))


def read(data: bytes | str, suffix: str = ".json", block: int = 1 << 18) -> Outcome:
    """All records, with the place of everything in them; an InputError ends the reading."""
    outcome = Outcome([], {}, [])
    reading = Reading()
    with file_of(data, suffix) as path, blocks_of(block):
        try:
            for part in records_in(path).batches(reading):
                for number, value in enumerate(part.values):
                    places = {way: part.place(number, way) for way in pointers(value)}
                    key = part.keys[number] if part.keys else None
                    outcome.records.append(Record(key, value, places))
        except InputError as error:
            outcome.problems = [str(one).removeprefix(f"{path}:") for one in error.problems]
            return outcome
        outcome.problems = [str(one).removeprefix(f"{path}:") for one in reading.problems]
    outcome.head = reading.head
    return outcome
