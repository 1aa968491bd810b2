"""One JSON document, cut into pieces at the boundaries of its records and never held whole.

A boundary is guessed by a pattern and proved by parsing: the text from a true boundary to a guessed
one parses as a list of records only if the guess is right. Where guesses fail, and at the end of
the document, records are scanned one by one. A record that is not JSON is a problem, after which
reading continues with the next one that begins like the others.
"""

import re
from collections.abc import Callable, Generator, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, BinaryIO, NamedTuple, TypeAlias

import orjson

from groupwise.evaluator.errors import InputError, Problem
from groupwise.evaluator.hits.arrays import np
from groupwise.evaluator.reading.detection import detect_document_form
from groupwise.evaluator.reading.diagnosis import SECOND_DOCUMENT, explain
from groupwise.evaluator.reading.duplicate_keys import (
    REPEATED_KEY,
    may_repeat_keys,
    report_repeated_keys,
)
from groupwise.evaluator.reading.hopeless import are_certain, is_certain
from groupwise.evaluator.reading.joining import join_small
from groupwise.evaluator.reading.limits import describe_large, find_record_limit
from groupwise.evaluator.reading.lines import BLOCK_BYTES
from groupwise.evaluator.reading.options import AS_IT_IS, Options
from groupwise.evaluator.reading.packing import PACKED_BYTES, Packer, count_rows
from groupwise.evaluator.reading.records import Batch, Columns, FileRecords, JsonForm, Reading
from groupwise.evaluator.reading.recovery import (
    Beginning,
    Unclosed,
    beginning_of,
    find_next_record,
    find_records,
    may_be_cut,
    read_beginning,
)
from groupwise.evaluator.reading.scan import (
    Places,
    Pointer,
    end_of_string,
    end_of_value,
    is_json,
    repeated_keys,
    skip_space,
)
from groupwise.evaluator.reading.source import Source

WHITE = b" \t\r\n"
GUESSES = 3
PART_BYTES = 1 << 24
PEEKED_BYTES = 1 << 20
INVALID_JSON = "IO001"
FEW_BYTES = 1 << 12
"""Up to here, an array takes longer to create than to count without one."""
LINE_BREAK = ord("\n")


class Brackets(NamedTuple):
    """The brackets around records, and a pattern for what separates two of them."""

    opening: bytes
    closing: bytes
    boundary: re.Pattern[bytes]


SPACE = re.compile(rb"[ \t\r\n]*+")
LIST = Brackets(b"[", b"]", re.compile(rb"\}\s*,\s*\{"))
MAP = Brackets(b"{", b"}", re.compile(rb'[\]}]\s*,\s*"'))
NONE = Brackets(b"", b"", re.compile(b""))


@dataclass
class PieceBatch(Batch):
    """Consecutive records of a document, with the text of a list or map of them."""

    values: list[Any]
    text: bytes
    line: int
    column: int
    keys: list[str] | None = None
    way: Pointer = ()
    first: int = 0
    is_document: bool = False

    def place(self, number: int, pointer: Pointer) -> tuple[int, int]:
        """Return line and column of what the pointer leads to."""
        step = number if self.keys is None else self.keys[number]
        return self.locate(self.places.find([step, *pointer]))

    def root(self, number: int) -> Pointer:
        """Return the pointer from the whole document to a record."""
        if self.is_document:
            return ()
        return (*self.way, self.first + number if self.keys is None else self.keys[number])

    @cached_property
    def places(self) -> Places:
        """The places in the text of the piece."""
        return Places(self.text.decode())

    def locate(self, place: int) -> tuple[int, int]:
        """Return line and column in the file of a place in the piece."""
        line, column = self.places.line_and_column(place)
        # The bracket put before the piece is not in the file.
        return self.line + line - 1, column + self.column - 2 if line == 1 else column


