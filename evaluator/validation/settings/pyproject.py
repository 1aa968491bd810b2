"""Settings of a project: ``[tool.groupwise.validate]`` in its ``pyproject.toml``.

The file is looked for in the working directory and its parents; the nearest one that has the table
counts. Paths and globs in it are relative to its folder. What the command line says comes first.
"""

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from groupwise.evaluator.errors import InputError, Problem
from groupwise.evaluator.text import suggest
from groupwise.evaluator.validation.settings.lookup import find_rules
from groupwise.evaluator.validation.settings.selection import Selection, selection_of

FILE = "pyproject.toml"
TABLE = ("tool", "groupwise", "validate")
PLACE = re.compile(r" \(at line (\d+), column (\d+)\)$")

Check = Callable[[Any], str | None]
"""Says what a value should be, where it is something else."""


@dataclass(frozen=True)
class Settings:
    """What a project has set; None and empty where it has not."""

    select: tuple[str, ...] | None = None
    ignore: tuple[str, ...] = ()
    fail_on: Literal["error", "warning"] | None = None
    k: int | None = None
    profile: str | None = None
    gates: tuple[str, ...] = ()
    flat: Literal["any", "all"] | None = None
    ids: Literal["text"] | None = None
    corpus: str | None = None
    baseline: str | None = None
    max_findings: int | None = None
    per_file_ignores: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    folder: str = "."

    def selection(
        self, select: Iterable[str] | None = None, ignore: Iterable[str] = ()
    ) -> Selection:
        """The rules wanted: the words of a call before those of the project.

        A selection of the call takes the place of the project's, with what that ignores; without
        one, what the call ignores is ignored besides.

        Raises:
            ValueError: No rule goes by one of the words.
        """
        if select is not None:
            return selection_of(select, ignore, self.per_file_ignores, self.folder)
        ignored = (*self.ignore, *ignore)
        return selection_of(self.select, ignored, self.per_file_ignores, self.folder)


def read_settings(start: str | os.PathLike[str] = ".") -> Settings:
    """The settings that hold in a folder; none of them set if no file has the table.

    Raises:
        InputError: The file is not TOML, or the table holds what is not known or accepted.
    """
    here = Path(start).resolve()
    for folder in (here, *here.parents):
        table = _table(folder / FILE, start)
        if table is not None:
            return _settings(table, folder, start)
    return Settings()


def _table(path: Path, start: str | os.PathLike[str]) -> Any:
    """The table of a file, if there is such a file and it has one."""
    if not path.is_file():
        return None
    content: Any = _loaded(path, _shown(path, start))
    for name in TABLE:
        content = content.get(name) if isinstance(content, Mapping) else None
    return content


def _loaded(path: Path, source: str) -> Any:
    import tomllib  # noqa: PLC0415  (many a folder has no such file)

    try:
        return tomllib.loads(path.read_text("utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise InputError([_not_toml(str(error), source)]) from error
    except (OSError, UnicodeDecodeError) as error:
        raise InputError([Problem(f"cannot be read: {error}", source)]) from error


def _not_toml(message: str, source: str) -> Problem:
    place = PLACE.search(message)
    if place is None:
        return Problem(f"not TOML: {message}", source)
    return Problem(f"not TOML: {message[: place.start()]}", source, int(place[1]), int(place[2]))


def _shown(path: Path, start: str | os.PathLike[str]) -> str:
    """The file as seen from where it was looked for: no path of the machine is shown."""
    return Path(os.path.relpath(path, start)).as_posix()


def _settings(table: Any, folder: Path, start: str | os.PathLike[str]) -> Settings:
    source = _shown(folder / FILE, start)
    problems = [
        Problem(message, source, pointer=".".join([*TABLE, *key])) for key, message in _off(table)
    ]
    if problems:
        raise InputError(problems)
    values = {name.replace("-", "_"): _frozen(value) for name, value in table.items()}
    for name in ("corpus", "baseline"):
        if name in values:
            values[name] = os.path.relpath(folder / values[name])
    return Settings(**values, folder=os.path.relpath(folder))


def _frozen(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(value)
    if isinstance(value, dict):
        return {name: _frozen(one) for name, one in value.items()}
    return value


def _off(table: Any) -> Iterator[tuple[tuple[str, ...], str]]:
    """What is wrong in the table, each with its key."""
    if not isinstance(table, Mapping):
        yield (), "a table belongs here"
        return
    for name, value in table.items():
        if name == "per-file-ignores":
            yield from _off_per_file(value)
        else:
            wrong = KEYS[name](value) if name in KEYS else _unknown(name)
            if wrong:
                yield (name,), wrong


def _off_per_file(value: Any) -> Iterator[tuple[tuple[str, ...], str]]:
    if not isinstance(value, Mapping):
        yield ("per-file-ignores",), 'a table belongs here, such as {"old/*.json" = ["GT010"]}'
        return
    for glob, words in value.items():
        wrong = _rules(words)
        if wrong:
            yield ("per-file-ignores", f'"{glob}"'), wrong


def _unknown(name: str) -> str:
    known = [*KEYS, "per-file-ignores"]
    return f"unknown key; {suggest(name.replace('_', '-'), known)}"


def _rules(value: Any) -> str | None:
    wrong = _texts(value)
    if wrong:
        return f"{wrong} of codes, such as ['GT', 'IO003']"
    for word in value:
        try:
            find_rules(word)
        except ValueError as error:
            return str(error)
    return None


def _texts(value: Any) -> str | None:
    fits = isinstance(value, list) and all(isinstance(one, str) for one in value)
    return None if fits else f"{value!r} is no list of strings"


def _text(value: Any) -> str | None:
    return None if isinstance(value, str) and value else f"{value!r} is no text"


def _positive(value: Any) -> str | None:
    fits = type(value) is int and value >= 1
    return None if fits else f"{value!r}; a whole number from 1 on belongs here"


def _one_of(*accepted: str) -> Check:
    def check(value: Any) -> str | None:
        if value in accepted:
            return None
        return f"{value!r}; {suggest(str(value), accepted)}"

    return check


def _profile(value: Any) -> str | None:
    from groupwise.evaluator.metrics.registry import PROFILES  # noqa: PLC0415

    return _one_of(*PROFILES)(value)


KEYS: Mapping[str, Check] = {
    "select": _rules,
    "ignore": _rules,
    "fail-on": _one_of("error", "warning"),
    "k": _positive,
    "profile": _profile,
    "gates": _texts,
    "flat": _one_of("any", "all"),
    "ids": _one_of("text"),
    "corpus": _text,
    "baseline": _text,
    "max-findings": _positive,
}
"""The keys of the table, and what each accepts."""
