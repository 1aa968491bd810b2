"""The rows of a table as records, some at a time."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any

import orjson

from groupwise.evaluator.errors import InputError, Problem
from groupwise.evaluator.reading.arrow import values_of
from groupwise.evaluator.reading.layout import Layout
from groupwise.evaluator.reading.records import Batch, Columns, Reading, Records
from groupwise.evaluator.reading.scan import Pointer
from groupwise.schemas import FIELD_NAMES
from groupwise.schemas.shape import CANONICAL

ROWS_PER_BATCH = 256
"""Few enough to stay in the processor's cache from reading to matching."""

OPTIONAL = (
    "not_relevant", "answerable", "metadata", "query", "generation_gt", "hashes", "corpus",
    "document", "text",
)  # fmt: skip
Record = dict[str, Any]
PLAIN = {
    name for field in ("id", "ground_truth", "results", "scores", "query", "text")
    for name in FIELD_NAMES.get(field, (field,))
}  # fmt: skip
"""The names of fields that are in a record what they are in a column."""


class RowBatch(Batch):
    """Rows that are held in columns, and become records when they are asked for.

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
        """Return the columns, if a record would hold just what they hold."""
        held = self._fields
        whole = PLAIN.issuperset(held) and None not in held.get("query", ())
        return held if whole else None

    def place(self, number: int, _pointer: Pointer) -> tuple[int, int]:
        """Return the number of the row, and its column if it is a line."""
        return self._numbers[number], self._column

    def root(self, _number: int) -> Pointer:
        """Every row is a record of its own."""
        return ()


class TableRecords(Records):
    """The rows of a table that can be gone through more than once.

    ``rows`` gives the values of each column, some rows at a time. ``positional`` says that rows
    have no id: their place in the table stands for it.
    """

    def __init__(self, name: str, rows: Callable[[], Iterator[Columns]], layout: Layout) -> None:
        self.name = name
        self.positional = layout.positional
        self._rows = rows
        self._names = {
            field: column if CANONICAL.get(column) == field else field
            for field, column in layout.columns.items()
        }
        self._columns = layout.columns

    def batches(self, _reading: Reading) -> Iterator[Batch]:
        """Records in batches of rows; a field has its column's name where that says the field."""
        first = 1
        for rows in self._rows():
            fields = {self._names[field]: rows[column] for field, column in self._columns.items()}
            count = len(next(iter(fields.values()), ()))
            yield RowBatch(fields, range(first, first + count), positional=self.positional)
            first += count


def columns_of(rows: Any, names: Iterable[str], source: str) -> Columns:
    """The values of some columns of a batch of Arrow data."""
    return {name: _values(rows, name, source) for name in names}


def _values(rows: Any, name: str, source: str) -> Sequence[Any]:
    try:
        return values_of(rows.column(rows.schema.get_field_index(name)))
    except (ValueError, NotImplementedError) as error:
        message = f"the column {name!r} cannot be read: {_first_line(error)}"
        raise InputError([Problem(message, source, code="IO010")]) from None


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0][:200]


def _records(fields: dict[str, Sequence[Any]]) -> list[Record]:
    texts, gold_texts = fields.pop("texts", None), fields.pop("gold_texts", None)
    spans = fields.pop("span", None)
    for name in fields.keys() & {"metadata", "hashes"}:
        fields[name] = [_parsed(value) for value in fields[name]]
    records = [dict(zip(fields, row, strict=True)) for row in zip(*fields.values(), strict=True)]
    for name in OPTIONAL:
        if None in fields.get(name, ()):
            _leave_out(records, name)
    _put(records, "results", texts, _with_text)
    _put(records, "ground_truth", gold_texts, _groups_with_text)
    if spans is not None:
        _put_spans(records, spans)
    return records


def _parsed(metadata: Any) -> Any:
    """Metadata that is kept as text, in JSON; other text stays, for the schema to refuse."""
    if not isinstance(metadata, str):
        return metadata
    try:
        return orjson.loads(metadata)
    except orjson.JSONDecodeError:
        return metadata


def _leave_out(records: list[Record], name: str) -> None:
    for record in records:
        if record[name] is None:
            del record[name]


def _put(
    records: list[Record],
    field: str,
    texts: Sequence[Any] | None,
    joined: Callable[[list[Any], list[Any]], list[Any]],
) -> None:
    """Give each record's results or groups the texts that stand in a column of their own."""
    for record, contents in zip(records, texts or (), strict=False):
        name = next(one for one in record if CANONICAL.get(one) == field)
        if record[name] and contents:
            record[field] = joined(record.pop(name), contents)


def _with_text(ids: list[Any], texts: list[Any]) -> list[Any]:
    """Documents in full, each with its text; where the numbers differ, there is none to give."""
    if len(ids) != len(texts):
        return ids
    pairs = zip(ids, texts, strict=True)
    return [one if text is None else {"id": one, "text": text} for one, text in pairs]


def _groups_with_text(groups: list[Any], texts: list[Any]) -> list[Any]:
    if len(groups) != len(texts) or not all(isinstance(one, list) for one in (*groups, *texts)):
        return groups
    return [_with_text(*pair) for pair in zip(groups, texts, strict=True)]


def _put_spans(records: list[Record], spans: Sequence[Any]) -> None:
    for record, span in zip(records, spans, strict=True):
        if span is not None and len(span) == 2:
            record["start"], record["end"] = span
