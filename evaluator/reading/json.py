"""JSON documents, record by record: a list, a map by query id, a fixture, or a single record.

A window of text slides over the document. The decoder of the standard library finds where a value
ends, and each record is then parsed by itself, as a line of JSON Lines is.
"""

from codecs import getincrementaldecoder
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from json import JSONDecodeError, JSONDecoder
from math import isfinite
from typing import Any, BinaryIO

import orjson

from groupwise.evaluator.errors import InputError, Problem
from groupwise.evaluator.reading.detection import detect_document_form, take_sample
from groupwise.evaluator.reading.diagnosis import (
    DEEPEST,
    REPEATED_KEY,
    SECOND_DOCUMENT,
    explain,
)
from groupwise.evaluator.reading.limits import describe_large, find_record_limit, has_many_values
from groupwise.evaluator.reading.lines import describe_byte
from groupwise.evaluator.reading.options import AS_IT_IS, Options
from groupwise.evaluator.reading.records import Batch, FileRecords, JsonForm, Reading
from groupwise.evaluator.reading.scan import (
    Places,
    Pointer,
    place_deeper_than,
    repeated_keys,
    skip_space,
)
from groupwise.evaluator.reading.source import Source
from groupwise.evaluator.text import cut, json_pointer

PIECE_BYTES = 1 << 18
"""About so much text is parsed, checked and matched at a time."""
LONGEST_TOKEN = 16
"""Text that is cut within a token ends at most so many characters behind what parses."""
SHOWN_KEYS = 80
CLOSING = {"[": "]", "{": "}"}
WHOLE_NUMBERS = range(-(1 << 63), 1 << 64)


class RepeatedKeyError(Exception):
    """An object has a key twice."""


def _read_float(text: str) -> float:
    value = float(text)
    if not isfinite(value):
        raise ValueError("a number out of range")
    return value


def _read_int(text: str) -> float:
    """Return a whole number; one beyond 64 bits is a float, as most parsers read it."""
    value = int(text)
    return value if value in WHOLE_NUMBERS else _read_float(text)


def _read_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise RepeatedKeyError
    return value


NUMBERS: dict[str, Any] = {
    "parse_constant": _read_float,
    "parse_float": _read_float,
    "parse_int": _read_int,
}
STRICT = JSONDecoder(**NUMBERS, object_pairs_hook=_read_object)
LENIENT = JSONDecoder(**NUMBERS)


