"""Where to go on in a JSON document after a record that cannot be parsed.

The next record begins like the one before: it is a list, or an object with the same first keys.
Objects within records begin with other keys, or with no more than one of them.
"""

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import lru_cache
from itertools import islice
from typing import Any, NamedTuple

from groupwise.evaluator.reading.scan import BRACKET, STRING, end_of_value, members

COMPARED_KEYS = 2
OPENING = ("{", "[")
FAR = 1 << 10
"""A fault further behind the beginning of a value than this is remembered."""
DEEP = 1 << 9
"""A value is not parsed again if it is nested at least so deep, in one that is nested too deep."""
DEEPEST = range(2 * DEEP, 16 * DEEP)
"""How many levels of nesting are looked at together."""
LONGEST_TOKEN = 16
"""A text that ends within a token ends at most this many characters behind its last fault."""


class Beginning(NamedTuple):
    """How records begin: with which bracket and, if they are objects, with which keys.

    The text has a character per byte, and so have the keys.
    """

    bracket: str
    keys: tuple[str, ...] = ()


def beginning_of(record: Any) -> Beginning | None:
    """Return how a record begins; None if it is neither an object nor a list."""
    if isinstance(record, Mapping):
        keys = islice(record, COMPARED_KEYS)
        return Beginning("{", tuple(key.encode().decode("latin-1") for key in keys))
    return Beginning("[") if isinstance(record, list) else None


def read_beginning(text: str, place: int) -> Beginning | None:
    """Return how the value at a place begins, as far as it can be read."""
    if text[place : place + 1] == "[":
        return Beginning("[")
    keys = _read_keys(text, place) if text[place : place + 1] == "{" else ()
    return Beginning("{", keys) if keys else None


def _read_keys(text: str, place: int) -> tuple[str, ...]:
    found: list[str] = []
    with suppress(ValueError):
        for key, _, _ in islice(members(text, place), COMPARED_KEYS):
            found.append(key)
    return tuple(found)


def find_next_record(text: str, start: int, beginning: Beginning, *, in_map: bool) -> int | None:
    """Return the place of the next record after ``start``, or of its key in a map."""
    return next(find_records(text, start, beginning, in_map=in_map), None)


def find_records(text: str, start: int, beginning: Beginning, *, in_map: bool) -> Iterator[int]:
    """Yield the places of all records after ``start``, or of their keys in a map."""
    if not in_map and beginning.bracket == "[":
        return
    is_plain = _plain_pattern(beginning).match
    for match in _pattern(beginning, in_map=in_map).finditer(text, start):
        value = match.start("value")
        if is_plain(text, value) or _read_keys(text, value) == beginning.keys:
            yield match.start("record")


@lru_cache(maxsize=16)
def _plain_pattern(beginning: Beginning) -> re.Pattern[str]:
    """Return how a list certainly begins, or an object with two keys, the first one of a string."""
    if beginning.bracket == "[":
        return re.compile(r"\[")
    if len(beginning.keys) < COMPARED_KEYS:
        return re.compile(r"(?!)")
    first, second = (re.escape(json.dumps(key, ensure_ascii=False)) for key in beginning.keys)
    tokens = [r"\{", first, ":", r'"[^"\\]*+"', ",", second]
    return re.compile(r"[ \t\r\n]*+".join(tokens))


@lru_cache(maxsize=16)
def _pattern(beginning: Beginning, *, in_map: bool) -> re.Pattern[str]:
    value = r"\["
    if beginning.keys:
        value = rf"\{{\s*{re.escape(json.dumps(beginning.keys[0], ensure_ascii=False))}\s*:"
    if in_map:
        return re.compile(
            rf"[\]}}]\s*,?\s*(?P<record>{STRING}\s*:\s*(?P<value>{value}))", re.DOTALL
        )
    return re.compile(rf"(?P<record>(?P<value>{value}))")


def may_be_cut(error: ValueError, text: str) -> bool:
    """Whether what cannot be parsed may only lack its end, so that more text might complete it."""
    if not isinstance(error, json.JSONDecodeError):
        return False
    return error.msg.startswith("Unterminated") or error.pos >= len(text) - LONGEST_TOKEN


class Unclosed:
    """Values of a text that cannot be parsed, because one of them could not and they are within.

    After a fault, reading goes on with the next record. Where records are not closed, that one is
    within the one before, and ends at the same fault: it is looked for only once.
    """

    def __init__(self) -> None:
        self._faults: dict[int, ValueError] = {}
        self._opened: list[int] = []
        self._end = 0

    def find_fault(self, place: int) -> ValueError | None:
        """Return why the value that begins here is broken or cut, if that is known."""
        return self._faults.get(place)

    def find_end(self, text: str, place: int) -> int:
        """Return where the value that begins here ends; ValueError if it is broken or cut."""
        if (known := self._faults.get(place)) is not None:
            raise known.with_traceback(None)
        try:
            return end_of_value(text, place)
        except json.JSONDecodeError as fault:
            if fault.pos > place + FAR:
                opened: list[int] = []
                _track_open(text, place, fault.pos, opened)
                self._faults = dict.fromkeys(opened, fault)
            raise
        except ValueError as fault:
            self._track_deep(text, place)
            self._faults = dict.fromkeys(self._opened[:-DEEP], fault)
            raise

    def _track_deep(self, text: str, place: int) -> None:
        """Find values that are nested deep; within one of them, go on where the last search ended.

        What is open there is open in all values that are open at the place.
        """
        if place in self._opened:
            self._opened = self._opened[self._opened.index(place) :]
        else:
            self._opened, self._end = [], place
        self._end = _track_open(text, self._end, len(text), self._opened, DEEPEST)


def _track_open(
    text: str, start: int, end: int, opened: list[int], levels: range = range(0)
) -> int:
    """Add to a list where the values begin that are still open at the end.

    Stop before that when the list grows to the end of ``levels``, or shrinks from its start.

    Returns:
        How far the text was looked at.
    """
    for token in BRACKET.finditer(text, start, end):
        if token[1] in OPENING:
            opened.append(token.start(1))
            if len(opened) == levels.stop:
                return token.end()
        elif token[1] and opened:
            if len(opened) == levels.start:
                return token.start(1)
            opened.pop()
    return end
