"""Lines of text, read in blocks and decoded, and rows of CSV with their line numbers."""

import csv
import io
import os
import re
from collections.abc import Iterable, Iterator
from itertools import chain
from threading import Lock
from typing import BinaryIO, TypeAlias

from groupwise.evaluator.errors import InputError, Problem
from groupwise.evaluator.reading.limits import CELLS, describe_large, find_record_limit

BLOCK_BYTES = 1 << 17
LOOKAHEAD_BYTES = 1 << 13
CAN_LOOK_AHEAD = hasattr(os, "pread")
SMALL_BLOCK = 1 << 20
LINE = re.compile(r"[^\r\n]*+(?:\r\n?|\n|\Z)")
Row: TypeAlias = tuple[int, list[str]]
"""The number of a line, and its cells."""


class _LongFields:
    """The limit that Python's csv module sets to a field, raised while any file is read.

    The limit is that of the process. Files are read in turn and by several threads: the first
    raises it, the last one sets it back.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._readers = 0
        self._before = 0

    def __enter__(self) -> None:
        with self._lock:
            if not self._readers:
                self._before = csv.field_size_limit(find_record_limit())
            self._readers += 1

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._readers -= 1
            if not self._readers:
                csv.field_size_limit(self._before)


LONG_FIELDS = _LongFields()


def read_blocks(stream: BinaryIO, name: str) -> Iterator[bytes]:
    """Yield whole lines, as many as fit into a block, without the last line break.

    Raises:
        InputError: A line is too long.
    """
    while block := read_block(stream, name):
        yield block.removesuffix(b"\n")


def read_block(stream: BinaryIO, name: str, size: int | None = None) -> bytes:
    """Return the next whole lines, as many as fit into a block; nothing at the end.

    Raises:
        InputError: A line is too long.
    """
    longest, size = find_record_limit(), size or BLOCK_BYTES
    block = stream.read(size + find_line_end(stream, size, min(LOOKAHEAD_BYTES, longest)))
    if block and not block.endswith(b"\n"):
        block += stream.readline(longest)
    if len(block) > longest and not block.endswith(b"\n"):
        raise _too_long(name, describe_large("a line"))
    return block


def split_lines(block: bytes) -> list[bytes]:
    """Return lines with their ends; faster than ``split``, which looks at each byte by itself."""
    return io.BytesIO(block).readlines()


def find_line_end(stream: BinaryIO, distance: int, ahead: int) -> int:
    """Return how far behind some bytes the line ends that they end in; 0 if it is not known.

    Only a plain file can be looked at, so many bytes ahead. What is read then ends with a line, and
    need not be copied to append the rest of it.
    """
    if not isinstance(file := getattr(stream, "raw", None), io.FileIO) or not CAN_LOOK_AHEAD:
        return 0
    try:
        data = os.pread(file.fileno(), ahead, stream.tell() + distance)
    except OSError:
        return 0
    return data.find(b"\n") + 1


def _too_long(name: str, message: str, line: int | None = None) -> InputError:
    return InputError([Problem(message, name, line, code="IO010")])


def read_lines(stream: BinaryIO, name: str, problems: list[Problem]) -> Iterator[list[str]]:
    """Yield lists of lines as text; a line that is not UTF-8 is a problem, and left blank."""
    first = 1
    for block in read_blocks(stream, name):
        try:
            lines = block.decode().split("\n")
        except UnicodeDecodeError:
            lines = list(_decode_each(block.split(b"\n"), first, name, problems))
        yield lines
        first += len(lines)


def _decode_each(
    lines: Iterable[bytes], first: int, name: str, problems: list[Problem]
) -> Iterator[str]:
    for number, line in enumerate(lines, first):
        try:
            yield decode_line(line, number, name)
        except InputError as error:
            problems.extend(error.problems)
            yield ""


def decode_line(line: bytes, number: int, name: str) -> str:
    """Return a line as text.

    Raises:
        InputError: It is not UTF-8.
    """
    try:
        return line.decode()
    except UnicodeDecodeError as error:
        column = len(line[: error.start].decode()) + 1
        problem = Problem(describe_byte(error), name, number, column, code="IO002")
        raise InputError([problem]) from None


def describe_byte(error: UnicodeDecodeError) -> str:
    """Return a message for a byte that is not UTF-8."""
    return f"not UTF-8: the byte {error.object[error.start]:#04x}; save the file as UTF-8"


def read_csv(stream: BinaryIO, name: str, separators: str = ",") -> Iterator[Row]:
    """Yield the rows that are not blank, each with the line on which it begins.

    The separator is the one that the first line has most of.

    Raises:
        InputError: This is not CSV, or not UTF-8, or a row is too long.
    """
    texts = _decode_blocks(stream, name)
    first, line = next(texts, ""), 1
    header = LINE.match(f"{first}\n")
    separator = max(separators, key=header[0].count if header else "".count)

    def read_lines_of_rows() -> Iterator[str]:
        """Yield lines; a row that goes on over whole blocks of them is limited."""
        begun, size, cells, longest = line, 0, 0, find_record_limit()
        for text in chain([first], texts):
            if begun != line:
                begun, size, cells = line, 0, 0
            size += len(text)
            cells += text.count(separator)
            if size > longest + BLOCK_BYTES or cells > CELLS.default:
                message = describe_large("a row", f" or {CELLS.shown}")
                raise _too_long(name, message, line)
            yield from _split_text(text)

    reader = csv.reader(read_lines_of_rows(), delimiter=separator, strict=True)
    try:
        with LONG_FIELDS:
            for cells in reader:
                if cells:
                    yield line, cells
                line = reader.line_num + 1
    except csv.Error as error:
        message = f"not CSV from here on: {error}"
        raise InputError([Problem(message, name, line, 1, code="IO008")]) from None


def _decode_blocks(stream: BinaryIO, name: str) -> Iterator[str]:
    first = 1
    for block in read_blocks(stream, name):
        try:
            text = block.decode()
        except UnicodeDecodeError:
            problems: list[Problem] = []
            list(_decode_each(block.split(b"\n"), first, name, problems))
            raise InputError(problems) from None
        yield text
        first += block.count(b"\n") + 1


def _split_text(text: str) -> Iterator[str]:
    """Return lines with their ends; a carriage return ends a line as well."""
    if len(text) < SMALL_BLOCK:
        return io.StringIO(f"{text}\n", newline="")
    return (found[0] for found in LINE.finditer(f"{text}\n") if found[0])
