"""A value within a record of another's shape, with the way to it, for messages that say where."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from groupwise.evaluator.formats.mapping.records import Unfit
from groupwise.schemas import Id
from groupwise.schemas.ids import ACCEPTED, LARGEST
from groupwise.schemas.shape import describe


@dataclass(frozen=True)
class Part:
    """A value and the way to it; whoever asks it for what it is not gets an Unfit."""

    value: Any
    way: tuple[str | int, ...] = ()

    def holds(self, name: str) -> bool:
        """Whether this is an object with a field of that name that is not null."""
        return isinstance(self.value, dict) and self.value.get(name) is not None

    def first_of(self, *names: str) -> "Part":
        """The first of these fields that is there; the first name is the one that is missed."""
        return self.field(next((name for name in names if self.holds(name)), names[0]))

    def field(self, name: str) -> "Part":
        """The field of an object."""
        if not isinstance(self.value, dict):
            raise self.unfit("an object")
        if name not in self.value:
            raise Unfit(f"no {name}", self.way)
        return Part(self.value[name], (*self.way, name))

    def items(self) -> list["Part"]:
        """The elements of a list, which may be empty."""
        if not isinstance(self.value, list):
            raise self.unfit("a list")
        return list(self._items())

    def _items(self) -> Iterator["Part"]:
        for number, value in enumerate(self.value):
            yield Part(value, (*self.way, number))

    def some(self) -> list["Part"]:
        """The elements of a list that has any."""
        if self.value == []:
            raise Unfit("an empty list where something to be found belongs", self.way)
        return self.items()

    def entries(self) -> dict[str, "Part"]:
        """The fields of an object that has them by id."""
        if not isinstance(self.value, dict):
            raise self.unfit("an object")
        return {name: Part(value, (*self.way, name)) for name, value in self.value.items()}

    def text(self) -> str:
        """A text that is not blank."""
        if not isinstance(self.value, str) or not self.value.strip():
            raise self.unfit("a text that is not blank")
        return self.value

    def id(self) -> Id:
        """The id of a document: a text that is not blank, or a whole number."""
        if type(self.value) is int and abs(self.value) <= LARGEST:
            return self.value
        if isinstance(self.value, str) and self.value.strip():
            return self.value
        raise Unfit(f"{describe(self.value)} is not an id; {ACCEPTED}", self.way)

    def number(self) -> float:
        """A finite number, which some write as a text."""
        try:
            found = math.nan if isinstance(self.value, bool) else float(self.value)
        except (TypeError, ValueError, OverflowError):
            found = math.nan
        if not math.isfinite(found):
            raise self.unfit("a finite number")
        return found

    def unfit(self, expected: str) -> Unfit:
        """What to raise when something else belongs here."""
        return Unfit(f"{describe(self.value)} where {expected} belongs", self.way)


def distinct(ids: Sequence[Id]) -> list[Id]:
    """Each id once, in the order in which they come first."""
    return list(dict.fromkeys(ids))
