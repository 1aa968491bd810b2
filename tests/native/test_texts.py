"""Texts in a buffer: lists of them mean what lists of strings mean, and nothing reads beyond."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from groupwise.evaluator.intake.rows import Rows
from groupwise.evaluator.matching import exact
from groupwise.evaluator.native import fallback
from groupwise.evaluator.native.loader import COMPILED, walk
from groupwise.evaluator.reading.packed_ids import TextLists, are_filled, lengths_of

compiled = pytest.mark.skipif(not COMPILED, reason="the compiled part was not built")
WAYS = [fallback, walk]
plain = st.sampled_from([*"abcdefgh", "doc-1", "doc-2", "0123456789abcdef-0123456789abcdef"])
rows = st.lists(st.lists(plain, max_size=6), max_size=5)


def buffered(lists: list[list[str]], before: int = 0) -> TextLists:
    """The same lists with their texts in one buffer, behind some others that nobody asks for."""
    flat = ["unused"] * before + [one for row in lists for one in row]
    ends = np.cumsum([before, *map(len, lists)])
    offsets = np.cumsum([0, *(len(one.encode()) for one in flat)])
    return TextLists(ends[:-1], ends[1:], offsets, "".join(flat).encode())


@given(rows, st.integers(0, 3))
def test_they_are_the_lists_they_were_made_from(lists: list[list[str]], before: int) -> None:
    texts = buffered(lists, before)
    assert list(texts) == lists
    assert [texts[row] for row in range(len(texts))] == lists
    assert list(texts[1:]) == lists[1:]
    assert lengths_of(texts) == lengths_of(lists) == [len(row) for row in lists]
    assert are_filled(texts) is are_filled(lists) is all(lists)


@given(rows, st.integers(1, 8))
def test_a_cut_is_that_of_each_list(lists: list[list[str]], depth: int) -> None:
    assert list(buffered(lists).cut(depth)) == [row[:depth] for row in lists]


@pytest.mark.parametrize("way", WAYS)
@given(lists=st.lists(st.lists(st.text(max_size=4), max_size=4), max_size=4))
def test_strings_are_made_of_any_utf8(way: Any, lists: list[list[str]]) -> None:
    clean = [[one.encode("utf-8", "replace").decode() for one in row] for row in lists]
    texts = buffered(clean)
    flat = [one for row in clean for one in row]
    assert way.decode_texts(texts.offsets, texts.data, 0, len(flat)) == flat
    assert way.decode_lists(texts.starts, texts.ends, texts.offsets, texts.data) == clean


@pytest.mark.parametrize("way", WAYS)
def test_what_is_not_utf8_is_an_error(way: Any) -> None:
    with pytest.raises(UnicodeDecodeError):
        way.decode_texts(np.array([0, 2]), b"\xff\xfe", 0, 1)


@pytest.mark.parametrize("way", WAYS)
@given(lists=st.lists(st.lists(plain | st.sampled_from(["a b", "\t", "é", "x" * 9]), max_size=6)))
def test_unclear_texts_are_those_of_the_lists(way: Any, lists: list[list[str]]) -> None:
    assert way.find_unclear_texts(*buffered(lists).buffers) == fallback.find_unclear(lists)


@compiled
@given(st.lists(st.text(st.sampled_from(" \t\x00\x1fa!~\x7f\x80é文"), max_size=3)))
def test_plain_texts_are_ascii_that_begins_with_something_seen(texts: list[str]) -> None:
    found = buffered([texts])
    expected = all(one.isascii() and one and one[0] > " " for one in texts)
    for way in WAYS:
        assert way.are_plain_texts(found.offsets, found.data) is expected
    if expected:
        assert all(one.strip() for one in texts)


FAR, NEAR = 2**63 - 1, -(2**63)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    "offsets",
    [[0, 9], [-1, 2], [2, 1], [0, 2, 1], [5, 6], [0, 2**62], [-(2**62), 2], [NEAR, FAR], [FAR, 0]],
)
def test_offsets_beyond_the_data_are_refused(way: Any, offsets: list[int]) -> None:
    broken, rows = np.array(offsets), np.array([0])
    last = len(offsets) - 1
    assert not way.are_plain_texts(broken, b"abc")
    with pytest.raises(ValueError, match="outside"):
        way.decode_texts(broken, b"abc", 0, last)
    with pytest.raises(ValueError, match="outside"):
        way.decode_lists(rows, rows + last, broken, b"abc")
    with pytest.raises(ValueError, match="outside"):
        way.match_texts([[["a"]]], rows, rows + last, broken, b"abc", 0)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    "row",
    [
        *((-1, 1), (0, 3), (1, 2**62), (2, 1), (-1, -1), (-1, 0), (3, 2)),
        *((FAR, -2), (FAR, NEAR), (FAR - 1, FAR), (NEAR, FAR), (NEAR, NEAR + 1), (-2, FAR)),
    ],
)
def test_rows_beyond_the_texts_are_refused(way: Any, row: tuple[int, int]) -> None:
    offsets, start, end = np.array([0, 1, 2]), np.array([row[0]]), np.array([row[1]])
    with pytest.raises(ValueError, match="outside"):
        way.decode_texts(offsets, b"abc", *row)
    with pytest.raises(ValueError, match="outside"):
        way.decode_lists(start, end, offsets, b"abc")
    with pytest.raises(ValueError, match="outside"):
        way.match_texts([[["a"]]], start, end, offsets, b"abc", 0)
    with pytest.raises(ValueError, match="outside"):
        way.match_texts([[["a"]]], start, np.array([1, 2]), offsets, b"abc", 0)


@pytest.mark.parametrize("way", WAYS)
def test_an_empty_row_needs_no_texts(way: Any) -> None:
    none = np.array([], np.int64)
    assert way.decode_texts(none, b"", 0, 0) == []
    assert way.decode_lists(np.array([0]), np.array([0]), none, b"") == [[]]
    assert way.match_texts([[["a"]]], np.array([0]), np.array([0]), none, b"", 0)[-3] == 1


@compiled
def test_buffers_need_not_be_aligned() -> None:
    moved: Any = memoryview(b"." + np.array([0, 1, 2]).tobytes())[1:]
    assert walk.decode_texts(moved, b"ab", 0, 2) == ["a", "b"]
    assert walk.are_plain_texts(moved, b"ab")


@compiled
@pytest.mark.parametrize("first", [-1, FAR, FAR - 1])
def test_alternatives_are_not_numbered_beyond_what_a_number_holds(first: int) -> None:
    with pytest.raises(ValueError, match="outside"):
        walk.match_rankings([[["a", "b"]]], [["a", "b"]], first)


@compiled
def test_lines_are_not_numbered_beyond_what_a_number_holds() -> None:
    assert walk.parse_run_lines(b"q Q0 a 1 2 t\n\n\n", FAR) is None


@given(rows, st.sampled_from([2**31, 2**62, FAR, 2**64]))
def test_a_very_deep_cut_is_the_whole_list(lists: list[list[str]], depth: int) -> None:
    assert list(buffered(lists, 2).cut(depth)) == lists


@given(st.data(), rows, st.integers(1, 9) | st.none())
def test_hits_are_those_of_the_lists(data: Any, lists: Any, depth: int | None) -> None:
    groups = st.lists(st.lists(plain | st.just("ä"), min_size=1, max_size=3), max_size=3)
    truths = [data.draw(groups) for _ in lists]
    ids = [str(row) for row in range(len(lists))]
    as_texts = hits_of(Rows(ids, truths, buffered(lists)), depth)
    assert as_texts == hits_of(Rows(ids, truths, lists), depth)


def hits_of(rows: Rows, depth: int | None) -> list[list[Any]]:
    matcher = exact.ExactMatcher(depth)
    matcher.add(rows)
    hits = matcher.batch()
    columns = (hits.rank, hits.group, hits.document, hits.length, hits.groups.size)
    return [column.tolist() for column in columns]
