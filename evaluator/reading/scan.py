"""A careful walk through JSON text, for places and borders; slow, and only for what needs it."""

import json
import re
from collections.abc import Iterator, Sequence
from json.decoder import scanstring  # type: ignore[attr-defined]
from typing import Any

import orjson

SPACE = re.compile(r"[ \t\r\n]*")
STRUCTURE = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}]', re.DOTALL)
_decoder = json.JSONDecoder(strict=False)

Pointer = Sequence[str | int]


def is_json(text: bytes) -> bool:
    """Whether this is one value of JSON, and all of it."""
    try:
        orjson.loads(text)
    except orjson.JSONDecodeError:
        return False
    return True


def skip_space(text: str, place: int) -> int:
    """The place of the next character that is not white space."""
    match = SPACE.match(text, place)
    return match.end() if match else place


def end_of_string(text: str, place: int) -> tuple[str, int]:
    """The string that begins here, and the place behind it; ValueError if it is broken."""
    string, behind = scanstring(text, place + 1, False)  # noqa: FBT003
    return string, behind


def end_of_value(text: str, place: int) -> int:
    """The place behind the value that begins here; ValueError if it is broken or cut off."""
    try:
        return int(_decoder.raw_decode(text, place)[1])
    except RecursionError:
        raise ValueError("nested too deep") from None


def decoded_value(text: str, place: int) -> Any:
    """The value that begins here; ValueError if it is broken or cut off."""
    try:
        return _decoder.raw_decode(text, place)[0]
    except RecursionError:
        raise ValueError("nested too deep") from None


def members(text: str, place: int) -> Iterator[tuple[str, int, int]]:
    """Key, place of the key and place of the value of each member of the object that begins here.

    The caller must be done with a value's place before asking for the next member.
    """
    place = skip_space(text, place + 1)
    while text[place : place + 1] == '"':
        key, behind = end_of_string(text, place)
        value = skip_space(text, skip_space(text, behind) + 1)
        yield key, place, value
        place = skip_space(text, end_of_value(text, value))
        if text[place : place + 1] != ",":
            return
        place = skip_space(text, place + 1)


def elements(text: str, place: int) -> Iterator[int]:
    """The place of each element of the list that begins here."""
    place = skip_space(text, place + 1)
    while text[place : place + 1] not in ("]", ""):
        yield place
        place = skip_space(text, end_of_value(text, place))
        if text[place : place + 1] != ",":
            return
        place = skip_space(text, place + 1)


def place_of(text: str, pointer: Pointer, place: int = 0) -> int:
    """The place of the value that a pointer leads to, or of the nearest one on the way."""
    place = skip_space(text, place)
    for token in pointer:
        try:
            place = _enter(text, place, token)
        except ValueError:
            break
    return place


def _enter(text: str, place: int, token: str | int) -> int:
    if text[place] == "{":
        return next((value for key, _, value in members(text, place) if key == str(token)), place)
    if text[place] == "[" and isinstance(token, int):
        return next((e for number, e in enumerate(elements(text, place)) if number == token), place)
    return place


def repeated_keys(text: str, place: int = 0) -> Iterator[tuple[str, int, int]]:
    """Each key that an object repeats, with the places of the first and of the later one."""
    place = skip_space(text, place)
    if text[place : place + 1] == "{":
        yield from _repeated_in_object(text, place)
    elif text[place : place + 1] == "[":
        for element in elements(text, place):
            yield from repeated_keys(text, element)


def _repeated_in_object(text: str, place: int) -> Iterator[tuple[str, int, int]]:
    seen: dict[str, int] = {}
    for key, key_place, value in members(text, place):
        if key in seen:
            yield key, seen[key], key_place
        seen.setdefault(key, key_place)
        if text[value : value + 1] in "{[":
            yield from repeated_keys(text, value)


def place_deeper_than(text: str, levels: int) -> int | None:
    """The first place that is nested deeper than so many levels."""
    level = 0
    for token in STRUCTURE.finditer(text):
        level += {"[": 1, "{": 1, "]": -1, "}": -1}.get(token[0], 0)
        if level > levels:
            return token.start()
    return None


def line_and_column(text: str, place: int) -> tuple[int, int]:
    """Line and column of a place, both from 1."""
    before = text.count("\n", 0, place)
    return before + 1, place - text.rfind("\n", 0, place)