class JsonDocument(FileRecords):
    """The records of one JSON document: a list, a map by query id, a fixture, or one record.

    With ``whole`` it is one record, whatever it looks like. In the role of a corpus it holds
    documents: a list, a map of texts by id, or one document.
    """

    editable: JsonForm | None = "json"

    def __init__(self, source: Source, options: Options = AS_IT_IS, *, whole: bool = False) -> None:
        super().__init__(source, options)
        self._whole = whole

    def batches(self, reading: Reading) -> Iterator[Batch]:
        """Yield pieces of the document; the head of a fixture is put into ``reading``."""
        with self.source.open() as stream:
            window = Window(stream, self.name, reading)
            window.fill(PEEKED_BYTES)
            window.skip_space()
            form = "whole"
            if not self._whole:
                form = detect_document_form(window.text[window.place :], self.options.role)
            if form in ("list", "map"):
                yield from read_pieces(window, LIST if form == "list" else MAP)
            elif form == "fixture":
                yield from _read_fixture(window)
            else:
                yield _read_whole(window)
            window.expect_end()


def _read_parts(stream: BinaryIO, size: int) -> bytes:
    """Return this many bytes, or what is left; memory is taken for what there is, not for all."""
    parts = []
    while size > 0 and (part := stream.read(min(size, PART_BYTES))):
        parts.append(part)
        size -= len(part)
    return parts[0] if len(parts) == 1 else b"".join(parts)


class Window:
    """The part of a document that is in memory, and how far it has been read."""

    def __init__(self, stream: BinaryIO, name: str, reading: Reading) -> None:
        self.stream = stream
        self.name = name
        self.reading = reading
        self.buffer = b""
        self.place = 0
        self.line = 1
        self.column = 1
        self.at_end = False
        self.way: Pointer = ()
        self.records = 0
        self.example: Any = None
        self.is_faulty = False
        self.packer = Packer(orjson.loads, lines=False, wanted=reading.columns)
        self.unclosed = Unclosed()
        self.beginnings: dict[int, Beginning] = {}
        self._text: str | None = None

    def fill(self, size: int) -> None:
        """Read until this many unread bytes are in memory, or the file ends."""
        missing = size - (len(self.buffer) - self.place)
        if missing > 0 and not self.at_end:
            missing = max(missing, BLOCK_BYTES) if self.is_faulty else missing
            self.is_faulty, self.unclosed, self._text = False, Unclosed(), None
            self.beginnings = {}
            self.buffer = self.buffer[self.place :]
            more = _read_parts(self.stream, missing)
            self.at_end = len(more) < missing
            self.buffer += more
            self.place = 0

    def read_more(self, what: str) -> None:
        """Read on, until four times as much is in memory.

        Raises:
            InputError: What begins here is too large.
        """
        size = len(self.buffer) - self.place
        largest = find_record_limit()
        if size > largest:
            raise self.error(describe_large(f"a {what}"), code="IO010")
        self.fill(min(4 * size, largest + 1))

    def advance(self, to: int) -> None:
        """Advance to a place in the buffer."""
        self.line, self.column = self.locate(to)
        self.place = to

    def locate(self, to: int) -> tuple[int, int]:
        """Return line and column of a place in the buffer; a byte that is not UTF-8 is a column."""
        lines = _count_breaks(self.buffer, self.place, to)
        begin = self.buffer.rfind(b"\n", self.place, to) + 1 if lines else self.place
        last = self.buffer[begin:to]
        width = len(last) if last.isascii() else len(last.decode("utf-8", "surrogateescape"))
        return self.line + lines, width + 1 if lines else self.column + width

    def skip_space(self) -> None:
        """Advance to the next byte that is not white space."""
        self._skip_in_memory()
        while self.place == len(self.buffer) and not self.at_end:
            self.fill(BLOCK_BYTES)
            self._skip_in_memory()

    def _skip_in_memory(self) -> None:
        match = SPACE.match(self.buffer, self.place)
        self.advance(match.end() if match else self.place)

    def next_byte(self) -> bytes:
        """Return the next byte that is not white space."""
        self.skip_space()
        return self.buffer[self.place : self.place + 1]

    @property
    def text(self) -> str:
        """The buffer with one character per byte, so that places are the same in both."""
        if self._text is None:
            self._text = self.buffer.decode("latin-1")
        return self._text

    def report(self, message: str, place: int = 0, code: str = "IO001") -> None:
        """Report a problem at this many bytes from here."""
        self.reading.report(self._describe(message, place, code))

    def count(self, times: int) -> None:
        """Count invalid records that need no description."""
        self.is_faulty = True
        self.reading.counts[INVALID_JSON] += times

    @property
    def may_count(self) -> bool:
        """Whether invalid records need no description."""
        return self.reading.is_full(INVALID_JSON)

    def error(self, message: str, place: int = 0, code: str = "IO001") -> InputError:
        """Return an error at this many bytes from here, with all problems before it."""
        return self.reading.end(self._describe(message, place, code))

    def _describe(self, message: str, place: int, code: str) -> Problem:
        self.is_faulty = True
        where = self.locate(min(self.place + place, len(self.buffer)))
        return Problem(message, self.name, *where, code=code)

    def skip_record(self, to: int) -> None:
        """Advance past a record that cannot be read."""
        self.advance(to)
        self.records += 1

    def expect_end(self) -> None:
        """Raise an error if there is more than white space left."""
        if self.next_byte():
            raise self.error(SECOND_DOCUMENT)


