"""A baseline: findings that are known and accepted for now.

Only new findings count. An entry identifies findings by code, query and a fingerprint of the
offending value, and says how many there are. Line numbers are not part of it, so records can move
and files can be sorted.
"""

import os
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Annotated, Literal, NamedTuple

from pydantic import Field, ValidationError

from groupwise.evaluator.errors import InputError, Problem
from groupwise.evaluator.reading.json import read_json_file
from groupwise.evaluator.reading.writing import FileState, dump_line, write_whole
from groupwise.evaluator.text import json_pointer
from groupwise.schemas.baseline import BASELINE_SCHEMA as SCORES_SCHEMA
from groupwise.schemas.shape import Shape
from groupwise.schemas.validation import StaleEntry

BASELINE_SCHEMA = "groupwise.baseline/1"
EXPECTED = "expected a file that 'groupwise validate --write-baseline' has written"
MOST_PROBLEMS = 20


class Key(NamedTuple):
    """What identifies a finding, wherever it moves."""

    code: str
    query: str | None
    fingerprint: str


class BaselineEntry(Shape):
    """A key, and how many findings have it."""

    described_as = "an entry (an object)"

    code: str = Field(min_length=1)
    query: str | None = None
    fingerprint: str
    count: int = Field(default=1, ge=1)

    @property
    def key(self) -> Key:
        """The key of the findings that the entry covers."""
        return Key(self.code, self.query, self.fingerprint)


class BaselineFile(Shape):
    """The file: a schema, and entries in order."""

    schema_: Literal["groupwise.baseline/1"] = Field(alias="schema")
    entries: Annotated[tuple[BaselineEntry, ...], Field(strict=False)]


class Baseline:
    """The known findings; each of them accounts for one finding."""

    def __init__(self, known: Mapping[Key, int]) -> None:
        self._left: Counter[Key] = +Counter(known)

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> "Baseline":
        """Return the baseline in a file.

        Raises:
            InputError: The file cannot be read, or is not a baseline.
        """
        source = os.fspath(path)
        file = _check_file(read_json_file(source, "the baseline", f"; {EXPECTED}"), source)
        known = {entry.key: entry.count for entry in file.entries}
        if len(known) < len(file.entries):
            raise InputError([Problem(_describe_repeat(file.entries), source)])
        return cls(known)

    def accounts_for(self, key: Key) -> bool:
        """Whether a finding is known; each call uses up one known finding."""
        if self._left[key] <= 0:
            return False
        self._left[key] -= 1
        return True

    def find_stale(self, wants: Callable[[str], bool] | None = None) -> tuple[StaleEntry, ...]:
        """Return the entries that match no finding, in order.

        Args:
            wants: Whether a rule was applied at all; entries of others are not stale.
        """
        return tuple(
            StaleEntry(**key._asdict(), count=count)
            for key, count in _sort_entries(+self._left)
            if wants is None or wants(key.code)
        )


def save_baseline(
    path: str | os.PathLike[str], known: Mapping[Key, int], before: FileState | None = None
) -> None:
    """Write a baseline, one entry per line, in order; whole or not at all.

    Raises:
        OutputError: It cannot be written, or is not what it was ``before``; it is unchanged.
    """
    write_whole(path, render_baseline(known).encode(), before)


def render_baseline(known: Mapping[Key, int]) -> str:
    """Return the content of the file of a baseline."""
    entries = ",\n".join(
        f"  {dump_line({**key._asdict(), 'count': count})}" for key, count in _sort_entries(known)
    )
    body = f"[\n{entries}\n]" if entries else "[]"
    return f'{{"schema": "{BASELINE_SCHEMA}", "entries": {body}}}\n'


def _sort_entries(known: Mapping[Key, int]) -> list[tuple[Key, int]]:
    """Sort by code, then query (those of no query first), then fingerprint."""

    def order(entry: tuple[Key, int]) -> tuple[str, bool, str, str]:
        code, query, fingerprint = entry[0]
        return code, query is not None, query or "", fingerprint

    return sorted(known.items(), key=order)


def _check_file(value: object, source: str) -> BaselineFile:
    if isinstance(value, Mapping) and value.get("schema") == SCORES_SCHEMA:
        message = f"this is a baseline of scores, for 'groupwise evaluate --baseline'; {EXPECTED}"
        raise InputError([Problem(message, source)])
    try:
        return BaselineFile.model_validate(value)
    except ValidationError as error:
        problems = [
            Problem(f"{detail['msg']}; {EXPECTED}", source, pointer=json_pointer(detail["loc"]))
            for detail in error.errors(include_url=False)
        ]
        raise InputError(problems[:MOST_PROBLEMS], len(problems)) from error


def _describe_repeat(entries: tuple[BaselineEntry, ...]) -> str:
    seen: dict[Key, int] = {}
    for number, entry in enumerate(entries):
        first = seen.setdefault(entry.key, number)
        if first < number:
            break
    return f"entries {first} and {number} differ only in their count; write the baseline again"
