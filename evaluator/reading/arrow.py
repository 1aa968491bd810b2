"""Arrow data as plain rows."""

from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

from groupwise.evaluator.errors import InputError, Problem
from groupwise.evaluator.reading.limits import ITEM_BYTES, describe_large, find_record_limit

MISSING = "this needs pyarrow, which is not installed: pip install pyarrow"
PLAIN = ("string", "large_string", "string_view", "integer", "floating", "boolean", "null")
LISTS = ("list", "large_list", "fixed_size_list")
ERRORS = (ValueError, LookupError, OverflowError, NotImplementedError)
"""What pyarrow raises for values that are damaged, or that Python does not have."""


def arrow(module: str = "pyarrow", source: str | None = None) -> Any:
    """Return pyarrow or one of its modules, imported when first needed.

    Raises:
        InputError: pyarrow is not installed.
    """
    try:
        return import_module(module)
    except ImportError:
        raise InputError([Problem(MISSING, source)]) from None


def is_type(kind: Any, *names: str) -> bool:
    """Whether an Arrow type is one of these, as far as this version of pyarrow has them."""
    checks = (getattr(arrow("pyarrow.types"), f"is_{name}", None) for name in names)
    return any(check(kind) for check in checks if check is not None)


def read_rows(batch: Any, source: str) -> list[dict[str, Any]]:
    """Return rows as records: structs without their missing fields, dates as text.

    Raises:
        InputError: A column has values that Python does not have.
    """
    columns: dict[str, list[Any]] = {}
    for name, column in zip(batch.schema.names, batch.columns, strict=True):
        try:
            values = column.to_pylist()
        except ERRORS as error:
            message = f"the column {name!r} cannot be read: {first_line(error)}"
            raise InputError([Problem(message, source, code="IO010")]) from None
        columns[name] = values if _is_plain(column.type) else [*map(_simplify, values)]
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def split_large(
    batch: Any, source: str, measure: Callable[[Any], int] = lambda _: 0
) -> Iterator[Any]:
    """Yield some rows, one by one if they are larger than a record may be.

    Args:
        batch: The rows.
        source: The name of the table, for messages.
        measure: Returns what its texts decode to, in bytes, if that is not known.

    Raises:
        InputError: A row is too large.
    """
    size = max(measure(batch), ITEM_BYTES * sum(map(_count_values, batch.columns)))
    if size <= find_record_limit():
        yield batch
    elif batch.num_rows == 1:
        message = describe_large("a row", f" ({ITEM_BYTES} bytes or more per value)")
        raise InputError([Problem(message, source, code="IO010")])
    else:
        for row in range(batch.num_rows):
            yield from split_large(batch.slice(row, 1), source, measure)


def _count_values(array: Any) -> int:
    """Return the number of values in a column: those in its lists, if it has lists."""
    while is_type(array.type, *LISTS):
        array = array.flatten()
    return len(array)


def refuse_damaged(table: Any, source: str) -> None:
    """Check the buffers of a table in memory, once: offsets, indices, nulls, UTF-8.

    pyarrow accepts buffers from anywhere without looking into them.

    Raises:
        InputError: A column is damaged; the message names it.
    """
    for name, column in zip(table.schema.names, table.columns, strict=True):
        try:
            column.validate(full=True)
        except ERRORS as error:
            message = f"the column {name!r} is damaged: {first_line(error)}"
            raise InputError([Problem(message, source, code="IO010")]) from None


def first_line(error: Exception) -> str:
    """Return the first line of an error of pyarrow; the rest is about its internals."""
    return (str(error).partition("\n")[0] or type(error).__name__)[:160]


def _is_plain(kind: Any) -> bool:
    """Whether the values of a type are texts and numbers, or lists of them."""
    while is_type(kind, *LISTS, "dictionary"):
        kind = kind.value_type
    return is_type(kind, *PLAIN)


def _simplify(value: Any) -> Any:
    """Return a value without the missing fields of structs, with dates as text."""
    if isinstance(value, dict):
        return {name: _simplify(part) for name, part in value.items() if part is not None}
    if isinstance(value, list | tuple):
        return [_simplify(part) for part in value]
    return value.isoformat() if hasattr(value, "isoformat") else value
