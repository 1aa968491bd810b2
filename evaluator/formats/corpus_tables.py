"""Corpora that are tables: TSV and CSV with a header, lists of ids, parquet."""

import csv
import io
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from shutil import copyfileobj
from tempfile import TemporaryFile
from typing import Any, BinaryIO

from groupwise.evaluator.errors import InputError, Problem, Problems
from groupwise.evaluator.formats.corpus_documents import (
    ID_NAMES,
    CorpusBatch,
    Document,
    Texts,
    named_in,
    wrong_in,
)
from groupwise.evaluator.reading.jsonl import LONGEST_LINE, blocks_of_lines
from groupwise.evaluator.reading.source import Source
from groupwise.schemas import Id, plain_kind

ROWS_PER_BATCH = 4096


class _Table:
    """What all tables share: a source, and rows that may be no documents."""

    typed = False

    def __init__(self, source: Source) -> None:
        self.source = source
        self.name = source.name

    def _batch(
        self, ids: list[Any], texts: list[Any] | None, lines: list[int], problems: Problems
    ) -> CorpusBatch:
        sound = plain_kind(ids) is not None and set(map(type, texts or ())) <= {str, type(None)}
        if not sound:
            ids, texts, lines = self._sound(ids, texts, lines, problems)
        column = 0 if self.typed else 1
        return CorpusBatch(ids, texts, lambda number: (lines[number], column), self.typed)

    def _sound(
        self, ids: list[Any], texts: list[Any] | None, lines: list[int], problems: Problems
    ) -> tuple[list[Id], Texts | None, list[int]]:
        kept = []
        for row, (one, line) in enumerate(zip(ids, lines, strict=True)):
            wrong = wrong_in(Document(one, texts[row] if texts else None))
            if wrong:
                problems.add(self._problem(wrong.message, line, wrong.code))
            else:
                kept.append(row)
        return (
            [ids[row] for row in kept],
            [texts[row] for row in kept] if texts else None,
            [lines[row] for row in kept],
        )

    def _problem(self, message: str, line: int, code: str, column: int | None = None) -> Problem:
        return Problem(message, self.name, line, column, code=code)

    def _columns(self, header: list[str]) -> tuple[int, int | None]:
        """The places of id and text."""
        names = [name.strip().lower() for name in header]
        id_name, text_name = named_in(names)
        if id_name is None:
            message = f"the header names no id; its column is one of {', '.join(ID_NAMES)}"
            raise InputError([self._problem(message, 1, "IO008", 1)])
        return names.index(id_name), names.index(text_name) if text_name else None

    def _decoded(self, line: bytes, number: int, problems: Problems) -> str | None:
        try:
            return line.removesuffix(b"\r").decode()
        except UnicodeDecodeError as error:
            message = f"not UTF-8: the byte 0x{line[error.start]:02x}; save the file as UTF-8"
            column = len(line[: error.start].decode()) + 1
            problems.add(self._problem(message, number, "IO002", column))
            return None

    def _lines(self, problems: Problems) -> Iterator[list[tuple[int, str]]]:
        """The lines that hold anything, with their numbers, some at a time."""
        first = 1
        with self.source.open() as stream:
            for block in blocks_of_lines(stream, self.name):
                lines = block.split(b"\n")
                numbered = (
                    (n, self._decoded(one, n, problems)) for n, one in enumerate(lines, first)
                )
                yield [(number, line) for number, line in numbered if line and line.strip()]
                first += len(lines)


class IdList(_Table):
    """One id per line, as it stands there."""

    def batches(self, problems: Problems) -> Iterator[CorpusBatch]:
        """The ids of each block of lines."""
        for lines in self._lines(problems):
            if lines:
                yield self._batch([one for _, one in lines], None, [n for n, _ in lines], problems)


