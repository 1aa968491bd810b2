"""Settings of a project: ``[tool.groupwise.validate]`` in its ``pyproject.toml``.

The file is looked up in the working directory and its parents; the nearest one with the table
is used. Paths and globs in it are relative to its folder. The command line takes precedence.
"""

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from groupwise.evaluator.errors import InputError, Problem
from groupwise.evaluator.text import suggest
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
            ValueError: One of the words names no rule.
        """
        if select is None:
            select, ignore = self.select, (*self.ignore, *ignore)
        return select_rules(select, ignore, self.per_file_ignores, self.folder)


def read_settings(start: str | os.PathLike[str] = ".") -> Settings:
    """Return the settings for a folder; none of them is set if no file has the table.

    Raises:
        InputError: The file is not TOML, or the table holds unknown keys or wrong values.
    """
    here = Path(start).resolve()
    for folder in (here, *here.parents):
        if (folder / FILE).is_file():
            # As seen from where the search began: no absolute path is shown.
            source = Path(os.path.relpath(folder / FILE, start)).as_posix()
            table = _read_table(folder / FILE, source)
            if table is not None:
                return _build_settings(table, folder, source)
    return Settings()


def _read_table(path: Path, source: str) -> Any:
    """Return the table of a file; None if it has none."""
    content = _load(path, source)
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


def _build_settings(table: Any, folder: Path, source: str) -> Settings:
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
    if not _is_table(table):
        yield (), f"expected a table, got {table!r}"
        return
    for name, value in table.items():
        wrong = KEYS[name](value) if name in KEYS else _describe_unknown(name)
        if wrong:
            yield (name,), wrong
        elif name == PER_FILE:
            for glob, words in value.items():
                if wrong := _check_rules(words):
                    yield (PER_FILE, f'"{glob}"'), wrong


def _describe_unknown(name: str) -> str:
    return f"unknown key; {suggest(name.replace('_', '-'), KEYS)}"


def _check_rules(value: Any) -> str | None:
    if not _are_texts(value):
        return f"{value!r}: expected a list of strings, such as ['GT', 'IO003']"
    try:
        select_rules(value)
    except ValueError as error:
        return str(error)
    return None


def _is_table(value: Any) -> bool:
    return isinstance(value, Mapping)


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(text, str) for text in value)


def _expect(what: str, fits: Callable[[Any], bool]) -> Check:
    return lambda value: None if fits(value) else f"{value!r}: expected {what}"


def _expect_choice(*choices: str) -> Check:
    return lambda value: None if value in choices else f"{value!r}; {suggest(str(value), choices)}"


def _check_profile(value: Any) -> str | None:
    from groupwise.evaluator.metrics.profiles import PROFILES  # noqa: PLC0415

    return _expect_choice(*PROFILES)(value)


_check_path = _expect("a path", lambda value: isinstance(value, str) and bool(value))
_check_count = _expect("a whole number from 1 on", lambda value: type(value) is int and value >= 1)
KEYS: Mapping[str, Check] = {
    "select": _check_rules,
    "ignore": _check_rules,
    "fail-on": _expect_choice("error", "warning"),
    "k": _check_count,
    "profile": _check_profile,
    "gates": _expect("a list of strings", _are_texts),
    "flat": _expect_choice("any", "all"),
    "ids": _expect_choice("text"),
    "corpus": _check_path,
    "baseline": _check_path,
    "max-findings": _check_count,
    PER_FILE: _expect('a table such as {"old/*.json" = ["GT010"]}', _is_table),
}
"""The keys of the table, and the check of each."""
