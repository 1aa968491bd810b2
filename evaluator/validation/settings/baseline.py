"""A baseline: findings that are known and accepted for now.

Only what is new counts. An entry names a finding by its code, its query and a fingerprint of what
is offensive, and says how many such findings there are. Lines are no part of it, so that records
may move and files be sorted.
"""

import os
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Literal

import orjson
from pydantic import Field, ValidationError

from groupwise.evaluator.errors import InputError, Problem
from groupwise.evaluator.reading.json_text import dump_line
from groupwise.evaluator.reading.writing import write_whole
from groupwise.evaluator.validation.engine.findings import Key
from groupwise.schemas.shape import Shape
from groupwise.schemas.validation import Finding, StaleEntry

BASELINE_SCHEMA = "groupwise.baseline/1"
ACCEPTED = "a baseline is what 'groupwise validate --write-baseline' writes"
MOST_ENTRIES_NAMED = 20


def key_of(finding: Finding) -> Key:
    """The key of a finding."""
    return Key(finding.code, finding.query, finding.fingerprint)


class BaselineEntry(Shape):
    """A key and how many findings have it."""

    described_as = "an entry (an object)"

    code: str = Field(min_length=1)
    query: str | None = None
    fingerprint: str
    count: int = Field(default=1, ge=1)

    @property
    def key(self) -> Key:
        """The key of the findings that the entry accounts for."""
        return Key(self.code, self.query, self.fingerprint)


class BaselineFile(Shape):
    """The file: a schema and entries, sorted."""

    schema_: Literal["groupwise.baseline/1"] = Field(alias="schema")
    entries: Annotated[tuple[BaselineEntry, ...], Field(strict=False)]


class Baseline:
    """The findings that are accounted for; each one once."""

    def __init__(self, known: Mapping[Key, int]) -> None:
        self._left: Counter[Key] = +Counter(known)

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> "Baseline":
        """The baseline in a file.

        Raises:
            InputError: The file cannot be read, or is no baseline.
        """
        source = os.fspath(path)
        file = _checked(_loaded(source), source)
        known = {entry.key: entry.count for entry in file.entries}
        if len(known) < len(file.entries):
            raise _refused(_repeated(file.entries), source)
        return cls(known)

    def accounts_for(self, key: Key) -> bool:
        """Whether a finding was known; one more than there were is new."""
        if self._left[key] <= 0:
            return False
        self._left[key] -= 1
        return True

    def stale(self, wanted: Callable[[str], bool] | None = None) -> tuple[StaleEntry, ...]:
        """The entries that no finding answered to, sorted.

        Args:
            wanted: Whether a code was looked for at all; entries of others are not stale.
        """
        return tuple(
            StaleEntry(code=key.code, query=key.query, fingerprint=key.fingerprint, count=count)
            for key, count in _sorted(+self._left)
            if wanted is None or wanted(key.code)
        )


class BaselineWriter:
    """Gathers the findings of a run; memory grows with distinct keys, not with findings."""

    def __init__(self) -> None:
        self._known: Counter[Key] = Counter()

    def add(self, key: Key) -> None:
        """Have the baseline account for one finding more."""
        self._known[key] += 1

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write the baseline, an entry per line, in an order of its own; whole or not at all.

        Raises:
            OutputError: It could not be written; what was there before is untouched.
        """
        write_whole(path, self.text().encode())

    def text(self) -> str:
        """The content of the file."""
        entries = ",\n".join(f"  {_written(key, count)}" for key, count in _sorted(self._known))
        body = f"[\n{entries}\n]" if entries else "[]"
        return f'{{"schema": "{BASELINE_SCHEMA}", "entries": {body}}}\n'


def _sorted(known: "Counter[Key]") -> list[tuple[Key, int]]:
    """By code, then query (those of no query first), then fingerprint."""

    def place(key: Key) -> tuple[str, bool, str, str]:
        return key.code, key.query is not None, key.query or "", key.fingerprint

    return [(key, known[key]) for key in sorted(known, key=place)]


def _written(key: Key, count: int) -> str:
    return dump_line({**key._asdict(), "count": count})


def _loaded(source: str) -> object:
    try:
        return orjson.loads(Path(source).read_bytes())
    except OSError as error:
        reason = error.strerror or str(error)
        raise _refused(f"the baseline cannot be read: {reason}", source) from error
    except orjson.JSONDecodeError as error:
        problem = Problem(f"not JSON: {error.msg}; {ACCEPTED}", source, error.lineno, error.colno)
        raise InputError([problem]) from error


def _checked(value: object, source: str) -> BaselineFile:
    try:
        return BaselineFile.model_validate(value)
    except ValidationError as error:
        problems = [
            Problem(
                f"{one['msg']}; {ACCEPTED}",
                source,
                pointer="".join(f"/{part}" for part in one["loc"]) or None,
            )
            for one in error.errors(include_url=False)
        ]
        raise InputError(problems[:MOST_ENTRIES_NAMED], len(problems)) from error


def _repeated(entries: tuple[BaselineEntry, ...]) -> str:
    seen: dict[Key, int] = {}
    for number, entry in enumerate(entries):
        first = seen.setdefault(entry.key, number)
        if first < number:
            break
    return f"entries {first} and {number} are the same but for their count; write it anew"


def _refused(message: str, source: str) -> InputError:
    return InputError([Problem(message, source)])
