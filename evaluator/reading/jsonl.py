"""JSON Lines: one record per line, read in blocks of lines and released block by block."""

import io
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, BinaryIO, TypeAlias

import orjson

from groupwise.evaluator.errors import Problem
from groupwise.evaluator.native.loader import walk
from groupwise.evaluator.reading.diagnosis import explain
from groupwise.evaluator.reading.duplicate_keys import (
    REPEATED_KEY,
    may_repeat_keys,
    report_repeated_keys,
)
from groupwise.evaluator.reading.hopeless import drop_hopeless
from groupwise.evaluator.reading.limits import find_record_limit
from groupwise.evaluator.reading.lines import BLOCK_BYTES, read_block, split_lines
from groupwise.evaluator.reading.packing import PACKED_BYTES, Packer, count_rows
from groupwise.evaluator.reading.ranges import FileRange, RangeStream, cut_lines
from groupwise.evaluator.reading.records import (
    Batch,
    FileRecords,
    JsonForm,
    NumberedLines,
    Reading,
    Records,
)
from groupwise.evaluator.reading.scan import Places, Pointer
from groupwise.evaluator.reading.sorting import SortedLines
from groupwise.evaluator.reading.unparsed import UnparsedBatch

NOT_UTF8 = "IO002"
INVALID_JSON = "IO001"
SECOND_VALUE = "a second value in one line; JSON Lines has one per line, and a line ends with \\n"
SOME_LINES = 256
"""So many lines are looked at together, if any of a block is broken."""
Take: TypeAlias = Callable[[int], tuple[Batch, int]]
"""Returns the records of a block whose first line has a number, and how many lines there are."""


@dataclass
class LineBatch(Batch):
    """Records of consecutive lines."""

    values: list[Any]
    lines: list[bytes]
    numbers: Sequence[int]
    keys: list[str] | None = None
    lines_before: Callable[[], int] = int
    _last: tuple[int, Places] | None = None

    def place(self, number: int, pointer: Pointer) -> tuple[int, int]:
        """Return line and column of what the pointer leads to."""
        if self._last is None or self._last[0] != number:
            self._last = number, Places(self.lines[number].decode())
        return self.lines_before() + self.numbers[number], self._last[1].find(pointer) + 1


