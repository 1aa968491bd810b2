"""Places in a JSON text: of what a pointer leads to, of keys that are repeated, of what is deep."""

import json
import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from json.decoder import scanstring  # type: ignore[attr-defined]
from typing import Any, NamedTuple

import orjson

SPACE = re.compile(r"[ \t\r\n]*")
STRING = r'"(?:[^"\\]++|\\.)*+"?'
"""A string, or all the rest of the text if nothing closes it; found without going back."""
STRUCTURE = re.compile(rf"{STRING}|[\[\]{{}}]", re.DOTALL)
KEYS = re.compile(
    rf"(?:[^\"{{}}]++|(?>{STRING})(?!\s*+:))*+(?:(?P<key>(?>{STRING}))\s*+:|(?P<bracket>[{{}}])|\Z)",
    re.DOTALL,
)
"""The next key or bracket of an object, with all strings before it that are not keys."""
_scan_once = json.JSONDecoder(strict=False).scan_once  # type: ignore[attr-defined]

Pointer = Sequence[str | int]


def is_json(text: bytes) -> bool:
    """Whether this is a complete JSON value and nothing else."""
    try:
        orjson.loads(text)
    except orjson.JSONDecodeError:
        return False
    return True


def skip_space(text: str, place: int) -> int:
    """Return the place of the next character that is not white space."""
    match = SPACE.match(text, place)
    return match.end() if match else place


def end_of_string(text: str, place: int) -> tuple[str, int]:
    """Return the string that begins here, and where it ends; ValueError if it is broken."""
    string, end = scanstring(text, place + 1, False)  # noqa: FBT003
    return string, end


def end_of_value(text: str, place: int) -> int:
    """Return where the value that begins here ends; ValueError if it is broken or incomplete."""
    return decode_from(text, place)[1]


def decode_value(text: str, place: int) -> Any:
    """Return the value that begins here; ValueError if it is broken or incomplete."""
    return decode_from(text, place)[0]


def decode_from(text: str, place: int) -> tuple[Any, int]:
    """Return the value that begins here, and where it ends.

    Raises:
        ValueError: It is broken, incomplete or nested too deep.
    """
    try:
        value, end = _scan_once(text, place)
    except StopIteration as end_of_text:
        raise json.JSONDecodeError("Expecting value", text, end_of_text.value) from None
    except RecursionError:
        raise ValueError("nested too deep") from None
    return value, int(end)


def members(text: str, place: int) -> Iterator[tuple[str, int, int]]:
    """Yield key, place of the key and place of the value for each member of an object."""
    place = skip_space(text, place + 1)
    while text[place : place + 1] == '"':
        key, end = end_of_string(text, place)
        value = skip_space(text, skip_space(text, end) + 1)
        yield key, place, value
        place = skip_space(text, end_of_value(text, value))
        if text[place : place + 1] != ",":
            return
        place = skip_space(text, place + 1)


def elements(text: str, place: int) -> Iterator[int]:
    """Yield the place of each element of the list that begins here."""
    place = skip_space(text, place + 1)
    while text[place : place + 1] not in ("]", ""):
        yield place
        place = skip_space(text, end_of_value(text, place))
        if text[place : place + 1] != ",":
            return
        place = skip_space(text, place + 1)


class Member(NamedTuple):
    """The places of a member's key and value; those of an element are one and the same."""

    key: int
    value: int


class Places:
    """Finds places in a JSON text, and remembers what it passed for the next search."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._known: dict[int, dict[str | int, Member]] = {}
        self._rest: dict[int, Iterator[tuple[str | int, Member]]] = {}
        self._breaks: list[int] | None = None

    def find(self, pointer: Pointer, start: int = 0) -> int:
        """Return the place of the value that a pointer leads to, or of the last one on the way."""
        place = skip_space(self.text, start)
        for step in pointer:
            member = self._enter(place, step)
            if member is None:
                break
            place = member.value
        return place

    def find_key(self, pointer: Pointer, start: int = 0) -> int | None:
        """Return the place of the key that a pointer leads to; None if it leads nowhere."""
        member = self._enter(self.find(pointer[:-1], start), pointer[-1])
        return None if member is None else member.key

    def line_and_column(self, place: int) -> tuple[int, int]:
        """Return line and column of a place, both counted from 1."""
        if self._breaks is None:
            self._breaks = [match.start() for match in re.finditer("\n", self.text)]
        before = bisect_left(self._breaks, place)
        return before + 1, place - (self._breaks[before - 1] if before else -1)

    def _enter(self, place: int, step: str | int) -> Member | None:
        """Return a member of what begins here; None if there is none, or the text is broken."""
        step = str(step) if self.text.startswith("{", place) else step
        known = self._known.setdefault(place, {})
        rest = self._rest.setdefault(place, self._list_parts(place))
        while step not in known:
            try:
                name, member = next(rest)
            except (StopIteration, ValueError):
                return None
            known.setdefault(name, member)
        return known[step]

    def _list_parts(self, place: int) -> Iterator[tuple[str | int, Member]]:
        if self.text.startswith("{", place):
            for key, key_place, value in members(self.text, place):
                yield key, Member(key_place, value)
        elif self.text.startswith("[", place):
            for number, element in enumerate(elements(self.text, place)):
                yield number, Member(element, element)


def repeated_keys(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield each key that an object repeats, with the places of its first and later occurrence.

    The text is valid JSON: in it, whatever string a colon follows is a key.
    """
    objects: list[dict[str, int]] = []
    for token in KEYS.finditer(text):
        if token["key"]:
            place = token.start("key")
            key, _ = end_of_string(text, place)
            if (first := objects[-1].setdefault(key, place)) != place:
                yield key, first, place
        elif token["bracket"] == "{":
            objects.append({})
        elif token["bracket"]:
            objects.pop()


def place_deeper_than(text: str, levels: int) -> int | None:
    """Return the first place that is nested deeper than this many levels."""
    level = 0
    for token in STRUCTURE.finditer(text):
        level += {"[": 1, "{": 1, "]": -1, "}": -1}.get(token[0], 0)
        if level > levels:
            return token.start()
    return None
