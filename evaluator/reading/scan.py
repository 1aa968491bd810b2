"""A scanner for JSON text that finds places and boundaries; slow, so used only where needed."""

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
    try:
        return int(_decoder.raw_decode(text, place)[1])
    except RecursionError:
        raise ValueError("nested too deep") from None


def decode_value(text: str, place: int) -> Any:
    """Return the value that begins here; ValueError if it is broken or incomplete."""
    try:
        return _decoder.raw_decode(text, place)[0]
    except RecursionError:
        raise ValueError("nested too deep") from None


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


def place_of(text: str, pointer: Pointer, place: int = 0) -> int:
    """Return the place of the value that a pointer leads to, or of the last one on the way."""
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
    """Yield each key that an object repeats, with the places of its first and later occurrence."""
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
    """Return the first place that is nested deeper than this many levels."""
    level = 0
    for token in STRUCTURE.finditer(text):
        level += {"[": 1, "{": 1, "]": -1, "}": -1}.get(token[0], 0)
        if level > levels:
            return token.start()
    return None


def line_and_column(text: str, place: int) -> tuple[int, int]:
    """Return line and column of a place, both counted from 1."""
    before = text.count("\n", 0, place)
    return before + 1, place - text.rfind("\n", 0, place)
