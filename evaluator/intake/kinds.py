"""The kind of document ids: strings or whole numbers, never both."""

from typing import NamedTuple

from groupwise.evaluator.errors import Problem
from groupwise.schemas import Id, Kind
from groupwise.schemas.ids import ONE_KIND
from groupwise.schemas.shape import shortened

KIND_NAMES: dict[type, str] = {str: "strings", int: "whole numbers"}


class FirstId(NamedTuple):
    """The first id of a kind, and where it was found."""

    example: Id
    source: str
    query: str

    def __str__(self) -> str:
        example, query = shortened(repr(self.example)), shortened(repr(self.query))
        return f"{example} ({self.source}, query {query})"


class Kinds:
    """The kinds of ids found so far, in their order, each with its first id."""

    def __init__(self) -> None:
        self.first: dict[Kind, FirstId] = {}

    def __contains__(self, kind: Kind | None) -> bool:
        return kind in self.first

    def note(self, kind: Kind, example: Id, source: str, query: str) -> bool:
        """Remember the first id of a kind; return whether it is the first of a second kind."""
        if kind in self:
            return False
        self.first[kind] = FirstId(example, source, query)
        return len(self.first) == 2

    def merge(self, other: "Kinds") -> bool:
        """Add the kinds found elsewhere; return whether only now there are two."""
        had_both = max(len(self.first), len(other.first)) == 2
        for kind, first in other.first.items():
            self.first.setdefault(kind, first)
        return len(self.first) == 2 and not had_both

    def problem(self) -> Problem:
        """Return the problem of ids of both kinds."""
        found = f"the string {self.first[str]} and the number {self.first[int]}"
        return Problem(f"ids of both kinds: {found}; {ONE_KIND}")

    def describe_other(self, kind: Kind, source: str) -> str:
        """Return what to say of a record whose ids are of another kind than the first one."""
        first, place = next(iter(self.first.items()))
        where = "before" if place.source == source else f"in {place.source}"
        return (
            f"ids are {KIND_NAMES[kind]} here and {KIND_NAMES[first]} {where}; "
            f"1 and '1' never meet: {ONE_KIND}"
        )
