"""Bytes from a file, compressed or not, or from standard input, readable more than once."""

import io
import os
import stat
import sys
import weakref
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO

from groupwise.evaluator.errors import InputError, Problem
from groupwise.evaluator.reading.gzip_members import GZIP, GzipMembers
from groupwise.evaluator.reading.limits import DECOMPRESSED, SUSPECT
from groupwise.evaluator.reading.meter import watch_file

STDIN = "-"
UTF8_MARK = b"\xef\xbb\xbf"
OTHER_MARKS = {
    b"\xff\xfe\x00\x00": "UTF-32",
    b"\x00\x00\xfe\xff": "UTF-32",
    b"\xff\xfe": "UTF-16",
    b"\xfe\xff": "UTF-16",
}
POINTER_STARTS = frozenset({b"vers", b"/ann"})
"""How pointers of Git LFS and git-annex begin, which need a closer look."""
ANNEX_FOLDER = ".git/annex/objects/"
SPOOLED_IN_MEMORY = 1 << 24
PART_BYTES = 1 << 16
SUSPECT_BYTES, SUSPECT_RATIO = 1 << 26, SUSPECT.default
"""Data sets grow up to 40 times, a bomb 1000 times."""


def is_read_once(path: str | os.PathLike[str]) -> bool:
    """Whether a path leads to what can be read only once: standard input, a pipe or a device."""
    if os.fspath(path) == STDIN:
        return True
    try:
        mode = Path(path).stat().st_mode
    except (OSError, ValueError):
        return False
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)


class Source:
    """A named stream of bytes that can be opened again; a pipe is copied once."""

    def __init__(self, path: str | os.PathLike[str], max_bytes: int | None = None) -> None:
        self.path = os.fspath(path)
        if "\0" in self.path:
            raise InputError([Problem("a file name cannot contain a NUL character", repr(path))])
        self.name = "<stdin>" if self.path == STDIN else self.path
        self.max_bytes = max_bytes
        self.marked = False
        self.beginning: bytes | None = None
        self._copy: BinaryIO | None = None
        self._is_compressed: bool | None = None

    @property
    def is_copied(self) -> bool:
        """Whether the bytes are no longer those of the file, but a copy of them."""
        return self._copy is not None

    @property
    def is_compressed(self) -> bool:
        """Whether the file is compressed; known after it was opened."""
        return bool(self._is_compressed)

    @property
    def size(self) -> int:
        """The number of bytes in the file, compressed or not; 0 if unknown."""
        return Path(self.path).stat().st_size if self.path != STDIN and not self._copy else 0

    @contextmanager
    def open(self) -> Iterator[BinaryIO]:
        """Yield the content from its beginning, decompressed, without a byte order mark.

        Raises:
            InputError: It cannot be read, or exceeds the limit when decompressed.
        """
        with self.explain_errors(), self._open_raw() as raw:
            self._is_compressed = raw.read(len(GZIP)) == GZIP
            raw.seek(0)
            yield self._skip_mark(self._decompress(raw) if self._is_compressed else raw)

    @contextmanager
    def open_seekable(self) -> Iterator[BinaryIO | str]:
        """Yield a path that leads to the content as it is, if there is one, else a stream.

        For readers that go back and forth: compressed data is decompressed once.
        """
        if self._is_compressed is None:
            with self.open():
                pass
        if self._is_compressed:
            copy = self._new_copy()
            with self.open() as stream:
                _copy(stream, copy)
            self._copy = copy
        if self._copy is None:
            yield self.path
        else:
            with self.open() as stream:
                yield stream

    @contextmanager
    def explain_errors(self) -> Iterator[None]:
        """Turn errors of reading into an InputError that names the source."""
        try:
            yield
        except TooMuch as error:
            raise InputError([Problem(str(error), self.name, code="IO010")]) from None
        except EOFError:
            message = "damaged gzip data: it ends too early"
            raise InputError([Problem(message, self.name, code="IO010")]) from None
        except (zlib.error, OSError) as error:
            raise InputError([self._describe_error(error)]) from None

    def _describe_error(self, error: zlib.error | OSError) -> Problem:
        if not isinstance(error, OSError):
            return Problem("damaged gzip data", self.name, code="IO010")
        return Problem(_describe_link(self.path) or describe_failure(error), self.name)

    @contextmanager
    def _open_raw(self) -> Iterator[BinaryIO]:
        if self._copy is None and not is_read_once(self.path):
            with (
                Path(self.path).open("rb", buffering=1 << 16) as file,
                watch_file(self.path, file, 0, self.size),
            ):
                yield file
            return
        if self._copy is None:
            self._copy = self._copy_pipe()
        self._copy.seek(0)
        yield self._copy

    def _copy_pipe(self) -> BinaryIO:
        copy = self._new_copy()
        if self.path == STDIN:
            if sys.stdin is None:
                raise OSError("standard input is closed")
            self._copy_within_limit(sys.stdin.buffer, copy)
        else:
            with Path(self.path).open("rb") as pipe:
                self._copy_within_limit(pipe, copy)
        return copy

    def _copy_within_limit(self, pipe: BinaryIO, copy: BinaryIO) -> None:
        """Copy what comes out of a pipe, which may have no end."""
        most, size = self.max_bytes or DECOMPRESSED.default, 0
        while part := pipe.read(PART_BYTES):
            size += len(part)
            if size > most:
                raise TooMuch(
                    f"more than {most:,} bytes from a pipe, which is the limit; "
                    "if there is meant to be that much, raise it with max_bytes=…"
                )
            copy.write(part)

    def _new_copy(self) -> BinaryIO:
        import tempfile  # noqa: PLC0415  (rarely needed)

        copy = tempfile.SpooledTemporaryFile(SPOOLED_IN_MEMORY)  # noqa: SIM115
        weakref.finalize(self, copy.close)
        return copy  # type: ignore[return-value]

    def _decompress(self, raw: BinaryIO) -> BinaryIO:
        return io.BufferedReader(_Decompressed(raw, self.max_bytes), 1 << 17)

    def _skip_mark(self, stream: BinaryIO) -> BinaryIO:
        start = stream.read(4)
        for mark, encoding in OTHER_MARKS.items():
            if start.startswith(mark):
                message = f"the file is {encoding}; save it as UTF-8"
                raise InputError([Problem(message, self.name, 1, 1, code="IO002")])
        if start in POINTER_STARTS:
            self._refuse_pointer(start + stream.read(100))
        self.marked = start.startswith(UTF8_MARK)
        stream.seek(3 if self.marked else 0)
        return stream

    def _refuse_pointer(self, start: bytes) -> None:
        """Raise an InputError for a file that only says where its content is."""
        from groupwise.evaluator.reading.signatures import describe_pointer  # noqa: PLC0415

        if message := describe_pointer(start):
            raise InputError([Problem(message, self.name, code="IO001")])