def _count_breaks(text: bytes, start: int, end: int) -> int:
    """Return the number of line breaks; ``count`` looks at one byte after the other."""
    if end - start < FEW_BYTES:
        return text.count(b"\n", start, end)
    return int(np.count_nonzero(np.frombuffer(text, np.uint8)[start:end] == LINE_BREAK))


def read_pieces(window: Window, brackets: Brackets) -> Iterator[Batch]:
    """Yield all batches from the opening to the closing bracket.

    Where faults that need no description separate records, several pieces are one batch.
    """
    pieces = _read_each_piece(window, brackets)
    return join_small(
        pieces, window.reading, lambda batch: type(batch) is PieceBatch and window.may_count
    )


def _read_each_piece(window: Window, brackets: Brackets) -> Iterator[Batch]:
    window.skip_space()
    window.advance(window.place + 1)
    closed = window.next_byte() == brackets.closing and pass_closing(window, brackets)
    window.fill(_choose_size(window, brackets))
    first = brackets.boundary.search(window.buffer, window.place)
    while not closed:
        may_guess = first and not window.at_end and not window.is_faulty
        batch = _guess_piece(window, first[0], brackets) if first and may_guess else None
        if batch is None:
            closed = yield from _scan_piece(window, brackets)
        else:
            yield batch
        window.fill(_choose_size(window, brackets))


def _choose_size(window: Window, brackets: Brackets) -> int:
    """Return how much is read at once."""
    return PACKED_BYTES if brackets is LIST and window.packer.pays else BLOCK_BYTES


def _guess_piece(window: Window, boundary: bytes, brackets: Brackets) -> Batch | None:
    """Return the records up to the last text that looks like the first boundary, if it is one."""
    guess = len(window.buffer)
    for _ in range(GUESSES):
        guess = window.buffer.rfind(boundary, window.place, guess)
        if guess < 0:
            return None
        batch = _parse_piece(window, _get_piece(window, guess + 1, brackets), brackets)
        if batch is not None:
            window.advance(guess + len(boundary) - 1)
            return batch
    return None


def _get_piece(window: Window, end: int, brackets: Brackets) -> bytes:
    """Return the text up to a place, in brackets."""
    text = memoryview(window.buffer)[window.place : end]
    return b"".join((brackets.opening, text, brackets.closing))


def _parse_piece(window: Window, piece: bytes, brackets: Brackets) -> Batch | None:
    """Return the records of a piece, with packed rankings if they are plain; None if it is none."""
    if brackets is LIST and (columns := window.packer.pack(piece)):
        return _build_packed(window, piece, columns)
    try:
        return _build_batch(window, piece, orjson.loads(piece))
    except orjson.JSONDecodeError:
        return None


def _build_packed(window: Window, piece: bytes, columns: Columns) -> Batch:
    start = window.line, window.column, None, window.way, window.records
    window.example = dict.fromkeys(columns)
    window.records += count_rows(columns)
    return window.packer.build_batch(
        columns, lambda: PieceBatch(orjson.loads(piece), piece, *start)
    )


def _build_batch(window: Window, piece: bytes, value: Any) -> PieceBatch:
    keys = list(value) if type(value) is dict else None
    values = list(value.values()) if type(value) is dict else value
    window.example = values[0] if values else window.example
    batch = PieceBatch(values, piece, window.line, window.column, keys, window.way, window.records)
    window.records += len(values)
    if not window.reading.is_quiet and may_repeat_keys(piece, value):
        _report_repeated(window, batch)
    return batch


