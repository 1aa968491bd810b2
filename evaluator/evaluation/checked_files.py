"""Results of checked files."""

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Literal, NamedTuple, TypeAlias

from groupwise.evaluator.errors import InputError, Problem
from groupwise.evaluator.evaluation.expectations import locate_expected
from groupwise.evaluator.evaluation.fixture import FixtureContent
from groupwise.evaluator.reading.text_file import TextFile
from groupwise.evaluator.text import plural
from groupwise.schemas import FixtureCheck, Outcome

Result: TypeAlias = Literal["ok", "failed", "error", "updated", "differs", "skipped"]
RESULTS: tuple[Result, ...] = ("ok", "failed", "error", "updated", "differs", "skipped")
Lines: TypeAlias = Mapping[tuple[str | None, str], int]
NO_LINES: Lines = {}


class CheckedFile(NamedTuple):
    """A checked file with its result.

    Attributes:
        path: The file.
        result: One word, such as ``failed``.
        note: Why there is nothing to compare.
        check: The outcome of the comparison.
        problems: Why it could not be compared; ``problem_count`` is the number of all.
        lines: Where expectations that are not met are written, by query and metric.
    """

    path: str
    result: Result
    note: str = ""
    check: FixtureCheck | None = None
    problems: tuple[Problem, ...] = ()
    problem_count: int = 0
    lines: Lines = NO_LINES

    @property
    def text(self) -> str:
        """The result as text, one line per difference."""
        if self.check is None or (self.note and self.check.ok):
            return f"{self.path}: {self.note}" if self.note else self.path
        return f"{self.note}{self.check}"

    @property
    def differences(self) -> tuple[Outcome, ...]:
        """The expectations that are not met."""
        return self.check.differences if self.check else ()


def count_results(files: Sequence[CheckedFile]) -> "Counter[str]":
    """Return how many files have each result."""
    return Counter(file.result for file in files)


def describe_results(counts: Mapping[str, int]) -> str:
    """Return how many files there are, and how many have each result.

    >>> describe_results({"ok": 2, "failed": 1})
    '3 files: 2 ok, 1 failed'
    """
    shown = ", ".join(f"{counts[word]} {word}" for word in RESULTS if counts.get(word))
    return f"{plural(sum(counts.values()), 'file')}: {shown}"


def find_lines(fixture: FixtureContent, check: FixtureCheck) -> Lines:
    """Return the lines of the expectations that are not met, if the text can be looked at."""
    if fixture.form is None or check.ok:
        return NO_LINES
    with suppress(InputError):
        file = fixture.file or TextFile(fixture.name)
        return locate_expected(file.text, check.differences, fixture.form)
    return NO_LINES
