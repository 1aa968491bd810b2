"""What a fixture expects of a score: a number, a bound, or to be no worse than before."""

from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import (
    AfterValidator,
    ConfigDict,
    Field,
    TypeAdapter,
    ValidationError,
    WithJsonSchema,
    WrapValidator,
    with_config,
)
from pydantic_core import PydanticCustomError
from typing_extensions import TypedDict  # pydantic takes that of Python from 3.12 on

from groupwise.schemas.binding import find_bound
from groupwise.schemas.ids import as_plain
from groupwise.schemas.shape import LISTING
from groupwise.schemas.values import describe, find_nearest, is_number

NO_WORSE: Literal["no_worse"] = "no_worse"
"""Expects a fresh run to do at least as well as the results of the fixture."""

BOUND = r"^\s*(>=|>|<=|<)\s*[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?\s*$"
"""A bound for editors; ``parse_bound`` reads it."""

ACCEPTED = (
    "a number, null, a bound such as '>= 0.8', 'no_worse', or {\"value\": 0.5, \"tolerance\": 0.02}"
)


@with_config(ConfigDict(extra="forbid", allow_inf_nan=False, strict=True))
class ToleratedValue(TypedDict):
    """A number with a tolerance of its own."""

    value: float
    tolerance: Annotated[float, Field(ge=0)]


def _check_bound(text: str) -> str:
    find_bound("parse_bound")(text)
    return text


def _explain(value: Any, check: Callable[[Any], Any]) -> Any:
    """Return what is expected, or raise an error that says what may be."""
    try:
        return check(as_plain(value))
    except ValidationError:
        near = find_nearest(value, [NO_WORSE]) if isinstance(value, str) else None
        hint = f" (did you mean {near!r}?)" if near else ""
        if isinstance(value, Mapping):
            hint = f" with {', '.join(map(repr, value))[:80] or 'no fields'}"
        kind = "finite_number" if is_number(value) else "expectation"
        found = f"{describe(value)}{hint}"
        raise PydanticCustomError(
            kind, "expected {accepted}; got {found}", {"accepted": ACCEPTED, "found": found}
        ) from None


Number = Annotated[float, Field(allow_inf_nan=False, strict=True)]
Bound = Annotated[
    str, AfterValidator(_check_bound), WithJsonSchema({"type": "string", "pattern": BOUND})
]
Expectation: TypeAlias = Annotated[
    Number | Literal["no_worse"] | Bound | ToleratedValue | None, WrapValidator(_explain)
]
Expected = Annotated[dict[str, Expectation], LISTING]
"""What is expected, by metric."""

check_expectation = TypeAdapter[Any](Expectation).validate_python
"""Returns what is expected of a score, as it is written."""
