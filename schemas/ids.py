"""Ids: of documents, a non-blank string or a whole number below 2^63, and of queries, a string."""

from os import PathLike
from typing import Annotated, Any, TypeAlias

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    PlainSerializer,
    ValidationInfo,
    WithJsonSchema,
)
from pydantic_core import PydanticCustomError, core_schema

from groupwise.schemas.shape import Lean, refuse_unfit
from groupwise.schemas.values import GREATEST, SMALLEST, describe, fits, is_pair, quote_id

Id: TypeAlias = str | int
Kind: TypeAlias = type[str] | type[int] | type[None]
"""The kind of all ids of a list; NoneType for an empty list."""

LARGEST = 2**63 - 1
FARTHEST = 2**53
"""Up to here every number of characters is a double, and so is exact in every sum and share."""

ONE_KIND = "use one kind, or ids='text' to compare all as strings"
JOINED = "if it is one id in two parts, join them, in a file with --map FIELD=PATH.*.0+1"
SCORED = "give an id and its score for each result, in this order, or scores for none"
ACCEPTED = "an id is a non-blank string or a whole number below 2^63"


def plain_kind(ids: list[Any]) -> Kind | None:
    """Return the kind of all these ids, or None if they need a closer look."""
    kinds = {*map(type, ids)}
    if kinds == {int}:
        return int if min(ids) >= -LARGEST and max(ids) <= LARGEST else None
    if kinds == {str}:
        return str if all(map(str.strip, ids)) else None
    return None if ids else type(None)


def refuse_mixed_kinds(ids: list[Id]) -> None:
    """Raise an error that names an id of each kind, if there are both."""
    text = next((id_ for id_ in ids if isinstance(id_, str)), None)
    number = next((id_ for id_ in ids if not isinstance(id_, str)), None)
    if text is not None and number is not None:
        raise PydanticCustomError(
            "mixed_kinds",
            f"ids of both kinds: the string {{text}} and the number {{number}}; {ONE_KIND}",
            {"text": describe(text).removeprefix("the string "), "number": number},
        )


def as_plain(value: Any) -> Any:
    """Return a scalar of NumPy as one of Python, and anything else unchanged."""
    if type(value).__module__ == "numpy" and hasattr(value, "item"):
        return value.item()
    return value


def text_of(id_: Id) -> str:
    """Return an id as text; a string enum is its value, not its name."""
    return str.__str__(id_) if isinstance(id_, str) else str(id_)


def advise_text(value: object) -> str:
    """Return how to write an object as the text of an id; blank if there is no common way.

    >>> from uuid import UUID
    >>> advise_text(UUID(int=7))
    '; write str(uuid)'
    """
    if isinstance(value, PathLike):
        return "; write str(path), or path.as_posix() for the same text on every system"
    names = (f"{kind.__module__}.{kind.__qualname__}" for kind in type(value).__mro__)
    return next((f"; write {TEXT_OF[name]}" for name in names if name in TEXT_OF), "")


TEXT_OF = {
    "uuid.UUID": "str(uuid)",
    "enum.Enum": "member.value, or member.name",
    "builtins.bytes": "value.decode()",
    "builtins.bytearray": "value.decode()",
    "decimal.Decimal": "str(number), or int(number) if it is whole",
    "fractions.Fraction": "str(number), or int(number) if it is whole",
    "datetime.date": "value.isoformat()",
    "datetime.time": "value.isoformat()",
}
"""How objects that are often used as ids become text, by their class."""


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
        pair = ", ".join(map(quote_id, value))
        kind, problem = "id_kind", f"the pair [{pair}] is not an id; {JOINED}"
    elif isinstance(value, list | tuple) and len(value) == 2 and float in {*map(type, value)}:
        kind, problem = "id_kind", f"a pair with a score is not an id; {SCORED}"
    else:
        found = "a fraction" if is_number else describe(value)
        kind, problem = "id_kind", f"{found} is not an id{advise_text(value)}"
    return PydanticCustomError(kind, "{problem}; " + ACCEPTED, {"problem": problem})


def check_query_id(value: Any) -> str:
    """Return a query id as text; whole numbers become their digits."""
    value = as_plain(value)
    if type(value) is int and fits(value):
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
NUMBER_64 = core_schema.int_schema(strict=True, ge=SMALLEST, le=GREATEST)
SCHEMA: Any = {"type": "string", "pattern": r"\S"}
RANGE: Any = {"type": "integer", "minimum": -LARGEST, "maximum": LARGEST}
ABOUT = "Strings or whole numbers, one kind throughout."

DocumentId = Annotated[
    Id,
    BeforeValidator(check_id),
    Lean(core_schema.union_schema([TEXT, NUMBER])),
    WithJsonSchema({"anyOf": [SCHEMA, RANGE], "description": ABOUT}),
]
QueryId = Annotated[
    str,
    BeforeValidator(check_query_id),
    Lean(TEXT),
    PlainSerializer(str),
    WithJsonSchema({"anyOf": [SCHEMA, {"type": "integer"}]}),
]
Offset: TypeAlias = Annotated[int, Field(ge=0, le=FARTHEST)]
DocumentName = Annotated[
    str | int,
    AfterValidator(refuse_unfit),
    Lean(core_schema.union_schema([core_schema.str_schema(strict=True), NUMBER_64])),
]
"""The document that a span is in."""
