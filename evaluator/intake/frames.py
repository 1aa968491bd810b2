"""Data frames and other tables in memory as records: pandas, polars, Arrow, Hugging Face.

Frames are read through their Arrow stream (``__arrow_c_stream__``). A pandas frame that cannot
export one (nested arrays in object columns, values of several types) is read cell by cell.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from math import isnan
from typing import Any

from groupwise.evaluator.errors import InputError, Problem, Problems
from groupwise.evaluator.formats.known_rows import may_be_known, read_known_rows
from groupwise.evaluator.intake.checking import Intake
from groupwise.evaluator.reading.arrow import arrow
from groupwise.evaluator.reading.layout import ID, layout_of
from groupwise.evaluator.reading.options import AS_IT_IS, Options, Role
from groupwise.evaluator.reading.records import Columns, Records
from groupwise.evaluator.reading.tables import (
    ROWS_PER_BATCH,
    TableRecords,
    columns_of,
    refuse_damaged,
)
from groupwise.schemas import FIELD_NAMES, Policies, Query, RunQuery
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
        return _pandas_records(_with_index(frame), name, options)
    if not hasattr(frame, CHUNKS):
        message = f"expected a table with an Arrow stream ({CHUNKS}), got {describe(frame)}"
        raise InputError([Problem(message, name)])
    return _arrow_records(_to_table(frame, name), name, options)


def _to_table(frame: Any, name: str) -> Any:
    pa = arrow("pyarrow", name)
    return frame if isinstance(frame, pa.Table) else pa.table(frame)


def _arrow_records(table: Any, name: str, options: Options) -> Records:
    def holds_single(column: str) -> bool:
        return ID.accepts(table.schema.field(column).type)

    def rows_of(columns: list[str]) -> Callable[[], Iterator[Columns]]:
        used = table.select(columns)
        refuse_damaged(used, name)

        def rows() -> Iterator[Columns]:
            for batch in used.to_batches(max_chunksize=ROWS_PER_BATCH):
                yield columns_of(batch, name)

        return rows

    mapped = _map_fields(table.schema.names, holds_single, rows_of, name, options)
    if mapped is not None:
        return mapped
    known = read_known_rows(table.schema.names, rows_of, name, options)
    if known is not None:
        return known
    layout = layout_of(table.schema.names, name, options)
    layout.check_types(table.schema, name)
    return TableRecords(name, rows_of(layout.names), layout)


def _map_fields(
    names: list[str],
    holds_single: Callable[[str], bool],
    rows_of: Callable[[list[str]], Callable[[], Iterator[Columns]]],
    name: str,
    options: Options,
) -> Records | None:
    """Return the rows with mapped fields, if these are not whole columns."""
    if not options.fields:
        return None
    from groupwise.evaluator.formats.mapping.table_fields import map_rows  # noqa: PLC0415  (rarely needed)

    return map_rows(names, holds_single, rows_of, name, options)


def _with_index(frame: Any) -> Any:
    """Return the frame with its index as a column, if the index is named like a query id."""
    named = frame.index.name in FIELD_NAMES["id"] and frame.index.name not in frame.columns
    return frame.reset_index() if named else frame


def _pandas_records(frame: Any, name: str, options: Options) -> Records:
    names = [*map(str, frame.columns)]
    mapped = _map_fields(
        names, lambda column: _is_single(frame[column].tolist()),
        lambda columns: _slice(_read_cells(frame[columns]), len(frame)), name, options,
    )  # fmt: skip
    if mapped is not None:
        return mapped
    has_others = may_be_known(names, options)
    used = frame if has_others else frame[layout_of(names, name, options).names]
    table = _as_arrow(used) if hasattr(frame, CHUNKS) else None
    if table is not None:
        return _arrow_records(table, name, options)
    rows_of = partial(_slice_columns, _read_cells(used), len(used))
    known = read_known_rows(names, rows_of, name, options)
    if known is not None:
        return known
    layout = layout_of(names, name, options)
    return TableRecords(name, rows_of(layout.names), layout)


def _read_cells(frame: Any) -> Columns:
    return {str(name): [_to_lists(cell) for cell in frame[name].tolist()] for name in frame.columns}


def _slice_columns(
    cells: Columns, length: int, columns: list[str]
) -> Callable[[], Iterator[Columns]]:
    return _slice({column: cells[column] for column in columns}, length)


def _is_single(cells: Iterable[Any]) -> bool:
    """Whether the first cell that is not empty is a text or a whole number, and not a list."""
    first = next((cell for cell in map(_to_lists, cells) if cell is not None), None)
    return isinstance(first, str) or type(first) is int


def _as_arrow(frame: Any) -> Any:
    """Return the frame as an Arrow table; None if it cannot be converted, or without pyarrow."""
    try:
        return _to_table(frame, "")
    except (ImportError, TypeError, ValueError, NotImplementedError):
        return None


def _to_lists(cell: Any) -> Any:
    """Return a cell with all its arrays as lists, and NaN as None."""
    cell = as_list(cell)
    if isinstance(cell, list):
        return [_to_lists(part) for part in cell]
    if isinstance(cell, dict):
        return {name: _to_lists(part) for name, part in cell.items()}
    return None if isinstance(cell, float) and isnan(cell) else cell


def _slice(cells: Columns, length: int) -> Callable[[], Iterator[Columns]]:
    """Return a function that yields the cells, some rows at a time."""

    def rows() -> Iterator[Columns]:
        for start in range(0, length, ROWS_PER_BATCH):
            end = start + ROWS_PER_BATCH
            yield {column: values[start:end] for column, values in cells.items()}

    return rows


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

    def rows_of(columns: list[str]) -> Callable[[], Iterator[Columns]]:
        cells = {column: [_to_lists(row.get(column)) for row in held] for column in columns}
        return _slice(cells, len(held))

    mapped = _map_fields(
        names, lambda column: _is_single(row.get(column) for row in held), rows_of, name, options
    )
    if mapped is not None:
        return mapped
    known = read_known_rows(names, rows_of, name, options)
    if known is not None:
        return known
    layout = layout_of(names, name, options)
    return TableRecords(name, rows_of(layout.names), layout)


def queries_of_frame(
    frame: Any, role: Role, chosen: Mapping[str, str] | None, **policies: Any
) -> tuple[Query | RunQuery, ...]:
    """Return the rows of a frame as models, in their order.

    Raises:
        InputError: Rows are invalid; each problem names its row.
    """
    return _read_models(
        frame_records(frame, "frame", Options(role=role, fields=chosen or {})), role, policies
    )


def queries_of_rows(
    rows: Iterable[Any], role: Role, chosen: Mapping[str, str] | None, **policies: Any
) -> tuple[Query | RunQuery, ...]:
    """Return rows that are mappings as models, in their order.

    Raises:
        InputError: Rows are invalid; each problem names its row.
    """
    return _read_models(
        row_records(rows, "rows", Options(role=role, fields=chosen or {})), role, policies
    )


def _read_models(
    records: Records, role: Role, policies: dict[str, Any]
) -> tuple[Query | RunQuery, ...]:
    model = RunQuery if role == "run" else Query
    return Intake(records, model, Policies(**policies), Problems()).read_all()
