"""What a fixture expects of a score: a number, a bound, or to be no worse than before."""

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias, TypedDict

from pydantic import PlainValidator, WithJsonSchema

from groupwise.schemas.binding import find_bound
from groupwise.schemas.shape import LISTING
from groupwise.schemas.values import describe, find_nearest, is_number

if TYPE_CHECKING:
    from pydantic_core import PydanticCustomError

NO_WORSE: Literal["no_worse"] = "no_worse"
"""Expects a fresh run to do at least as well as the results of the fixture."""

BOUND = r"^\s*(>=|>|<=|<)\s*[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?\s*$"
"""A bound for editors; ``parse_bound`` reads it."""

ACCEPTED = (
    "a number, null, a bound such as '>= 0.8', 'no_worse', or {\"value\": 0.5, \"tolerance\": 0.02}"
)


class ToleratedValue(TypedDict):
    """A number with a tolerance of its own."""

    value: float
    tolerance: float


Expectation: TypeAlias = float | str | ToleratedValue | None


def check_expectation(value: Any) -> Expectation:
    """Return what is expected of a score, as it is written."""
    if value is None:
        return None
    if _is_finite(value):
        return float(value)
    if isinstance(value, str) and is_bound(value):
        return value
    if isinstance(value, Mapping):
        return _check_tolerated(value)
    raise _refuse(value)


def is_bound(text: str) -> bool:
    """Whether a text is a bound, or ``"no_worse"``."""
    if text == NO_WORSE:
        return True
    try:
        find_bound("parse_bound")(text)
    except ValueError:
        return False
    return True


def _check_tolerated(value: Mapping[Any, Any]) -> ToleratedValue:
    if set(value) != {"value", "tolerance"}:
        fields = ", ".join(map(repr, value)) or "no fields"
        raise _refuse(value, f" with {fields[:80]}")
    if not all(map(_is_finite, value.values())):
        raise _refuse(value, "; value and tolerance should be numbers")
    if value["tolerance"] < 0:
        raise _refuse(value, f" with the tolerance {value['tolerance']}, which is below 0")
    return {"value": float(value["value"]), "tolerance": float(value["tolerance"])}


def _is_finite(value: Any) -> bool:
    try:
        return is_number(value) and math.isfinite(value)
    except OverflowError:
        return False


def _refuse(value: Any, more: str = "") -> "PydanticCustomError":
    from pydantic_core import PydanticCustomError  # noqa: PLC0415  (only needed for an error)

    near = find_nearest(value, [NO_WORSE]) if isinstance(value, str) else None
    hint = f" (did you mean {near!r}?)" if near else more
    return PydanticCustomError(
        "finite_number" if is_number(value) else "expectation", "expected {accepted}; got {found}",
        {"accepted": ACCEPTED, "found": f"{describe(value)}{hint}"},
    )  # fmt: skip


SCHEMA: dict[str, Any] = {
    "anyOf": [
        {"type": "number"},
        {"type": "null"},
        {"const": NO_WORSE},
        {"type": "string", "pattern": BOUND},
        {
            "type": "object",
            "properties": {
                "value": {"type": "number"},
                "tolerance": {"type": "number", "minimum": 0},
            },
            "required": ["value", "tolerance"],
            "additionalProperties": False,
        },
    ]
}  # fmt: skip

Expected = Annotated[
    dict[str, Annotated[Any, PlainValidator(check_expectation), WithJsonSchema(SCHEMA)]], LISTING
]
"""What is expected, by metric."""
