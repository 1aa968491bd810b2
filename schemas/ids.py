"""The id of a document: a non-blank string, or a whole number below 2^63."""

from itertools import chain
from typing import Annotated, Any, TypeAlias

from pydantic import BeforeValidator, PlainSerializer, ValidationInfo, WithJsonSchema
from pydantic_core import PydanticCustomError

from groupwise.schemas.shape import describe

Id: TypeAlias = str | int

LARGEST = 2**63 - 1
ONE_KIND = "use one kind, or ids='text' to compare all as strings"
ACCEPTED = "an id is a non-blank string or a whole number below 2^63"


Kind: TypeAlias = type[str] | type[int] | type[None]
"""The kind of all ids of a list; NoneType where there is none."""


def plain_kind(ids: list[Any]) -> Kind | None:
    """The one kind of all these ids, or None where they need a closer look.

    This is the check in bulk, at C speed, that well-formed lists pass. ``str.strip`` refuses
    what is not a string, and leaves nothing of one that is blank.
    """
    return kind_within([ids])


def kind_within(lists: list[list[Any]]) -> Kind | None:
    """The same for the ids of several lists."""
    if not any(lists):
        return type(None)
    try:
        return str if all(map(str.strip, chain.from_iterable(lists))) else None
    except TypeError:
        return _whole_numbers(list(chain.from_iterable(lists)))


def _whole_numbers(ids: list[Any]) -> type[int] | None:
    if set(map(type, ids)) != {int}:
        return None
    return int if min(ids) >= -LARGEST and max(ids) <= LARGEST else None


def check_id(value: Any, info: ValidationInfo) -> Id:
    """Return the id, or raise an error that says what is wrong with it."""
    value = value.item() if type(value).__module__ == "numpy" and hasattr(value, "item") else value
    if type(value) is int:
        return as_text_if_asked(_in_range(value), info)
    if isinstance(value, str):
        return _not_blank(value)
    if isinstance(value, float) and abs(value) > LARGEST:
        raise _out_of_range(value)
    found = "a fraction" if isinstance(value, float) else describe(value)
    raise PydanticCustomError(
        "id_kind", "{found} is not an id; {accepted}",
        {"found": found, "accepted": ACCEPTED},
    )  # fmt: skip


def as_text_if_asked(value: Id, info: ValidationInfo) -> Id:
    """The id as a string where the caller asked for ``ids="text"``."""
    return str(value) if (info.context or {}).get("ids") == "text" else value


def _in_range(value: int) -> int:
    if abs(value) > LARGEST:
        raise _out_of_range(value)
    return value


def _out_of_range(value: float) -> PydanticCustomError:
    shown = str(value) if abs(value) < 10**40 else "given"
    return PydanticCustomError(
        "id_range", "the number {value} is too large for an id; {accepted}",
        {"value": shown, "accepted": ACCEPTED},
    )  # fmt: skip


def _not_blank(value: str) -> str:
    if not value.strip():
        raise PydanticCustomError("id_blank", "a blank id; {accepted}", {"accepted": ACCEPTED})
    return value


def check_query_id(value: Any) -> str:
    """Return a query's id as text; whole numbers are read as they are written."""
    if type(value) is int:
        return str(value)
    if isinstance(value, str) and value.strip():
        return value
    raise PydanticCustomError(
        "query_id",
        "{value} is not the id of a query; it is a non-blank string or a whole number",
        {"value": "a blank string" if isinstance(value, str) else describe(value)},
    )


DocumentId = Annotated[
    Id,
    BeforeValidator(check_id),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "string", "pattern": r"\S"},
                {"type": "integer", "minimum": -LARGEST, "maximum": LARGEST},
            ],
            "description": "Strings or whole numbers, one kind throughout.",
        }
    ),
]

QueryId = Annotated[
    str,
    BeforeValidator(check_query_id),
    PlainSerializer(str),
    WithJsonSchema({"anyOf": [{"type": "string", "pattern": r"\S"}, {"type": "integer"}]}),
]
