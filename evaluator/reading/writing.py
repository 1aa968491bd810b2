"""Atomic writing: a file is replaced completely or not at all.

The data is written to a temporary file in the same folder, flushed to disk, and renamed. If
anything fails, the old file is untouched and the temporary file is removed.
"""

import os
import stat
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import BinaryIO, TypeAlias

from groupwise.evaluator.errors import OutputError
from groupwise.evaluator.reading.temporary import choose_name, remove_stale

NEW_FILE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
STREAMS = {"/dev/stdout": 1, "/dev/stderr": 2}
DESCRIPTORS = ("/dev/fd", "/proc/self/fd")
LONGEST_NUMBER = 9
ANYBODY = 0o666
OWNER_ONLY = 0o600
CHANGED = "the file changed meanwhile; nothing was written"
Check: TypeAlias = Callable[[Path, Path], None]
"""Looks at the old file and the new one before that takes its place."""


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


def _accept(_target: Path, _fresh: Path) -> None:
    """Let a file be replaced, whatever it is."""


def write_whole(path: str | os.PathLike[str], data: bytes, before: FileState | None = None) -> None:
    """Write the data to the file, following links; devices and pipes are written to directly.

    Raises:
        OutputError: It could not be written, or is not what it was ``before``; what was there is
            untouched.
    """
    with new_file(path, before.check if before else _accept) as file:
        file.write(data)


def write_data(path: str | os.PathLike[str], pieces: Iterable[bytes]) -> None:
    """Write data piece by piece, compressed if the name ends in ``.gz``.

    The same data gives the same bytes, however it is cut into pieces.

    Raises:
        OutputError: It could not be written; what was there before is untouched.
    """
    with new_file(path) as file:
        if os.fspath(path).lower().endswith(".gz"):
            import gzip  # noqa: PLC0415  (rarely needed)

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
    with new_file(path, partial(_check_replaceable, os.fspath(path), old)) as file:
        file.write(data)


def _check_replaceable(name: str, old: bytes, target: Path, fresh: Path) -> None:
    """Raise an OutputError unless the file is as it was, and only its content would change."""
    if not target.is_file() or target.stat().st_size != len(old) or target.read_bytes() != old:
        raise OutputError(f"{name}: {CHANGED}")
    _refuse_other_changes(name, target, fresh)


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
        if self.last is None:
            return
        with _explain_errors(self._name):
            self._before.check(self._target, self.last)
            _refuse_other_changes(self._name, self._target, self.last)
            self.last.replace(self._target)
        self.last = None
        sync_folder(self._target.parent)

    def discard(self) -> None:
        """Remove the last draft."""
        if self.last is not None:
            self.last.unlink(missing_ok=True)
            self.last = None


@contextmanager
def new_file(path: str | os.PathLike[str], check: Check = _accept) -> Iterator[BinaryIO]:
    """Yield a file to write to, which replaces the old one if nothing fails.

    Raises:
        OutputError: It could not be written; what was there before is untouched.
    """
    with _explain_errors(os.fspath(path)), _open_target(path, check) as file:
        yield file


def is_stream_target(path: str | os.PathLike[str]) -> bool:
    """Whether what is written to a path cannot be taken back, as in a pipe or a device.

    A file is replaced when all of it is written. A folder cannot be opened, which is said then.
    """
    if _find_descriptor(os.fspath(path)) is not None:
        return True
    return Path(path).exists() and not Path(path).is_file()


def _open_target(path: str | os.PathLike[str], check: Check) -> AbstractContextManager[BinaryIO]:
    """Return a stream for what is not a regular file, else a file that replaces the old one.

    A pipe has no real path: that of ``/dev/stdout`` is ``/proc/7/fd/pipe:[123]``.
    """
    descriptor = _find_descriptor(os.fspath(path))
    if descriptor is not None:
        return os.fdopen(os.dup(descriptor), "wb")
    if is_stream_target(path):
        return Path(path).open("wb")
    return _replace(Path(os.path.realpath(path)), check)


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
def _replace(target: Path, check: Check) -> Iterator[BinaryIO]:
    """Yield a file that takes the place of the target, after a last check."""
    with _write_fresh(target) as (fresh, file):
        yield file
    try:
        check(target, fresh)
        fresh.replace(target)
    except BaseException:
        fresh.unlink(missing_ok=True)
        raise
    sync_folder(target.parent)


@contextmanager
def _write_fresh(target: Path) -> Iterator[tuple[Path, BinaryIO]]:
    """Yield a temporary file beside the target, and its path; it is removed if anything fails."""
    old = _status(target)
    remove_stale(target.parent)
    # The name is chosen before the file exists, so that it is removed whenever anything fails.
    fresh = target.with_name(choose_name())
    try:
        with _create(fresh, old) as file:
            yield fresh, file
            file.flush()
            os.fsync(file.fileno())
    except FileExistsError:
        raise
    except BaseException:
        fresh.unlink(missing_ok=True)
        raise


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


def sync_folder(folder: Path) -> None:
    """Flush the new name to disk too, if the system supports that."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
