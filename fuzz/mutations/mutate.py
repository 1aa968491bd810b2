"""A mutated file, from its number: the same number and seed give the same file."""

import gzip
from pathlib import Path
from random import Random
from typing import NamedTuple

from fuzz.mutations.cells import mutate_lines
from fuzz.mutations.pieces import SUFFIXES
from fuzz.mutations.raw import LONGEST, mutate_bytes
from fuzz.mutations.seeds import TABLE, Seed
from fuzz.mutations.tables import mutate_table
from fuzz.mutations.trees import mutate_tree, parse, write


class Mutant(NamedTuple):
    """A file that was made of a seed."""

    seed: Seed
    suffix: str
    data: bytes

    def write(self, room: Path) -> Path:
        """Write the file and those that belong to it; return the path to read."""
        base = room / "data" if self.seed.inside else room
        path = base / (self.seed.inside or f"file{self.suffix}")
        for name, data in (*self.seed.beside, (path.relative_to(base).as_posix(), self.data)):
            (base / name).parent.mkdir(parents=True, exist_ok=True)
            (base / name).write_bytes(data)
        return base if self.seed.inside else path


def make_mutant(draw: Random, seeds: list[Seed]) -> Mutant:
    """Mutate one of the seeds."""
    seed, other = draw.choice(seeds), draw.choice(seeds)
    data = mutate_content(draw, seed.data, other.data)
    suffix = seed.suffix
    if seed.zipped or draw.random() < 0.03:
        data = gzip.compress(data, 1, mtime=0)
        suffix = suffix if seed.zipped else f"{suffix}.gz"
        if draw.random() < 0.2:
            data = mutate_bytes(draw, data, other.data)
    return Mutant(seed, draw.choice(SUFFIXES) if draw.random() < 0.04 else suffix, data)


def mutate_content(draw: Random, data: bytes, other: bytes) -> bytes:
    """Change a table, a document, lines of JSON, or lines of cells, whichever the data is."""
    if data.startswith(TABLE) and draw.random() < 0.6:
        try:
            return mutate_table(draw, data)
        except (ValueError, TypeError, NotImplementedError, OverflowError, OSError):
            return mutate_bytes(draw, data, other)
    if draw.random() < 0.3:
        return mutate_bytes(draw, data, other)
    for mutate in (_mutate_document, _mutate_json_lines):
        try:
            return mutate(draw, data, other)[:LONGEST]
        except (ValueError, RecursionError):
            continue
    return mutate_lines(draw, data)[:LONGEST]


def _mutate_document(draw: Random, data: bytes, other: bytes) -> bytes:
    changed = mutate_tree(draw, parse(data), _parse_some(other))
    return _encode(draw, write(changed, ascii_only=draw.random() < 0.7))


def _mutate_json_lines(draw: Random, data: bytes, other: bytes) -> bytes:
    lines = data.split(b"\n")
    for _ in range(draw.choice((1, 1, 2, 5))):
        place = draw.randrange(len(lines))
        changed = mutate_tree(draw, parse(lines[place]), _parse_some(other))
        lines[place] = _encode(draw, write(changed, ascii_only=draw.random() < 0.7))
    return b"\n".join(lines)


def _parse_some(data: bytes) -> object:
    try:
        return parse(data if data[:1] in b"[{" else data.split(b"\n")[0])
    except (ValueError, RecursionError):
        return None


def _encode(draw: Random, text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass" if draw.random() < 0.5 else "replace")
