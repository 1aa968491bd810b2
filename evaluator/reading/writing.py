"""Atomic writing: a file is replaced completely or not at all.

The data is written to a temporary file in the same folder, flushed to disk, and renamed. If
anything fails, the old file is untouched and the temporary file is removed.
"""

import gzip
import json
import os
import stat
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO, TypeAlias

import orjson

from groupwise.evaluator.errors import OutputError
from groupwise.evaluator.text import json_safe

NEW_FILE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
STREAMS = {"/dev/stdout": 1, "/dev/stderr": 2}
DESCRIPTORS = ("/dev/fd", "/proc/self/fd")
LONGEST_NUMBER = 9
ANYBODY, OWNER_ONLY = 0o666, 0o600
DAY = 86_400.0
OWN_FILES = f".groupwise-{'[0-9a-f]' * 16}.tmp"
CHANGED = "the file changed meanwhile; nothing was written"
Check: TypeAlias = Callable[[Path, Path], None]
"""Looks at the old file and the new one before that takes its place."""


def dump_line(value: Any) -> str:
    """Return a value as JSON on one line; invisible characters are escaped."""
    try:
        return json_safe(orjson.dumps(value).decode())
    except TypeError:  # a string has half of a character
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
        return json_safe(text)


class FileState:
    """Which file there was under a name, and when it was last written; perhaps none."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._name = os.fspath(path)
        self._before = _identify(path)

    def check(self, target: Path, _fresh: Path) -> None:
        """Raise an OutputError if there is another file now, or it was written to."""
        if _identify(target) != self._before:
            raise OutputError(f"{self._name}: {CHANGED}")


def _identify(path: str | os.PathLike[str]) -> tuple[int, ...] | None:
    try:
        now = Path(path).stat()
    except OSError:
        return None
    return now.st_dev, now.st_ino, now.st_size, now.st_mtime_ns


def write_whole(path: str | os.PathLike[str], data: bytes, before: FileState | None = None) -> None:
    """Write the data to the file, following links; devices and pipes are written to directly.

    Raises:
        OutputError: It could not be written, or is not what it was ``before``; what was there is
            untouched.
    """
    with new_file(path, before.check if before else None) as file:
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


def replace_content(path: str | os.PathLike[str], data: bytes, old: bytes) -> None:
    """Replace the content of a file, if it is still the old one.

    Raises:
        OutputError: The file has changed, has other names (hard links) or an owner that the new
            one would not have, or cannot be written; it is untouched.
    """
    name = os.fspath(path)

    def check(target: Path, fresh: Path) -> None:
        if not target.is_file() or target.stat().st_size != len(old) or target.read_bytes() != old:
            raise OutputError(f"{name}: {CHANGED}")
        _refuse_other_changes(name, target, fresh)

    with new_file(path, check) as file:
        file.write(data)


def _refuse_other_changes(name: str, target: Path, fresh: Path) -> None:
    """Raise an OutputError if more than the content of a file would change.

    Only owners may keep a file theirs, and a file that takes the place of another has one name.
    """
    now, new = target.stat(), fresh.stat()
    if now.st_nlink > 1:
        message = f"the file has {now.st_nlink} names (hard links), which would be separated"
        raise OutputError(f"{name}: {message}; nothing was written")
    if (now.st_uid, now.st_gid) != (new.st_uid, new.st_gid):
        message = "the file belongs to another user or group, which would change"
        raise OutputError(f"{name}: {message}; nothing was written")


@contextmanager
def draft_content(path: str | os.PathLike[str]) -> "Iterator[Drafts]":
    """Yield drafts of new content for a file; nothing is left of those that do not take its place.

    The file is taken as it is now: it must not change before a draft takes its place.
    """
    drafts = Drafts(path)
    try:
        yield drafts
    finally:
        drafts.discard()


class Drafts:
    """New content for a file that is too large to be held in memory.

    Each draft is a file beside it, which the next one is made from.

    Attributes:
        last: The last draft; None if there is none.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._name = os.fspath(path)
        self._target = Path(os.path.realpath(path))
        self._before = FileState(path)
        self.last: Path | None = None

    @contextmanager
    def write(self) -> Iterator[BinaryIO]:
        """Yield a file for a draft; when it is written, the draft before it is removed.

        Raises:
            OutputError: It could not be written.
        """
        with _explain_errors(self._name), _write_fresh(self._target) as (fresh, file):
            yield file
        self.discard()
        self.last = fresh

    def take_place(self) -> None:
        """Replace the content of the file by the last draft, if there is one.

        Raises:
            OutputError: The file has changed, has other names (hard links) or an owner that the new
                one would not have, or cannot be written; it is untouched.
        """
        if self.last is not None:
            with _explain_errors(self._name):
                self._before.check(self._target, self.last)
                _refuse_other_changes(self._name, self._target, self.last)
                _rename(self.last, self._target)
            self.last = None

    def discard(self) -> None:
        """Remove the last draft."""
        if self.last is not None:
            self.last.unlink(missing_ok=True)
            self.last = None


