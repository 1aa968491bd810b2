"""What fixes of several families share."""

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from groupwise.evaluator.reading.editing import Changes
    from groupwise.evaluator.reading.scan import Pointer
    from groupwise.evaluator.validation.facts.draft import Draft, SchemaError
    from groupwise.evaluator.validation.facts.request import Request


def encode_value(value: Any) -> str:
    """Return a value as JSON, characters beyond ASCII as they are."""
    from json import dumps  # noqa: PLC0415  (listing the rules needs no JSON)

    return dumps(value, ensure_ascii=False)


def follow(value: Any, pointer: "Pointer") -> Any:
    """Return what the pointer leads to."""
    for step in pointer:
        value = value[step]
    return value


def is_of_type(*types: str) -> "Callable[[SchemaError], bool]":
    """Return a predicate: whether an error of the models has one of these types."""
    return lambda error: error.type in types


def remove_listed(changes: "Changes", draft: "Draft", record: Any, _request: "Request") -> bool:
    """Remove an id or a group from its list; scores go with their results."""
    pointer = tuple(draft.pointer)
    if pointer[-1] == "id":
        pointer = pointer[:-1]
    changes.removed.add(pointer)
    has_scores = isinstance(record, dict) and not record.keys().isdisjoint(_list_names("scores"))
    if has_scores and pointer[0] in _list_names("results"):
        for name in _list_names("scores"):
            scores = record.get(name)
            if isinstance(scores, list) and len(scores) == len(record[pointer[0]]):
                changes.removed.add((name, pointer[-1]))
    return True


@cache
def _list_names(field: str) -> tuple[str, ...]:
    """Return the names of a field."""
    from groupwise.schemas import FIELD_NAMES  # noqa: PLC0415  (declarations load without models)

    return FIELD_NAMES[field]
