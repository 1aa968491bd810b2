"""The rows of a table as records, some at a time."""

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from functools import cached_property, partial
from typing import Any

import orjson

from groupwise.evaluator.errors import InputError, Problem
from groupwise.evaluator.reading.arrow import check_buffers, values_of
from groupwise.evaluator.reading.duplicate_keys import (
    REPEATED_KEY,
    may_repeat_keys,
    report_repeated_keys,
)
from groupwise.evaluator.reading.layout import Layout
from groupwise.evaluator.reading.records import Batch, Columns, NumberedBatch, Reading, Records
from groupwise.evaluator.reading.scan import Pointer
from groupwise.schemas import FIELD_NAMES
from groupwise.schemas.values import CANONICAL

ROWS_PER_BATCH = 256
"""Few enough to stay in the processor's cache from reading to matching."""

OPTIONAL = (
    "not_relevant", "answerable", "metadata", "query", "generation_gt", "hashes", "corpus",
    "document", "text",
)  # fmt: skip
OBJECTS = {"metadata", "hashes"}
"""The fields that a column may have as JSON text."""

Record = dict[str, Any]
PLAIN = {
    name for field in ("id", "ground_truth", "results", "scores", "query", "text")
    for name in FIELD_NAMES.get(field, (field,))
}  # fmt: skip
"""The names of fields whose values are the same in a record and in a column."""


class RowBatch(Batch):
    """Rows in columns, which become records on demand.

    Args:
        fields: The values of each field.
        numbers: The line of each row; in a table without lines its number, counted from 1.
        column: The column of each row, where it is a line.
        positional: Whether the number stands for the query id.
    """

    def __init__(
        self, fields: Columns, numbers: Sequence[int], *, column: int = 0, positional: bool = False
    ) -> None:
        self._fields = fields
        self._numbers = numbers
        self._column = column
        self.keys = [str(number - 1) for number in numbers] if positional else None

    @cached_property
    def values(self) -> list[Any]:  # type: ignore[override]  # filled when first asked for
        """The rows as records."""
        return _records(dict(self._fields))

    def columns(self) -> Columns | None:
        """Return the columns, if records would hold the same values."""
        held = self._fields
        whole = PLAIN.issuperset(held) and None not in held.get("query", ())
        return held if whole else None

    def place(self, number: int, _pointer: Pointer) -> tuple[int, int]:
        """Return the number of the row, and its column if it is a line."""
        return self._numbers[number], self._column


class TableRecords(Records):
    """The rows of a table, which can be read more than once.

    ``rows`` yields the values of each column, some rows at a time. If they are not ``numbered``,
    as in a table that is spread over machines, problems name the query alone.
    """

    def __init__(
        self,
        name: str,
        rows: Callable[[], Iterator[Columns]],
        layout: Layout,
        *,
        numbered: bool = True,
    ) -> None:
        self.name = name
        self._numbered = numbered
        self.positional = "id" not in layout.columns
        self._rows = rows
        self._columns = {
            column if CANONICAL.get(column) == field else field: column
            for field, column in layout.columns.items()
        }

    def batches(self, reading: Reading) -> Iterator[Batch]:
        """Yield batches of rows; a field is named like its column if that is one of its names."""
        first = 1
        for rows in self._rows():
            fields = {name: rows[column] for name, column in self._columns.items()}
            count = len(next(iter(fields.values()), ()))
            for name in sorted(fields.keys() & OBJECTS):
                self._report_repeated_keys(name, fields[name], first, reading)
            numbers = range(first, first + count) if self._numbered else [0] * count
            yield RowBatch(fields, numbers, positional=self.positional)
            first += count

    def _report_repeated_keys(
        self, name: str, values: Sequence[Any], first: int, reading: Reading
    ) -> None:
        """Report the keys that an object in JSON text repeats: parsing keeps only the last."""
        for row, value in enumerate(values, first):
            parsed = _parse_object(value)
            if parsed is not value and may_repeat_keys(value.encode(), parsed):
                line = row if self._numbered else None
                report_repeated_keys(
                    value.encode(), reading, partial(self._describe_repeated, name, line)
                )

    def _describe_repeated(
        self, name: str, line: int | None, key: str, _first: int, place: int
    ) -> Problem:
        message = f"the key {key!r} is repeated in {name!r} (at column {place + 1})"
        return Problem(message, self.name, line, code=REPEATED_KEY)


