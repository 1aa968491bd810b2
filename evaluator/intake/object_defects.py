"""Defects of objects where ids may be: a group, an alternative or a result in full."""

from collections.abc import Collection
from typing import Any, NamedTuple

from groupwise.evaluator.intake.defect import JSON, NO_NUMBERS, Defect, Found, classify_id
from groupwise.schemas.ids import LARGEST
from groupwise.schemas.values import CANONICAL

GROUP = frozenset({"alternatives", "weight", "label"})
NO_GRADES = frozenset({list, dict, str})
"""What makes an object something else than the grades of a group."""


class Kind(NamedTuple):
    """What an object may have: its fields, and the one of them that is a number."""

    fields: frozenset[str]
    number: str


ALTERNATIVE = Kind(frozenset({"id", "grade", "text", "document", "start", "end"}), "grade")
RESULT = Kind(
    frozenset({"id", "score", "text", "document", "start", "end", "tokens", "vector"}), "score"
)


def check_group(group: dict[str, Any], pointer: tuple[str | int, ...]) -> Found:
    """Return the unknown field of a group; None if it has alternatives, or grades by id."""
    if "alternatives" in group or NO_GRADES.isdisjoint(map(type, group.values())):
        return None
    return _find_unknown(group, GROUP, pointer)


def check_object(value: dict[str, Any], pointer: tuple[str | int, ...], kind: Kind) -> Found:
    """Return the defects of an alternative or a result with an id and a number; None: unsure."""
    if not kind.fields.issuperset(value):
        return _find_unknown(value, kind.fields, pointer)
    if not value.keys() <= {"id", kind.number}:
        return None
    number = _check_number(value, pointer, kind.number)
    return None if number is None else _check_id(value, pointer) + number


def check_alike(values: list[Any], pointer: tuple[str | int, ...], kind: Kind) -> Found:
    """Return the defects of objects with the same fields, one of which is unknown; None: others."""
    if {*map(type, values)} != {dict} or len({*map(tuple, values)}) != 1:
        return None
    if (first := _find_unknown(values[0], kind.fields, pointer)) is None:
        return None
    name = first[0].pointer[-1]
    return [
        Defect("unknown_field", "", (*pointer, number, name), value[name])
        for number, value in enumerate(values)
    ]


def _find_unknown(
    value: dict[str, Any], known: Collection[str], pointer: tuple[str | int, ...]
) -> Found:
    """Return the first unknown field; None if there is none."""
    for name, content in value.items():
        if CANONICAL.get(name, name) not in known:
            return [Defect("unknown_field", "", (*pointer, name), content)]
    return None


def _check_id(value: dict[str, Any], pointer: tuple[str | int, ...]) -> list[Defect]:
    if "id" not in value:
        return [Defect("missing", "id", pointer)]
    kind = classify_id(value["id"])
    return [Defect(kind, "id", (*pointer, "id"), value["id"])] if kind else []


def _check_number(value: dict[str, Any], pointer: tuple[str | int, ...], name: str) -> Found:
    """Return the defect of a score or a grade; None if it may be out of range, or be zero."""
    if not JSON.issuperset(map(type, value.values())):
        return None
    number = value.get(name, 1)
    if type(number) in NO_NUMBERS:
        is_given = number is not None or name != RESULT.number
        return [Defect("float_type", name, (*pointer, name), number)] if is_given else []
    if name == ALTERNATIVE.number:
        return [] if 0 < number <= 1000 else None
    return [] if abs(number) <= LARGEST else None
