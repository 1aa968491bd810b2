"""Everything groupwise raises on purpose.

GroupwiseError
├── InputError (also a ValueError)      the data is invalid; carries every problem found
│   └── OptionError                     an argument has a value it cannot have, such as a profile
├── UnknownMetric (also a ValueError)   no metric has that name; suggests the nearest
├── ExtensionError (also a ValueError)  something of your own, such as a metric, breaks its contract
├── PluginError (also an ImportError)   a plugin could not be loaded
├── LossyConversion (also a ValueError) a format cannot carry all of the data; nothing is written
└── OutputError (also an OSError)       a file could not be written; the old one is intact
"""

from collections.abc import Sequence
from typing import NamedTuple

SHOWN_PROBLEMS = 20


class GroupwiseError(Exception):
    """The base of all errors of groupwise."""


class Problem(NamedTuple):
    """A problem and its place: source, line, column, query and JSON pointer, as far as known.

    ``code`` is that of the rule it breaks, if the rule is about text or shape.
    """

    message: str
    source: str | None = None
    line: int | None = None
    column: int | None = None
    query: str | None = None
    pointer: str | None = None
    code: str = ""

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


class InputError(GroupwiseError, ValueError):
    """The input is invalid. ``problems`` holds the first problems, ``count`` is their number."""

    def __init__(self, problems: Sequence[Problem], count: int | None = None) -> None:
        self.problems = tuple(problems)
        self.count = len(self.problems) if count is None else count
        super().__init__(self._text())

    def _text(self) -> str:
        lines = [str(problem) for problem in self.problems[:SHOWN_PROBLEMS]]
        hidden = self.count - len(lines)
        return "\n".join(lines + ([f"… and {hidden:,} more problems"] if hidden else []))


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


class OutputError(GroupwiseError, OSError):
    """An output cannot be written; an existing file is unchanged."""


class Problems:
    """Collects problems while reading continues: the first ones in full, the rest as a count."""

    def __init__(self) -> None:
        self.kept: list[Problem] = []
        self.count = 0

    @property
    def room(self) -> int:
        """How many more problems a message can show; beyond that they are only counted."""
        return SHOWN_PROBLEMS - len(self.kept)

    def add(self, *problems: Problem) -> None:
        """Add problems; those beyond what a message shows are only counted."""
        self.count += len(problems)
        self.kept.extend(problems[: self.room])

    def merge(self, other: "Problems") -> None:
        """Add the problems of another collection."""
        hidden = other.count - len(other.kept)
        self.add(*other.kept)
        self.count += hidden

    def merge_error(self, error: InputError) -> None:
        """Add the problems of an error."""
        self.add(*error.problems)
        self.count += error.count - len(error.problems)

    def raise_if_any(self) -> None:
        """Raise one InputError for all problems, if there are any."""
        if self.count:
            raise InputError(self.kept, self.count)
