"""Documents, and chunks of them with the place that each was cut from."""

import gzip
import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

SPANS = Path(__file__).resolve().parent.parent / "fixtures" / "conformance" / "spans"
"""Questions and corpora of chunking_evaluation; its README says where they come from."""


class Chunking(NamedTuple):
    """How documents are cut: both numbers are characters."""

    size: int
    overlap: int

    @property
    def step(self) -> int:
        """Characters from the start of a chunk to that of the next."""
        return self.size - self.overlap


class Chunk(NamedTuple):
    """A piece of a document; ``end`` is exclusive."""

    id: str
    document: str
    start: int
    end: int
    text: str


CHUNKINGS: Mapping[str, Chunking] = {"small": Chunking(400, 100), "large": Chunking(1_200, 300)}


def read_documents() -> dict[str, str]:
    """Return the text of each corpus, by its name."""
    paths = sorted((SPANS / "corpora").glob("*.md.gz"))
    return {path.name.partition(".")[0]: _read(path) for path in paths}


def _read(path: Path) -> str:
    """Return a text with its line ends as they are: they count as characters."""
    return gzip.decompress(path.read_bytes()).decode("utf-8")


def cut_documents(documents: Mapping[str, str], chunking: Chunking) -> list[Chunk]:
    """Return the chunks of all documents."""
    return [
        chunk for name, text in documents.items() for chunk in cut_document(name, text, chunking)
    ]


def cut_document(name: str, text: str, chunking: Chunking) -> Iterator[Chunk]:
    """Yield the chunks of a document; the last one is the first that reaches its end."""
    starts = range(0, max(len(text) - chunking.overlap, 1), chunking.step)
    for number, start in enumerate(starts):
        piece = text[start : start + chunking.size]
        yield Chunk(f"{chunking.size}-{name}-{number:04}", name, start, start + len(piece), piece)


def write_records(path: Path, records: Iterable[Mapping[str, object]]) -> None:
    """Write JSON Lines."""
    lines = (json.dumps(record, ensure_ascii=False) + "\n" for record in records)
    path.write_text("".join(lines), "utf-8")
