"""The rows of a table as records, some at a time."""

from collections.abc import Callable, Generator, Iterator
from typing import Any, TypeAlias

import orjson

from groupwise.evaluator.errors import Problem
from groupwise.evaluator.reading.jsonl import REPEATED_KEY, parse_json
from groupwise.evaluator.reading.layout import Layout
from groupwise.evaluator.reading.records import Batch, NumberedBatch, Reading, Records
from groupwise.evaluator.reading.scan import Pointer, repeated_keys
from groupwise.schemas.values import CANONICAL

ROWS_PER_BATCH = 256
"""Few enough to stay in the processor's cache from reading to matching."""

OPTIONAL = frozenset({
    "not_relevant", "answerable", "metadata", "query", "generation_gt", "hashes", "corpus",
    "document", "text",
})  # fmt: skip
"""The fields that a record lacks where its cell is null."""
OBJECTS = ("hashes", "metadata")
"""The fields that a column may have as JSON text."""

Record: TypeAlias = dict[str, Any]
ReadRows: TypeAlias = Callable[[int], Iterator[list[Record]]]
"""Yields the cells of rows by column, so many rows at a time."""
ReadColumns: TypeAlias = Callable[[list[str]], ReadRows]
"""Returns what reads the rows with these columns alone."""


class RowBatch(NumberedBatch):
    """Rows of a table, which have a number and no column of text."""

    def place(self, number: int, _pointer: Pointer) -> tuple[int, int]:
        """Return the number of the row."""
        return self.numbers[number], 0


class TableRecords(Records):
    """The rows of a table, which can be read more than once.

    If rows are not ``numbered``, as in a table that is spread over machines, problems name the
    query alone.
    """

    def __init__(self, name: str, rows: ReadRows, layout: Layout, *, numbered: bool = True) -> None:
        self.name = name
        self._numbered = numbered
        self.positional = "id" not in layout.columns
        self._rows = rows
        self._columns = {
            column if CANONICAL.get(column) == field else field: column
            for field, column in layout.columns.items()
        }
        self._optional = OPTIONAL & self._columns.keys()
        self._objects = [name for name in OBJECTS if name in self._columns]

    def batches(self, reading: Reading, size: int = ROWS_PER_BATCH) -> Iterator[Batch]:
        """Yield batches of rows; a field is named like its column if that is one of its names."""
        first = 1
        for rows in self._rows(size):
            numbers = range(first, first + len(rows))
            records = [self._build(*row, reading) for row in zip(rows, numbers, strict=True)]
            keys = [str(number - 1) for number in numbers] if self.positional else None
            yield RowBatch(records, numbers if self._numbered else [0] * len(rows), keys)
            first += len(rows)

    def _build(self, row: Record, number: int, reading: Reading) -> Record:
        record = {name: row[column] for name, column in self._columns.items()}
        for name in self._optional:
            if record[name] is None:
                del record[name]
        for name in self._objects:
            if isinstance(text := record.get(name), str):
                record[name] = self._parse_object(name, text, number, reading)
        _add_texts(record, "results", record.pop("texts", None), _add_text)
        _add_texts(record, "ground_truth", record.pop("gold_texts", None), _add_group_texts)
        span = record.pop("span", None)
        if span is not None and len(span) == 2:
            record["start"], record["end"] = span
        return record

    def _parse_object(self, name: str, text: str, number: int, reading: Reading) -> Any:
        """Return the object in a cell; text that is no JSON stays for the schema to refuse."""
        try:
            return parse_json(text.encode())
        except ValueError:
            pass
        try:
            value = orjson.loads(text)
        except orjson.JSONDecodeError:
            return text
        for key, _, place in repeated_keys(text):
            message = f"the key {key!r} is repeated in {name!r} (at column {place + 1})"
            line = number if self._numbered else None
            reading.report(Problem(message, self.name, line, code=REPEATED_KEY))
        return value


class RowRecords(Records):
    """The rows of a table as they are: an object of all columns that are not null."""

    def __init__(self, name: str, rows: ReadRows) -> None:
        self.name = name
        self._rows = rows

    def batches(
        self, _reading: Reading, size: int = ROWS_PER_BATCH
    ) -> Generator[Batch, None, None]:
        """Yield batches of rows, numbered from 1."""
        first = 1
        for rows in self._rows(size):
            records = [
                {name: cell for name, cell in row.items() if cell is not None} for row in rows
            ]
            yield RowBatch(records, range(first, first + len(rows)))
            first += len(rows)


def _add_texts(
    record: Record, field: str, texts: Any, add: Callable[[list[Any], list[Any]], list[Any]]
) -> None:
    """Add to the results or groups of a record the texts from a column of their own."""
    if texts:
        name = next(name for name in record if CANONICAL.get(name) == field)
        if record[name]:
            record[field] = add(record.pop(name), texts)


def _add_text(ids: list[Any], texts: list[Any]) -> list[Any]:
    """Return documents in full, each with its text; bare ids if their numbers differ."""
    if len(ids) != len(texts):
        return ids
    pairs = zip(ids, texts, strict=True)
    return [id_ if text is None else {"id": id_, "text": text} for id_, text in pairs]


def _add_group_texts(groups: list[Any], texts: list[Any]) -> list[Any]:
    if len(groups) != len(texts) or not all(isinstance(part, list) for part in (*groups, *texts)):
        return groups
    return [_add_text(*pair) for pair in zip(groups, texts, strict=True)]
