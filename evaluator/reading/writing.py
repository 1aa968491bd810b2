"""Output to a file: whole or not at all.

The text goes into a new file beside the old one, to the disk, and takes the old one's place in one
step. Whatever happens on the way, the old file is whole and no other file stays.
"""

import gzip
import os
import secrets
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from groupwise.evaluator.errors import OutputError

NEW_FILE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
ANYBODY = 0o666
OWNER_ONLY = 0o600


def write_whole(path: str | os.PathLike[str], data: bytes) -> None:
    """Put the data into the file, following links; a device or pipe is written to as it is.

    Raises:
        OutputError: It could not be written; what was there before is untouched.
    """
    with new_file(path) as file:
        file.write(data)


def write_data(path: str | os.PathLike[str], pieces: Iterable[bytes]) -> None:
    """The same piece by piece, compressed if the name ends in ``.gz``.

    The same data gives the same bytes, however it is cut.
    """
    with new_file(path) as file:
        if os.fspath(path).lower().endswith(".gz"):
            with gzip.GzipFile("", "wb", fileobj=file, mtime=0) as compressed:
                compressed.writelines(pieces)
        else:
            file.writelines(pieces)


@contextmanager
def new_file(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """A file to write to, which takes the place of the old one when all went well.

    Raises:
        OutputError: It could not be written; what was there before is untouched.
    """
    target = Path(os.path.realpath(path))
    with _explained(os.fspath(path)):
        if target.exists() and not target.is_file():
            with target.open("wb") as file:
                yield file
        else:
            with _replacing(target) as file:
                yield file


@contextmanager
def _explained(name: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise OutputError(f"{name}: {_reason(error, Path(name))}") from error


def _reason(error: OSError, path: Path) -> str:
    if isinstance(error, FileNotFoundError):
        return f"there is no folder {os.fspath(path.parent)!r}"
    known: dict[type[OSError], str] = {
        IsADirectoryError: "this is a folder, not a file",
        NotADirectoryError: f"{os.fspath(path.parent)!r} is not a folder",
        PermissionError: "no permission to write this file",
    }
    return known.get(type(error), f"cannot be written: {error.strerror or error}")


@contextmanager
def _replacing(target: Path) -> Iterator[BinaryIO]:
    old = _status(target)
    # The name is chosen before the file exists, so that no moment is left without a clean-up.
    fresh = target.with_name(f".groupwise-{secrets.token_hex(8)}.tmp")
    try:
        with _created(fresh, old) as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(target)
    except FileExistsError:
        raise
    except BaseException:
        fresh.unlink(missing_ok=True)
        raise
    _sync_folder(target.parent)


def _status(target: Path) -> os.stat_result | None:
    """What is known of the old file; one that is protected against writing stays."""
    if not target.exists():
        return None
    if not os.access(target, os.W_OK):
        raise PermissionError
    return target.stat()


@contextmanager
def _created(path: Path, old: os.stat_result | None) -> Iterator[BinaryIO]:
    """A new file with the old one's mode and owner, or as the umask has it."""
    descriptor = os.open(path, NEW_FILE, ANYBODY if old is None else OWNER_ONLY)
    with os.fdopen(descriptor, "wb") as file:
        if old is not None:
            _take_over(path, old)
        yield file


def _take_over(path: Path, old: os.stat_result) -> None:
    if hasattr(os, "chown"):
        with suppress(PermissionError):
            os.chown(path, old.st_uid, old.st_gid)
    path.chmod(stat.S_IMODE(old.st_mode))


def _sync_folder(folder: Path) -> None:
    """Have the new name on the disk too, where the system offers that."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
