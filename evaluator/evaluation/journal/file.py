"""The file of a journal: opened by one process at a time, read to its last whole line, added to.

Each line reaches the system in one piece before the work goes on, and is flushed to disk; so a
killed process leaves at most one line that is cut, the last. It is dropped when the file is opened
again.
"""

import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from groupwise.evaluator.errors import InputError, OutputError, Problem
from groupwise.evaluator.evaluation.journal.lines import Chain
from groupwise.evaluator.evaluation.journal.locking import try_lock
from groupwise.evaluator.evaluation.journal.pace import Pace
from groupwise.evaluator.reading.limits import find_record_limit
from groupwise.evaluator.reading.writing import describe_write_error, sync_folder

SCHEMA = "groupwise.journal/1"
MAGIC = b'{"schema":"groupwise.journal/'
VERSION = MAGIC + b'1"'
OPEN_FLAGS = os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
ANYBODY = 0o666
OTHER_FILE = "or name another file"
NOT_A_JOURNAL = f"this is not a journal of groupwise; name a new file, {OTHER_FILE}"
OTHER_VERSION = (
    "this journal has another format than those of this version of groupwise; finish it with the "
    f"version that began it, delete it to begin again, {OTHER_FILE}"
)
BUSY = f"another evaluation is writing this journal; wait until it ends, {OTHER_FILE}"
DAMAGED = f"the journal is damaged in line {{line:,}}; delete it to begin again, {OTHER_FILE}"
KEPT = "the journal holds what was done before; run the same again to continue"


class JournalFile:
    """A journal that is open for reading once, then for adding lines.

    ``lines`` counts those that are in it, the header included.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        """Open and lock the file; create it if there is none.

        Raises:
            OutputError: It cannot be opened, or another process has it.
            InputError: It is something else than a file.
        """
        self.name = os.fspath(path)
        self.lines = 0
        self.pace = Pace()
        self._chain = Chain()
        self._end = 0
        self._descriptor = self._open(Path(path))

    def _open(self, path: Path) -> int:
        if path.exists() and not path.is_file():
            raise InputError([Problem(NOT_A_JOURNAL, self.name)])
        try:
            descriptor = os.open(path, OPEN_FLAGS, ANYBODY)
        except OSError as error:
            raise OutputError(f"{self.name}: {describe_write_error(error, path)}") from error
        if not stat.S_ISREG(os.fstat(descriptor).st_mode) or not try_lock(descriptor):
            os.close(descriptor)
            raise OutputError(f"{self.name}: {BUSY}")
        return descriptor

    def close(self) -> None:
        """Close and unlock the file."""
        os.close(self._descriptor)

    def refuse(self, message: str) -> InputError:
        """Return the error that the journal does not fit."""
        return InputError([Problem(message, self.name)])

    def read(self) -> Iterator[Any]:
        """Yield the objects of all whole lines; then drop what is left of a line that was cut.

        Raises:
            InputError: The file is no journal, or is damaged before its last line.
        """
        with os.fdopen(os.dup(self._descriptor), "rb") as stream:
            stream.seek(0)
            self._refuse_other_file(stream.read(len(VERSION)))
            stream.seek(0)
            while line := stream.readline(find_record_limit()):
                body = self._open_line(line)
                if body is None:
                    self._refuse_damage(stream.readline(find_record_limit()))
                    break
                self._count(line)
                yield body
        self._restore_end()

    def _open_line(self, line: bytes) -> Any | None:
        """Return the object of a line; None if the line was cut or changed."""
        try:
            return self._chain.open(line)
        except ValueError:  # sealed, but by somebody else
            return None

    def _count(self, line: bytes) -> None:
        self._end += len(line)
        self.lines += 1

    def _refuse_other_file(self, start: bytes) -> None:
        """Raise an InputError unless the file is empty, or begins as a journal does."""
        if not VERSION.startswith(start):
            is_other = start.startswith(MAGIC)
            raise self.refuse(OTHER_VERSION if is_other else NOT_A_JOURNAL)

    def _refuse_damage(self, following: bytes) -> None:
        """Raise an InputError if lines follow one that is broken."""
        if following:
            raise self.refuse(DAMAGED.format(line=self.lines + 1))

    def _restore_end(self) -> None:
        """Drop what follows the last whole line."""
        with suppress(OSError):
            os.ftruncate(self._descriptor, self._end)
        os.lseek(self._descriptor, self._end, os.SEEK_SET)

    def append(self, body: dict[str, Any], *, sync: bool = True) -> None:
        """Add a line, and flush it to disk if asked to.

        Raises:
            OutputError: It cannot be written, as on a full disk; the lines before it are intact.
        """
        line = self._chain.seal(body)
        try:
            self._write(line)
            if sync:
                os.fsync(self._descriptor)
        except OSError as error:
            self._restore_end()
            reason = describe_write_error(error, Path(self.name))
            raise OutputError(f"{self.name}: {reason}; {KEPT}") from error
        self._count(line)
        if self.lines == 1:
            sync_folder(Path(self.name).absolute().parent)

    def _write(self, line: bytes) -> None:
        rest = memoryview(line)
        while rest:
            rest = rest[os.write(self._descriptor, rest) :]
