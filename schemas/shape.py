"""What all models share: strict, immutable, and clear about fields they do not know."""

import json
from collections.abc import Mapping
from difflib import get_close_matches
from itertools import chain
from numbers import Real
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict, model_validator
from pydantic_core import PydanticCustomError

FIELD_NAMES: Mapping[str, tuple[str, ...]] = {
    "id": ("id", "qid", "query_id"),
    "ground_truth": ("ground_truth", "retrieval_gt"),
    "results": ("results", "retrieved_ids"),
    "scores": ("scores", "retrieve_scores"),
}
"""The names a field goes by in files; those after the first are AutoRAG's."""

DEEPEST = 60
"""How deep free data within a record may be nested; records themselves take four levels more."""

CANONICAL = {name: field for field, names in FIELD_NAMES.items() for name in names}


class Shape(BaseModel):
    """A strict, immutable model that names unknown fields and suggests the nearest known ones."""

    model_config = ConfigDict(
        strict=True,
        frozen=True,
        extra="forbid",
        allow_inf_nan=False,
        hide_input_in_errors=True,
        defer_build=True,  # most commands check nothing with most models: each is built when used
    )
    described_as: ClassVar[str] = "an object"

    @model_validator(mode="before")
    @classmethod
    def _with_canonical_names(cls, value: Any) -> Any:
        if isinstance(value, cls):
            return value
        value = cls.reshaped(value)
        if not isinstance(value, Mapping):
            raise PydanticCustomError(
                "shape", "{found} where {described} belongs",
                {"found": describe(value), "described": cls.described_as},
            )  # fmt: skip
        written = {field.alias or name for name, field in cls.model_fields.items()}
        return canonical_fields(value, written)

    @classmethod
    def reshaped(cls, value: Any) -> Any:
        """The mapping of fields that a shorter way of writing stands for."""
        return value


def canonical_fields(value: Mapping[str, Any], known: set[str]) -> dict[str, Any]:
    """Fields by their canonical names; unknown ones and two names for one field are refused."""
    fields: dict[str, Any] = {}
    unknown = [name for name in value if CANONICAL.get(name, name) not in known]
    if unknown:
        raise _unknown_fields(unknown, known)
    for name, content in value.items():
        field = CANONICAL.get(name, name)
        if field in fields:
            raise PydanticCustomError(
                "twice", "'{field}' is given under two names", {"field": field}
            )
        fields[field] = content
    return fields


def _unknown_fields(names: list[str], known: set[str]) -> PydanticCustomError:
    spellings = sorted({s for field in known for s in FIELD_NAMES.get(field, (field,))})
    shown = ", ".join(_with_suggestion(str(name), spellings) for name in names[:3])
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return PydanticCustomError(
        "unknown_field", "unknown field {shown}{more}; known are {known}",
        {"shown": shown, "more": more, "known": ", ".join(sorted(known)), "key": str(names[0])},
    )  # fmt: skip


def _with_suggestion(name: str, known: list[str]) -> str:
    nearest = get_close_matches(name.lower(), known, n=1)
    return f"{name[:60]!r}" + (f" (did you mean {nearest[0]!r}?)" if nearest else "")


def describe(value: object) -> str:
    """A value in JSON's words, for messages."""
    if isinstance(value, str):
        return f"the string {shortened(value)!r}"
    if isinstance(value, int | float) and not isinstance(value, bool):
        return f"the number {value}"
    if isinstance(value, Mapping):
        return "an object"
    names: dict[type, str] = {
        type(None): "null", bool: "a boolean", list: "a list", tuple: "a list"
    }  # fmt: skip
    return names.get(type(value), f"a value of type {type(value).__name__}")


def quoted(one: str | int) -> str:
    """An id as both JSON and Python write it."""
    return json.dumps(shortened(one), ensure_ascii=False) if isinstance(one, str) else str(one)


def shortened(text: str, limit: int = 60) -> str:
    """The text, cut with an ellipsis where it is long."""
    return text if len(text) <= limit else text[: limit - 1] + "…"


def as_list(value: Any) -> Any:
    """Lists as they are; tuples, NumPy arrays and other sequences of values as lists."""
    if isinstance(value, list):
        return value
    if hasattr(value, "tolist"):
        return value.tolist()
    return list(value) if isinstance(value, tuple) else value


def is_number(value: Any) -> bool:
    """Whether this is a number, Python's or NumPy's, and not a boolean."""
    if type(value).__module__ == "numpy":
        return isinstance(value, Real)
    return isinstance(value, int | float) and not isinstance(value, bool)


def as_number(value: Any) -> Any:
    """A number as Python has it."""
    return value if isinstance(value, int | float) else value.item()


def is_shallow(value: Any, levels: int = DEEPEST) -> bool:
    """Whether free data is nested no deeper than so many levels."""
    return are_shallow([value], levels)


def are_shallow(values: list[Any], levels: int = DEEPEST) -> bool:
    """Whether all of these are, at C speed where they hold little."""
    level = _nested(values)
    while level and levels > 0:
        level = containers(contents(level))
        levels -= 1
    return not level


def _nested(values: list[Any]) -> list[Any]:
    """What is nested in these, or is a list: of objects that hold plain values only, nothing."""
    if {*map(type, values)} == {dict}:
        kinds = {*map(type, chain.from_iterable(map(dict.values, values)))}
        return [] if kinds.isdisjoint((dict, list)) else values
    return containers(values)


def containers(values: list[Any]) -> list[Any]:
    """The objects and lists among the values."""
    if {*map(type, values)}.isdisjoint((dict, list)):
        return []
    return [value for value in values if type(value) is dict or type(value) is list]


def contents(values: list[Any]) -> list[Any]:
    """All that is in these objects and lists, one level down."""
    objects = [value for value in values if type(value) is dict]
    lists = values if not objects else [value for value in values if type(value) is list]
    within = chain.from_iterable(map(dict.values, objects))
    return [*within, *chain.from_iterable(lists)]
