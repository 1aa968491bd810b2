"""Small JSON files of ours, such as baselines and gates: read whole, refused with a place."""

from itertools import islice
from pathlib import Path
from typing import Any

import orjson

from groupwise.evaluator.errors import InputError, Problem
from groupwise.evaluator.reading.diagnosis import explain
from groupwise.evaluator.reading.duplicate_keys import (
    REPEATED_KEY,
    find_repeated_keys,
    may_repeat_keys,
)
from groupwise.evaluator.reading.gzip_members import GZIP
from groupwise.evaluator.reading.scan import Places
from groupwise.evaluator.reading.source import MemorySource

MOST_PROBLEMS = 20


def read_json_file(source: str, role: str, expected: str = "") -> Any:
    """Return the value in a JSON file.

    Args:
        source: The path.
        role: What the file is for, such as ``the baseline``.
        expected: What a message says in addition, such as ``; expected a list``.

    Raises:
        InputError: The file cannot be read, is not JSON, or repeats a key.
    """
    return parse_json_file(_read_bytes(source, role), source, expected)


def parse_json_file(raw: bytes, source: str, expected: str = "") -> Any:
    """Return the value in the bytes of a JSON file, as ``read_json_file`` does.

    Raises:
        InputError: They are not JSON, or repeat a key.
    """
    try:
        value = orjson.loads(raw)
    except orjson.JSONDecodeError as error:
        raise InputError([_explain(raw, error, source, expected)]) from None
    if may_repeat_keys(raw, value) and (repeated := find_repeated_keys(raw)):
        places = Places(raw.decode())
        described = (_describe_repeated(places, source, *found) for found in repeated)
        raise InputError([*islice(described, MOST_PROBLEMS)], len(repeated))
    return value


def _read_bytes(source: str, role: str) -> bytes:
    try:
        raw = Path(source).read_bytes()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError([Problem(f"cannot read {role}: {reason}", source)]) from None
    return _decompress(source, raw) if raw.startswith(GZIP) else raw


def _decompress(source: str, raw: bytes) -> bytes:
    with MemorySource(source, raw).open() as stream:
        return stream.read()


def _explain(raw: bytes, error: orjson.JSONDecodeError, source: str, expected: str) -> Problem:
    if not raw.strip():
        return Problem(f"not JSON: the file is empty{expected}", source, 1, 1)
    message, place, code = explain(raw, error)
    line, column = Places(raw.decode("utf-8", "replace")).line_and_column(place)
    reason = message.removeprefix("invalid JSON: ")
    return Problem(f"not JSON: {reason}{expected}", source, line, column, code=code)


def _describe_repeated(places: Places, source: str, key: str, first: int, later: int) -> Problem:
    line, column = places.line_and_column(first)
    message = f"the key {key!r} is repeated (first at line {line}, column {column})"
    return Problem(message, source, *places.line_and_column(later), code=REPEATED_KEY)
