"""Everything groupwise raises on purpose.

GroupwiseError
├── InputError (also a ValueError)      the data is invalid; carries every problem found
│   └── OptionError                     an argument has a value it cannot have, such as a profile
├── UnknownMetric (also a ValueError)   no metric has that name; suggests the nearest
├── ExtensionError (also a ValueError)  something of your own, such as a metric, breaks its contract
├── PluginError (also an ImportError)   a plugin could not be loaded
├── LossyConversion (also a ValueError) a format cannot carry all of the data; nothing is written
├── OutputError (also an OSError)       a file could not be written; the old one is intact
└── WorkerLost (also a RuntimeError)    a process that did a part of the work was killed
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from groupwise.evaluator.text import plural

SHOWN_PROBLEMS = 20
"""How many lines a message has; problems that are alike are one line."""
KEPT_PROBLEMS = 1000
"""How many problems are collected; beyond that, reading stops."""
SHOWN_PLACES, LONGEST_PLACE = 5, 40


class GroupwiseError(Exception):
    """The base of all errors of groupwise."""


class Problem(NamedTuple):
    """A problem and its place: source, line, column, query and JSON pointer, as far as known.

    ``code`` is that of the rule it breaks, if the rule is about text or shape. ``alike`` is the
    same for problems that differ only by an example in the message; blank: the message is.
    """

    message: str
    source: str | None = None
    line: int | None = None
    column: int | None = None
    query: str | None = None
    pointer: str | None = None
    code: str = ""
    alike: str = ""

    def __str__(self) -> str:
        parts = [self._file_place(), self._record_place()]
        return ": ".join([part for part in parts if part] + [self.message])

    def _file_place(self) -> str:
        known = [part for part in (self.source, self.line, self.column) if part is not None]
        return ":".join(map(str, known))

    def _record_place(self) -> str:
        query = f"query {self.query!r}" if self.query is not None else ""
        return ", ".join(part for part in (query, self.pointer) if part)

    def at(
        self, source: str | None, line: int | None = None, column: int | None = None
    ) -> "Problem":
        """Return the problem with its place in a file."""
        return self._replace(source=source, line=line, column=column)


class Hint(NamedTuple):
    """A way to read a file that was refused: the arguments to pass, and the reason.

    Without ``fields``, no way is known.
    """

    source: str
    fields: dict[str, str]
    flat: str | None = None
    why: str = ""

    def __str__(self) -> str:
        if not self.fields:
            return f"{self.source}: groupwise.inspect({self.source!r}) shows its fields"
        flat = f" and flat={self.flat!r}" if self.flat else ""
        why = f" ({self.why})" if self.why else ""
        return f"{self.source}: read it as File({self.source!r}, map={self.fields!r}){flat}{why}"


class InputError(GroupwiseError, ValueError):
    """The input is invalid.

    ``problems`` holds the first thousand problems, by source and line; ``count`` is 1,001 if there
    are more, where reading stopped. In the text, problems that are alike are one line. ``hints``
    are ways to read a file whose fields are not known.
    """

    hints: tuple[Hint, ...] = ()

    def __init__(self, problems: Sequence[Problem], count: int | None = None) -> None:
        self.problems = tuple(problems)
        self.count = len(self.problems) if count is None else count
        super().__init__("\n".join(self.lines()))

    def lines(self) -> list[str]:
        """Return a line for each problem; those that are alike are one, with a count."""
        folded = list(_fold(self.problems).values())
        shown = folded[:SHOWN_PROBLEMS]
        hidden = len(self.problems) - sum(map(len, shown))
        more = [f"… and {plural(hidden, 'more problem')}"] if hidden else []
        if self.count > KEPT_PROBLEMS:
            more = [f"… more than {KEPT_PROBLEMS:,} problems; reading stopped there"]
        return [*map(_describe_alike, shown), *more]

    def with_hints(self, hints: Sequence[Hint]) -> "InputError":
        """Return the error with ways to read the files that it refuses."""
        error = type(self)(self.problems, self.count)
        error.hints = tuple(hints)
        error.args = ("\n".join([*error.args, *map(str, hints)]),)
        return error

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.problems, self.count), {**self.__dict__, "args": self.args}


def _sort_by_place(problems: Sequence[Problem]) -> list[Problem]:
    """Return problems by source and line, however large the pieces were in which they were found.

    Those without a line, which are found at the end, come last.
    """
    sources = {
        source: n for n, source in enumerate(dict.fromkeys(each.source for each in problems))
    }

    def find_place(problem: Problem) -> tuple[int, bool, int, int]:
        line = problem.line
        return sources[problem.source], line is None, line or 0, problem.column or 0

    return sorted(problems, key=find_place)


def _fold(problems: Sequence[Problem]) -> dict[tuple[str | None, str], list[Problem]]:
    """Return the problems of each source that are alike, in order of the first of them."""
    folded: dict[tuple[str | None, str], list[Problem]] = {}
    for problem in problems:
        folded.setdefault((problem.source, problem.alike or problem.message), []).append(problem)
    return folded


def _describe_alike(problems: list[Problem]) -> str:
    """Return the first problem in full, then how many are like it, and where."""
    first, *others = problems
    if not others:
        return str(first)
    where = next(filter(None, (_list_places(problems, *names) for names in PLACES)), "")
    return f"{first} (… and {len(others):,} more like it{where})"


PLACES = (("line", "line", "lines"), ("query", "query", "queries"), ("pointer", "place", "places"))
"""What tells places apart, best first: the field of a problem, and what it is called."""


def _list_places(problems: list[Problem], field: str, noun: str, nouns: str) -> str:
    """Return the places after the first, if this field tells them apart; else nothing."""
    first, *others = (getattr(problem, field) for problem in problems)
    places = [place for place in dict.fromkeys(others) if place not in (None, first)]
    if not places:
        return ""
    shown = ", ".join(map(_spell_place, places[:SHOWN_PLACES]))
    more = ", …" if len(places) > SHOWN_PLACES else ""
    return f": {noun if len(places) == 1 else nouns} {shown}{more}"


def _spell_place(place: str | int) -> str:
    if isinstance(place, int):
        return str(place)
    return repr(place if len(place) <= LONGEST_PLACE else f"{place[:LONGEST_PLACE]}…")


class OptionError(InputError):
    """An argument has a value that it cannot have: a profile, a cutoff, a metric's parameter."""


