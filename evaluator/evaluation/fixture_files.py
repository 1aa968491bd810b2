"""Fixtures among the files of a folder."""

import os
import re
from collections.abc import Iterator
from typing import BinaryIO

from groupwise.evaluator.evaluation.fixture import FixtureContent, read_fixture
from groupwise.evaluator.reading.source import MemorySource, Source

ENDINGS = (".json", ".jsonl", ".ndjson", ".json.gz", ".jsonl.gz", ".ndjson.gz")
EXPECTED = re.compile(rb'"expected"\s*:')
PIECE, OVERLAP = 1 << 20, 64
SMALL = 1 << 24
"""Files of up to this many bytes are read once, into memory."""


def find_files(folder: str) -> list[str]:
    """Return the files of a folder and its subfolders that may be fixtures, sorted.

    Hidden files and folders are skipped.
    """
    found: list[str] = []
    for where, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        shown = (n for n in names if n.lower().endswith(ENDINGS) and not n.startswith("."))
        found.extend(os.path.join(where, name) for name in shown)  # noqa: PTH118  (as it is typed)
    return sorted(found)


def read_if_expecting(path: str) -> FixtureContent | None:
    """Return the fixture in a file; None if it expects nothing, or is not a fixture at all.

    Raises:
        InputError: It mentions expectations, and is invalid.
    """
    source = _hold_if_small(Source(path))
    with source.open() as stream:
        if not any(map(EXPECTED.search, _overlapping(stream))):
            return None
    fixture = read_fixture(source)
    return fixture if fixture.expected else None


def _hold_if_small(source: Source) -> Source:
    """Return a source of the same bytes, in memory if they are few."""
    with source.open() as stream:
        data = stream.read(SMALL + 1)
    return MemorySource(source.path, data) if len(data) <= SMALL else source


def _overlapping(stream: BinaryIO) -> Iterator[bytes]:
    """Yield the bytes in pieces, each with the end of the one before it."""
    end = b""
    while piece := stream.read(PIECE):
        yield end + piece
        end = piece[-OVERLAP:]