def _copy(source: BinaryIO, target: BinaryIO) -> None:
    from shutil import copyfileobj  # noqa: PLC0415  (rarely needed)

    copyfileobj(source, target)


class MemorySource(Source):
    """Bytes in memory, under the name of the file that they come from."""

    def __init__(self, name: str, data: bytes, max_bytes: int | None = None) -> None:
        super().__init__(name, max_bytes)
        self._copy = io.BytesIO(data)


class TooMuch(Exception):  # noqa: N818  (becomes a problem of the input)
    """Decompressed data exceeds the limit, or grows suspiciously."""


class _Decompressed(io.RawIOBase):
    """Gzip data that is decompressed up to a limit."""

    def __init__(self, raw: BinaryIO, max_bytes: int | None) -> None:
        self._raw = raw
        self._members = GzipMembers(raw)
        self._max_bytes = max_bytes
        self._size = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        place = offset + (self._size if whence == os.SEEK_CUR else 0)
        if whence == os.SEEK_END or place < 0:
            raise OSError("compressed data has no place of this number")
        if place < self._size:
            self._members.rewind()
            self._size = 0
        while skipped := self._members.read(min(place - self._size, PART_BYTES)):
            self._size += len(skipped)
        return self._size

    def tell(self) -> int:
        return self._size

    def readinto(self, buffer: Any) -> int:
        data = self._members.read(len(buffer))
        size = len(data)
        buffer[:size] = data
        self._size += size
        if self._size > SUSPECT_BYTES or self._max_bytes is not None:
            refuse_growth(self._size, self._raw.tell(), self._max_bytes, "gzip")
        return size


def refuse_growth(size: int, compressed: int, max_bytes: int | None, kind: str) -> None:
    """Raise TooMuch if data decompresses to more than its limit, or suspiciously much.

    Args:
        size: The bytes so far, decompressed.
        compressed: The bytes that they came from.
        max_bytes: The limit that the call gives; None: the default, and at most 200 times as much
            as there was.
        kind: The kind of data, for the message.
    """
    most = max_bytes or DECOMPRESSED.default
    if size > most:
        raise TooMuch(
            f"more than {most:,} bytes when decompressed, which is the limit; "
            "if it is meant to be that large, raise it with max_bytes=…"
        )
    if max_bytes is None and size > SUSPECT_BYTES and size > SUSPECT_RATIO * compressed:
        raise TooMuch(
            f"a {kind} bomb? {compressed:,} bytes grew to more than {size:,}, and there "
            "is more; if that is right, give a limit with max_bytes=…"
        )


def _describe_link(path: str) -> str | None:
    """Return what to do about a link to content of git-annex that was not fetched."""
    with suppress(OSError):
        target = str(Path(path).readlink())
        if ANNEX_FOLDER in target and not Path(path).exists():
            return "this is a link into git-annex, not the data; fetch the file (git annex get)"
    return None


def describe_failure(error: OSError) -> str:
    """Return why a file cannot be read."""
    known = {
        FileNotFoundError: "no such file",
        IsADirectoryError: "this is a folder, not a file",
        PermissionError: "no permission to read this file",
    }
    return known.get(type(error), f"cannot be read: {error.strerror or error}")
