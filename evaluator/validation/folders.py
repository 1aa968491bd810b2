"""Folders given for validation: the data files in them, and what is skipped."""

import os
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from groupwise.evaluator.errors import InputError, Problem
from groupwise.evaluator.formats.opening import recognise
from groupwise.evaluator.formats.recognition import explain_skip, may_be_data
from groupwise.evaluator.reading.detection import take_sample
from groupwise.evaluator.reading.file import File, path_of
from groupwise.evaluator.reading.folder import list_files
from groupwise.evaluator.reading.options import AUTO, Options, Role
from groupwise.evaluator.reading.source import Source
from groupwise.evaluator.text import plural

SHOWN = 20


class Expansion(NamedTuple):
    """The data to validate, folders replaced by their files, and notes about what is skipped."""

    data: list[Any]
    notes: list[str]


def expand_folders(
    data: Iterable[Any],
    role: Role | None,
    exclude: Iterable[str] = (),
    others: Iterable[Any] = (),
) -> Expansion:
    """Replace each folder by its data files, sorted by path; a BEIR folder is data itself.

    Args:
        data: Paths and other data.
        role: What the files should hold; None: ground truth, results, or both.
        exclude: Patterns of the names of files and folders to skip.
        others: What is read along with the data, as run or corpus; not data itself.

    Raises:
        InputError: A folder cannot be read, or holds no data.
    """
    paths = map(path_of, others)
    given = {os.path.realpath(path) for path in paths if isinstance(path, str | os.PathLike)}
    expansion = Expansion([], [])
    for value in data:
        if _is_plain_folder(path_of(value)):
            file = value if isinstance(value, File) else File(value)
            _add_folder(file, role, tuple(exclude), given, expansion)
        else:
            expansion.data.append(value)
    return expansion


def _is_plain_folder(value: Any) -> bool:
    is_path = isinstance(value, str | os.PathLike)
    return is_path and Path(value).is_dir() and recognise(take_sample(Source(value)), None) is None


def _add_folder(
    file: File, role: Role | None, exclude: tuple[str, ...], given: set[str], expansion: Expansion
) -> None:
    folder = os.fspath(file.path)
    how = file if file.map != AUTO else replace(file, map=None)
    options = how.complete(Options(role=role))
    listing = list_files(folder, exclude)
    named = [path for path in listing.files if os.path.realpath(path) not in given]
    candidates = [path for path in named if may_be_data(path)]
    skipped = {path: reason for path in candidates if (reason := explain_skip(path, options))}
    files = [path for path in candidates if path not in skipped]
    notes = _describe_skipped(skipped)
    foreign = len(named) - len(candidates)
    if not files:
        raise InputError([*map(Problem, notes), Problem("no data in this folder", folder)])
    expansion.data.extend(replace(file, path=path) for path in files)
    expansion.notes.extend(notes)
    expansion.notes.append(f"{folder}: {_describe_counts(files, skipped, foreign, listing.hidden)}")


def _describe_skipped(skipped: dict[str, str]) -> list[str]:
    notes = [f"{path}: skipped: {reason}" for path, reason in [*skipped.items()][:SHOWN]]
    rest = len(skipped) - SHOWN
    return [*notes, f"… and {plural(rest, 'more file')} skipped"] if rest > 0 else notes


def _describe_counts(files: list[str], skipped: dict[str, str], foreign: int, hidden: int) -> str:
    counts = {"skipped": len(skipped), "of other kinds": foreign, "hidden": hidden}
    told = [f"{count:,} {what}" for what, count in counts.items() if count]
    return ", ".join([plural(len(files), "data file"), *told])
