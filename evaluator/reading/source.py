"""Bytes from a file, compressed or not, or from standard input, readable more than once."""

import gzip
import io
import os
import stat
import sys
import tempfile
import weakref
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import copyfileobj
from typing import Any, BinaryIO

from groupwise.evaluator.errors import InputError, Problem

GZIP = b"\x1f\x8b"
UTF8_MARK = b"\xef\xbb\xbf"
OTHER_MARKS = {
    b"\xff\xfe\x00\x00": "UTF-32",
    b"\x00\x00\xfe\xff": "UTF-32",
    b"\xff\xfe": "UTF-16",
    b"\xfe\xff": "UTF-16",
}
SPOOLED_IN_MEMORY = 1 << 24
DEFAULT_MAX_BYTES = 1 << 34
"""How many bytes compressed data may have when decompressed, unless the call says otherwise."""
SUSPECT_BYTES, SUSPECT_RATIO = 1 << 26, 200
"""Data that grows this much is no data set: the worst of ours grew 40 times, a bomb 1000 times."""


class Source:
    """A named stream of bytes that can be opened again; pipes are copied aside once."""

    def __init__(self, path: str | os.PathLike[str], max_bytes: int | None = None) -> None:
        self.path = os.fspath(path)
        if "\0" in self.path:
            raise InputError([Problem("the name of a file has no NUL character", repr(path))])
        self.name = "<stdin>" if self.path == "-" else self.path
        self.max_bytes = max_bytes
        self.marked = False
        self._copy: BinaryIO | None = None

    @property
    def size(self) -> int:
        """The number of bytes in the file, compressed or not; 0 where it is not known."""
        return Path(self.path).stat().st_size if self.path != "-" and not self._copy else 0

    def keep_decompressed(self) -> None:
        """Decompress the source once, for readers that go back and forth in it."""
        with self._explain_errors(), self._raw() as raw:
            if raw.read(len(GZIP)) != GZIP:
                return
        copy = self._new_copy()
        with self.open() as stream:
            copyfileobj(stream, copy)
        self._copy = copy

    @contextmanager
    def open(self) -> Iterator[BinaryIO]:
        """Yield the content from its beginning, decompressed, without a byte order mark.

        Raises:
            InputError: It cannot be read, or grows beyond what is allowed.
        """
        with self._explain_errors(), self._raw() as raw:
            yield self._unmarked(_decompressed(raw, self.max_bytes))

    @contextmanager
    def _explain_errors(self) -> Iterator[None]:
        try:
            yield
        except TooMuch as error:
            raise InputError([Problem(str(error), self.name, code="IO010")]) from None
        except EOFError:
            message = "damaged gzip data: it ends too early"
            raise InputError([Problem(message, self.name, code="IO010")]) from None
        except (zlib.error, gzip.BadGzipFile):
            raise InputError([Problem("damaged gzip data", self.name, code="IO010")]) from None
        except OSError as error:
            raise InputError([Problem(_reason(error), self.name)]) from None

    @contextmanager
    def _raw(self) -> Iterator[io.BufferedReader | BinaryIO]:
        if self._copy is None and self.path != "-" and stat.S_ISREG(Path(self.path).stat().st_mode):
            with Path(self.path).open("rb", buffering=1 << 16) as file:
                yield file
            return
        if self._copy is None:
            self._copy = self._copied()
        self._copy.seek(0)
        yield self._copy

    def _copied(self) -> BinaryIO:
        copy = self._new_copy()
        if self.path == "-":
            copyfileobj(sys.stdin.buffer, copy)
        else:
            with Path(self.path).open("rb") as pipe:
                copyfileobj(pipe, copy)
        return copy

    def _new_copy(self) -> BinaryIO:
        copy = tempfile.SpooledTemporaryFile(SPOOLED_IN_MEMORY)  # noqa: SIM115
        weakref.finalize(self, copy.close)
        return copy  # type: ignore[return-value]

    def _unmarked(self, stream: BinaryIO) -> BinaryIO:
        start = stream.read(4)
        for mark, encoding in OTHER_MARKS.items():
            if start.startswith(mark):
                message = f"the file is {encoding}; save it as UTF-8"
                raise InputError([Problem(message, self.name, 1, 1, code="IO002")])
        self.marked = start.startswith(UTF8_MARK)
        stream.seek(3 if self.marked else 0)
        return stream


class Held(Source):
    """Bytes in memory, under the name of the file that they come from."""

    def __init__(self, name: str, data: bytes) -> None:
        super().__init__(name)
        self._copy = io.BytesIO(data)


class TooMuch(Exception):  # noqa: N818  (told as a problem of the input)
    """Compressed data is larger, or grows more, than is allowed."""


class _Decompressed(io.RawIOBase):
    """Gzip data, decompressed as far as it is allowed to grow."""

    def __init__(self, raw: BinaryIO, max_bytes: int | None) -> None:
        self._raw = raw
        self._data = gzip.GzipFile(fileobj=raw, mode="rb")
        self._max_bytes = max_bytes
        self._size = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        self._size = self._data.seek(offset, whence)
        return self._size

    def tell(self) -> int:
        return self._size

    def readinto(self, buffer: Any) -> int:
        size = self._data.readinto(buffer)
        self._size += size
        if self._size > (self._max_bytes or DEFAULT_MAX_BYTES):
            raise TooMuch(_more_than(self._max_bytes or DEFAULT_MAX_BYTES))
        if self._max_bytes is None and self._size > SUSPECT_BYTES:
            self._check_growth(self._raw.tell())
        return size

    def _check_growth(self, compressed: int) -> None:
        if self._size > SUSPECT_RATIO * compressed:
            raise TooMuch(
                f"a gzip bomb? {compressed:,} bytes grew to more than {self._size:,}, and there "
                "is more; if it is meant to, say how large it may be with --max-bytes"
            )


def _more_than(max_bytes: int) -> str:
    return (
        f"more than {max_bytes:,} bytes when decompressed, which is the limit; "
        "if it is meant to be that large, raise it with --max-bytes"
    )


def _decompressed(raw: BinaryIO, max_bytes: int | None) -> BinaryIO:
    start = raw.read(2)
    raw.seek(0)
    return io.BufferedReader(_Decompressed(raw, max_bytes), 1 << 17) if start == GZIP else raw


def _reason(error: OSError) -> str:
    known = {
        FileNotFoundError: "no such file",
        IsADirectoryError: "this is a folder, not a file",
        PermissionError: "no permission to read this file",
    }
    return known.get(type(error), f"cannot be read: {error.strerror or error}")
