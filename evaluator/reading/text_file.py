"""The whole text of a file, compressed or not, to be edited and written back."""

import gzip
import os
from pathlib import Path

from groupwise.evaluator.errors import InputError, Problem
from groupwise.evaluator.reading.lines import describe_byte
from groupwise.evaluator.reading.source import GZIP, Source
from groupwise.evaluator.reading.writing import write_whole

MARK = "\ufeff"
"""The byte order mark, which is a character of the text."""


def read_text(path: str | os.PathLike[str], max_bytes: int | None = None) -> str:
    """Return the text of a file; a byte order mark is its first character.

    Raises:
        InputError: The file cannot be read, is not UTF-8, or exceeds ``max_bytes`` decompressed.
    """
    source = Source(path, max_bytes)
    with source.open() as stream:
        data = stream.read()
    try:
        return f"{MARK if source.marked else ''}{data.decode()}"
    except UnicodeDecodeError as error:
        raise InputError([Problem(describe_byte(error), source.name, code="IO002")]) from None


def write_text(path: str | os.PathLike[str], text: str) -> None:
    """Replace the text of a file atomically; a compressed file stays compressed."""
    with Path(path).open("rb") as file:
        is_compressed = file.read(len(GZIP)) == GZIP
    data = text.encode()
    write_whole(path, gzip.compress(data, mtime=0) if is_compressed else data)
