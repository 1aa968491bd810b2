"""A target: what is called, what it may raise, and what to start from."""

import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from zlib import crc32

from fuzz.mutations.raw import mutate_bytes
from groupwise import GroupwiseError

Mutate = Callable[[Random, bytes, bytes], bytes]


@dataclass(frozen=True)
class Target:
    """Something that takes bytes.

    Attributes:
        name: Its name, such as ``read:trec-run``.
        call: Takes the bytes; what it returns is not looked at.
        seeds: Returns inputs to start from.
        mutate: Makes an input of two others.
        refusals: What it may raise.
    """

    name: str
    call: Callable[[bytes], object]
    seeds: Callable[[], Sequence[bytes]]
    mutate: Mutate = mutate_bytes
    refusals: tuple[type[Exception], ...] = (GroupwiseError,)


class Room:
    """A folder for the files of one process."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def put(self, name: str, data: bytes) -> Path:
        """Write a file and return its path."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        return path

    def clear(self, name: str) -> Path:
        """Return an empty folder of that name."""
        path = self.folder / name
        shutil.rmtree(path, ignore_errors=True)
        path.mkdir(parents=True)
        return path


def draw_from(data: bytes) -> Random:
    """Return what draws the options for an input: the same input has the same options."""
    return Random(crc32(data))
