"""Settings of a project: ``[tool.groupwise.validate]`` in its ``pyproject.toml``.

The file is looked up in the working directory and its parents; the nearest one with the table
is used. Paths and globs in it are relative to its folder. The command line takes precedence.
"""

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from groupwise.evaluator.evaluation.settings import (
    Check,
    Table,
    Wrong,
    are_texts,
    check_count,
    check_keys,
    check_path,
    expect,
    expect_choice,
    find_table,
    is_table,
)
from groupwise.evaluator.validation.settings.selection import Selection, select_rules

TABLE = ("tool", "groupwise", "validate")
PER_FILE = "per-file-ignores"


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
    table = find_table(TABLE, start)
    return Settings() if table is None else _build_settings(table)


def _build_settings(table: Table) -> Settings:
    table.refuse(_check_table(table.content))
    values = {name.replace("-", "_"): _freeze(value) for name, value in table.content.items()}
    for name in ("corpus", "baseline"):
        if name in values:
            values[name] = os.path.relpath(table.folder / values[name])
    return Settings(**values, folder=os.path.relpath(table.folder))


def _freeze(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(value)
    if isinstance(value, dict):
        return {name: _freeze(content) for name, content in value.items()}
    return value


def _check_table(table: Any) -> Wrong:
    """Yield what is wrong in the table, each with its key."""
    yield from check_keys(table, KEYS)
    by_file = table.get(PER_FILE) if isinstance(table, Mapping) else None
    for glob, words in by_file.items() if isinstance(by_file, Mapping) else ():
        if wrong := _check_rules(words):
            yield (PER_FILE, f'"{glob}"'), wrong


def _check_rules(value: Any) -> str | None:
    if not are_texts(value):
        return f"{value!r}: expected a list of strings, such as ['GT', 'IO003']"
    try:
        select_rules(value)
    except ValueError as error:
        return str(error)
    return None


def _check_profile(value: Any) -> str | None:
    from groupwise.evaluator.metrics.profiles import PROFILES  # noqa: PLC0415

    return expect_choice(*PROFILES)(value)


KEYS: Mapping[str, Check] = {
    "select": _check_rules,
    "ignore": _check_rules,
    "fail-on": expect_choice("error", "warning"),
    "k": check_count,
    "profile": _check_profile,
    "gates": expect("a list of strings", are_texts),
    "flat": expect_choice("any", "all"),
    "ids": expect_choice("text"),
    "corpus": check_path,
    "baseline": check_path,
    "max-findings": check_count,
    PER_FILE: expect('a table such as {"old/*.json" = ["GT010"]}', is_table),
}
"""The keys of the table, and the check of each."""
