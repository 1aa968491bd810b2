"""The files to start from: everything in fixtures/, and a few of kinds that are not there."""

import gzip
import io
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

ROOT = Path(__file__).parent.parent.parent
MOST_BYTES = 6_000
"""Of a text; longer ones are cut after a line, so that a file takes milliseconds."""
TABLE = b"PAR1"


class Seed(NamedTuple):
    """The content of a file, uncompressed, and how its name ends.

    ``beside`` are files that belong to it; ``inside`` is its path, if it is read with its folder.
    """

    name: str
    suffix: str
    data: bytes
    zipped: bool = False
    beside: tuple[tuple[str, bytes], ...] = ()
    inside: str = ""


def load_seeds() -> list[Seed]:
    """Return all seeds, in a fixed order."""
    paths = sorted(path for path in (ROOT / "fixtures").rglob("*") if path.is_file())
    return [*map(_load, paths), *_in_folder(ROOT / "fixtures/formats/beir"), *[_vectors()] * 5]


def _load(path: Path) -> Seed:
    data, zipped = path.read_bytes(), path.suffix == ".gz"
    suffix = "".join(path.suffixes[-2:] if zipped else path.suffixes[-1:])
    if zipped:
        data, zipped = _unzip(data)
    return Seed(path.relative_to(ROOT).as_posix(), suffix, _cut(data), zipped)


def _unzip(data: bytes) -> tuple[bytes, bool]:
    try:
        return gzip.decompress(data), True
    except (OSError, EOFError, zlib.error):
        return data, False


def _cut(data: bytes) -> bytes:
    if len(data) <= MOST_BYTES or data.startswith(TABLE):
        return data
    return data[: data.rfind(b"\n", 0, MOST_BYTES) + 1] or data[:MOST_BYTES]


def _in_folder(folder: Path) -> Iterator[Seed]:
    """Yield each file of a folder, to be mutated where it is."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    found = {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}
    for inside, data in found.items():
        beside = tuple((other, found[other]) for other in found if other != inside)
        yield Seed(f"{folder.name}/{inside}", "", data, beside=beside, inside=inside)


def _vectors() -> Seed:
    sink = io.BytesIO()
    np.save(sink, np.eye(4, dtype=np.float32))
    return Seed(
        "vectors.npy", ".npy", sink.getvalue(), beside=(("file.ids.txt", b"d1\na\nb\nc\n"),)
    )
