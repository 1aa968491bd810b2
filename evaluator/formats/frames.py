"""Data frames and other tables in memory as records: pandas, polars, Arrow, Hugging Face.

Frames are read through their Arrow stream (``__arrow_c_stream__``). A pandas frame that cannot
export one (nested arrays in object columns, values of several types) is read cell by cell.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import isnan
from typing import Any

from groupwise.evaluator.errors import InputError, Problem
from groupwise.evaluator.formats.mapping.long_table import read_long_table
from groupwise.evaluator.formats.mapping.table_fields import open_columns
from groupwise.evaluator.formats.opening import check_role, recognise_rows
from groupwise.evaluator.reading.arrow import arrow, read_rows, refuse_damaged, split_large
from groupwise.evaluator.reading.detection import Sample
from groupwise.evaluator.reading.layout import lacks_columns, layout_of
from groupwise.evaluator.reading.options import AS_IT_IS, Options, Record
from groupwise.evaluator.reading.records import Records
from groupwise.evaluator.reading.tables import (
    ROWS_PER_BATCH,
    ReadColumns,
    ReadRows,
    RowRecords,
)
from groupwise.schemas import FIELD_NAMES
from groupwise.schemas.values import as_list, describe

CHUNKS = "__arrow_c_stream__"


def is_frame(value: Any) -> bool:
    """Whether this is a table: an Arrow stream, a pandas frame, or a Hugging Face data set."""
    return hasattr(value, CHUNKS) or _is_pandas(value) or _is_rows(value)


def _is_rows(value: Any) -> bool:
    """Whether this is a Hugging Face data set: rows to iterate over, with names of columns."""
    return hasattr(value, "column_names") and not hasattr(value, CHUNKS)


def _is_pandas(value: Any) -> bool:
    return type(value).__module__.startswith("pandas") and hasattr(value, "columns")


def frame_records(frame: Any, name: str, options: Options = AS_IT_IS) -> Records:
    """Return the rows of a frame as records; the options say which column is which field.

    A frame may also be in long form, with the columns of CSV, or have those of a published data
    set, as the Hugging Face Hub has them.

    Raises:
        InputError: This is not a frame, or a column is missing or has the wrong type.
    """
    if _is_rows(frame):
        return row_records(frame, name, options)
    if _is_pandas(frame):
        return _pandas_records(frame, name, options)
    if not hasattr(frame, CHUNKS):
        message = f"expected a table with an Arrow stream ({CHUNKS}), got {describe(frame)}"
        raise InputError([Problem(message, name)])
    return _arrow_records(_to_table(frame, name), name, options)


def _to_table(frame: Any, name: str) -> Any:
    pa = arrow("pyarrow", name)
    return frame if isinstance(frame, pa.Table) else pa.table(frame)


def _arrow_records(table: Any, name: str, options: Options) -> Records:
    def read_columns(columns: list[str]) -> ReadRows:
        used = table.select(columns)
        refuse_damaged(used, name)
        return lambda size: (
            read_rows(part, name)
            for batch in used.to_batches(max_chunksize=size)
            for part in split_large(batch, name)
        )

    return _open(table.schema.names, None, read_columns, name, options, table.schema)


def _open(
    names: list[str],
    holds_single: Callable[[str], bool] | None,
    read: ReadColumns,
    name: str,
    options: Options,
    schema: Any = None,
) -> Records:
    """Return rows of a known format, or those with our columns or mapped fields."""
    known = _read_known(names, read, name, options) if may_be_known(names, options) else None
    return known or open_columns(names, holds_single, read, name, options, schema)


def _pandas_records(frame: Any, name: str, options: Options) -> Records:
    if frame.index.name in FIELD_NAMES["id"] and frame.index.name not in frame.columns:
        frame = frame.reset_index()  # it is named like a query id
    names = [*map(str, frame.columns)]
    if not options.fields and not may_be_known(names, options):
        frame = frame[layout_of(names, name, options).names]
    try:
        table = _to_table(frame, name) if hasattr(frame, CHUNKS) else None
    except (InputError, TypeError, ValueError, NotImplementedError):
        table = None  # cells that Arrow has no type for, or no pyarrow
    if table is not None:
        return _arrow_records(table, name, options)
    names = [*map(str, frame.columns)]
    cells = (frame.iloc[:, number].tolist() for number in range(len(names)))
    rows = [dict(zip(names, row, strict=True)) for row in zip(*cells, strict=True)]
    return _mapping_records(rows, names, name, options)


def _is_single(cells: Iterable[Any]) -> bool:
    """Whether the first cell that is not empty is a text or a whole number, and not a list."""
    first = next((cell for cell in map(_to_lists, cells) if cell is not None), None)
    return isinstance(first, str) or type(first) is int


def _to_lists(cell: Any) -> Any:
    """Return a cell with all its arrays as lists, and NaN as None."""
    cell = as_list(cell)
    if isinstance(cell, list):
        return [_to_lists(part) for part in cell]
    if isinstance(cell, dict):
        return {name: _to_lists(part) for name, part in cell.items()}
    return None if isinstance(cell, float) and isnan(cell) else cell


def row_records(rows: Iterable[Any], name: str, options: Options = AS_IT_IS) -> Records:
    """Return rows that are mappings as records, such as those of a Hugging Face data set.

    Raises:
        InputError: A row is not a mapping, or a column is missing.
    """
    held = list(rows)
    for number, row in enumerate(held, 1):
        if not isinstance(row, Mapping):
            message = f"expected a row, a mapping of columns to values; got {describe(row)}"
            raise InputError([Problem(message, name, number)])
    names = list(getattr(rows, "column_names", None) or (held[0] if held else ()))
    return _mapping_records(held, names, name, options)


def _mapping_records(
    held: Sequence[Mapping[str, Any]], names: list[str], name: str, options: Options
) -> Records:
    def holds_single(column: str) -> bool:
        return _is_single(row.get(column) for row in held)

    def read_columns(columns: list[str]) -> ReadRows:
        return lambda size: (
            [{column: _to_lists(row.get(column)) for column in columns} for row in rows]
            for rows in (held[start : start + size] for start in range(0, len(held), size))
        )

    return _open(names, holds_single, read_columns, name, options)


def may_be_known(names: list[str], options: Options) -> bool:
    """Whether columns are not ours, so that rows may be those of another format."""
    is_named = bool(options.fields) or options.role == "corpus"
    return not is_named and lacks_columns(names, options.role)


def _read_known(names: list[str], read: ReadColumns, name: str, options: Options) -> Records | None:
    """Return rows in long form, or those of a published data set; None for others."""
    first: Record = next((rows[0] for rows in read(names)(ROWS_PER_BATCH) if rows), {})
    sample = Sample(name, b"", row=first)
    if (found := recognise_rows(sample)) is None:
        return None
    if found.convert_rows is None:
        return read_long_table(name, names, read, options.role)
    check_role(found, sample, options.role)
    return found.convert_rows(RowRecords(name, read(names)), options)
