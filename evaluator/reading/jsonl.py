"""JSON Lines: one record per line, read and released in blocks of lines."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import jiter
import orjson

from groupwise.evaluator.errors import Problem
from groupwise.evaluator.reading.diagnosis import explain
from groupwise.evaluator.reading.lines import read_block, split_lines
from groupwise.evaluator.reading.ranges import FileRange, cut_lines
from groupwise.evaluator.reading.records import Batch, FileRecords, JsonForm, Reading, Records
from groupwise.evaluator.reading.scan import Places, Pointer, repeated_keys

BATCH_BYTES = 1 << 18
"""About so much text is parsed, checked and matched at a time."""
REPEATED_KEY = "IO004"
SECOND_VALUE = "a second value in one line; JSON Lines has one per line, and a line ends with \\n"

parse_json: Callable[[bytes], Any] = partial(
    jiter.from_json, allow_inf_nan=False, cache_mode="keys", catch_duplicate_keys=True
)
"""Parses JSON; ValueError if it is broken, nested deeper than 200 levels, or repeats a key."""


@dataclass
class LineBatch(Batch):
    """Records of lines, with the numbers of these."""

    values: list[Any]
    lines: Sequence[bytes]
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

    def batches(self, reading: Reading, size: int = BATCH_BYTES) -> Iterator[Batch]:
        """Yield the records of blocks of lines with about so many bytes."""
        self.line_count = 0
        with self.source.open() as stream:
            while block := read_block(stream, self.name, size):
                lines = split_lines(block)
                batch = self._parse(lines, self.line_count + 1, reading)
                batch.lines_before = self.lines_before
                self.line_count += len(lines)
                yield batch

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
        return Problem(message, self.name, self.lines_before() + number, place + 1, code=code)

    def _report_repeated_keys(self, line: bytes, number: int, reading: Reading) -> None:
        for key, first, later in repeated_keys(line.decode()):
            message = f"the key {key!r} is repeated (first at column {first + 1})"
            place = self.lines_before() + number, later + 1
            reading.report(Problem(message, self.name, *place, code=REPEATED_KEY))
