"""Judging sheets read back: CSV as spreadsheets save it, or a JSON object per line."""

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from groupwise.evaluator.errors import InputError, Problem, Problems
from groupwise.evaluator.reading.csv import SEPARATORS, decode_cell, name_columns, read_csv
from groupwise.evaluator.reading.detection import take_sample
from groupwise.evaluator.reading.foreign import describe_foreign
from groupwise.evaluator.reading.jsonl import JsonLines
from groupwise.evaluator.reading.records import Batch, Reading
from groupwise.evaluator.reading.source import Source
from groupwise.evaluator.text import is_formula, plural, quote, suggest
from groupwise.schemas.judging import COLUMNS, VERDICTS, Sheet
from groupwise.schemas.values import describe

REQUIRED = ("query", "candidate", "group", "verdict")
NUMBER = re.compile(r"(\d{1,9})(?:[.,]0*)?")
"""A whole number; where some cells of a column are empty, programs write 1 as 1.0."""


class SheetRow(NamedTuple):
    """A row of a sheet: ids as text, the group counted from 0, and the line that it stands on."""

    query: str
    candidate: str
    group: int | None = None
    text: str = ""
    judge: str = ""
    verdict: str | None = None
    line: int | None = None


@dataclass
class FilledSheet:
    """The rows of a sheet that has been read, under the name of its file.

    ``first`` is the number of the first group in it: 1 in CSV, 0 in JSON.
    """

    name: str
    first: int
    rows: list[SheetRow] = field(default_factory=list)
    warnings: tuple[str, ...] = ()

    @property
    def judged(self) -> list[SheetRow]:
        """The rows with a verdict."""
        return [row for row in self.rows if row.verdict]


def read_sheet(given: str | os.PathLike[str] | Sheet) -> FilledSheet:
    """Return the rows of a judging sheet.

    Raises:
        InputError: It cannot be read, lacks a column, or has cells that say nothing known; all
            problems are listed, with their lines.
    """
    if isinstance(given, Sheet):
        return FilledSheet("sheet", 0, list(_list_given(given)))
    source = Source(given)
    sample = take_sample(source)
    if message := describe_foreign(sample.start):
        raise InputError([Problem(f"{message}; save the sheet as CSV", source.name)])
    is_json = sample.text.startswith((b"{", b"["))
    return _SheetReader(source).read_json() if is_json else _SheetReader(source).read_csv()


def _list_given(sheet: Sheet) -> Iterator[SheetRow]:
    for number, row in enumerate(sheet.rows, 1):
        yield SheetRow(
            row.query, str(row.candidate), row.group, row.text or "", row.judge or "",
            row.verdict, number,
        )  # fmt: skip


def refuse_filled_sheet(path: str | os.PathLike[str]) -> None:
    """Raise an InputError if a file is a sheet with verdicts, which a new sheet would replace.

    Any other file is somebody's choice.
    """
    count = 0
    if Path(path).is_file():
        with suppress(InputError):
            count = len(read_sheet(path).judged)
    if count:
        message = f"{plural(count, 'verdict')} in this sheet would be lost"
        hint = "apply the sheet first, or write to another file"
        raise InputError([Problem(f"{message}; {hint}", os.fspath(path))])