class UnknownMetric(GroupwiseError, ValueError):  # noqa: N818  (named by the contract)
    """No metric has that name."""


class ExtensionError(GroupwiseError, ValueError):
    """A metric, format, matcher, rule or form of your own breaks its contract."""


class PluginError(GroupwiseError, ImportError):
    """A plugin cannot be loaded; the message names it and says why."""


class LossyConversion(GroupwiseError, ValueError):  # noqa: N818  (nothing failed)
    """A format cannot carry all of the data; ``lost`` says what, and nothing was written."""

    def __init__(self, target: str, lost: Sequence[str]) -> None:
        self.target = target
        self.lost = tuple(lost)
        super().__init__(
            "\n".join([f"{target} cannot carry everything; lossy=True writes it without:", *lost])
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.target, self.lost), self.__dict__


class OutputError(GroupwiseError, OSError):
    """An output cannot be written; an existing file is unchanged."""


class WorkerLost(GroupwiseError, RuntimeError):  # noqa: N818  (what happened to it)
    """A process that did a part of the work was killed; nothing was written."""


class Problems:
    """Collects problems while reading continues, which stops after the first thousand."""

    def __init__(self) -> None:
        self.kept: list[Problem] = []
        self.count = 0

    @property
    def has_more(self) -> bool:
        """Whether there are more problems than are kept, so that reading stops."""
        return self.count > KEPT_PROBLEMS

    def add(self, *problems: Problem) -> None:
        """Add problems; beyond the first thousand, only that there are more is known."""
        self.kept.extend(problems[: KEPT_PROBLEMS - len(self.kept)])
        self.count = min(self.count + len(problems), KEPT_PROBLEMS + 1)

    def merge(self, other: "Problems") -> None:
        """Add the problems of another collection."""
        self._merge(other.kept, other.count)

    def merge_error(self, error: InputError) -> None:
        """Add the problems of an error."""
        self._merge(error.problems, error.count)

    def _merge(self, problems: Sequence[Problem], count: int) -> None:
        hidden = count - len(problems)
        self.add(*problems)
        self.count = min(self.count + hidden, KEPT_PROBLEMS + 1)

    def raise_if_any(self) -> None:
        """Raise one InputError for all problems, if there are any."""
        if self.count:
            raise InputError(_sort_by_place(self.kept), self.count)
