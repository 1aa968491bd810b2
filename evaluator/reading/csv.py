"""CSV and TSV: rows with their lines, wide tables as records, and ids in the cells of spreadsheets.

Spreadsheets turn text into numbers, dates and formulas, and may read UTF-8 as something else. An id
that could suffer is written as a JSON string in ASCII, in quotes; all others as they are.
"""

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import chain, islice
from typing import BinaryIO, TypeAlias

from groupwise.evaluator.errors import InputError, Problem
from groupwise.evaluator.reading.limits import CELLS, describe_large, find_record_limit
from groupwise.evaluator.reading.lines import BLOCK_BYTES, decode_blocks
from groupwise.evaluator.reading.records import Batch, FileRecords, NumberedBatch, Reading
from groupwise.evaluator.text import shorten

SEPARATORS = "\t,;"
ROWS_PER_BATCH = 256
SHOWN_ROW = 80
LARGE_TEXT = 1 << 20
LINE = re.compile(r"[^\r\n]*+(?:\r\n?|\n|\Z)")
Row: TypeAlias = tuple[int, list[str]]
"""The number of a line, and its cells."""
SAFE = re.compile(r"[A-Za-z_/](?:[ -~]*[!-~])?|0|[1-9][0-9]{0,14}")
"""ASCII that begins like a word, or a whole number of as many digits as a spreadsheet keeps."""
MEANT_OTHERWISE = re.compile(
    r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*[ ./-]?[0-9]{1,4}"
    r"|true|false|na|n/a|nan|null|none|inf(?:inity)?",
    re.IGNORECASE,
)
"""What programs read as a date, a truth value, or as nothing."""
HALF = re.compile("[\ud800-\udfff]")


def read_csv(stream: BinaryIO, name: str, separators: str = ",") -> Iterator[Row]:
    """Yield the rows that are not blank, each with the line on which it begins.

    The separator is the one that the first line has most of.

    Raises:
        InputError: This is not CSV, or not UTF-8, or a row is too long.
    """
    texts, line, longest = decode_blocks(stream, name), 1, find_record_limit()
    csv.field_size_limit(max(longest, csv.field_size_limit()))  # of the process
    first = next(texts, "")
    separator = max(separators, key=re.split(r"[\r\n]", first, maxsplit=1)[0].count)

    def read_lines() -> Iterator[str]:
        begun, size, cells = line, 0, 0
        for text in chain([first], texts):
            if begun != line:
                begun, size, cells = line, 0, 0
            size += len(text)
            cells += text.count(separator)
            if size > longest + BLOCK_BYTES or cells > CELLS.default:
                message = describe_large("a row", f" or {CELLS.shown}")
                raise InputError([Problem(message, name, line, code="IO010")])
            yield from _split_text(f"{text}\n")

    reader = csv.reader(read_lines(), delimiter=separator, strict=True)
    try:
        for cells in reader:
            if cells:
                yield line, cells
            line = reader.line_num + 1
    except csv.Error as error:
        message = f"not CSV from here on: {error}"
        raise InputError([Problem(message, name, line, 1, code="IO008")]) from None


def _split_text(text: str) -> Iterator[str]:
    """Return lines with their ends; a carriage return ends a line as well."""
    if len(text) < LARGE_TEXT:
        return io.StringIO(text, newline="")
    return (found[0] for found in LINE.finditer(text) if found[0])  # in less memory


class CsvTable(FileRecords):
    """The lines of a table as objects; every cell is text, and an empty one is an empty text."""

    typed_ids = False

    def batches(self, reading: Reading, size: int = ROWS_PER_BATCH) -> Iterator[Batch]:
        """Yield the lines; one with more or fewer cells than the first line is a problem."""
        with self.source.open() as stream:
            rows = read_csv(stream, self.name, SEPARATORS)
            header = name_columns(next(rows, (1, []))[1])
            while some := list(islice(rows, size)):
                batch = NumberedBatch([], numbers := [])
                for line, cells in some:
                    if len(cells) == len(header):
                        batch.values.append(dict(zip(header, cells, strict=True)))
                        numbers.append(line)
                    elif any(cells):
                        reading.report(self._describe_uneven(len(header), line, cells))
                yield batch

    def _describe_uneven(self, width: int, line: int, cells: list[str]) -> Problem:
        text = shorten(",".join(cells), SHOWN_ROW)
        message = f"expected {width} cells, as in the first line, got {len(cells)} in {text!r}"
        return Problem(message, self.name, line, code="IO008")


def name_columns(header: Iterable[str]) -> list[str]:
    """Return the names in the first line of a table, without surrounding space."""
    return [name.strip() for name in header]


def read_first_rows(start: bytes, name: str, count: int) -> list[list[str]]:
    """Return the first rows in the beginning of a file; fewer if it is no table, or cut there."""
    rows: list[list[str]] = []
    with suppress(InputError):
        for _, cells in islice(read_csv(io.BytesIO(start), name, SEPARATORS), count):
            rows.append(cells)
    return rows


def encode_cell(text: str) -> str:
    r"""Return an id as the text of a cell.

    >>> encode_cell("doc-1"), encode_cell("=1+1"), encode_cell("007")
    ('doc-1', '"=1+1"', '"007"')
    """
    is_safe = SAFE.fullmatch(text) and not MEANT_OTHERWISE.fullmatch(text)
    return text if is_safe and "##[" not in text else json.dumps(text).replace("##[", "##\\u005b")


def decode_cell(cell: str) -> str:
    r"""Return the id that the text of a cell stands for, without surrounding space.

    Raises:
        ValueError: The cell begins with a quote and is not a JSON string, or one with half a
            character (a lone surrogate).

    >>> decode_cell(' doc-1 '), decode_cell('"=1+1"')
    ('doc-1', '=1+1')
    """
    text = cell.strip()
    if not text.startswith('"'):
        return text
    with suppress(ValueError):
        value = json.loads(text)
        if isinstance(value, str) and not HALF.search(value):
            return value
    raise ValueError(f"expected a JSON string, such as {json.dumps('a')}, got {cell!r}")
