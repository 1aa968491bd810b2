"""Bytes from a file, compressed or not, or from standard input, readable more than once."""

import gzip
import io
import os
import shutil
import stat
import sys
import tempfile
import weakref
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from groupwise.evaluator.errors import InputError, Problem
from groupwise.evaluator.reading.limits import DECOMPRESSED, SUSPECT
from groupwise.evaluator.reading.meter import METER, Meter

STDIN = "-"
GZIP = b"\x1f\x8b"
UTF8_MARK = b"\xef\xbb\xbf"
OTHER_MARKS = {
    b"\xff\xfe\x00\x00": "UTF-32",
    b"\x00\x00\xfe\xff": "UTF-32",
    b"\xff\xfe": "UTF-16",
    b"\xfe\xff": "UTF-16",
}
LFS = b"version https://git-lfs.github.com/spec/"
SPOOLED_IN_MEMORY = 1 << 24
PART_BYTES = 1 << 16
BUFFER_BYTES = 1 << 17
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
            if self._is_compressed:
                stream: BinaryIO = io.BufferedReader(_Decompressed(raw, self.limit), BUFFER_BYTES)
            else:
                stream = raw
            self._skip_mark(stream)
            yield stream

    @contextmanager
    def open_seekable(self) -> Iterator[BinaryIO | str]:
        """Yield a path that leads to the content as it is, if there is one, else a stream.

        For readers that go back and forth: compressed data is decompressed once.
        """
        with self.open() as stream:
            if self._is_compressed:
                copy = self._new_copy()
                shutil.copyfileobj(stream, copy)
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
        except EOFError:
            message = "damaged gzip data: it ends too early"
            raise InputError([Problem(message, self.name, code="IO010")]) from None
        except (zlib.error, gzip.BadGzipFile):
            raise InputError([Problem("damaged gzip data", self.name, code="IO010")]) from None
        except OSError as error:
            raise InputError([Problem(describe_failure(error), self.name)]) from None

    def limit(self, size: int, compressed: int, kind: str = "gzip", grown: int = 0) -> None:
        """Raise an InputError if data decompresses to more than its limit, or suspiciously much.

        Args:
            size: The bytes so far, decompressed.
            compressed: The bytes that they came from.
            kind: The kind of data, for the message.
            grown: What these bytes become in memory, if that is more.
        """
        most = self.max_bytes or DECOMPRESSED.default
        if size > most:
            message = (
                f"more than {most:,} bytes when decompressed, which is the limit; "
                "if it is meant to be that large, raise it with File(…, max_bytes=…)"
            )
            raise InputError([Problem(message, self.name, code="IO010")])
        grown = max(size, grown)
        is_suspect = grown > SUSPECT_BYTES and grown > SUSPECT_RATIO * compressed
        if self.max_bytes is None and is_suspect:
            message = (
                f"suspected {kind} bomb: {compressed:,} bytes expanded to over {grown:,}; "
                "set File(…, max_bytes=…) to allow it"
            )
            raise InputError([Problem(message, self.name, code="IO010")])

    @contextmanager
    def _open_raw(self) -> Iterator[BinaryIO]:
        if self._copy is None and not is_read_once(self.path):
            meter = METER.get() or Meter()
            with Path(self.path).open("rb", buffering=PART_BYTES) as file:
                yield from meter.watch(self.path, file)
            return
        if self._copy is None:
            self._copy = self._copy_pipe()
        self._copy.seek(0)
        yield self._copy

    def _copy_pipe(self) -> BinaryIO:
        if self.path != STDIN:
            with Path(self.path).open("rb") as pipe:
                return self._copy_within_limit(pipe)
        if sys.stdin is None:
            raise OSError("standard input is closed")
        return self._copy_within_limit(sys.stdin.buffer)

    def _copy_within_limit(self, pipe: BinaryIO) -> BinaryIO:
        """Return a copy of what comes out of a pipe, which may have no end."""
        copy = self._new_copy()
        most, size = self.max_bytes or DECOMPRESSED.default, 0
        while part := pipe.read(PART_BYTES):
            size += len(part)
            if size > most:
                message = (
                    f"more than {most:,} bytes from a pipe, which is the limit; "
                    "if there is meant to be that much, raise it with File(…, max_bytes=…)"
                )
                raise InputError([Problem(message, self.name, code="IO010")])
            copy.write(part)
        return copy

    def _new_copy(self) -> BinaryIO:
        copy = tempfile.SpooledTemporaryFile(SPOOLED_IN_MEMORY)  # noqa: SIM115
        weakref.finalize(self, copy.close)
        return copy  # type: ignore[return-value]

    def _skip_mark(self, stream: BinaryIO) -> None:
        start = stream.read(len(LFS))
        if start == LFS:
            message = "this is a Git LFS pointer, not the data; fetch the file (git lfs pull)"
            raise InputError([Problem(message, self.name, code="IO001")])
        for mark, encoding in OTHER_MARKS.items():
            if start.startswith(mark):
                message = f"the file is {encoding}; save it as UTF-8"
                raise InputError([Problem(message, self.name, 1, 1, code="IO002")])
        self.marked = start.startswith(UTF8_MARK)
        stream.seek(len(UTF8_MARK) if self.marked else 0)


class MemorySource(Source):
    """Bytes in memory, under the name of the file that they come from."""

    def __init__(self, name: str, data: bytes, max_bytes: int | None = None) -> None:
        super().__init__(name, max_bytes)
        self._copy = io.BytesIO(data)


class _Decompressed(io.RawIOBase):
    """Gzip data that is decompressed up to a limit, which is told of its size and origin."""

    def __init__(self, raw: BinaryIO, limit: Callable[[int, int], None]) -> None:
        self._raw = raw
        self._file = gzip.GzipFile(fileobj=raw, mode="rb")
        self._limit = limit

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        return self._file.seek(offset, whence)

    def tell(self) -> int:
        return self._file.tell()

    def readinto(self, buffer: Any) -> int:
        data = self._file.read(len(buffer))
        buffer[: len(data)] = data
        self._limit(self._file.tell(), self._raw.tell())
        return len(data)


def describe_failure(error: OSError) -> str:
    """Return why a file cannot be read."""
    known = {
        FileNotFoundError: "no such file",
        IsADirectoryError: "this is a folder, not a file",
        PermissionError: "no permission to read this file",
    }
    return known.get(type(error), f"cannot be read: {error.strerror or error}")
