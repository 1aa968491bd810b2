"""The format to write: by its name, or by the suffix of the file and the role of the data."""

import os
from collections.abc import Set as AbstractSet
from pathlib import Path

from groupwise.evaluator.errors import InputError, Problem
from groupwise.evaluator.formats.registry import Format, find_format, find_writer, list_formats
from groupwise.evaluator.reading.options import ROLE_NAMES, Role


def choose_target(
    path: str, to: str | None, role: Role | None, *, subtopics: bool
) -> Format | None:
    """Return the format to write, if the call determines it before anything is read.

    Args:
        path: The file to write.
        to: The name of the format.
        role: What is written, if the call says so.
        subtopics: Whether TREC qrels have the group in their second column.

    Raises:
        InputError: There is no format of that name, or it has no writer.
    """
    if to is not None:
        return _with_subtopics(_find_writer_named(to), subtopics=subtopics)
    if Path(path).is_dir() or path.endswith(("/", os.sep)):
        return find_format("beir")
    return _with_subtopics(find_writer(path, role), subtopics=subtopics) if role else None


def choose_target_for(path: str, roles: AbstractSet[Role], *, subtopics: bool) -> Format:
    """Return the format to write, by the suffix of the file and what is written.

    Raises:
        InputError: No format with a writer has the suffix.
    """
    for role in ("ground_truth", "run"):
        found = find_writer(path, role) if role in roles else None
        if (target := _with_subtopics(found, subtopics=subtopics)) is not None:
            return target
    suffixes = dict.fromkeys(suffix for writer in _list_writers() for suffix in writer.suffixes)
    names = ", ".join(writer.name for writer in _list_writers())
    what = " and ".join(ROLE_NAMES[role] for role in sorted(roles))
    message = (
        f"no format for {what} has this extension (known are {', '.join(suffixes)}); "
        f"name one with to='jsonl' or another: {names}"
    )
    raise InputError([Problem(message, path)])


def _list_writers() -> list[Format]:
    return [known for known in list_formats().values() if known.write]


def _find_writer_named(name: str) -> Format:
    found = find_format(name)
    if found.write is None:
        writers = ", ".join(writer.name for writer in _list_writers())
        raise InputError([Problem(f"{name} cannot be written; formats that can are {writers}")])
    return found


def _with_subtopics(found: Format | None, *, subtopics: bool) -> Format | None:
    is_flat = found is not None and found.name == "trec-qrels"
    return find_format("trec-diversity") if is_flat and subtopics else found