def _report_repeated(window: Window, batch: PieceBatch) -> None:
    def describe(key: str, first: int, later: int) -> Problem:
        first_line, first_column = batch.locate(first)
        line, column = batch.locate(later)
        message = f"the key {key!r} is repeated (first at line {first_line}, column {first_column})"
        return Problem(message, window.name, line, column, code=REPEATED_KEY)

    report_repeated_keys(batch.text, window.reading, describe)


Items: TypeAlias = list[tuple[int, int]]
"""Where records or map entries start and end in a buffer."""


def _scan_piece(window: Window, brackets: Brackets) -> Generator[PieceBatch, None, bool]:
    """Yield the records that are in memory whole; return whether the closing bracket was passed."""
    if (batch := _parse_rest(window, brackets)) is not None:
        yield batch
        return True
    items, after, follows, is_cut = _list_items(window, brackets)
    yield from _parse_items(window, items, brackets)
    window.advance(after)
    if follows == brackets.closing.decode():
        window.advance(window.place + 1)
        return True
    if items and follows:
        return _pass_missing_comma(window, brackets)
    return False if items else _pass_broken_record(window, brackets, is_cut=is_cut)


def _parse_rest(window: Window, brackets: Brackets) -> PieceBatch | None:
    """Return all records that are left, if the document ends with them and none is broken."""
    if not window.at_end or window.is_faulty:
        return None
    piece = brackets.opening + window.buffer[window.place :].rstrip(WHITE)
    try:
        records = orjson.loads(piece) if piece.endswith(brackets.closing) else None
    except orjson.JSONDecodeError:
        return None
    if not records:  # after a comma, there must be one
        return None
    batch = _build_batch(window, piece, records)
    window.advance(window.place + len(piece) - len(brackets.opening))
    return batch


def _list_items(window: Window, brackets: Brackets) -> tuple[Items, int, str, bool]:
    """Return the items in memory, where they end, and what follows instead of a comma.

    If nothing follows, the last part of the result says whether the next one may only be cut.
    """
    items: Items = []
    text = window.text
    place = skip_space(text, window.place)
    while True:
        try:
            value = _find_value(text, place) if brackets is MAP else place
            end = window.unclosed.find_end(text, value)
        except ValueError as error:
            return items, place, "", may_be_cut(error, text)
        after = skip_space(text, end)
        if after == len(text):
            return items, place, "", True
        items.append((place, end))
        if text[after] != ",":
            return items, after, text[after], False
        place = skip_space(text, after + 1)


def _find_value(text: str, place: int) -> int:
    """Return the place of the value of a map entry; ValueError if there is none."""
    if text[place : place + 1] != '"':
        raise ValueError("no key")
    _, end = end_of_string(text, place)
    colon = skip_space(text, end)
    if text[colon : colon + 1] != ":":
        raise ValueError("no colon")
    return skip_space(text, colon + 1)


def _parse_items(window: Window, items: Items, brackets: Brackets) -> Iterator[PieceBatch]:
    """Yield the records of a piece; those that are not JSON are problems, and left out."""
    if not items:
        return
    piece = _get_piece(window, items[-1][1], brackets)
    try:
        value = orjson.loads(piece)
    except orjson.JSONDecodeError:
        yield from _parse_each(window, items, brackets)
    else:
        yield _build_batch(window, piece, value)


def _parse_each(window: Window, items: Items, brackets: Brackets) -> Iterator[PieceBatch]:
    """Yield the records between those that are not JSON."""
    sound = Items()
    for start, end in [*items, (0, 0)]:
        item = brackets.opening + window.buffer[start:end] + brackets.closing
        if end and is_json(item):
            sound.append((start, end))
            continue
        if sound:
            window.advance(sound[0][0])
            piece = _get_piece(window, sound[-1][1], brackets)
            yield _build_batch(window, piece, orjson.loads(piece))
            sound = Items()
        if end:
            window.advance(start)
            window.report(*_explain(item, brackets))
            window.records += 1


