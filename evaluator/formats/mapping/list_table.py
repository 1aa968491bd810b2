"""Lines of CSV or TSV as the records of a published shape: some of their columns hold lists."""

from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from typing import Any

from groupwise.evaluator.formats.mapping.mapped_records import MappedRecords, Unfit
from groupwise.evaluator.reading.csv import CsvTable, name_columns, read_first_rows
from groupwise.evaluator.reading.detection import JSON_SUFFIXES, Sample
from groupwise.evaluator.reading.literals import is_literal, parse_literal
from groupwise.evaluator.reading.source import Source
from groupwise.evaluator.text import quote


class ListTable(MappedRecords):
    """The lines of a table as objects, without empty cells, with the lists in some columns."""

    def __init__(self, source: Source, lists: tuple[str, ...]) -> None:
        super().__init__(CsvTable(source), partial(_read_row, lists=lists))


def _read_row(row: Mapping[str, str], lists: tuple[str, ...]) -> dict[str, Any]:
    return {
        name: _read_list(cell, name) if name in lists and is_literal(cell) else cell
        for name, cell in row.items() if cell
    }  # fmt: skip


def _read_list(cell: str, name: str) -> Any:
    try:
        return parse_literal(cell)
    except ValueError as error:
        message = f"the column {name!r}: expected a list, got {quote(cell)}: {error}"
        raise Unfit(message, (name,)) from None


def is_table(sample: Sample) -> bool:
    """Whether a file may be CSV or TSV: it does not begin as JSON or parquet does."""
    return not sample.is_parquet and sample.suffix not in JSON_SUFFIXES and not sample.is_json


def read_first_record(sample: Sample, lists: tuple[str, ...]) -> dict[str, Any] | None:
    """Return the first line behind the header as an object; None if there is none.

    A list that cannot be read, which is for the reader to report, is a list of its text.
    """
    if not is_table(sample) or not any(name.encode() in sample.first_line for name in lists):
        return None
    rows = read_first_rows(sample.start, sample.name, 2)
    if len(rows) < 2 or len(rows[0]) != len(rows[1]):
        return None
    row = dict(zip(name_columns(rows[0]), rows[1], strict=True))
    with suppress(Unfit):
        return _read_row(row, lists)
    return {name: [cell] if name in lists else cell for name, cell in row.items() if cell}
