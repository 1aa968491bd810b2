"""The id of a document: a non-blank string, or a whole number below 2^63."""

from typing import Annotated, Any, TypeAlias

from pydantic import BeforeValidator, PlainSerializer, ValidationInfo, WithJsonSchema
from pydantic_core import PydanticCustomError

Id: TypeAlias = str | int

LARGEST = 2**63 - 1
ACCEPTED = "an id is a non-blank string or a whole number below 2^63"


def plain_kind(ids: list[Any]) -> type[str] | type[int] | None:
    """The one kind of all these ids, or None where they need a closer look.

    This is the check in bulk, at C speed, that a well-formed list passes. ``str.strip`` refuses
    what is not a string, and leaves nothing of one that is blank.
    """
    try:
        return str if all(map(str.strip, ids)) else None
    except TypeError:
        return _whole_numbers(ids)


def _whole_numbers(ids: list[Any]) -> type[int] | None:
    if set(map(type, ids)) != {int}:
        return None
    return int if -LARGEST <= min(ids) and max(ids) <= LARGEST else None


def check_id(value: Any, info: ValidationInfo) -> Id:
    """Return the id, or raise an error that says what is wrong with it."""
    value = value.item() if type(value).__module__ == "numpy" and hasattr(value, "item") else value
    if type(value) is int:
        return as_text_if_asked(_in_range(value), info)
    if isinstance(value, str):
        return _not_blank(value)
    found = {type(None): "null", bool: "a boolean", float: "a fraction"}.get(type(value))
    raise PydanticCustomError(
        "id_kind", "{found} is not an id; {accepted}",
        {"found": found or _described(value), "accepted": ACCEPTED},
    )  # fmt: skip


def as_text_if_asked(value: Id, info: ValidationInfo) -> Id:
    """The id as a string where the caller asked for ``ids="text"``."""
    return str(value) if (info.context or {}).get("ids") == "text" else value


def _in_range(value: int) -> int:
    if abs(value) > LARGEST:
        raise PydanticCustomError(
            "id_range", "the number {value} is too large for an id; {accepted}",
            {"value": str(value)[:40], "accepted": ACCEPTED},
        )  # fmt: skip
    return value


def _not_blank(value: str) -> str:
    if not value.strip():
        raise PydanticCustomError("id_blank", "a blank id; {accepted}", {"accepted": ACCEPTED})
    return value


def _described(value: object) -> str:
    names = {list: "a list", tuple: "a list", dict: "an object"}
    return names.get(type(value), f"a value of type {type(value).__name__}")


def check_query_id(value: Any) -> str:
    """Return a query's id as text; whole numbers are read as they are written."""
    if type(value) is int:
        return str(value)
    if isinstance(value, str) and value.strip():
        return value
    raise PydanticCustomError(
        "query_id",
        "{value} is not the id of a query; it is a non-blank string or a whole number",
        {"value": "a blank string" if isinstance(value, str) else _described_scalar(value)},
    )


def _described_scalar(value: object) -> str:
    return "null" if value is None else _described(value)


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