class Fault(Exception):  # noqa: N818  (becomes a problem of the input)
    """What makes a document invalid; nothing behind it is read."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem)
        self.problem = problem


@dataclass(frozen=True)
class Excerpt:
    """A part of a document, and the line and column where it begins."""

    name: str
    text: str = ""
    line: int = 1
    column: int = 1

    @cached_property
    def places(self) -> Places:
        """The places of values in the text."""
        return Places(self.text)

    def locate(self, place: int) -> tuple[int, int]:
        """Return line and column of a place in the text."""
        line, column = self.places.line_and_column(place)
        return self.line + line - 1, column + (self.column - 1 if line == 1 else 0)

    def fault(self, message: str, place: int, code: str = "IO001") -> Fault:
        """Return a fault at a place in the text."""
        return Fault(Problem(message, self.name, *self.locate(place), code=code))

    def explain(self, place: int, opening: str = "", end: int | None = None) -> Fault:
        """Return why the value that begins at a place is no JSON; a bracket may be put before."""
        raw = f"{opening}{self.text[place:end]}".encode()
        try:
            orjson.loads(raw)
        except orjson.JSONDecodeError as error:
            message, behind, code = explain(raw, error)
            behind = max(0, behind - len(opening))
            if behind > find_record_limit():
                return self.fault(describe_large("a record"), place, "IO010")
            return self.fault(message, place + behind, code)
        deep = place_deeper_than(self.text[place:end], DEEPEST)
        return self.fault(f"nested deeper than {DEEPEST} levels", place + (deep or 0), "IO007")


class Window:
    """The part of a document that is in memory, and how far it has been read."""

    def __init__(self, stream: BinaryIO, name: str, size: int) -> None:
        self.excerpt = Excerpt(name)
        self.place = 0
        self._stream = stream
        self._size = size
        self._limit = find_record_limit()
        self._decoder = getincrementaldecoder("utf-8")()
        self._is_complete = False
        self._damage: UnicodeDecodeError | None = None
        self._repeating: int | None = None

    def fill(self) -> None:
        """Drop what has been read, and read as much as is left, or a piece."""
        rest = self.excerpt.text[self.place :]
        if len(rest) > self._limit + LONGEST_TOKEN or has_many_values(rest):
            raise self.excerpt.fault(describe_large("a record"), self.place, "IO010")
        text = rest + self._read(max(self._size, len(rest)))
        lines = self.excerpt.text.count("\n", 0, self.place)
        column = self.place - self.excerpt.text.rfind("\n", 0, self.place)
        if not lines:
            column = self.excerpt.column + self.place
        line = self.excerpt.line + lines
        self.excerpt, self.place = Excerpt(self.excerpt.name, text, line, column), 0

    def _read(self, size: int) -> str:
        """Return the next bytes as text, up to the first one that is not UTF-8."""
        raw = self._stream.read(size)
        self._is_complete = not raw
        try:
            return self._decoder.decode(raw, final=not raw)
        except UnicodeDecodeError as error:
            self._damage, self._is_complete = error, True
            return error.object[: error.start].decode()

    def next_character(self) -> str:
        """Advance to the next character that is not white space, and return it; none at the end."""
        while True:
            text = self.excerpt.text
            self.place = skip_space(text, self.place)
            if self.place < len(text):
                return text[self.place]
            if self._is_complete:
                break
            self.fill()
        self._refuse_damage()
        return ""

    def _refuse_damage(self) -> None:
        """Raise a fault if the text ends because what follows is not UTF-8."""
        if self._damage:
            place = len(self.excerpt.text)
            raise self.excerpt.fault(describe_byte(self._damage), place, "IO002") from None

    def read_value(self, opening: str = "") -> tuple[Any, int]:
        """Return the value that begins here and its place, and advance past it.

        Raises:
            Fault: It is not JSON, or larger than a record may be.
        """
        decoder = STRICT
        while True:
            text = self.excerpt.text
            try:
                value, end = decoder.raw_decode(text, self.place)
                if end <= len(text) - LONGEST_TOKEN or self._is_complete:
                    break
            except RepeatedKeyError:
                decoder = LENIENT
                continue
            except (ValueError, RecursionError) as error:
                is_cut = _may_be_cut(error, text)
                if self._is_complete and is_cut:
                    self._refuse_damage()
                if self._is_complete or not is_cut:
                    raise self.excerpt.explain(self.place, opening) from None
            self.fill()
        start, self.place = self.place, end
        self._check(value, start)
        self._repeating = start if decoder is LENIENT else None
        return value, start

    def _check(self, value: Any, start: int) -> None:
        """Raise a fault if a value is too large, nested too deep, or has half of a character."""
        if len(self.excerpt.text[start : self.place].encode("utf-8", "replace")) > self._limit:
            raise self.excerpt.fault(describe_large("a record"), start, "IO010")
        try:
            orjson.dumps(value)
        except TypeError:
            raise self.excerpt.explain(start, end=self.place) from None

    def report_repeated_keys(self, reading: Reading) -> None:
        """Report the keys that the last value repeats."""
        if (start := self._repeating) is None:
            return
        for key, first, later in repeated_keys(self.excerpt.text[start : self.place]):
            message = _describe_repeated(key, self.excerpt.locate(start + first))
            reading.report(self.excerpt.fault(message, start + later, REPEATED_KEY).problem)

    def _read_key(self, places: dict[str, tuple[int, int]] | None) -> str:
        """Return the key that begins here, and advance past its colon."""
        is_string = self.next_character() == '"'
        key, start = self.read_value("{")
        if not is_string:
            raise self.excerpt.explain(start, "{")
        if places is not None:
            if key in places:
                message = _describe_repeated(key, places[key])
                raise self.excerpt.fault(message, start, REPEATED_KEY)
            places[key] = self.excerpt.locate(start)
        if self.next_character() != ":":
            raise self.excerpt.fault("invalid JSON: ':' is missing here", self.place)
        self.place += 1
        self.next_character()
        return str(key)

    def enter(self, places: dict[str, tuple[int, int]] | None = None) -> Iterator[str]:
        """Yield the keys of the object that begins here, or a blank for each element of a list.

        The caller advances past the value before it goes on. If ``places`` are given, each key is
        put there with its line and column, and must not be there yet.
        """
        closing = CLOSING[self.next_character()]
        self.place += 1
        is_open = self.next_character() != closing
        while is_open:
            yield self._read_key(places) if closing == "}" else ""
            is_open = self.next_character() == ","
            if is_open:
                self.place += 1
                if self.next_character() == closing:
                    message = f"invalid JSON: a trailing comma before {closing!r}; remove it"
                    raise self.excerpt.fault(message, self.place)
        if (following := self.next_character()) != closing:
            missing = (
                f"',' or {closing!r} is missing here" if following else "the text ends too early"
            )
            raise self.excerpt.fault(f"invalid JSON: {missing}", self.place)
        self.place += 1

    def expect_end(self) -> None:
        """Raise a fault if there is more than white space left."""
        if self.next_character():
            raise self.excerpt.fault(SECOND_DOCUMENT, self.place)


def _describe_repeated(key: str, first: tuple[int, int]) -> str:
    return f"the key {key!r} is repeated (first at line {first[0]}, column {first[1]})"


def _may_be_cut(error: Exception, text: str) -> bool:
    """Whether text that cannot be parsed may only lack its end."""
    if not isinstance(error, JSONDecodeError):
        return False
    return error.msg.startswith("Unterminated") or error.pos >= len(text) - LONGEST_TOKEN


@dataclass
class DocumentBatch(Batch):
    """Consecutive records of a document, and where each of them is in the text."""

    excerpt: Excerpt
    way: Pointer = ()
    first: int = 0
    keys: list[str] | None = None
    values: list[Any] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    is_document: bool = False

    def place(self, number: int, pointer: Pointer) -> tuple[int, int]:
        """Return line and column of what the pointer leads to."""
        return self.excerpt.locate(self.excerpt.places.find(pointer, self.starts[number]))

    def root(self, number: int) -> Pointer:
        """Return the pointer from the whole document to a record."""
        if self.is_document:
            return ()
        return (*self.way, self.first + number if self.keys is None else self.keys[number])


def read_records(window: Window, way: Pointer, reading: Reading) -> Iterator[DocumentBatch]:
    """Yield the elements of the list, or the values of the object, that begins here.

    Those that are in memory at once are a batch.
    """
    is_map = window.next_character() == "{"
    batch = DocumentBatch(window.excerpt, way, 0, [] if is_map else None)
    try:
        for key in window.enter():
            value, start = window.read_value("" if is_map else "[")
            if window.excerpt is not batch.excerpt:
                if batch.values:
                    yield batch
                first = batch.first + len(batch.values)
                batch = DocumentBatch(window.excerpt, way, first, [] if is_map else None)
            window.report_repeated_keys(reading)
            batch.values.append(value)
            batch.starts.append(start)
            if batch.keys is not None:
                batch.keys.append(key)
    except Fault:
        if batch.values:
            yield batch
        raise
    if batch.values:
        yield batch


class Document(FileRecords):
    """The records of one JSON document; subclasses say which parts of it these are."""

    def batches(self, reading: Reading, size: int = PIECE_BYTES) -> Iterator[Batch]:
        """Yield the records of pieces of about so many bytes.

        Raises:
            InputError: The document is broken.
        """
        take_sample(self.source)
        with self.source.open() as stream:
            window = Window(stream, self.name, size)
            try:
                yield from self._read(window, reading)
                window.expect_end()
            except Fault as fault:
                raise InputError([fault.problem]) from None

    def _read(self, window: Window, reading: Reading) -> Iterator[Batch]:
        raise NotImplementedError


class JsonDocument(Document):
    """The records of a list, a map by query id or a fixture; or the document as one record.

    With ``whole`` it is one record, whatever it looks like. In the role of a corpus it holds
    documents: a list, a map of texts by id, or one document.
    """

    editable: JsonForm | None = "json"

    def __init__(self, source: Source, options: Options = AS_IT_IS, *, whole: bool = False) -> None:
        super().__init__(source, options)
        self._whole = whole

    def _read(self, window: Window, reading: Reading) -> Iterator[Batch]:
        start = take_sample(self.source).text.decode("utf-8", "replace")
        form = "record" if self._whole else detect_document_form(start, self.options.role)
        if form in ("list", "map"):
            yield from read_records(window, (), reading)
        elif form == "fixture":
            yield from _read_fixture(window, reading)
        else:
            window.next_character()
            value, place = window.read_value()
            window.report_repeated_keys(reading)
            excerpt = window.excerpt
            window.expect_end()
            yield DocumentBatch(excerpt, values=[value], starts=[place], is_document=True)


def _read_fixture(window: Window, reading: Reading) -> Iterator[Batch]:
    """Yield the queries of a fixture; its other fields go into the head."""
    for key in window.enter(reading.places):
        if key != "queries":
            reading.head[key], _ = window.read_value()
            window.report_repeated_keys(reading)
        elif window.next_character() == "[":
            yield from read_records(window, ("queries",), reading)
        else:
            raise window.excerpt.fault("expected a list of records in 'queries'", window.place)


class WrappedDocument(Document):
    """The elements of a list, or the values of an object, that keys lead to."""

    def __init__(self, source: Source, steps: Sequence[str], options: Options = AS_IT_IS) -> None:
        super().__init__(source, options)
        self._steps = tuple(steps)

    def _read(self, window: Window, reading: Reading) -> Iterator[Batch]:
        return self._enter(window, reading, self._steps, ())

    def _enter(
        self, window: Window, reading: Reading, steps: tuple[str, ...], way: tuple[str, ...]
    ) -> Iterator[Batch]:
        """Yield the records that the steps lead to; a key may have all steps in it."""
        opening = window.next_character()
        where = window.excerpt.locate(window.place)
        if opening not in CLOSING or (steps and opening == "["):
            expected = "an object" if steps else "a list of records"
            raise self._refuse(f"expected {expected} here", way, where)
        if not steps:
            yield from read_records(window, way, reading)
            return
        places: dict[str, tuple[int, int]] = {}
        found: list[str] = []
        for key in window.enter(places):
            if key not in (".".join(steps), steps[0]):
                window.read_value()
                window.report_repeated_keys(reading)
                continue
            if found:
                message = f"both {found[0]!r} and {key!r} may lead to the records; rename one"
                raise self._refuse(message, way, places[key])
            found.append(key)
            rest = () if key == ".".join(steps) else steps[1:]
            yield from self._enter(window, reading, rest, (*way, key))
        if not found:
            shown = f"there are {cut(', '.join(places), SHOWN_KEYS)}"
            there = shown if places else "the object is empty"
            raise self._refuse(f"no {steps[0]!r} here; {there}", way, where)

    def _refuse(self, message: str, way: tuple[str, ...], where: tuple[int, int]) -> Fault:
        return Fault(Problem(message, self.name, *where, None, json_pointer(way), "IO008"))


def read_json_file(file: str | Source, role: str, expected: str = "") -> Any:
    """Return the value in a small JSON file.

    Args:
        file: Its path, or what it is read from.
        role: What it is for, such as ``the baseline``.
        expected: What a message says in addition, such as ``; expected a list``.

    Raises:
        InputError: The file cannot be read, is not JSON, or repeats a key.
    """
    reading = Reading()
    source = file if isinstance(file, Source) else Source(file)
    try:
        (batch,) = JsonDocument(source, whole=True).batches(reading)
    except InputError as error:
        problem = error.problems[0]
        reason = problem.message.removeprefix("invalid JSON: ")
        is_read = problem.code not in ("", "IO010")
        message = f"not JSON: {reason}{expected}" if is_read else f"cannot read {role}: {reason}"
        raise InputError([problem._replace(message=message)]) from None
    reading.refuse()
    return batch.values[0]
