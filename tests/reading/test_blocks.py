"""Blocks of lines hold all bytes of a source in order, and end with a line wherever one ends."""

import gzip
import io
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groupwise import InputError
from groupwise.evaluator.reading.jsonl import RangeReader
from groupwise.evaluator.reading.limits import RECORD
from groupwise.evaluator.reading.lines import read_block

TEXTS = st.lists(st.integers(0, 40), max_size=30).map(
    lambda sizes: b"".join(b"x" * size + b"\n" for size in sizes)
) | st.binary(max_size=200)


@contextmanager
def open_file(path: Path) -> Iterator[BinaryIO]:
    with path.open("rb", buffering=1 << 16) as file:
        yield file


@contextmanager
def open_memory(path: Path) -> Iterator[BinaryIO]:
    yield io.BytesIO(path.read_bytes())


@contextmanager
def open_compressed(path: Path) -> Iterator[BinaryIO]:
    """Yield the text from a compressed file, whose own bytes have other line ends."""
    packed = path.with_suffix(".gz")
    packed.write_bytes(gzip.compress(path.read_bytes()))
    with gzip.open(packed, "rb") as file:
        yield cast("BinaryIO", file)


@contextmanager
def open_range(path: Path) -> Iterator[BinaryIO]:
    with open_file(path) as file:
        yield io.BufferedReader(RangeReader(file, path.stat().st_size))


@contextmanager
def open_pipe(path: Path) -> Iterator[BinaryIO]:
    reader, writer = os.pipe()
    os.write(writer, path.read_bytes())
    os.close(writer)
    with os.fdopen(reader, "rb") as file:
        yield file


WAYS = [open_file, open_memory, open_compressed, open_range, open_pipe]


def read_all(stream: BinaryIO, size: int) -> list[bytes]:
    return [*iter(lambda: read_block(stream, "file", size), b"")]


@given(text=TEXTS, size=st.integers(1, 90), way=st.sampled_from(WAYS))
def test_blocks_are_all_lines_in_order(text: bytes, size: int, way: Any) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "lines")
        path.write_bytes(text)
        with way(path) as stream:
            found = read_all(stream, size)
    assert b"".join(found) == text
    assert all(block.endswith(b"\n") for block in found[:-1])
    assert all(len(block) >= size for block in found[:-1])
    for block in found:
        assert b"\n" not in block[size:-1], "a block ends with the line that its size falls into"


@pytest.mark.parametrize("end", [b"", b"\n", b"\nshort\n"])
@pytest.mark.parametrize("way", WAYS)
def test_a_line_that_is_too_long_is_refused(
    tmp_path: Path, way: Any, end: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "lines"
    path.write_bytes(b"short\n" + b"x" * 5000 + end)
    monkeypatch.setenv(RECORD.variable or "", "1000B")
    with way(path) as stream, pytest.raises(InputError, match="a line"):
        read_all(stream, 100)
