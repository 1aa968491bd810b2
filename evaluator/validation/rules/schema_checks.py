"""What the schema says of a record, as findings: each kind of error has the code of a rule."""

from collections.abc import Iterator
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from groupwise.evaluator.intake.problems import actual_pointer, message_of, unknown_field
from groupwise.evaluator.reading.scan import Pointer
from groupwise.evaluator.validation.engine.case import Draft
from groupwise.schemas.shape import CANONICAL

CODES = {
    "depth": "IO007",
    "empty_group": "GT004",
    "finite_number": "IO005",
    "flat": "GT005",
    "group_string": "GT006",
    "id_blank": "GT002",
    "id_kind": "IO006",
    "id_range": "IO006",
    "mixed_kinds": "IO006",
    "no_ground_truth": "GT003",
    "unmeetable_group": "GT004",
}
"""The rule of each type of error; what is not listed is an unexpected shape, IO008."""

FIXABLE = frozenset({"flat", "group_string", "empty_group", "unmeetable_group", "id_blank"}) | {
    "mixed_kinds", "no_ground_truth", "unknown_field", "shape",
}  # fmt: skip
MOST = 20
"""Errors of one record beyond this number are not told apart."""


def schema_checks(error: ValidationError, value: Any, flat: str | None) -> Iterator[Draft]:
    """A draft for each error, with the way to it in the value as it was given."""
    for detail in error.errors(include_url=False, include_input=False)[:MOST]:
        pointer = actual_pointer(value, (*detail["loc"], *unknown_field(detail)))
        found = _at(value, pointer)
        yield Draft(
            _code(detail, found),
            message_of(detail),
            pointer,
            _group(pointer),
            found if _is_id(found) else None,
            found,
            _is_fixable(detail, value, pointer, flat),
        )


def _code(detail: ErrorDetails, found: Any) -> str:
    field = next((step for step in reversed(detail["loc"]) if isinstance(step, str)), "")
    if detail["type"] == "missing":
        return "GT002" if field == "id" else "IO008"
    if detail["type"] == "query_id":
        return "GT002" if isinstance(found, str) else "IO006"
    if detail["type"] == "shape" and field == "ground_truth" and isinstance(found, str):
        return "GT006"
    if detail["type"] == "finite_number" and field in ("score", "scores"):
        return "RN005"
    return CODES.get(detail["type"], "IO008")


def _is_fixable(detail: ErrorDetails, value: Any, pointer: Pointer, flat: str | None) -> bool:
    if detail["type"] == "flat":
        return flat is not None
    if detail["type"] == "shape":
        return isinstance(_at(value, pointer), str) and "ground_truth" in detail["loc"][-1:]
    if detail["type"] == "unknown_field":
        return meant_field(detail["msg"], pointer, _at(value, pointer[:-1])) is not None
    if detail["type"] == "id_blank":
        return blank_listed(value, pointer) is not None
    return detail["type"] in FIXABLE


def meant_field(message: str, pointer: Pointer, home: Any) -> str | None:
    """The known field that an unknown one was meant to be, if it is not there already."""
    start = f"unknown field {str(pointer[-1])[:60]!r} (did you mean '"
    if not message.startswith(start):
        return None
    meant = message.removeprefix(start).partition("'")[0]
    there = {CANONICAL.get(name, name) for name in home}
    return None if CANONICAL.get(meant, meant) in there else meant


def blank_listed(value: Any, pointer: Pointer) -> Pointer | None:
    """The way to the blank alternative or result, if others are listed beside it."""
    one = _at(value, pointer)
    way = pointer[:-1] if pointer[-1:] == ["id"] or pointer[-1:] == ("id",) else pointer
    home = _at(value, way[:-1]) if way else None
    is_one_of_many = isinstance(home, list | tuple) and len(home) > 1
    return way if is_one_of_many and isinstance(one, str) and not one.strip() else None


def _at(value: Any, pointer: Pointer) -> Any:
    for step in pointer:
        value = value[step]
    return value


def _group(pointer: Pointer) -> int | None:
    steps = [step for step in pointer if isinstance(step, int)]
    inside = any(CANONICAL.get(str(step)) == "ground_truth" for step in pointer)
    return steps[0] if steps and (inside or len(pointer) == len(steps)) else None


def _is_id(found: Any) -> bool:
    return type(found) is int or (isinstance(found, str) and len(found) <= 200)
