"""Atomic writing: a file is replaced completely or not at all.

The data is written to a temporary file in the same folder, flushed to disk, and renamed. If
anything fails, the old file is untouched and the temporary file is removed.
"""

import gzip
import os
import secrets
import stat
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from groupwise.evaluator.errors import OutputError

NEW_FILE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
STREAMS = {"/dev/stdout": 1, "/dev/stderr": 2}
DESCRIPTORS = ("/dev/fd", "/proc/self/fd")
LONGEST_NUMBER = 9
ANYBODY = 0o666
OWNER_ONLY = 0o600


def write_whole(path: str | os.PathLike[str], data: bytes) -> None:
    """Write the data to the file, following links; devices and pipes are written to directly.

    Raises:
        OutputError: It could not be written; what was there before is untouched.
    """
    with new_file(path) as file:
        file.write(data)


def write_data(path: str | os.PathLike[str], pieces: Iterable[bytes]) -> None:
    """Write data piece by piece, compressed if the name ends in ``.gz``.

    The same data gives the same bytes, however it is cut into pieces.

    Raises:
        OutputError: It could not be written; what was there before is untouched.
    """
    with new_file(path) as file:
        if os.fspath(path).lower().endswith(".gz"):
            with gzip.GzipFile("", "wb", fileobj=file, mtime=0) as compressed:
                compressed.writelines(pieces)
        else:
            file.writelines(pieces)


@contextmanager
def new_file(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """Yield a file to write to, which replaces the old one if nothing fails.

    Raises:
        OutputError: It could not be written; what was there before is untouched.
    """
    with _explain_errors(os.fspath(path)), _open_target(path) as file:
        yield file


def _open_target(path: str | os.PathLike[str]) -> AbstractContextManager[BinaryIO]:
    """Return a stream for what is not a regular file, else a file that replaces the old one.

    A pipe has no real path: that of ``/dev/stdout`` is ``/proc/7/fd/pipe:[123]``.
    """
    descriptor = _find_descriptor(os.fspath(path))
    if descriptor is not None:
        return os.fdopen(os.dup(descriptor), "wb")
    if Path(path).exists() and not Path(path).is_file():
        return Path(path).open("wb")
    return _replace(Path(os.path.realpath(path)))


def _find_descriptor(path: str) -> int | None:
    """Return the number of the open file that a path such as ``/dev/stdout`` stands for.

    Opened anew, a file that the shell appends to would be written from its beginning.
    """
    folder, name = os.path.split(path)
    if folder in DESCRIPTORS and name.isascii() and name.isdigit():
        return int(name[:LONGEST_NUMBER])
    return STREAMS.get(path)


@contextmanager
def _explain_errors(name: str) -> Iterator[None]:
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
def _replace(target: Path) -> Iterator[BinaryIO]:
    old = _status(target)
    # The name is chosen before the file exists, so that it is removed whenever anything fails.
    fresh = target.with_name(f".groupwise-{secrets.token_hex(8)}.tmp")
    try:
        with _create(fresh, old) as file:
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
    """Return the status of the old file, None if there is none; it must be writable."""
    if not target.exists():
        return None
    if not os.access(target, os.W_OK):
        raise PermissionError
    return target.stat()


@contextmanager
def _create(path: Path, old: os.stat_result | None) -> Iterator[BinaryIO]:
    """Yield a new file with the mode and owner of the old one, or those of the umask."""
    descriptor = os.open(path, NEW_FILE, ANYBODY if old is None else OWNER_ONLY)
    with os.fdopen(descriptor, "wb") as file:
        if old is not None:
            _copy_owner(path, old)
        yield file


def _copy_owner(path: Path, old: os.stat_result) -> None:
    if hasattr(os, "chown"):
        with suppress(PermissionError):
            os.chown(path, old.st_uid, old.st_gid)
    path.chmod(stat.S_IMODE(old.st_mode))


def _sync_folder(folder: Path) -> None:
    """Flush the new name to disk too, if the system supports that."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
