"""A value within a record of another shape, with its pointer for messages."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from groupwise.evaluator.formats.mapping.mapped_records import Unfit
from groupwise.schemas import Id
from groupwise.schemas.ids import ACCEPTED, LARGEST
from groupwise.schemas.values import describe


@dataclass(frozen=True)
class Cursor:
    """A value and the pointer to it; accessors raise Unfit on the wrong type."""

    value: Any
    pointer: tuple[str | int, ...] = ()

    def has(self, name: str) -> bool:
        """Whether this is an object with a field of that name that is not null."""
        return isinstance(self.value, dict) and self.value.get(name) is not None

    def first_of(self, *names: str) -> "Cursor":
        """Return the first of these fields that is present; if none is, the first is missing."""
        return self.field(next((name for name in names if self.has(name)), names[0]))

    def field(self, name: str) -> "Cursor":
        """Return the field of an object."""
        if not isinstance(self.value, dict):
            raise self.wrong_type("an object")
        if name not in self.value:
            raise Unfit(f"no {name}", self.pointer)
        return Cursor(self.value[name], (*self.pointer, name))

    def items(self) -> list["Cursor"]:
        """Return the elements of a list, which may be empty, or the objects held in columns."""
        if are_columns(self.value):
            rows = enumerate(list_rows(self.value))
            return [RowCursor(row, self.pointer, at) for at, row in rows]
        if not isinstance(self.value, list):
            raise self.wrong_type("a list")
        return [Cursor(value, (*self.pointer, at)) for at, value in enumerate(self.value)]

    def some_items(self) -> list["Cursor"]:
        """Return the elements of a list that is not empty."""
        if not (found := self.items()):
            raise Unfit("expected at least one element, got an empty list", self.pointer)
        return found

    def entries(self) -> dict[str, "Cursor"]:
        """Return the fields of an object that has them by id."""
        if not isinstance(self.value, dict):
            raise self.wrong_type("an object")
        return {name: Cursor(value, (*self.pointer, name)) for name, value in self.value.items()}

    def text(self) -> str:
        """Return a text that is not blank."""
        if not isinstance(self.value, str) or not self.value.strip():
            raise self.wrong_type("a non-blank text")
        return self.value

    def id(self) -> Id:
        """Return the id of a document: a text that is not blank, or a whole number."""
        if type(self.value) is int and abs(self.value) <= LARGEST:
            return self.value
        if isinstance(self.value, str) and self.value.strip():
            return self.value
        raise Unfit(f"{describe(self.value)} is not an id; {ACCEPTED}", self.pointer)

    def number(self) -> float:
        """Return a finite number, which some formats write as a text."""
        try:
            number = math.nan if isinstance(self.value, bool) else float(self.value)
        except (TypeError, ValueError, OverflowError):
            number = math.nan
        if not math.isfinite(number):
            raise self.wrong_type("a finite number")
        return number

    def wrong_type(self, what: str) -> Unfit:
        """Return the error for a value of the wrong type."""
        return Unfit(f"expected {what}, got {describe(self.value)}", self.pointer)


@dataclass(frozen=True)
class RowCursor(Cursor):
    """An object that is held in columns: its fields are at one place in several lists."""

    at: int = 0

    def field(self, name: str) -> Cursor:
        """Return the field of the object, with the pointer into its column."""
        found = super().field(name)
        return Cursor(found.value, (*found.pointer, self.at))


def are_columns(value: Any) -> bool:
    """Whether these are objects held in columns, as the Hugging Face Hub does.

    >>> are_columns({"title": ["Aldmoor", "Brill"], "sent_id": [0, 2]})
    True
    """
    if not isinstance(value, dict) or {*map(type, value.values())} != {list}:
        return False
    return len({*map(len, value.values())}) == 1


def list_rows(columns: dict[str, list[Any]]) -> list[dict[str, Any]]:
    """Return the objects that are held in columns."""
    rows = zip(*columns.values(), strict=True)
    return [dict(zip(columns, row, strict=True)) for row in rows]


def deduplicate(ids: Sequence[Id]) -> list[Id]:
    """Return each id once, in the order of first occurrence."""
    return list(dict.fromkeys(ids))
