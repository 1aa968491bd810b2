"""Corpora in plain text: CSV or TSV with a header, and lists of ids."""

from collections.abc import Iterator
from itertools import chain, islice
from typing import BinaryIO, TypeVar

from groupwise.evaluator.errors import InputError, Problem
from groupwise.evaluator.formats.registry import Format
from groupwise.evaluator.reading.csv import Row, read_csv
from groupwise.evaluator.reading.detection import JSON_SUFFIXES, Sample, suffix_of
from groupwise.evaluator.reading.lines import read_lines
from groupwise.evaluator.reading.records import Batch, FileRecords, NumberedBatch, Reading
from groupwise.schemas.values import DOCUMENT_NAMES, names_in

ROWS_PER_BATCH = 4096
SPAN_CELLS = ("document", "start", "end")
LONGEST_HEADER = 1 << 16
DIGITS = 19
"""Offsets have fewer digits."""
Item = TypeVar("Item")


class IdList(FileRecords):
    """A list with one id per line."""

    typed_ids = False

    def batches(self, reading: Reading) -> Iterator[Batch]:
        """Yield documents that have an id only."""
        with self.source.open() as stream:
            for rows in _batch(_read_texts(stream, self.name, reading)):
                yield NumberedBatch([{"id": text} for _, text in rows], [n for n, _ in rows])


class TextTable(FileRecords):
    """Rows under a header; in tab-separated values, quotes have no special meaning."""

    typed_ids = False

    def batches(self, reading: Reading) -> Iterator[Batch]:
        """Yield the columns of ids, texts and spans; rows of another width are problems."""
        with self.source.open() as stream:
            rows = self._read_rows(stream, reading)
            header = next(rows, (1, []))[1]
            columns = self._find_columns(header)
            for some in _batch(rows):
                whole = [row for row in some if len(row[1]) == len(header)]
                if len(whole) < len(some):
                    reading.problems += self._describe_others(some, len(header))
                if whole:
                    records = [
                        {field: _read_cell(field, cells[at]) for field, at in columns.items()}
                        for _, cells in whole
                    ]
                    yield NumberedBatch(records, [number for number, _ in whole])

    def _read_rows(self, stream: BinaryIO, reading: Reading) -> Iterator[Row]:
        if suffix_of(self.name) == ".csv" or self._has_commas():
            return read_csv(stream, self.name)
        lines = _read_texts(stream, self.name, reading)
        return ((number, text.split("\t")) for number, text in lines)

    def _has_commas(self) -> bool:
        """Whether a file without a suffix that says so has commas between its columns."""
        if suffix_of(self.name) == ".tsv":
            return False
        with self.source.open() as stream:
            header = stream.readline(LONGEST_HEADER).decode("utf-8", "replace")
        return "\t" not in header and _has_columns(header, ",", 2)

    def _describe_others(self, rows: list[Row], width: int) -> Iterator[Problem]:
        for number, cells in rows:
            if len(cells) != width:
                message = f"expected {width} cells, as in the header, got {len(cells)}"
                yield Problem(message, self.name, number, 1, code="IO008")

    def _find_columns(self, header: list[str]) -> dict[str, int]:
        names = [name.strip().lower() for name in header]
        found = names_in(names)
        if "id" not in found:
            known = ", ".join(DOCUMENT_NAMES["id"])
            message = f"the header names no id; its column is one of {known}"
            raise InputError([Problem(message, self.name, 1, 1, code="IO008")])
        wanted = ("id", "text", *SPAN_CELLS) if self.options.texts else ("id", "text")
        return {field: names.index(found[field]) for field in wanted if field in found}


def _read_cell(field: str, cell: str) -> str | int | None:
    """Return a cell; of a span a whole number where it is one, and None where it is blank."""
    if field not in SPAN_CELLS:
        return cell
    text = cell.strip()
    is_offset = field != "document" and text.isascii() and text.isdigit() and len(text) < DIGITS
    return int(text) if is_offset else text or None


def _batch(items: Iterator[Item]) -> Iterator[list[Item]]:
    while some := list(islice(items, ROWS_PER_BATCH)):
        yield some


def _read_texts(stream: BinaryIO, name: str, reading: Reading) -> Iterator[tuple[int, str]]:
    """Yield the lines that are not blank, with their numbers."""
    lines = chain.from_iterable(read_lines(stream, name, reading.problems))
    for number, text in enumerate(lines, 1):
        if text and not text.isspace():
            yield number, text.removesuffix("\r")


def _looks_like_table(sample: Sample) -> bool:
    if sample.suffix in (".csv", ".tsv"):
        return True
    header = sample.lines[0].decode("utf-8", "replace") if sample.lines else ""
    return _has_columns(header, "\t", 1) or _has_columns(header, ",", 2)


def _has_columns(header: str, separator: str, known: int) -> bool:
    """Whether a line has several cells, and so many known names, an id among them."""
    cells = header.split(separator)
    found = names_in({name.strip().lower() for name in dict.fromkeys(cells)})
    return len(cells) > 1 and "id" in found and len(found) >= known


def _looks_like_ids(sample: Sample) -> bool:
    return bool(sample.lines) and not sample.is_json and sample.suffix not in JSON_SUFFIXES


FORMATS = (
    Format(
        "csv-corpus", "CSV or TSV corpus", frozenset({"corpus"}), frozenset({"text"}),
        "`id, text` (or other names of these) in a header, or `document, start, end`; other "
        "columns are ignored", "",
        (".csv", ".tsv"), _looks_like_table, TextTable, ids="the column of ids",
    ),
    Format(
        "id-list", "list of ids", frozenset({"corpus"}), frozenset(),
        "an id per line", "", (), _looks_like_ids, IdList, ids="the line",
    ),
)  # fmt: skip
