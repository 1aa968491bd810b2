"""Corpora in plain text: CSV or TSV with a header, and lists of ids."""

import csv
from collections.abc import Iterator
from itertools import islice
from typing import BinaryIO, TypeAlias

from groupwise.evaluator.errors import InputError, Problem
from groupwise.evaluator.formats.registry import Format
from groupwise.evaluator.reading.detection import JSON_SUFFIXES, Sample, suffix_of
from groupwise.evaluator.reading.jsonl import LONGEST_LINE, blocks_of_lines
from groupwise.evaluator.reading.options import Options
from groupwise.evaluator.reading.records import Batch, FileRecords, Reading, Records
from groupwise.evaluator.reading.source import Source
from groupwise.evaluator.reading.tables import RowBatch
from groupwise.schemas.corpus import DOCUMENT_NAMES, names_in

ROWS_PER_BATCH = 4096
Row: TypeAlias = tuple[int, list[str]]
"""The number of a line, and its cells."""


class IdList(FileRecords):
    """One id per line, as it stands there."""

    typed_ids = False

    def batches(self, reading: Reading) -> Iterator[Batch]:
        """Yield documents that have an id only."""
        with self.source.open() as stream:
            for lines in _read_blocks(stream, self.name, reading):
                if lines:
                    yield RowBatch({"id": [*lines.values()]}, [*lines], column=1)


class TextTable(FileRecords):
    """Rows under a header; a quote in tab-separated values is a character like any other."""

    typed_ids = False

    def batches(self, reading: Reading) -> Iterator[Batch]:
        """Yield the columns of id and text; rows of another width are problems."""
        before = csv.field_size_limit(LONGEST_LINE)
        try:
            with self.source.open() as stream:
                yield from self._read(self._rows(stream, reading), reading)
        finally:
            csv.field_size_limit(before)

    def _rows(self, stream: BinaryIO, reading: Reading) -> Iterator[Row]:
        if suffix_of(self.name) == ".csv":
            return self._read_quoted(stream)
        blocks = _read_blocks(stream, self.name, reading)
        return ((number, text.split("\t")) for lines in blocks for number, text in lines.items())

    def _read(self, rows: Iterator[Row], reading: Reading) -> Iterator[Batch]:
        header = next(rows, (1, []))[1]
        columns = self._find_columns(header)
        while some := list(islice(rows, ROWS_PER_BATCH)):
            whole = [row for row in some if len(row[1]) == len(header)]
            for number, cells in some if len(whole) < len(some) else ():
                if len(cells) != len(header):
                    message = f"a row of {len(cells)} cells; the header has {len(header)}"
                    reading.problems.append(Problem(message, self.name, number, 1, code="IO008"))
            if whole:
                fields = {f: [cells[at] for _, cells in whole] for f, at in columns.items()}
                yield RowBatch(fields, [number for number, _ in whole], column=1)

    def _find_columns(self, header: list[str]) -> dict[str, int]:
        names = [name.strip().lower() for name in header]
        found = names_in(names)
        if "id" not in found:
            known = ", ".join(DOCUMENT_NAMES["id"])
            message = f"the header names no id; its column is one of {known}"
            raise InputError([Problem(message, self.name, 1, 1, code="IO008")])
        return {field: names.index(found[field]) for field in ("id", "text") if field in found}

    def _read_quoted(self, stream: BinaryIO) -> Iterator[Row]:
        """Yield the rows that are not blank, each with the line on which it begins."""
        reading, line = Reading(), 1
        reader = csv.reader(_keep_line_ends(stream, self.name, reading), strict=True)
        try:
            for cells in reader:
                if cells:
                    yield line, cells
                line = reader.line_num + 1
        except csv.Error as error:
            message = f"not CSV from here on: {error}"
            raise InputError([Problem(message, self.name, line, 1, code="IO008")]) from None


def _read_blocks(stream: BinaryIO, name: str, reading: Reading) -> Iterator[dict[int, str]]:
    """Yield the lines that are not blank by their numbers, many at a time."""
    first = 1
    for block in blocks_of_lines(stream, name):
        lines = block.split(b"\n")
        texts = ((n, _decode(line, n, name, reading)) for n, line in enumerate(lines, first))
        yield {number: text for number, text in texts if text and not text.isspace()}
        first += len(lines)


def _keep_line_ends(stream: BinaryIO, name: str, reading: Reading) -> Iterator[str]:
    """Yield all lines with their ends; one that is not UTF-8 is an error."""
    first = 1
    for block in blocks_of_lines(stream, name):
        lines = block.split(b"\n")
        for number, line in enumerate(lines, first):
            text = _decode(line, number, name, reading)
            if text is None:
                raise InputError(reading.problems)
            yield f"{text}\n"
        first += len(lines)


def _decode(line: bytes, number: int, name: str, reading: Reading) -> str | None:
    try:
        return line.removesuffix(b"\r").decode()
    except UnicodeDecodeError as error:
        message = f"not UTF-8: the byte 0x{line[error.start]:02x}; save the file as UTF-8"
        column = len(line[: error.start].decode()) + 1
        reading.problems.append(Problem(message, name, number, column, code="IO002"))
        return None


def _read_table(source: Source, _options: Options) -> Records:
    return TextTable(source)


def _read_ids(source: Source, _options: Options) -> Records:
    return IdList(source)


def _looks_like_table(sample: Sample) -> bool:
    if sample.suffix in (".csv", ".tsv"):
        return True
    header = sample.lines[0].decode("utf-8", "replace").lower().split("\t") if sample.lines else []
    return len(header) > 1 and "id" in names_in([name.strip() for name in header])


def _looks_like_ids(sample: Sample) -> bool:
    return bool(sample.lines) and not sample.is_json and sample.suffix not in JSON_SUFFIXES


FORMATS = (
    Format(
        "csv-corpus", "CSV or TSV corpus", frozenset({"corpus"}), frozenset({"text"}),
        "`id, text` (or other names of these) in a header; other columns are ignored", "",
        (".csv", ".tsv"), _looks_like_table, _read_table,
    ),
    Format(
        "id-list", "list of ids", frozenset({"corpus"}), frozenset(),
        "an id per line", "", (), _looks_like_ids, _read_ids,
    ),
)  # fmt: skip