def pass_closing(window: Window, brackets: Brackets) -> bool:
    """Advance past the closing bracket, which must follow."""
    if window.next_byte() != brackets.closing:
        raise window.error(_describe_missing(brackets))
    window.advance(window.place + 1)
    return True


def _describe_missing(brackets: Brackets) -> str:
    return f"invalid JSON: ',' or {brackets.closing.decode()!r} is missing here"


def _pass_missing_comma(window: Window, brackets: Brackets) -> bool:
    """Report a missing comma, and advance to the next record."""
    if window.next_byte() == (b'"' if brackets is MAP else b"{"):
        if window.may_count:
            window.count(1)
        else:
            window.report(_describe_missing(brackets))
        return False
    found = _find_next(window, brackets)
    if found is None:
        raise window.error(_describe_missing(brackets))
    window.report(_describe_missing(brackets))
    window.skip_record(found)
    return False


def _pass_broken_record(window: Window, brackets: Brackets, *, is_cut: bool) -> bool:
    """Read more of a record that is not whole; report a broken one, and advance to the next.

    Returns:
        Whether the closing bracket was passed.

    Raises:
        InputError: There is no next record.
    """
    if window.next_byte() == brackets.closing:
        window.report(_describe_trailing_comma(brackets))
        return pass_closing(window, brackets)
    found = None if is_cut and not window.at_end else _find_next(window, brackets)
    is_full = len(window.buffer) - window.place > find_record_limit()
    if found is None and not window.at_end and (is_cut or not is_full):
        window.read_more("record")
        return False
    if found is None:
        raise _explain_rest(window, brackets)
    broken = window.buffer[window.place : found].rstrip(WHITE).rstrip(b",")
    if window.may_count and is_certain(brackets.opening + broken):
        window.count(1)
        window.skip_record(_count_unclosed(window, found, brackets))
        return False
    window.report(*_explain(brackets.opening + broken, brackets))
    window.skip_record(found)
    return False


def _count_unclosed(window: Window, place: int, brackets: Brackets) -> int:
    """Count the records from a place on that are known to end at the same fault as the one before.

    Returns:
        The place of the first one that is not known to, or whose next one is not in memory.
    """
    beginning, places = window.beginnings[place], [place]
    last = len(window.buffer) - (0 if window.at_end else _choose_size(window, brackets))
    following = find_records(window.text, place + 1, beginning, in_map=brackets is MAP)
    while places[-1] <= last and _is_unclosed(window, places[-1], brackets):
        found = next(following, None)
        if found is None:
            break
        places.append(found)
    count = _count_certain(window.buffer, places, brackets)
    window.count(count)
    window.records += count
    window.beginnings = {places[count]: beginning}
    return places[count]


def _count_certain(buffer: bytes, places: list[int], brackets: Brackets) -> int:
    """Return how many of the records that begin at all places but the last break no other rule."""
    records = [brackets.opening + buffer[start:end] for start, end in pairwise(places)]
    if are_certain(records):
        return len(records)
    unsure = (row for row, record in enumerate(records) if not is_certain(record))
    return next(unsure, len(records))


def _is_unclosed(window: Window, place: int, brackets: Brackets) -> bool:
    """Whether a record is known to be broken, and not only cut."""
    try:
        value = _find_value(window.text, place) if brackets is MAP else place
    except ValueError:
        return False
    fault = window.unclosed.find_fault(value)
    return fault is not None and (window.at_end or not may_be_cut(fault, window.text))


def _find_next(window: Window, brackets: Brackets) -> int | None:
    """Return the place of the next record, if it is in memory."""
    text, place, is_map = window.text, window.place, brackets is MAP
    beginning = beginning_of(window.example) or window.beginnings.get(place)
    if beginning is None:
        with suppress(ValueError):
            beginning = read_beginning(text, _find_value(text, place) if is_map else place)
    if beginning is None:
        return None
    found = find_next_record(text, place + 1, beginning, in_map=is_map)
    window.beginnings = {} if found is None else {found: beginning}
    return found


def _describe_trailing_comma(brackets: Brackets) -> str:
    return f"invalid JSON: a trailing comma before {brackets.closing.decode()!r}; remove it"


