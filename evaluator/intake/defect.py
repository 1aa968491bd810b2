"""A defect: an error that a model reports about a record, without its message."""

from typing import Any, NamedTuple, TypeAlias

from groupwise.schemas.ids import LARGEST

NONE = type(None)
SCALARS: frozenset[type] = frozenset({str, int, float, bool, NONE})
JSON: frozenset[type] = SCALARS | {list, dict}
"""The types of what JSON can hold."""
NO_NUMBERS: frozenset[type] = JSON - {int, float}
"""Those of them that are no numbers."""


class Defect(NamedTuple):
    """An error that a model reports about a record.

    Attributes:
        type: The type of the error, such as ``"empty_group"``.
        field: The field that the error is about; blank: the whole record.
        pointer: The steps to it in the record, as far as they exist.
        value: What is there.
    """

    type: str
    field: str
    pointer: tuple[str | int, ...]
    value: Any = None


Found: TypeAlias = list[Defect] | None
"""The defects of a value; None if it needs a closer look."""


def classify_id(value: Any) -> str:
    """Return the type of the error about an id; blank if it is one."""
    kind = type(value)
    if kind is str:
        return "" if value.strip() else "id_blank"
    if kind is int or kind is float:
        return "id_range" if abs(value) > LARGEST else "" if kind is int else "id_kind"
    return "id_kind"