class TabTable(_Table):
    """Tab-separated values with a header; a quote is a character like any other."""

    def batches(self, problems: Problems) -> Iterator[CorpusBatch]:
        """The documents of each block of lines."""
        columns: tuple[int, int | None] | None = None
        width = 0
        for lines in self._lines(problems):
            rows = [(number, line.split("\t")) for number, line in lines]
            if columns is None and rows:
                header = rows.pop(0)[1]
                columns, width = self._columns(header), len(header)
            if columns is not None:
                yield from self._documents(rows, columns, width, problems)

    def _documents(
        self,
        rows: list[tuple[int, list[str]]],
        columns: tuple[int, int | None],
        width: int,
        problems: Problems,
    ) -> Iterator[CorpusBatch]:
        whole = [row for row in rows if len(row[1]) == width]
        for number, cells in (row for row in rows if len(row[1]) != width):
            message = f"a row of {len(cells)} cells; the header has {width}"
            problems.add(self._problem(message, number, "IO008", 1))
        if whole:
            yield self._of_cells(whole, columns, problems)

    def _of_cells(
        self,
        rows: list[tuple[int, list[str]]],
        columns: tuple[int, int | None],
        problems: Problems,
    ) -> CorpusBatch:
        one, text = columns
        ids = [cells[one] for _, cells in rows]
        texts = None if text is None else [cells[text] for _, cells in rows]
        return self._batch(ids, texts, [number for number, _ in rows], problems)


class CommaTable(TabTable):
    """Comma-separated values with a header, quoted as spreadsheets do."""

    def batches(self, problems: Problems) -> Iterator[CorpusBatch]:
        """The documents of each some thousand rows."""
        before = csv.field_size_limit(LONGEST_LINE)
        try:
            with self.source.open() as stream:
                yield from self._read(stream, problems)
        finally:
            csv.field_size_limit(before)

    def _read(self, stream: BinaryIO, problems: Problems) -> Iterator[CorpusBatch]:
        rows = self._rows(csv.reader(self._text(stream), strict=True))
        header = next(rows, None)
        if header is None:
            return
        columns = self._columns(header[1])
        while some := list(islice(rows, ROWS_PER_BATCH)):
            yield from self._documents(some, columns, len(header[1]), problems)

    def _rows(self, reader: Any) -> Iterator[tuple[int, list[str]]]:
        """The rows that hold anything, each with the line on which it begins."""
        line = 1
        try:
            for cells in reader:
                if cells:
                    yield line, cells
                line = reader.line_num + 1
        except csv.Error as error:
            message = f"not CSV from here on: {error}"
            raise InputError([self._problem(message, line, "IO008", 1)]) from None

    def _text(self, stream: BinaryIO) -> Iterator[str]:
        """The lines with their ends; one that is not UTF-8 is the end of the matter."""
        number, problems = 0, Problems()
        for block in blocks_of_lines(stream, self.name):
            for line in block.split(b"\n"):
                number += 1
                decoded = self._decoded(line, number, problems)
                problems.raise_if_any()
                yield f"{decoded}\n"


class Parquet(_Table):
    """The columns of a parquet file; a place is the number of a row, from 1."""

    typed = True

    def batches(self, problems: Problems) -> Iterator[CorpusBatch]:
        """The documents of each some thousand rows."""
        with self.source.open() as stream, _random_access(stream) as content:
            yield from self._read(content, problems)

    def _read(self, stream: BinaryIO, problems: Problems) -> Iterator[CorpusBatch]:
        file = self._opened(stream)
        names = file.schema_arrow.names
        one, text = self._columns(names)
        wanted = [names[one]] if text is None else [names[one], names[text]]
        row = 1
        for part in file.iter_batches(ROWS_PER_BATCH, columns=wanted):
            ids = part.column(wanted[0]).to_pylist()
            texts = None if text is None else part.column(wanted[1]).to_pylist()
            lines = list(range(row, row + len(ids)))
            yield self._batch(ids, texts, lines, problems)
            row += len(ids)

    def _opened(self, stream: BinaryIO) -> Any:
        try:
            from pyarrow import ArrowException, parquet  # noqa: PLC0415
        except ImportError:
            message = "parquet needs pyarrow; install groupwise[parquet]"
            raise InputError([Problem(message, self.name)]) from None
        try:
            return parquet.ParquetFile(stream)
        except (ArrowException, OSError) as error:
            message = f"not a parquet file: {str(error).partition('. ')[0]}"
            raise InputError([Problem(message, self.name)]) from None


@contextmanager
def _random_access(stream: BinaryIO) -> Iterator[Any]:
    """The stream, or a copy of it where it cannot be read from its end."""
    if isinstance(stream, io.BufferedReader):
        yield stream
        return
    with TemporaryFile() as copy:
        copyfileobj(stream, copy)
        copy.seek(0)
        yield copy
