"""Where to go on in a JSON document after a record that cannot be parsed.

The next record begins like the one before: it is a list, or an object with the same first keys.
Objects within records begin with other keys, or with no more than one of them.
"""

import json
import re
from collections.abc import Mapping
from contextlib import suppress
from functools import lru_cache
from itertools import islice
from typing import Any, NamedTuple

from groupwise.evaluator.reading.scan import STRING, STRUCTURE, end_of_value, members

COMPARED_KEYS = 2
FAR = 1 << 10
"""A fault further behind the beginning of a value than this is remembered."""
DEEP = 1 << 9
"""A value is not parsed again if it is nested at least so deep, in one that is nested too deep."""
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
    if not in_map and beginning.bracket == "[":
        return None
    for match in _pattern(beginning, in_map=in_map).finditer(text, start):
        value = match.start("value")
        if beginning.bracket == "[" or _read_keys(text, value) == beginning.keys:
            return match.start("record")
    return None


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

    def find_end(self, text: str, place: int) -> int:
        """Return where the value that begins here ends; ValueError if it is broken or cut."""
        if (known := self._faults.get(place)) is not None:
            raise known.with_traceback(None)
        try:
            return end_of_value(text, place)
        except json.JSONDecodeError as fault:
            if fault.pos > place + FAR:
                self._faults = dict.fromkeys(_list_open(text, place, fault.pos), fault)
            raise
        except ValueError as fault:
            opened = _list_open(text, place, len(text), 2 * DEEP)
            self._faults = dict.fromkeys(opened[:-DEEP], fault)
            raise


def _list_open(text: str, start: int, end: int, most: int | None = None) -> list[int]:
    """Return where the values begin that are still open at the end, or when so many are."""
    opened: list[int] = []
    for token in STRUCTURE.finditer(text, start, end):
        if token[0] in ("{", "["):
            opened.append(token.start())
            if len(opened) == most:
                break
        elif token[0] in ("}", "]") and opened:
            opened.pop()
    return opened
