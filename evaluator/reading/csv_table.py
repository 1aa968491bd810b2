"""A wide table, separated by commas or tabs: a record per line, with its cells by column."""

import io
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import islice

from groupwise.evaluator.errors import InputError, Problem
from groupwise.evaluator.reading.lines import Row, read_csv
from groupwise.evaluator.reading.records import Batch, FileRecords, NumberedBatch, Reading
from groupwise.evaluator.text import shorten

SEPARATORS = "\t,;"
ROWS_PER_BATCH = 256
SHOWN_ROW = 80


class CsvTable(FileRecords):
    """The lines of a table as objects; every cell is text, and an empty one is an empty text."""

    typed_ids = False

    def batches(self, reading: Reading) -> Iterator[Batch]:
        """Yield the lines; one with more or fewer cells than the first line is a problem."""
        with self.source.open() as stream:
            rows = read_csv(stream, self.name, SEPARATORS)
            header = name_columns(next(rows, (1, []))[1])
            while some := list(islice(rows, ROWS_PER_BATCH)):
                whole = list(self._take_whole(some, len(header), reading))
                records = [dict(zip(header, cells, strict=True)) for _, cells in whole]
                yield NumberedBatch(records, [line for line, _ in whole])

    def _take_whole(self, rows: Iterable[Row], width: int, reading: Reading) -> Iterator[Row]:
        for line, cells in rows:
            if len(cells) == width:
                yield line, cells
            elif any(cells):
                reading.report(self._describe_uneven(width, line, cells))

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
