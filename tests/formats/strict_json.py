"""JSON as the standard library reads it, without its liberties: what is well-formed."""

import json
import math
from typing import Any


class RepeatedKeyError(ValueError):
    """An object has a key twice."""


def _constant(name: str) -> Any:
    raise ValueError(name)


def _float(text: str) -> float:
    value = float(text)
    if math.isinf(value):
        raise ValueError(text)
    return value


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise RepeatedKeyError
    return found


def loads(data: bytes, *, repeats_allowed: bool = False) -> Any:
    """The value; ValueError for all that RFC 8259 or our own rules refuse."""
    text = data.decode("utf-8")
    value = json.loads(
        text,
        parse_constant=_constant,
        parse_float=_float,
        object_pairs_hook=dict if repeats_allowed else _object,
    )
    json.dumps(value, ensure_ascii=False).encode("utf-8")
    return value


def repeats_keys(data: bytes) -> bool:
    """Whether any object of a well-formed document has a key twice."""
    try:
        loads(data)
    except RepeatedKeyError:
        return True
    return False