@contextmanager
def new_file(path: str | os.PathLike[str], check: Check | None = None) -> Iterator[BinaryIO]:
    """Yield a file to write to, which replaces the old one if nothing fails.

    What cannot be replaced is written to directly: a pipe, a device, or an open file such as
    ``/dev/stdout``, which would be written from its beginning if it were opened anew.

    Raises:
        OutputError: It could not be written; what was there before is untouched.
    """
    name = os.fspath(path)
    with _explain_errors(name):
        descriptor = _find_descriptor(name)
        if descriptor is not None:
            with os.fdopen(os.dup(descriptor), "wb") as file:
                yield file
        elif Path(name).exists() and not Path(name).is_file():
            with Path(name).open("wb") as file:
                yield file
        else:
            with _replace(Path(os.path.realpath(name)), check) as file:
                yield file


def _find_descriptor(path: str) -> int | None:
    """Return the number of the open file that a path such as ``/dev/stdout`` stands for."""
    folder, name = os.path.split(path)
    if folder in DESCRIPTORS and name.isascii() and name.isdigit():
        return int(name[:LONGEST_NUMBER])
    return STREAMS.get(path)


@contextmanager
def _explain_errors(name: str) -> Iterator[None]:
    try:
        yield
    except OutputError:
        raise
    except OSError as error:
        raise OutputError(f"{name}: {describe_write_error(error, Path(name))}") from error


def describe_write_error(error: OSError, path: Path) -> str:
    """Return why a file cannot be written."""
    if isinstance(error, FileNotFoundError):
        return f"there is no folder {os.fspath(path.parent)!r}"
    known: dict[type[OSError], str] = {
        IsADirectoryError: "this is a folder, not a file",
        NotADirectoryError: f"{os.fspath(path.parent)!r} is not a folder",
        PermissionError: "no permission to write this file",
    }
    return known.get(type(error), f"cannot be written: {error.strerror or error}")


@contextmanager
def _replace(target: Path, check: Check | None) -> Iterator[BinaryIO]:
    """Yield a file that takes the place of the target, after a last check."""
    with _write_fresh(target) as (fresh, file):
        yield file
    try:
        if check is not None:
            check(target, fresh)
        _rename(fresh, target)
    except BaseException:
        fresh.unlink(missing_ok=True)
        raise


def _rename(fresh: Path, target: Path) -> None:
    """Let a file take the place of another, and flush its new name to disk if that is possible."""
    fresh.replace(target)
    with suppress(OSError):
        folder = os.open(target.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


@contextmanager
def _write_fresh(target: Path) -> Iterator[tuple[Path, BinaryIO]]:
    """Yield a temporary file beside the target, and its path; it is removed if anything fails.

    It has the mode and owner of the old file, or those of the umask.
    """
    old = target.stat() if target.exists() else None
    if old is not None and not os.access(target, os.W_OK):
        raise PermissionError
    _remove_stale(target.parent)
    fresh = target.with_name(f".groupwise-{os.urandom(8).hex()}.tmp")
    try:
        descriptor = os.open(fresh, NEW_FILE, ANYBODY if old is None else OWNER_ONLY)
        with os.fdopen(descriptor, "wb") as file:
            if old is not None:
                with suppress(PermissionError, AttributeError):
                    os.chown(fresh, old.st_uid, old.st_gid)
                fresh.chmod(stat.S_IMODE(old.st_mode))
            yield fresh, file
            file.flush()
            os.fsync(file.fileno())
    except FileExistsError:
        raise
    except BaseException:
        fresh.unlink(missing_ok=True)
        raise


def _remove_stale(folder: Path) -> None:
    """Remove temporary files of ours that are a day old: killed processes left them behind."""
    for path in folder.glob(OWN_FILES):
        with suppress(OSError):
            if time.time() - path.lstat().st_mtime > DAY:
                path.unlink()
