"""The whole text of a file, compressed or not, to be changed and written back."""

import gzip
import os
from pathlib import Path

from groupwise.evaluator.reading.source import GZIP
from groupwise.evaluator.reading.writing import write_whole


def read_text(path: str | os.PathLike[str]) -> str:
    """The text of a file; a byte order mark is a character of it."""
    raw = Path(path).read_bytes()
    return (gzip.decompress(raw) if raw.startswith(GZIP) else raw).decode()


def write_text(path: str | os.PathLike[str], text: str) -> None:
    """Replace the file, whole or not at all, compressed if it was."""
    with Path(path).open("rb") as file:
        compressed = file.read(len(GZIP)) == GZIP
    data = text.encode()
    write_whole(path, gzip.compress(data, mtime=0) if compressed else data)
