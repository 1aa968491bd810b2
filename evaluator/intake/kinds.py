"""The kind of document ids: strings or whole numbers, never both."""

from collections.abc import Iterable
from typing import NamedTuple

from groupwise.evaluator.errors import Problem
from groupwise.evaluator.text import quote
from groupwise.schemas import Id, Kind
from groupwise.schemas.ids import ONE_KIND


class FirstId(NamedTuple):
    """The first id of a kind, and where it was found."""

    source: str
    example: Id
    query: str

    def __str__(self) -> str:
        example, query = quote(self.example), quote(self.query)
        return f"{example} ({self.source}, query {query})"


class Kinds:
    """The kinds of ids found so far, in their order, each with its first id."""

    def __init__(self) -> None:
        self.first: dict[Kind, FirstId] = {}

    @property
    def first_kind(self) -> Kind | None:
        """The kind that came first; None if there was no id."""
        return next(iter(self.first), None)

    def __contains__(self, kind: Kind | None) -> bool:
        return kind in self.first

    def note(self, kind: Kind, source: str, example: Id = "", query: str = "") -> bool:
        """Remember the first id of a kind; return whether it is the first of a second kind."""
        if kind in self:
            return False
        self.first[kind] = FirstId(source, example, query)
        return len(self.first) == 2

    def merge(self, other: "Kinds") -> bool:
        """Add the kinds found elsewhere; return whether this makes two kinds."""
        had_both = max(len(self.first), len(other.first)) == 2
        for kind, first in other.first.items():
            self.first.setdefault(kind, first)
        return len(self.first) == 2 and not had_both

    def problem(self) -> Problem:
        """Return the problem of ids of both kinds."""
        found = f"the string {self.first[str]} and the number {self.first[int]}"
        return Problem(f"ids of both kinds: {found}; {ONE_KIND}")

    def clash(self, kinds: Iterable[Kind | None]) -> bool:
        """Whether these kinds and the first one are not all the same."""
        return len({self.first_kind, *kinds} & {str, int}) > 1