class JsonLines(FileRecords):
    """The records of a JSON Lines source."""

    editable: JsonForm | None = "jsonl"
    counts_from_here: bool = False

    def batches(self, reading: Reading) -> Iterator[Batch]:
        """Yield blocks of records, with line numbers."""
        first = 1
        with self.source.open() as stream:
            for take in self._read_blocks(stream, reading):
                batch, count = take(first)
                del take
                self.line_count = first + count - 1
                yield batch
                del batch
                first += count

    def _read_blocks(self, stream: BinaryIO, reading: Reading) -> Iterator[Take]:
        """Yield blocks: a function of the number of its first line takes each."""
        if reading.is_quiet:
            for block in iter(lambda: read_block(stream, self.name, PACKED_BYTES), b""):
                yield partial(self._take_unparsed, block)
        yield from self._read_packed(stream, reading)
        known = may_pack_more(reading)
        for lines in self._lines(stream):
            yield partial(self._take_lines, lines, reading)
            if known != (now := may_pack_more(reading)):
                known = now
                yield from self._read_packed(stream, reading)

    def _read_packed(self, stream: BinaryIO, reading: Reading) -> Iterator[Take]:
        """Yield blocks as long as packing them pays.

        Records that repeat keys are packed only if that needs no description: the order of all
        problems depends on the size of blocks.
        """
        packer = Packer(parse_lines, lines=True, wanted=reading.columns)
        while packer.pays and (block := read_block(stream, self.name, PACKED_BYTES)):
            yield partial(self._take_block, block, reading, packer)

    def split(self, parts: int | Sequence[int]) -> Sequence[Records]:
        """Return ranges of lines, if this is a plain file."""
        ranges = cut_lines(self.source, [1] * parts if isinstance(parts, int) else parts)
        return [type(self)(each, self.options) for each in ranges] or [self]

    def count_from_here(self) -> Records:
        """Return the same lines, the first of which has the number 1."""
        lines = type(self)(self.source, self.options)
        lines.counts_from_here = True
        return lines

    def lines_before(self) -> int:
        """Return the number of lines before the first, if this is a part of a file."""
        if self.counts_from_here or not isinstance(self.source, FileRange):
            return 0
        return self.source.lines_before

    def _lines(self, stream: BinaryIO) -> Iterator[list[bytes]]:
        """Yield lists of lines; where there is little to read, no line can be too long.

        Splitting blocks takes a little longer: it copies every line once more.
        """
        is_whole = isinstance(stream, io.BufferedReader | RangeStream)
        if is_whole and 0 < self.source.size <= find_record_limit():
            yield from iter(lambda: stream.readlines(BLOCK_BYTES), [])
        else:
            yield from map(split_lines, iter(lambda: read_block(stream, self.name), b""))

    def _take_unparsed(self, block: bytes, first: int) -> tuple[Batch, int]:
        """Return the records of a block, which are parsed when they are asked for."""

        def parse() -> Batch:
            lines = split_lines(block)
            return self._parse(lines, count_on(first, lines), Reading.quiet())

        return UnparsedBatch(block, parse), block.count(b"\n") + (not block.endswith(b"\n"))

    def _take_block(
        self, block: bytes, reading: Reading, packer: Packer, first: int
    ) -> tuple[Batch, int]:
        """Return the records of a block, with packed rankings if they are plain, and its lines."""
        lossy = reading.is_full(REPEATED_KEY)
        if reading.sorts and (found := packer.sort_out(block, lossy=lossy)):
            return self._build_sorted(block, found, reading, packer, first), len(found.rest)
        if columns := packer.pack(block, lossy=lossy):

            def parse() -> Batch:
                lines = split_lines(block)
                return self._parse(lines, count_on(first, lines), Reading.quiet())

            if packer.lost:
                lines = split_lines(block)
                self._report_repeated([(first + row, lines[row]) for row in packer.lost], reading)
            return packer.build_batch(columns, parse), count_rows(columns)
        return self._take_lines(split_lines(block), reading, first)

    def _build_sorted(
        self, block: bytes, found: SortedLines, reading: Reading, packer: Packer, first: int
    ) -> Batch:
        """Return the records of a block, some of which are packed."""

        def parse() -> Batch:
            return self._parse(split_lines(block), count_on(first, found.rest), reading)

        def cut(rows: Sequence[int]) -> NumberedLines:
            chosen = sorted([*found.odd, *(found.rows[row] for row in rows)])
            self._report_lost(block, found, {*chosen}, reading, first)
            numbers = [first + row for row in chosen]
            return NumberedLines(found.cut_lines(block, chosen), numbers, self._parse)

        return packer.build_batch(found.columns, parse, cut, found.odd)

    def _report_lost(
        self, block: bytes, found: SortedLines, cut: set[int], reading: Reading, first: int
    ) -> None:
        """Report the keys that lines in columns repeat; those that are cut are parsed again."""
        rows = [row for row in found.lost if row not in cut]
        lines = zip(rows, found.cut_lines(block, rows), strict=True)
        self._report_repeated([(first + row, line) for row, line in lines], reading)

    def _take_lines(self, lines: list[bytes], reading: Reading, first: int) -> tuple[Batch, int]:
        return self._parse(lines, count_on(first, lines), reading), len(lines)

    def _parse(self, lines: list[bytes], numbers: Sequence[int], reading: Reading) -> LineBatch:
        try:
            batch = LineBatch(list(map(orjson.loads, lines)), lines, numbers)
        except orjson.JSONDecodeError:
            batch = self._parse_each(lines, numbers, reading)
        batch.lines_before = self.lines_before
        if not reading.is_quiet and may_repeat_keys(batch.lines, batch.values):
            lost = walk.find_lost_keys(batch.lines, batch.values)
            repeating = [(batch.numbers[row], batch.lines[row]) for row in lost]
            self._report_repeated(repeating, reading)
        return batch

    def _parse_each(self, lines: list[bytes], given: Sequence[int], reading: Reading) -> LineBatch:
        """Return the records line by line: blank lines are skipped, broken ones are problems."""
        values, kept, numbers = [], [], []
        for number, line in self._list_lines(lines, given, reading):
            try:
                value = orjson.loads(line)
            except orjson.JSONDecodeError as error:
                if reading.is_full(NOT_UTF8) and not _is_utf8(line):
                    reading.counts[NOT_UTF8] += 1
                else:
                    reading.report(self._explain(line, number, error))
                continue
            values.append(value)
            kept.append(line)
            numbers.append(number)
        return LineBatch(values, kept, numbers)

    def _list_lines(
        self, lines: list[bytes], numbers: Sequence[int], reading: Reading
    ) -> Iterator[tuple[int, bytes]]:
        """Yield the lines that are not blank, without those that need no description."""
        for start in range(0, len(lines), SOME_LINES):
            some = (line.removesuffix(b"\n") for line in lines[start : start + SOME_LINES])
            numbered = zip(numbers[start : start + SOME_LINES], some, strict=True)
            listed = [pair for pair in numbered if pair[1] and not pair[1].isspace()]
            if reading.is_full(INVALID_JSON):
                listed, dropped = drop_hopeless(listed)
                reading.counts[INVALID_JSON] += dropped
            yield from listed

    def _explain(self, line: bytes, number: int, error: orjson.JSONDecodeError) -> Problem:
        message, place, code = explain(line, error, SECOND_VALUE)
        return Problem(message, self.name, self.lines_before() + number, place + 1, code=code)

    def _report_repeated(self, lines: list[tuple[int, bytes]], reading: Reading) -> None:
        """Report the keys that lines repeat, which come with their numbers."""
        for number, line in lines:
            report_repeated_keys(line, reading, partial(self._describe_repeated, number))

    def _describe_repeated(self, number: int, key: str, first: int, later: int) -> Problem:
        message = f"the key {key!r} is repeated (first at column {first + 1})"
        row = self.lines_before() + number
        return Problem(message, self.name, row, later + 1, code=REPEATED_KEY)


def _is_utf8(line: bytes) -> bool:
    try:
        line.decode()
    except UnicodeDecodeError:
        return False
    return True


def count_on(first: int, lines: Sequence[bytes]) -> range:
    """Return the numbers of consecutive lines."""
    return range(first, first + len(lines))


def may_pack_more(reading: Reading) -> tuple[bool, bool]:
    """Return what decides whether blocks can be packed that could not be before."""
    return reading.sorts, reading.columns and reading.is_full(REPEATED_KEY)


def parse_lines(block: bytes) -> list[Any]:
    """Return the value of each line."""
    return [*map(orjson.loads, io.BytesIO(block))]
