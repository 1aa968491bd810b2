"""JSON Lines that know how far they have been read, and go on from there.

What is skipped is not parsed, but its bytes are compared, by their checksum, with those that were
read before. CRC-32 finds changes by accident, at a fortieth of the time that evaluating takes.
"""

from collections import deque
from collections.abc import Iterator, Mapping
from typing import Any, BinaryIO, NamedTuple
from zlib import crc32

from groupwise.evaluator.errors import InputError, Problem
from groupwise.evaluator.reading.jsonl import JsonLines, count_on
from groupwise.evaluator.reading.lines import read_blocks
from groupwise.evaluator.reading.records import Batch, Reading

SKIPPED_AT_ONCE = 1 << 20
CHANGED = (
    "the first {count:,} bytes are not those that {journal} was begun with; evaluate the file as "
    "it was, or name another journal"
)


class Position(NamedTuple):
    """A place between two records.

    Attributes:
        start: The bytes before the block of lines that it is in.
        line: The number of the first line of that block.
        rows: The records of that block that come before it.
        end: The bytes that have been read.
        checksum: Their checksum.
    """

    start: int = 0
    line: int = 1
    rows: int = 0
    end: int = 0
    checksum: int = 0

    @classmethod
    def read(cls, spelled: Any) -> "Position":
        """Return a position from a journal."""
        return cls(*map(int, spelled))


class Mark(NamedTuple):
    """Where a block of lines begins: in bytes, lines and records."""

    start: int
    line: int
    rows: int


class TrackedLines(JsonLines):
    """The records of a JSON Lines source, from a position on.

    Any further pass reads it from the beginning, as it is.
    """

    def __init__(self, lines: JsonLines, journal: str) -> None:
        super().__init__(lines.source, lines.options)
        self._journal = journal
        self._first = Position()
        self._expected: deque[tuple[int, int]] = deque()
        self._is_begun = False
        self._bytes, self._line, self._rows = 0, 1, 0
        self._checksum = 0
        self._marks: deque[Mark] = deque()

    def begin_at(self, first: Position, read: Mapping[int, int]) -> None:
        """Begin at a position; ``read`` has the checksums to expect, by the bytes they are of."""
        self._first = first
        self._expected = deque(sorted((end, read[end]) for end in read if end >= first.start))

    def locate(self, rows: int) -> Position:
        """Return the position after so many of the records that were read in this pass."""
        while len(self._marks) > 1 and self._marks[1].rows <= rows:
            self._marks.popleft()
        read = self._bytes, self._checksum
        if rows >= self._rows:
            return Position(self._bytes, self._line, 0, *read)
        mark = self._marks[0]
        return Position(mark.start, mark.line, rows - mark.rows, *read)

    def batches(self, reading: Reading) -> Iterator[Batch]:
        """Yield blocks of records, with line numbers."""
        if self._is_begun:
            yield from super().batches(reading)
            return
        self._is_begun = True
        with self.source.open() as stream:
            self._skip(stream)
            for block in read_blocks(stream, self.name):
                batch = self._take(block, reading)
                del block
                yield batch
                del batch
        self._refuse_missing()

    def _take(self, block: bytes, reading: Reading) -> Batch:
        """Return the records of a block of lines, and note where it begins."""
        mark, lines = Mark(self._bytes, self._line, self._rows), block.split(b"\n")
        self._read(block)
        self._read(b"\n")  # also after a last line that has none
        batch = self._parse(lines, count_on(self._line, lines), reading)
        self._line += len(lines)
        self._rows += len(batch.values)
        self._marks.append(mark)
        return batch

    def _skip(self, stream: BinaryIO) -> None:
        """Read up to the position without parsing."""
        while rest := self._first.start - self._bytes:
            data = stream.read(min(rest, SKIPPED_AT_ONCE))
            if not data and rest > 1:
                self._refuse_missing()
            self._read(data or b"\n")
        self._line = self._first.line

    def _read(self, data: bytes) -> None:
        """Add bytes to the checksum; compare it wherever it is known."""
        while self._expected and self._expected[0][0] <= self._bytes + len(data):
            end, checksum = self._expected.popleft()
            known, data = data[: end - self._bytes], data[end - self._bytes :]
            self._add(known)
            if self._checksum != checksum:
                raise self._describe_change(end)
        self._add(data)

    def _add(self, data: bytes) -> None:
        self._checksum = crc32(data, self._checksum)
        self._bytes += len(data)

    def _refuse_missing(self) -> None:
        """Raise an InputError if the source ends before what was read of it."""
        if self._expected:
            raise self._describe_change(self._expected[0][0])

    def _describe_change(self, count: int) -> InputError:
        message = CHANGED.format(count=count, journal=self._journal)
        return InputError([Problem(message, self.name)])