class RowRecords(Records):
    """The rows of a table as they are: an object of all columns that are not null."""

    def __init__(self, name: str, rows: Callable[[], Iterator[Columns]]) -> None:
        self.name = name
        self._rows = rows

    def batches(self, _reading: Reading) -> Generator[Batch, None, None]:
        """Yield batches of rows, numbered from 1."""
        first = 1
        for columns in self._rows():
            rows = zip(*columns.values(), strict=True)
            records = [_without_nulls(zip(columns, row, strict=True)) for row in rows]
            yield PlainRows(records, range(first, first + len(records)))
            first += len(records)


class PlainRows(NumberedBatch):
    """Rows of a table, which have a number and no column of text."""

    def place(self, number: int, _pointer: Pointer) -> tuple[int, int]:
        """Return the number of the row."""
        return self.numbers[number], 0


def _without_nulls(cells: Iterable[tuple[str, Any]]) -> Record:
    return {name: value for name, value in cells if value is not None}


def columns_of(rows: Any, source: str) -> Columns:
    """Return the values of each column of a batch of Arrow data.

    Raises:
        InputError: A column has values that Python does not have.
    """
    columns: dict[str, Sequence[Any]] = {}
    for name, column in zip(rows.schema.names, rows.columns, strict=True):
        try:
            columns[name] = values_of(column)
        except (ValueError, OverflowError, NotImplementedError) as error:
            message = f"the column {name!r} cannot be read: {first_line(error)}"
            raise InputError([Problem(message, source, code="IO010")]) from None
    return columns


def refuse_damaged(table: Any, source: str) -> None:
    """Check the buffers of a table in memory, once: offsets, indices, nulls, UTF-8.

    pyarrow accepts buffers from anywhere without looking into them.

    Raises:
        InputError: A column is damaged; the message names it.
    """
    for name, column in zip(table.schema.names, table.columns, strict=True):
        try:
            check_buffers(column.chunks)
        except (ValueError, LookupError, NotImplementedError) as error:
            message = f"the column {name!r} is damaged: {first_line(error)}"
            raise InputError([Problem(message, source, code="IO010")]) from None


def first_line(error: Exception) -> str:
    """Return the first line of an error of pyarrow; the rest is about its internals."""
    return (str(error).partition("\n")[0] or type(error).__name__)[:160]


def _records(fields: dict[str, Sequence[Any]]) -> list[Record]:
    texts, gold_texts = fields.pop("texts", None), fields.pop("gold_texts", None)
    spans = fields.pop("span", None)
    for name in sorted(fields.keys() & OBJECTS):
        fields[name] = [_parse_object(value) for value in fields[name]]
    records = [dict(zip(fields, row, strict=True)) for row in zip(*fields.values(), strict=True)]
    for name in OPTIONAL:
        for record in records if None in fields.get(name, ()) else ():
            if record[name] is None:
                del record[name]
    _add_texts(records, "results", texts, _add_text)
    _add_texts(records, "ground_truth", gold_texts, _add_group_texts)
    for record, span in zip(records, spans or (), strict=False):
        if span is not None and len(span) == 2:
            record["start"], record["end"] = span
    return records


def _parse_object(metadata: Any) -> Any:
    """Return metadata that is JSON text as an object; other text stays for the schema to reject."""
    if not isinstance(metadata, str):
        return metadata
    try:
        return orjson.loads(metadata)
    except orjson.JSONDecodeError:
        return metadata


def _add_texts(
    records: list[Record],
    field: str,
    texts: Sequence[Any] | None,
    add: Callable[[list[Any], list[Any]], list[Any]],
) -> None:
    """Add to the results or groups of each record the texts from a column of their own."""
    for record, contents in zip(records, texts or (), strict=False):
        name = next(name for name in record if CANONICAL.get(name) == field)
        if record[name] and contents:
            record[field] = add(record.pop(name), contents)


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
