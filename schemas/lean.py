"""Lean validators, derived from the models: the way of a record that is written as it is kept.

A lean validator checks the same as its model, and calls none of the functions that read other
spellings and types or describe what is wrong. It stops at the first value that needs one of them;
then the model itself decides.
"""

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from pydantic import GetCoreSchemaHandler
from pydantic_core import CoreSchema, SchemaValidator, core_schema

if TYPE_CHECKING:
    from groupwise.schemas.shape import Shape

BEFORE = frozenset({"function-before", "function-wrap"})
"""The functions that are left out. They may refuse nothing that the schema within accepts."""

UNUSED = frozenset({"serialization", "metadata", "ref"})
LIST = core_schema.is_instance_schema((list, tuple))


class Lean:
    """Annotates a type with the schema that its lean validator has."""

    def __init__(self, schema: CoreSchema) -> None:
        self.schema = schema

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> Any:
        found = handler(source)
        return {**found, "metadata": {**found.get("metadata", {}), "lean": self.schema}}


@cache
def lean_validator(model: "type[Shape]") -> SchemaValidator:
    """Return the lean validator of a model."""
    model.model_rebuild()
    schema: Any = model.__pydantic_core_schema__
    lean = _make_lean(schema, {each["ref"]: each for each in schema.get("definitions", ())})
    try:
        return SchemaValidator(lean, None, _use_prebuilt=False)  # those of models within
    except TypeError:  # pydantic before 2.12
        return SchemaValidator(lean)


def _make_lean(schema: Any, shared: Mapping[str, Any]) -> Any:
    """Return a core schema without functions, serialisation and references."""
    if isinstance(schema, list):
        return [_make_lean(part, shared) for part in schema]
    if not isinstance(schema, dict):
        return schema
    kind = schema.get("type")
    if not isinstance(kind, str):  # fields by name
        return {name: _make_lean(part, shared) for name, part in schema.items()}
    schema = schema.get("metadata", {}).get("lean", schema)
    if kind == "definition-ref":
        schema = shared[schema["schema_ref"]]
    elif kind == "definitions" or schema["type"] in BEFORE:
        schema = schema["schema"]
    else:
        parts = {name: part for name, part in schema.items() if name not in UNUSED}
        return _build(kind, {name: _make_lean(part, shared) for name, part in parts.items()})
    return _make_lean(schema, shared)


def _build(kind: str, schema: Any) -> Any:
    if kind == "tagged-union":
        return core_schema.union_schema([*schema["choices"].values()], mode="left_to_right")
    if kind == "tuple":
        return _build_list(schema, schema["items_schema"][0])
    return _add_short_form(schema) if kind == "model" else schema


def _build_list(schema: Any, item: Any) -> Any:
    """Return the schema of a list, which a set is not; it is faster if its items are alike."""
    choices = [*item["choices"], item] if item.get("mode") == "left_to_right" else [item]
    lists: list[Any] = [{**schema, "items_schema": [each], "fail_fast": True} for each in choices]
    return core_schema.chain_schema(
        [LIST, core_schema.union_schema(lists, mode="left_to_right") if lists[1:] else lists[0]]
    )


def _add_short_form(schema: Any) -> Any:
    """Return the schema of a model that also accepts the field that may stand for it."""
    model: type[Shape] = schema["cls"]
    if model.short is None:
        return schema
    field = schema["schema"]["fields"][model.short]["schema"]
    short = core_schema.no_info_after_validator_function(model.from_short(), field)
    choices: list[Any] = [short, schema]
    return core_schema.union_schema(choices)
