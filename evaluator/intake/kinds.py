"""The kind of all ids: strings or whole numbers, never both."""

from groupwise.evaluator.errors import Problem, Problems
from groupwise.schemas import Id, Kind
from groupwise.schemas.shape import shortened


class Kinds:
    """The kind of all ids; the first place of each kind is kept for the message."""

    def __init__(self, problems: Problems) -> None:
        self.problems = problems
        self.first: dict[Kind, str] = {}

    def __contains__(self, kind: Kind | None) -> bool:
        return kind in self.first

    def note(self, kind: Kind, example: Id, source: str, query: str) -> None:
        """Remember a kind; a second one is a problem."""
        if kind in self:
            return
        self.first[kind] = f"{shortened(repr(example))} ({source}, query {shortened(repr(query))})"
        if len(self.first) == 2:
            self.problems.add(Problem(self._text()))

    def merge(self, other: "Kinds") -> None:
        """Add the kinds that were found elsewhere; a second one is a problem."""
        had_both = max(len(self.first), len(other.first)) == 2
        self.first = other.first | self.first
        if len(self.first) == 2 and not had_both:
            self.problems.add(Problem(self._text()))

    def _text(self) -> str:
        return (
            f"ids of both kinds: the string {self.first[str]} and the number {self.first[int]}; "
            "use one kind, or ids='text' to compare all as strings"
        )
