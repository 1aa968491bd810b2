"""Ranges of whole lines in a file, so that several processes read parts of it side by side.

Only a plain file is cut: compressed data and pipes can be read from their beginning only.
"""

import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any, BinaryIO, cast

from groupwise.evaluator.errors import InputError, Problem
from groupwise.evaluator.processes.attention import pay_attention
from groupwise.evaluator.reading.meter import watch_file
from groupwise.evaluator.reading.source import UTF8_MARK, Source

CHANGED = "the file changed while it was read"
COUNTED_BYTES = 1 << 20

State = tuple[int, int, int, int]
"""What tells a file from another, and from itself after a change."""


class FileRange(Source):
    """Whole lines of a plain file, from one byte to another; can be pickled.

    Reading fails if the file is not the one that was cut any more.
    """

    def __init__(self, path: str, start: int, end: int, state: State) -> None:
        super().__init__(path)
        self.start = start
        self.end = end
        self._state = state

    @property
    def size(self) -> int:
        """The number of bytes in the range."""
        return self.end - self.start

    @contextmanager
    def open(self) -> Iterator[BinaryIO]:
        """Yield the bytes of the range.

        Raises:
            InputError: The file cannot be read, or has changed.
        """
        with self.explain_errors(), Path(self.path).open("rb", buffering=1 << 16) as file:
            self._refuse_changed(file)
            file.seek(self.start)
            with watch_file(self.path, file, self.start, self.size):
                yield cast("BinaryIO", RangeStream(file, self.size))
            self._refuse_changed(file)

    @cached_property
    def lines_before(self) -> int:
        """The number of lines before the range; they are counted when first asked for."""
        with self.explain_errors(), Path(self.path).open("rb", buffering=0) as file:
            self._refuse_changed(file)
            stream = RangeStream(file, self.start)
            return sum(
                block.count(b"\n") for block in iter(lambda: stream.read(COUNTED_BYTES), b"")
            )

    def _refuse_changed(self, file: BinaryIO) -> None:
        if read_state(file) != self._state:
            raise InputError([Problem(CHANGED, self.name)])


class RangeStream:
    """The next bytes of a file, and no more of them than a limit."""

    def __init__(self, file: BinaryIO, size: int) -> None:
        self._file = file
        self._left = size

    @property
    def raw(self) -> Any:
        """The file itself, without a buffer."""
        return getattr(self._file, "raw", self._file)

    def tell(self) -> int:
        """Return where the file stands."""
        return self._file.tell()

    def read(self, size: int) -> bytes:
        """Return the next bytes, at most so many; none at the end."""
        pay_attention()
        data = self._file.read(min(size, self._left))
        self._left -= len(data)
        return data

    def readline(self, size: int) -> bytes:
        """Return the rest of the line, at most so many bytes of it."""
        data = self._file.readline(min(size, self._left))
        self._left -= len(data)
        return data

    def readlines(self, size: int) -> list[bytes]:
        """Return the next lines, of about so many bytes; the range must end with a line."""
        pay_attention()
        if self._left < 2:  # a hint of 0 would mean all lines
            return [line] if (line := self.readline(1)) else []
        lines = self._file.readlines(min(size, self._left - 1))
        self._left -= sum(map(len, lines))
        return lines


def read_state(file: BinaryIO) -> State:
    """Return what tells an open file from another, and from itself after a change."""
    return _describe(os.fstat(file.fileno()))


def find_state(source: Source) -> State:
    """Return what tells the file of a source from another, and from itself after a change."""
    with source.explain_errors():
        return _describe(Path(source.path).stat())


def _describe(found: os.stat_result) -> State:
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns


def cut_lines(source: Source, shares: Sequence[int]) -> list[FileRange]:
    """Return ranges of whole lines that make up a source, in about these shares or fewer.

    None if the source cannot be cut: it is a pipe, compressed, or in memory.

    Raises:
        InputError: It cannot be read.
    """
    if len(shares) < 2 or not is_plain_file(source):
        return []
    with source.open():
        first = len(UTF8_MARK) if source.marked else 0
    if source.is_compressed:
        return []
    with source.explain_errors(), Path(source.path).open("rb") as file:
        state = read_state(file)
        borders = _find_borders(file, first, state[2], shares)
    return [FileRange(source.path, *each, state) for each in pairwise(borders)]


def is_plain_file(source: Source) -> bool:
    """Whether the bytes of a source are those of a regular file, which can be opened again."""
    if source.path == "-" or source.is_copied or source.is_compressed:
        return False
    try:
        return stat.S_ISREG(Path(source.path).stat().st_mode)
    except OSError:
        return False


def _find_borders(file: BinaryIO, first: int, size: int, shares: Sequence[int]) -> list[int]:
    """Return where ranges begin and end: after the line breaks next to their shares."""
    borders, total = [first], sum(shares)
    for share in accumulate(shares[:-1]):
        aim = first + (size - first) * share // total
        if aim > borders[-1]:
            file.seek(aim - 1)
            borders.append(_end_line(file))
    return sorted({*borders, size})


def _end_line(file: BinaryIO) -> int:
    """Return where the line ends that a file stands in, however long it is."""
    while (part := file.readline(COUNTED_BYTES)) and not part.endswith(b"\n"):
        pass
    return file.tell()
