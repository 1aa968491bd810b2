"""JSON Lines: one record per line, read and released in blocks of lines."""

import io
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any, BinaryIO, TypeAlias

import jiter
import orjson

from groupwise.evaluator.errors import InputError, Problem
from groupwise.evaluator.reading.diagnosis import explain
from groupwise.evaluator.reading.limits import ITEM_BYTES, describe_large, has_many_values
from groupwise.evaluator.reading.lines import read_block, split_lines
from groupwise.evaluator.reading.records import Batch, FileRecords, JsonForm, Reading, Records
from groupwise.evaluator.reading.scan import Places, Pointer, repeated_keys
from groupwise.evaluator.reading.source import Source, is_read_once

BATCH_BYTES = 1 << 18
"""About so much text is parsed, checked and matched at a time."""
REPEATED_KEY = "IO004"
SECOND_VALUE = "a second value in one line; JSON Lines has one per line, and a line ends with \\n"

parse_json: Callable[[bytes], Any] = partial(
    jiter.from_json, allow_inf_nan=False, cache_mode="keys", catch_duplicate_keys=True
)
"""Parses JSON; ValueError if it is broken, nested deeper than 200 levels, or repeats a key."""


State: TypeAlias = tuple[int, int, int, int]


@dataclass
class LineBatch(Batch):
    """Records of lines, with the numbers of these."""

    values: list[Any]
    lines: Sequence[bytes]
    numbers: Sequence[int]
    keys: list[str] | None = None
    _last: tuple[int, Places] | None = None

    def place(self, number: int, pointer: Pointer) -> tuple[int, int]:
        """Return line and column of what the pointer leads to."""
        if self._last is None or self._last[0] != number:
            self._last = number, Places(self.lines[number].decode())
        return self.numbers[number], self._last[1].find(pointer) + 1


class LineRange(Source):
    """Whole lines of a plain file, from one byte to another."""

    def __init__(self, source: Source, start: int, end: int, state: State) -> None:
        super().__init__(source.path)
        self.start, self.end, self.state = start, end, state

    @contextmanager
    def open(self) -> Iterator[BinaryIO]:
        """Yield the bytes of the range.

        Raises:
            InputError: The file cannot be read, or is not the one that was cut any more.
        """
        with self.explain_errors(), Path(self.path).open("rb") as file:
            if find_state(file) != self.state:
                raise InputError([Problem("the file changed while it was read", self.name)])
            file.seek(self.start)
            yield io.BufferedReader(RangeReader(file, self.end - self.start))


class RangeReader(io.RawIOBase):
    """The next bytes of a file, and no more of them than a limit."""

    def __init__(self, file: BinaryIO, left: int) -> None:
        self._file = file
        self._left = left

    def readable(self) -> bool:
        """Whether it can be read: it can."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Read the next bytes into a buffer, and return how many there were."""
        data = self._file.read(min(len(buffer), self._left))
        buffer[: len(data)] = data
        self._left -= len(data)
        return len(data)


def find_state(file: BinaryIO) -> State:
    """Return what tells an open file from another, and from itself after a change."""
    found = os.fstat(file.fileno())
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns


class JsonLines(FileRecords):
    """The records of a JSON Lines source."""

    editable: JsonForm | None = "jsonl"

    def batches(self, reading: Reading, size: int = BATCH_BYTES) -> Iterator[Batch]:
        """Yield the records of blocks of lines with about so many bytes."""
        self.line_count = 0
        with self.source.open() as stream:
            while block := read_block(stream, self.name, size):
                lines = split_lines(block)
                if has_many_values(block):
                    self._refuse_large(lines)
                batch = self._parse(lines, self.line_count + 1, reading)
                self.line_count += len(lines)
                yield batch

    def split(self, parts: int) -> Sequence[Records]:
        """Return ranges of whole lines, if this is a plain file."""
        if parts < 2 or self.source.is_copied or is_read_once(self.source.path):
            return [self]
        with self.source.open() as file:
            if self.source.is_compressed:
                return [self]
            state, borders = find_state(file), [file.tell()]
            for number in range(1, parts):
                file.seek(max(borders[-1], state[2] * number // parts, 1) - 1)
                while (text := file.readline(BATCH_BYTES)) and not text.endswith(b"\n"):
                    pass
                borders.append(file.tell())
        ranges = pairwise(sorted({*borders, state[2]}))
        found = [LineRange(self.source, start, end, state) for start, end in ranges]
        return [type(self)(each, self.options) for each in found] or [self]

    def _refuse_large(self, lines: list[bytes]) -> None:
        """Raise an InputError if a line has more values than a record may have."""
        for number, line in enumerate(lines, self.line_count + 1):
            if has_many_values(line):
                message = describe_large("a record", f" ({ITEM_BYTES} bytes or more per value)")
                raise InputError([Problem(message, self.name, number, code="IO010")])

    def _parse(self, lines: list[bytes], first: int, reading: Reading) -> LineBatch:
        try:
            values = list(map(parse_json, lines))
        except ValueError:
            return self._parse_each(lines, first, reading)
        return LineBatch(values, lines, range(first, first + len(lines)))

    def _parse_each(self, lines: list[bytes], first: int, reading: Reading) -> LineBatch:
        """Return the records line by line: blank lines are skipped, broken ones are problems."""
        batch = LineBatch([], kept := [], numbers := [])
        for number, raw in enumerate(lines, first):
            line = raw.removesuffix(b"\n")
            if not line.strip():
                continue
            try:
                value = parse_json(line)
            except ValueError:
                try:
                    value = orjson.loads(line)
                except orjson.JSONDecodeError as error:
                    reading.report(self._explain(line, number, error))
                    continue
                self._report_repeated_keys(line, number, reading)
            batch.values.append(value)
            kept.append(line)
            numbers.append(number)
        return batch

    def _explain(self, line: bytes, number: int, error: orjson.JSONDecodeError) -> Problem:
        message, place, code = explain(line, error, SECOND_VALUE)
        return Problem(message, self.name, number, place + 1, code=code)

    def _report_repeated_keys(self, line: bytes, number: int, reading: Reading) -> None:
        for key, first, later in repeated_keys(line.decode()):
            message = f"the key {key!r} is repeated (first at column {first + 1})"
            place = number, later + 1
            reading.report(Problem(message, self.name, *place, code=REPEATED_KEY))
