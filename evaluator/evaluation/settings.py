"""Settings of a project: a table of its ``pyproject.toml``, found and checked.

The file is looked up in a folder and its parents; the nearest one with the table is used.
"""

import os
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from groupwise.evaluator.errors import InputError, Problem
from groupwise.evaluator.text import suggest

FILE = "pyproject.toml"
PLACE = re.compile(r" \(at line (\d+), column (\d+)\)$")

Check = Callable[[Any], str | None]
"""Returns what is wrong with a value; None if nothing is."""
Wrong = Iterator[tuple[tuple[str, ...], str]]
"""What is wrong in a table, each with the keys that lead to it."""


class Table(NamedTuple):
    """A table of settings, the folder of its file, and the file as seen from where it was sought.

    No absolute path is shown.
    """

    content: Any
    folder: Path
    source: str
    path: tuple[str, ...]

    def refuse(self, wrong: Wrong) -> None:
        """Raise an InputError if anything is wrong."""
        problems = [
            Problem(message, self.source, pointer=".".join([*self.path, *key]))
            for key, message in wrong
        ]
        if problems:
            raise InputError(problems)


def find_table(path: tuple[str, ...], start: str | os.PathLike[str] = ".") -> Table | None:
    """Return the nearest table of this name, above a folder; None if no file has it.

    Raises:
        InputError: A file on the way is not TOML, or cannot be read.
    """
    here = Path(start).resolve()
    for folder in (here, *here.parents):
        if (folder / FILE).is_file():
            source = Path(os.path.relpath(folder / FILE, start)).as_posix()
            content = _read_table(folder / FILE, source, path)
            if content is not None:
                return Table(content, folder, source, path)
    return None


def _read_table(file: Path, source: str, path: tuple[str, ...]) -> Any:
    """Return the table of a file; None if it has none.

    A file that does not hold the name is not parsed: it is none of our business if it is broken.
    """
    content = _load(file, source, path[1])
    for name in path:
        content = content.get(name) if isinstance(content, Mapping) else None
    return content


def _load(path: Path, source: str, name: str) -> Any:
    try:
        data = path.read_bytes()
        if name.encode() not in data:
            return None
        import tomllib  # noqa: PLC0415  (many folders have no such file)

        return tomllib.loads(data.decode().replace("\r\n", "\n"))
    except tomllib.TOMLDecodeError as error:
        raise InputError([_describe_toml_error(str(error), source)]) from error
    except RecursionError:
        raise InputError([Problem("not TOML: nested too deeply", source)]) from None
    except (OSError, UnicodeDecodeError) as error:
        raise InputError([Problem(f"cannot be read: {error}", source)]) from error


def _describe_toml_error(message: str, source: str) -> Problem:
    place = PLACE.search(message)
    if place is None:
        return Problem(f"not TOML: {message}", source)
    return Problem(f"not TOML: {message[: place.start()]}", source, int(place[1]), int(place[2]))


def check_keys(table: Any, keys: Mapping[str, Check]) -> Wrong:
    """Yield what is wrong in a table, each with its key."""
    if not is_table(table):
        yield (), f"expected a table, got {table!r}"
        return
    for name, value in table.items():
        wrong = keys[name](value) if name in keys else describe_unknown(name, keys)
        if wrong:
            yield (name,), wrong


def describe_unknown(name: str, keys: Mapping[str, Check]) -> str:
    """Return that a key is unknown, and the nearest ones that are not."""
    return f"unknown key; {suggest(name.replace('_', '-'), keys)}"


def is_table(value: Any) -> bool:
    """Whether a value is a table."""
    return isinstance(value, Mapping)


def are_texts(value: Any) -> bool:
    """Whether a value is a list of strings."""
    return isinstance(value, list) and all(isinstance(text, str) for text in value)


def expect(what: str, fits: Callable[[Any], bool]) -> Check:
    """Return a check that says what it expects."""
    return lambda value: None if fits(value) else f"{value!r}: expected {what}"


def expect_choice(*choices: str) -> Check:
    """Return a check that accepts some words, and suggests the nearest."""
    return lambda value: None if value in choices else f"{value!r}; {suggest(str(value), choices)}"


check_path = expect("a path", lambda value: isinstance(value, str) and bool(value))
check_count = expect("a whole number from 1 on", lambda value: type(value) is int and value >= 1)
