"""Gzip data in members is read as the gzip module of Python reads it."""

import gzip
import io
import zlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groupwise import InputError
from groupwise.evaluator.reading.gzip_members import GZIP, PART_BYTES, GzipMembers
from groupwise.evaluator.reading.source import MemorySource
from tests.strategies import MANY

FLAGS = 3
"""Where a header has its flags; zlib refuses those that are reserved, as RFC 1952 demands."""
CONTENTS = st.binary(max_size=40) | st.integers(1, 40_000).map(lambda size: b"ab\n" * size)
NAMED = b"\x1f\x8b\x08\x08\x00\x00\x00\x00\x00\x03name\x00" + gzip.compress(b"named", mtime=0)[10:]


def compress(contents: list[bytes], zeros: int) -> bytes:
    return b"".join(gzip.compress(each, mtime=0) + bytes(zeros) for each in contents)


FILES = st.builds(compress, st.lists(CONTENTS, min_size=1, max_size=5), st.integers(0, 3))


def read_ours(data: bytes, size: int = 1 << 17) -> bytes | str:
    members, found = GzipMembers(io.BytesIO(data)), list[bytes]()
    try:
        while part := members.read(size):
            found.append(part)
    except EOFError:
        return "too early"
    except zlib.error:
        return "damaged"
    assert all(len(part) == size for part in found[:-1])
    return b"".join(found)


def read_theirs(data: bytes) -> bytes | str:
    try:
        return gzip.GzipFile(fileobj=io.BytesIO(data)).read()
    except EOFError:
        return "too early"
    except (gzip.BadGzipFile, zlib.error):
        return "damaged"


@MANY
@given(FILES, st.sampled_from([1, 7, 1 << 17]))
def test_whole_files_are_read_in_any_pieces(data: bytes, size: int) -> None:
    expected = gzip.decompress(data)
    if len(expected) < 1000 or size > 1:
        assert read_ours(data, size) == expected


@MANY
@given(FILES, st.data())
def test_damaged_files_are_refused_as_by_the_gzip_module(data: bytes, draw: Any) -> None:
    place = draw.draw(st.integers(0, len(data) - 1))
    other = draw.draw(st.sampled_from([b"", bytes([data[place] ^ draw.draw(st.integers(1, 255))])]))
    damaged = data[:place] + other + data[place + len(other) :] if other else data[:place]
    ours, theirs = read_ours(damaged), read_theirs(damaged)
    has_other_flags = data[place - FLAGS : place].startswith(GZIP)
    assert ours == theirs or (other and isinstance(ours, str))
    assert isinstance(theirs, str) or ours == theirs or has_other_flags


@pytest.mark.parametrize("end", [b"\0" * 5, b"x", b"\x1f", b"\x1f\x8b", b"\0\0x"])
def test_what_comes_after_the_last_member_is_zeros_or_refused(end: bytes) -> None:
    data = gzip.compress(b"a\n", mtime=0) + end
    assert read_ours(data) == read_theirs(data)


def test_names_in_headers_are_skipped() -> None:
    assert read_ours(NAMED) == b"named"


@pytest.mark.parametrize("count", [1, 400, 3 * PART_BYTES // 24])
def test_every_cut_within_many_members_ends_too_early(count: int) -> None:
    member = gzip.compress(b"{}\n", mtime=0)
    data = member * count
    assert read_ours(data) == b"{}\n" * count
    for cut in range(1, len(member)):
        expected = "damaged" if cut == len(member) - 1 else "too early"
        assert read_ours(data[:-cut]) == read_theirs(data[:-cut]) == expected


@given(FILES, st.lists(st.integers(0, 200), max_size=4))
def test_a_source_seeks_back_and_forth(data: bytes, places: list[int]) -> None:
    whole = gzip.decompress(data)
    with MemorySource("data", data).open() as stream:
        for place in places:
            stream.seek(place)
            assert stream.read(5) == whole[place : place + 5]
        stream.seek(0)
        assert stream.read() == whole


def test_a_source_says_what_is_wrong() -> None:
    data = gzip.compress(b"a\n" * 99, mtime=0)
    for damaged, message in ((data[:-3], "it ends too early"), (data + b"x", "damaged gzip data")):
        with (
            pytest.raises(InputError, match=message),
            MemorySource("data", damaged).open() as stream,
        ):
            stream.read()