class _SheetReader:
    """Reads the rows of one file, and collects what is wrong with them."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._problems = Problems()
        self._ignored: dict[str, None] = {}

    def read_csv(self) -> FilledSheet:
        """Return the rows of a table, whatever separates its cells."""
        with self._source.open() as stream:
            rows = read_csv(stream, self._source.name, SEPARATORS)
            header = [name.lower() for name in name_columns(next(rows, (1, []))[1])]
            self._check_header(header)
            whole = list(self._pad_rows(rows, header))
        rows_of_sheet = (
            self._check(line, dict(zip(header, cells, strict=False)), _CsvCells())
            for line, cells in whole
        )
        return self._finish(rows_of_sheet, first=1)

    def _check_header(self, header: list[str]) -> None:
        """Raise an InputError for a first line that lacks a column, or has one twice."""
        for name in REQUIRED:
            if name not in header:
                near = suggest(name, header, otherwise=" ").strip()
                hint = f"; {near}" if near else f", got {quote(', '.join(header))}"
                message = f"no column {name!r}; expected {', '.join(COLUMNS)}{hint}"
                raise InputError([Problem(message, self._source.name, 1)])
        for name in COLUMNS:
            if header.count(name) > 1:
                raise InputError([Problem(f"two columns {name!r}", self._source.name, 1)])
        self._ignored.update(dict.fromkeys(name for name in header if name not in COLUMNS))

    def _pad_rows(
        self, rows: Iterable[tuple[int, list[str]]], header: list[str]
    ) -> Iterator[tuple[int, list[str]]]:
        """Yield rows with a cell per column: spreadsheets leave out empty ones at the end."""
        for line, cells in rows:
            blank = [""] * (len(header) - len(cells))
            if any(cells[len(header) :]):
                message = f"expected {plural(len(header), 'cell')}, got {len(cells)}"
                self._problems.add(Problem(message, self._source.name, line))
            elif any(map(str.strip, cells)):
                yield line, [*cells, *blank]

    def read_json(self) -> FilledSheet:
        """Return the rows of JSON Lines."""
        reading = Reading()
        found = []
        for batch in JsonLines(self._source).batches(reading):
            for number, value in enumerate(batch.values):
                found.append(self._take_object(value, batch, number))
        reading.move_to(self._problems)
        return self._finish(found, first=0)

    def _take_object(self, value: Any, batch: Batch, number: int) -> SheetRow | None:
        if not isinstance(value, Mapping) or any(name not in value for name in REQUIRED):
            self._problems.add(self._describe_value(value, batch, number))
            return None
        self._ignored.update(dict.fromkeys(name for name in value if name not in COLUMNS))
        return self._check(batch.place(number, ())[0], value, _JsonCells())

    def _describe_value(self, value: Any, batch: Batch, number: int) -> Problem:
        """Return the problem of a value that is no object with all the fields of a row."""
        if isinstance(value, Mapping):
            lacking = next(name for name in REQUIRED if name not in value)
            hint = suggest(lacking, value, otherwise=" ").strip()
            message = f"no field {lacking!r}{f'; {hint}' if hint else ''}"
        else:
            message = f"expected an object with {', '.join(COLUMNS)}; got {describe(value)}"
        return Problem(message, self._source.name, batch.place(number, ())[0])

    def _check(
        self, line: int, cells: Mapping[str, Any], kind: "_CsvCells | _JsonCells"
    ) -> SheetRow | None:
        """Return a row; None if it is wrong, which is then a problem."""
        try:
            return SheetRow(
                _refuse_blank("query", kind.read_id("query", cells["query"])),
                _refuse_blank("candidate", kind.read_id("candidate", cells["candidate"])),
                kind.read_group(cells["group"]),
                kind.read_text("text", cells.get("text")),
                kind.read_text("judge", cells.get("judge")),
                _read_verdict(kind.read_text("verdict", cells["verdict"])),
                line,
            )
        except ValueError as error:
            self._problems.add(Problem(str(error), self._source.name, line))
            return None

    def _finish(self, rows: Iterable[SheetRow | None], first: int) -> FilledSheet:
        """Return the sheet, or raise all problems at once."""
        found = [row for row in rows if row is not None]
        self._problems.raise_if_any()
        ignored = ", ".join(map(quote, self._ignored))
        warnings = (f"{self._source.name}: ignored columns: {ignored}",) if ignored else ()
        return FilledSheet(self._source.name, first, found, warnings)


class _CsvCells:
    """Cells of a table: everything is text, and groups are counted from 1."""

    def read_id(self, name: str, cell: str) -> str:
        try:
            return decode_cell(cell)
        except ValueError as error:
            raise ValueError(f"{name}: {error}") from None

    def read_text(self, name: str, cell: str | None) -> str:
        if name != "judge":
            return _bare((cell or "").strip())
        try:
            return decode_cell(cell or "")
        except ValueError:
            return (cell or "").strip()

    def read_group(self, cell: str) -> int | None:
        match = NUMBER.fullmatch(cell.strip())
        if match and int(match[1]):
            return int(match[1]) - 1
        if not cell.strip():
            return None
        raise ValueError(f"group: expected a number from 1 on, or nothing; got {quote(cell)}")


class _JsonCells:
    """Values of JSON: groups are counted from 0."""

    def read_id(self, name: str, value: Any) -> str:
        if isinstance(value, str) or type(value) is int:
            return str(value)
        raise ValueError(f"{name}: expected a string or a whole number, got {describe(value)}")

    def read_text(self, name: str, value: Any) -> str:
        if value is not None and not isinstance(value, str):
            raise ValueError(f"{name}: expected a string or null, got {describe(value)}")
        return (value or "").strip() if name != "text" else value or ""

    def read_group(self, value: Any) -> int | None:
        is_whole = type(value) is int or (isinstance(value, float) and value.is_integer())
        if value is None or (is_whole and value >= 0):
            return None if value is None else int(value)
        raise ValueError(f"group: expected a number from 0 on, or null; got {describe(value)}")


def _bare(text: str) -> str:
    """Return text without the apostrophe that keeps a spreadsheet from reading a formula."""
    return text[1:] if text.startswith("'") and is_formula(text[1:]) else text


def _refuse_blank(name: str, text: str) -> str:
    if not text.strip():
        raise ValueError(f"{name}: expected an id, got nothing")
    return text


def _read_verdict(text: str) -> str | None:
    verdict = text.lower()
    if verdict and verdict not in VERDICTS:
        raise ValueError(f"verdict: expected yes, no or nothing, got {quote(text)}")
    return verdict or None