def _explain(item: bytes, brackets: Brackets) -> tuple[str, int, str]:
    """Return why a record cannot be parsed, at how many bytes from its start, and the code."""
    try:
        orjson.loads(item)
    except orjson.JSONDecodeError as error:
        message, place, code = explain(item, error)
        text = item.decode("utf-8", "surrogateescape")
        if not text[place:].strip():
            message = "invalid JSON: the record is not closed; a bracket or a quote is missing"
        behind = len(text[:place].encode("utf-8", "surrogateescape")) - len(brackets.opening)
        return message, max(0, behind), code
    return "invalid JSON", 0, "IO001"


def _explain_rest(window: Window, brackets: Brackets, piece: bytes | None = None) -> InputError:
    """Return an error that says why the rest of the document cannot be read."""
    closing = brackets.closing
    if piece is None and closing and window.next_byte() == closing:
        return window.error(_describe_trailing_comma(brackets))
    rest = piece or brackets.opening + window.buffer[window.place :]
    try:
        orjson.loads(rest)
    except orjson.JSONDecodeError as error:
        message, place, code = explain(rest, error)
        behind = len(rest.decode("utf-8", "replace")[:place].encode()) - len(brackets.opening)
        return window.error(message, max(0, behind), code)
    return window.error("invalid JSON")


def _read_fixture(window: Window) -> Iterator[Batch]:
    """Yield the queries of a fixture; its other fields go into the head."""
    window.skip_space()
    window.advance(window.place + 1)
    closed = False
    while not closed:
        key = read_head_key(window, window.reading.places)
        if key != "queries":
            window.reading.head[key] = read_head_value(window)
        elif window.next_byte() == b"[":
            window.way = ("queries",)
            yield from read_pieces(window, LIST)
        else:
            raise window.error("expected a list of records in 'queries'")
        closed = window.next_byte() != b"," and pass_closing(window, MAP)
        if not closed:
            window.advance(window.place + 1)


def read_head_key(window: Window, places: dict[str, tuple[int, int]]) -> str:
    """Return the next key of the head, and advance past its colon."""
    if window.next_byte() != b'"':
        raise _explain_rest(window, MAP)
    place = window.line, window.column
    key = str(_read_head_part(window, lambda text, place: end_of_string(text, place)[1]))
    if key in places:
        line, column = places[key]
        message = f"the key {key!r} is repeated (first at line {line}, column {column})"
        raise window.reading.end(Problem(message, window.name, *place, code=REPEATED_KEY))
    places[key] = place
    if window.next_byte() != b":":
        raise window.error("invalid JSON: ':' is missing here")
    window.advance(window.place + 1)
    return key


def read_head_value(window: Window) -> Any:
    """Return the value that begins here, and advance past it."""
    window.skip_space()
    return _read_head_part(window, end_of_value)


def _read_head_part(window: Window, measure: Callable[[str, int], int]) -> Any:
    """Return the key or value that begins here, however long it is."""
    raw = _take_part(window, measure)
    try:
        value = orjson.loads(raw)
    except orjson.JSONDecodeError:
        raise _explain_rest(window, NONE, raw) from None
    if may_repeat_keys(raw, value):
        for key, _, later in repeated_keys(raw.decode()):
            raise window.error(f"the key {key!r} is repeated", later, REPEATED_KEY)
    window.advance(window.place + len(raw))
    return value


def _take_part(window: Window, measure: Callable[[str, int], int]) -> bytes:
    window.fill(PEEKED_BYTES)
    while True:
        try:
            end = measure(window.text, window.place)
        except ValueError:
            end = None
        if end is not None and (window.at_end or end < len(window.buffer)):
            return window.buffer[window.place : end]
        if window.at_end:
            raise _explain_rest(window, NONE)
        window.read_more("value")


def _read_whole(window: Window) -> PieceBatch:
    """Return a document that is one record, or no record at all, as a list of one."""
    window.fill(find_record_limit())
    window.skip_space()
    if not window.at_end:
        message = describe_large("a document", " that must be read whole")
        raise window.error(message, code="IO010")
    raw = window.buffer[window.place :]
    try:
        value = [orjson.loads(raw)]
    except orjson.JSONDecodeError:
        raise _explain_rest(window, NONE, raw) from None
    batch = _build_batch(window, b"[" + raw + b"]", value)
    batch.is_document = True
    window.advance(len(window.buffer))
    return batch
