"""Ids that a map leads to: a single id is a list of one; a pair of text and number is refused."""

from typing import Any

from groupwise.evaluator.formats.mapping.mapped_records import Unfit
from groupwise.evaluator.formats.mapping.paths import EVERY, FieldPath
from groupwise.evaluator.text import quote_id
from groupwise.schemas.result import split_pairs
from groupwise.schemas.values import describe, is_pair

DEEPEST_PAIR = 3


def shape_ids(field: str, path: FieldPath, value: Any) -> Any:
    """Return the value of a field that holds ids, a single id as a list or group of one.

    Raises:
        Unfit: It is null or blank, or holds a pair of text and number.
    """
    if path.separator:
        value = _split(field, path, value)
    if isinstance(value, list):
        if field != "results" or split_pairs(value) is None:
            _refuse_pair(field, path, value)
        return value
    if value is None or (isinstance(value, str) and not value.strip()):
        found = "null" if value is None else "a blank string"
        raise Unfit(f"{field}={path.text}: expected an id or a list of ids, got {found}")
    if isinstance(value, str) or type(value) is int:
        return [[value]] if field == "ground_truth" else [value]
    return value


def _split(field: str, path: FieldPath, value: Any) -> Any:
    """Return the ids of a text; one separator at its end is allowed."""
    if isinstance(value, list):
        return [_split(field, path, part) for part in value]
    if not isinstance(value, str):
        expected = "expected a text with ids"
        raise Unfit(f"{field}={path.text}: {expected}, got {describe(value)}")
    text = value.strip().removesuffix(path.separator)
    ids = [part.strip() for part in text.split(path.separator)]
    if not all(ids):
        raise Unfit(f"{field}={path.text}: expected ids, got a blank one in {describe(value)}")
    return ids


def _refuse_pair(field: str, path: FieldPath, value: list[Any]) -> None:
    found = _find_pair(value)
    if found is None:
        return
    pointer, pair = found
    way = path.text.removesuffix(f".{EVERY}") + f".{EVERY}" * len(pointer)
    shown = ", ".join(map(quote_id, pair))
    scored = f"if the number is a score, map results={way}.0,scores={way}.1; "
    raise Unfit(
        f"{field}={path.text}: [{shown}] is a pair of text and number; if it is one id in two "
        f"parts, map it with {field}={way}.0+1; {scored if field == 'results' else ''}if it is "
        "two ids, write both as text",
        pointer,
    )


def _find_pair(
    value: list[Any], pointer: tuple[int, ...] = ()
) -> tuple[tuple[int, ...], Any] | None:
    """Return the first pair in nested lists, and the pointer to it."""
    if is_pair(value):
        return pointer, value
    if len(pointer) == DEEPEST_PAIR or {*map(type, value)}.isdisjoint({list}):
        return None
    inner = ((at, part) for at, part in enumerate(value) if isinstance(part, list))
    found = (_find_pair(part, (*pointer, at)) for at, part in inner)
    return next(filter(None, found), None)
