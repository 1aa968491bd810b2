"""Defects of the fields that hold no groups and no results: their values are of a wrong type."""

import math
from collections.abc import Callable
from typing import Any

from groupwise.evaluator.intake.bulk import PLAIN
from groupwise.evaluator.intake.defect import (
    JSON,
    NO_NUMBERS,
    NONE,
    SCALARS,
    Defect,
    Found,
    classify_id,
)

NUMBERS = frozenset({int, float})
WRONG: dict[str, tuple[str, frozenset[type]]] = {
    "query": ("string_type", JSON - {str, NONE}),
    "metadata": ("dict_type", SCALARS - {NONE}),
    "expected": ("dict_type", SCALARS - {NONE}),
    "not_relevant": ("tuple_type", SCALARS | {dict}),
    "answerable": ("bool_type", JSON - {bool}),
    "scores": ("tuple_type", JSON - {list, NONE}),
}
"""By field, the type of the error about values of wrong types, and these types."""


def check_extra(field: str) -> Callable[[Any], Found]:
    """Return what finds the defects of a field."""
    is_plain = PLAIN[field]
    return lambda value: [] if is_plain([value]) else _check_type(field, value)


def _check_type(field: str, value: Any) -> Found:
    error, wrong = WRONG.get(field, ("", frozenset()))
    return [Defect(error, field, (field,), value)] if type(value) in wrong else None


def check_answerable(value: Any) -> Found:
    """Return the defect of what should be true or false."""
    return [] if type(value) is bool else _check_type("answerable", value)


def check_not_relevant(value: Any) -> Found:
    """Return the defects of documents judged not relevant, which are no more than ids."""
    if PLAIN["not_relevant"]([value]):
        return []
    if type(value) is not list:
        return _check_type("not_relevant", value)
    if not JSON.issuperset(map(type, value)):
        return None
    return [
        Defect(kind, "not_relevant", ("not_relevant", number), id_)
        for number, id_ in enumerate(value)
        if (kind := classify_id(id_))
    ] or None


def check_scores(value: Any) -> Found:
    """Return the defects of scores; one per result is asked for in sound records only."""
    if value is None:
        return []
    if type(value) is not list:
        return _check_type("scores", value)
    kinds = {*map(type, value)}
    if kinds <= NUMBERS:
        return [] if _are_finite(value) else None
    numbers = [score for score in value if type(score) in NUMBERS]
    if not kinds <= JSON or not _are_finite(numbers):
        return None
    return [
        Defect("float_type", "scores", ("scores", number), score)
        for number, score in enumerate(value)
        if type(score) in NO_NUMBERS
    ]


def _are_finite(scores: list[float]) -> bool:
    try:
        return math.isfinite(sum(scores))
    except OverflowError:
        return False
