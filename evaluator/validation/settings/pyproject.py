"""Settings of a project: ``[tool.groupwise.validate]`` in its ``pyproject.toml``.

The file is looked up in the working directory and its parents; the nearest one with the table
counts. Paths and globs in it are relative to its folder. The command line takes precedence.
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
from groupwise.evaluator.validation.settings.selection import Selection, select_rules

FILE = "pyproject.toml"
TABLE = ("tool", "groupwise", "validate")
PLACE = re.compile(r" \(at line (\d+), column (\d+)\)$")
PER_FILE = "per-file-ignores"

Check = Callable[[Any], str | None]
"""Returns what is wrong with a value; None if nothing is."""


@dataclass(frozen=True)
class Settings:
    """The settings of a project; None and empty where it has none."""

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

    def select_rules(
        self, select: Iterable[str] | None = None, ignore: Iterable[str] = ()
    ) -> Selection:
        """Return the rules that apply, with the words of a call before those of the project.

        A selection of the call replaces that of the project, and what the project ignores; without
        one, what the call ignores is ignored as well.

        Raises:
            ValueError: No rule goes by one of the words.
        """
        if select is not None:
            return select_rules(select, ignore, self.per_file_ignores, self.folder)
        ignored = (*self.ignore, *ignore)
        return select_rules(self.select, ignored, self.per_file_ignores, self.folder)


def read_settings(start: str | os.PathLike[str] = ".") -> Settings:
    """Return the settings for a folder; none of them is set if no file has the table.

    Raises:
        InputError: The file is not TOML, or the table holds unknown keys or wrong values.
    """
    here = Path(start).resolve()
    for folder in (here, *here.parents):
        table = _read_table(folder / FILE, start)
        if table is not None:
            return _build_settings(table, folder, start)
    return Settings()


def _read_table(path: Path, start: str | os.PathLike[str]) -> Any:
    """Return the table of a file; None if there is no such file, or no table in it."""
    if not path.is_file():
        return None
    content: Any = _load(path, _show_path(path, start))
    for name in TABLE:
        content = content.get(name) if isinstance(content, Mapping) else None
    return content


def _load(path: Path, source: str) -> Any:
    import tomllib  # noqa: PLC0415  (many folders have no such file)

    try:
        return tomllib.loads(path.read_text("utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise InputError([_describe_toml_error(str(error), source)]) from error
    except (OSError, UnicodeDecodeError) as error:
        raise InputError([Problem(f"cannot be read: {error}", source)]) from error


def _describe_toml_error(message: str, source: str) -> Problem:
    place = PLACE.search(message)
    if place is None:
        return Problem(f"not TOML: {message}", source)
    return Problem(f"not TOML: {message[: place.start()]}", source, int(place[1]), int(place[2]))


def _show_path(path: Path, start: str | os.PathLike[str]) -> str:
    """Return the file as seen from where it was looked up: no absolute path is shown."""
    return Path(os.path.relpath(path, start)).as_posix()


def _build_settings(table: Any, folder: Path, start: str | os.PathLike[str]) -> Settings:
    source = _show_path(folder / FILE, start)
    problems = [
        Problem(message, source, pointer=".".join([*TABLE, *key]))
        for key, message in _check_table(table)
    ]
    if problems:
        raise InputError(problems)
    values = {name.replace("-", "_"): _freeze(value) for name, value in table.items()}
    for name in ("corpus", "baseline"):
        if name in values:
            values[name] = os.path.relpath(folder / values[name])
    return Settings(**values, folder=os.path.relpath(folder))


def _freeze(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(value)
    if isinstance(value, dict):
        return {name: _freeze(content) for name, content in value.items()}
    return value


def _check_table(table: Any) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield what is wrong in the table, each with its key."""
    if not isinstance(table, Mapping):
        yield (), f"expected a table, got {table!r}"
        return
    for name, value in table.items():
        if name == PER_FILE:
            yield from _check_per_file(value)
        else:
            wrong = KEYS[name](value) if name in KEYS else _describe_unknown(name)
            if wrong:
                yield (name,), wrong


def _check_per_file(value: Any) -> Iterator[tuple[tuple[str, ...], str]]:
    if not isinstance(value, Mapping):
        yield (PER_FILE,), f'expected a table such as {{"old/*.json" = ["GT010"]}}, got {value!r}'
        return
    for glob, words in value.items():
        wrong = _check_rules(words)
        if wrong:
            yield (PER_FILE, f'"{glob}"'), wrong


def _describe_unknown(name: str) -> str:
    return f"unknown key; {suggest(name.replace('_', '-'), [*KEYS, PER_FILE])}"


def _check_rules(value: Any) -> str | None:
    wrong = _check_texts(value)
    if wrong:
        return f"{wrong}, such as ['GT', 'IO003']"
    for word in value:
        try:
            find_rules(word)
        except ValueError as error:
            return str(error)
    return None


def _check_texts(value: Any) -> str | None:
    are_texts = isinstance(value, list) and all(isinstance(text, str) for text in value)
    return None if are_texts else f"{value!r}: expected a list of strings"


def _check_text(value: Any) -> str | None:
    return None if isinstance(value, str) and value else f"{value!r}: expected a path"


def _check_count(value: Any) -> str | None:
    is_count = type(value) is int and value >= 1
    return None if is_count else f"{value!r}: expected a whole number from 1 on"


def _check_choice(*choices: str) -> Check:
    def check(value: Any) -> str | None:
        return None if value in choices else f"{value!r}; {suggest(str(value), choices)}"

    return check


def _check_profile(value: Any) -> str | None:
    from groupwise.evaluator.metrics.registry import PROFILES  # noqa: PLC0415

    return _check_choice(*PROFILES)(value)


KEYS: Mapping[str, Check] = {
    "select": _check_rules,
    "ignore": _check_rules,
    "fail-on": _check_choice("error", "warning"),
    "k": _check_count,
    "profile": _check_profile,
    "gates": _check_texts,
    "flat": _check_choice("any", "all"),
    "ids": _check_choice("text"),
    "corpus": _check_text,
    "baseline": _check_text,
    "max-findings": _check_count,
}
"""The keys of the table, and the check of each."""
