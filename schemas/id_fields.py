"""Ids as fields of models: checked, with the reason if one is not accepted."""

from collections.abc import Sequence
from typing import Annotated, Any, TypeAlias

from pydantic import BeforeValidator, Field, PlainSerializer, ValidationInfo, WithJsonSchema
from pydantic_core import PydanticCustomError, core_schema

from groupwise.schemas.ids import (
    ACCEPTED,
    JOINED,
    LARGEST,
    SCORED,
    Id,
    advise_text,
    as_plain,
    text_of,
)
from groupwise.schemas.lean import Lean
from groupwise.schemas.reference import FARTHEST
from groupwise.schemas.values import describe, is_pair, quote_id


def check_id(value: Any, info: ValidationInfo) -> Id:
    """Return the id, as a string under the policy ``ids="text"``, or raise an error."""
    value = as_plain(value)
    if isinstance(value, str) and value.strip():
        return text_of(value)
    if type(value) is int and abs(value) <= LARGEST:
        return str(value) if (info.context or {}).get("ids") == "text" else value
    raise _build_id_error(value)


def _build_id_error(value: Any) -> PydanticCustomError:
    is_number = type(value) is int or isinstance(value, float)
    if isinstance(value, str):
        kind, problem = "id_blank", "a blank id"
    elif is_number and abs(value) > LARGEST:
        shown = str(value) if abs(value) < 10**40 else "given"
        kind, problem = "id_range", f"the number {shown} is too large for an id"
    elif isinstance(value, list | tuple) and is_pair(value):
        kind, problem = "id_kind", f"{_describe_pair(value)} is not an id; {JOINED}"
    elif isinstance(value, list | tuple) and len(value) == 2 and float in {*map(type, value)}:
        kind, problem = "id_kind", f"a pair with a score is not an id; {SCORED}"
    else:
        found = "a fraction" if is_number else describe(value)
        kind, problem = "id_kind", f"{found} is not an id{advise_text(value)}"
    return PydanticCustomError(kind, "{problem}; " + ACCEPTED, {"problem": problem})


def _describe_pair(pair: Sequence[Id]) -> str:
    return f"the pair [{', '.join(map(quote_id, pair))}]"


def check_query_id(value: Any) -> str:
    """Return a query id as text; whole numbers become their digits."""
    value = as_plain(value)
    if type(value) is int:
        return str(value)
    if isinstance(value, str) and value.strip():
        return text_of(value)
    raise PydanticCustomError(
        "query_id",
        "{value} is not a query id{advice}; expected a non-blank string or a whole number",
        {
            "value": "a blank string" if isinstance(value, str) else describe(value),
            "advice": advise_text(value),
        },
    )


TEXT = core_schema.str_schema(strict=True, pattern=r"[^\s\x1c-\x1f]")
NUMBER = core_schema.int_schema(strict=True, ge=-LARGEST, le=LARGEST)

DocumentId = Annotated[
    Id,
    BeforeValidator(check_id),
    Lean(core_schema.union_schema([TEXT, NUMBER])),
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
    Lean(TEXT),
    PlainSerializer(str),
    WithJsonSchema({"anyOf": [{"type": "string", "pattern": r"\S"}, {"type": "integer"}]}),
]

Offset: TypeAlias = Annotated[int, Field(ge=0, le=FARTHEST)]
