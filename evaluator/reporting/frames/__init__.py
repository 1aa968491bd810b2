"""Results as frames: tidy tables for pandas, polars and Arrow, with a type per column."""

from typing import Any

from groupwise.evaluator.errors import OptionError, Problem
from groupwise.evaluator.reporting.frames.column import Column
from groupwise.evaluator.reporting.frames.libraries import FRAMES
from groupwise.evaluator.reporting.frames.tables import TABLES
from groupwise.evaluator.text import suggest


def build_frame(subject: Any, kind: str, library: str, table: str | None) -> Any:
    """Return a table of a result as a frame of a library.

    Args:
        subject: The result.
        kind: What it is, as the registry of its forms is called.
        library: ``pandas``, ``polars`` or ``pyarrow``.
        table: The name of the table; None: the first.

    Raises:
        InputError: The library is not installed, or the data of the table is not there.
        OptionError: There is no such table.
    """
    return FRAMES[library](build_columns(subject, kind, table))


def build_columns(subject: Any, kind: str, table: str | None) -> list[Column]:
    """Return the columns of a table."""
    tables = TABLES[kind]
    name = next(iter(tables)) if table is None else table
    if name not in tables:
        hint = suggest(str(name), tables)
        raise OptionError([Problem(f"no table {name!r} of this {kind}; {hint}")])
    return list(tables[name](subject))
