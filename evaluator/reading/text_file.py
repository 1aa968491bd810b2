"""The whole text of a file, compressed or not, read once to be edited and written back.

Bytes that are not UTF-8 stay as they are: each is a lone surrogate in the text.
"""

import gzip
import os
from functools import cached_property
from pathlib import Path
from typing import BinaryIO

from groupwise.evaluator.errors import InputError, Problem
from groupwise.evaluator.reading.limits import EDITED
from groupwise.evaluator.reading.source import GZIP, MemorySource, describe_failure, is_read_once
from groupwise.evaluator.reading.writing import replace_content

MARK = "\ufeff"
"""The byte order mark, which is a character of the text."""
PART_BYTES = 1 << 20


class TextFile:
    """A file as it was when it was read, and its text; writing replaces that and nothing else.

    Attributes:
        path: The file.
        source: What was read, to be read again without the file.
    """

    def __init__(self, path: str | os.PathLike[str], max_bytes: int | None = None) -> None:
        refuse_special_file(path)
        self.path = os.fspath(path)
        self._limit = max_bytes or EDITED.default
        try:
            with Path(path).open("rb") as file:
                self._data = self._read_within_limit(file)
        except OSError as error:
            raise InputError([Problem(describe_failure(error), self.path)]) from None
        self.source = MemorySource(self.path, self._data, max_bytes)

    def _read_within_limit(self, file: BinaryIO) -> bytes:
        """Return all bytes, read in parts: memory is taken for what is there, not for the limit."""
        data = bytearray()
        while part := file.read(PART_BYTES):
            data += part
            if len(data) > self._limit:
                message = (
                    f"more than {self._limit:,} bytes, which is the limit of a file that is "
                    "edited; raise it with File(…, max_bytes=…)"
                )
                raise InputError([Problem(message, self.path, code="IO010")])
        return bytes(data)

    @cached_property
    def text(self) -> str:
        """The text; a byte order mark is its first character.

        Raises:
            InputError: It exceeds the limit when decompressed, or is UTF-16 or UTF-32.
        """
        with self.source.open() as stream:
            data = self._read_within_limit(stream)
        return f"{MARK if self.source.marked else ''}{data.decode('utf-8', 'surrogateescape')}"

    def write(self, text: str) -> None:
        """Replace the text atomically; a compressed file stays compressed.

        Raises:
            OutputError: The file has changed since it was read, or cannot be replaced without
                losing its owner or other names; nothing is written.
        """
        data = encode_text(text)
        is_compressed = self._data.startswith(GZIP)
        new = gzip.compress(data, mtime=0) if is_compressed else data
        replace_content(self.path, new, self._data)


def encode_text(text: str) -> bytes:
    """Return the bytes of a text that was read from a file."""
    return text.encode("utf-8", "surrogateescape")


def refuse_special_file(path: str | os.PathLike[str]) -> None:
    """Raise an InputError for a pipe or a device: it cannot be read twice, nor replaced."""
    if is_read_once(path):
        message = "a pipe or a device cannot be edited; expected a regular file"
        raise InputError([Problem(message, os.fspath(path))])
