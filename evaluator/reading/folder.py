"""The files of a folder and its subfolders."""

import os
from fnmatch import fnmatch
from pathlib import Path
from typing import NamedTuple

from groupwise.evaluator.errors import InputError, Problem


class Listing(NamedTuple):
    """The files of a folder, sorted by path, and how many files and folders are hidden."""

    files: list[str]
    hidden: int


def list_files(folder: str, exclude: tuple[str, ...] = ()) -> Listing:
    """Return the files of a folder and its subfolders, but for those hidden or excluded.

    Args:
        folder: The path of the folder.
        exclude: Patterns of names, such as ``vendor*``, of files and folders to skip.

    Raises:
        InputError: A folder cannot be read.
    """
    found: list[str] = []
    hidden = 0
    for where, folders, names in os.walk(folder, onerror=_refuse_folder):
        hidden += sum(name.startswith(".") for name in [*folders, *names])
        folders[:] = [name for name in folders if _is_searched(name, exclude)]
        for name in names:
            path = os.path.join(where, name)  # noqa: PTH118  (as it is typed)
            is_file_or_broken_link = Path(path).is_file() or not Path(path).exists()
            if _is_searched(name, exclude) and is_file_or_broken_link:
                found.append(path)
    return Listing(sorted(found), hidden)


def _refuse_folder(error: OSError) -> None:
    message = f"the folder cannot be read: {error.strerror or error}"
    raise InputError([Problem(message, str(error.filename))])


def _is_searched(name: str, exclude: tuple[str, ...]) -> bool:
    return not name.startswith(".") and not any(fnmatch(name, pattern) for pattern in exclude)
