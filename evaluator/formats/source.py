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
from typing import BinaryIO

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


class Source:
    """A named stream of bytes that can be opened again; pipes are copied aside once."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = os.fspath(path)
        if "\0" in self.path:
            raise InputError([Problem("the name of a file has no NUL character", repr(path))])
        self.name = "<stdin>" if self.path == "-" else self.path
        self.marked = False
        self._copy: BinaryIO | None = None

    @property
    def suffixes(self) -> list[str]:
        """The endings of the file's name, without that of compression."""
        return [s for s in Path(self.name).suffixes if s != ".gz"]

    @property
    def size(self) -> int:
        """The number of bytes in the file, compressed or not; 0 where it is not known."""
        return Path(self.path).stat().st_size if self.path != "-" and not self._copy else 0

    @contextmanager
    def open(self) -> Iterator[BinaryIO]:
        """The content from its beginning, decompressed, without a byte order mark."""
        try:
            with self._raw() as raw:
                yield self._unmarked(_decompressed(raw))
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
        copy = tempfile.SpooledTemporaryFile(SPOOLED_IN_MEMORY)  # noqa: SIM115
        weakref.finalize(self, copy.close)
        if self.path == "-":
            copyfileobj(sys.stdin.buffer, copy)
        else:
            with Path(self.path).open("rb") as pipe:
                copyfileobj(pipe, copy)
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


def _decompressed(raw: BinaryIO) -> BinaryIO:
    start = raw.read(2)
    raw.seek(0)
    return gzip.GzipFile(fileobj=raw, mode="rb") if start == GZIP else raw  # type: ignore[return-value]


def _reason(error: OSError) -> str:
    known = {
        FileNotFoundError: "no such file",
        IsADirectoryError: "this is a folder, not a file",
        PermissionError: "no permission to read this file",
    }
    return known.get(type(error), f"cannot be read: {error.strerror or error}")
