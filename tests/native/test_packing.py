"""Rankings cut out of JSON text: what was cut belongs where it was, or nothing was cut."""

import json
from random import Random
from typing import Any

import numpy as np
import orjson
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from groupwise.evaluator.native import fallback
from groupwise.evaluator.native.loader import COMPILED, walk
from groupwise.evaluator.reading.jsonl import parse_lines
from groupwise.evaluator.reading.packed_ids import TextLists
from groupwise.evaluator.reading.packing import Packer
from groupwise.evaluator.reading.sorting import SortedLines, sort_lines

pytestmark = pytest.mark.skipif(not COMPILED, reason="the compiled part was not built")

NAME = b'"results"'
KEYS = ["id", "results", "retrieved_ids", "m", "x\\\\", 'q\\"results', "\\u0072esults", "resultsx"]
IDS = [
    *("a", "b", "doc-1", "d" * 7, "d" * 8, "d" * 15, "d" * 16, "d" * 17, "d" * 40, "~", "a b"),
    *(" a", " ", "", "ä", "文", "\\n", '\\"', "\\u0061", "a\\\\", "\x7f", "[", "]", "{}", ":"),
]
SPACES = st.sampled_from(["", "", "", "", " ", "\t", "  ", "\n", "\r\n"])
ids = st.sampled_from(IDS).map('"{}"'.format)


def joined(parts: list[str], space: str, brackets: str) -> str:
    """Text of a list or an object."""
    inner = f"{space},{space}".join(parts)
    return f"{brackets[0]}{space}{inner}{space}{brackets[1]}"


def lists(members: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Texts of lists."""
    return st.builds(joined, st.lists(members, max_size=4), SPACES, st.just("[]"))


def objects(values: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Texts of objects, some of which repeat a key or lack what stands between two members."""
    member = st.builds('"{}"{}:{}{}'.format, st.sampled_from(KEYS), SPACES, SPACES, values)
    return st.builds(joined, st.lists(member, max_size=4), SPACES, st.just("{}"))


plain_lists = lists(st.sampled_from(IDS[:11]).map('"{}"'.format))
values = st.one_of(plain_lists, plain_lists, ids, lists(ids | st.just("1")), st.just("null"))
records = objects(values | objects(values) | lists(values))
broken = st.sampled_from(
    ["", " ", "{", "]", '"', '{"results":["a"', '"b"]}', "1", "[]", '"results":']
)
texts = st.lists(records | records | records | broken, min_size=1, max_size=4)


def restore(packed: tuple[bytes, bytes, bytes, bytes]) -> bytes:
    """The text with every list back in its place, written in the plainest way."""
    rest, *numbers, data = packed
    borders, offsets = (np.frombuffer(column, np.int64) for column in numbers)
    parts = rest.split(NAME)
    cut = [json.dumps(row).encode() for row in TextLists(borders[:-1], borders[1:], offsets, data)]
    whole = parts[0]
    for part in parts[1:]:
        before, bracket, after = part.partition(b"[]")
        is_value = bracket and before.strip() == b":"
        whole += NAME + (before + cut.pop(0) + after if is_value else part)
    assert not cut
    return whole


@given(texts, st.booleans())
@example(['{"results":["a", "b"],"m":{"results":[]}}'], False)
def test_the_lists_in_their_places_are_the_text(lines: list[str], breaks: bool) -> None:
    text = ",".join(lines).encode()
    packed = walk.pack_rankings(text, NAME, breaks)
    assert fallback.pack_rankings(text, NAME, breaks) is None
    if packed is not None and (value := load(b"[" + text + b"]")) is not None:
        assert json.loads(b"[" + restore(packed) + b"]") == value


def load(text: bytes) -> Any:
    """The value of a text, with all keys of its objects; None if it is not JSON."""
    try:
        orjson.loads(text)
    except orjson.JSONDecodeError:
        return None
    return json.loads(text)


def load_strictly(text: bytes) -> Any:
    """The value of a text whose objects repeat no key; ValueError for any other."""
    orjson.loads(text)  # stricter than json: no NaN, no lone surrogates

    def check(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len(dict(pairs)) < len(pairs):
            raise ValueError
        return dict(pairs)

    return json.loads(text, object_pairs_hook=check)


def check_columns(packer: Packer, text: bytes, expected: list[Any]) -> None:
    """What is packed is what a careful parser reads, or everything is left to it."""
    columns = packer.pack(text)
    if columns is not None:
        rows = zip(*columns.values(), strict=True)
        assert [dict(zip(columns, row, strict=True)) for row in rows] == expected


def load_all(lines: list[bytes]) -> list[Any] | None:
    try:
        return [*map(load_strictly, lines)]
    except ValueError:
        return None


SLY = [
    '{"id":"q","m":{"results":["a"]},"results":["b"]}',
    '{"id":"q","m":{"results":["a"]},"\\u0072esults":[]}',
    '{"id":"q","m":{"results":["a"]},"results":[]}',
    '{"id":"q","m":[{"results":["a"]}]}',
    '{"id":"q","results":["a"],"results":["b"]}',
    '{"id":"q","results":["a"],"\\u0072esults":[]}',
    '{"id":"q","x\\"results":["a"],"results":["b"]}',
    '{"id":"results","results":["results"]}',
    '{"id":"q","query":"\\"results\\":[\\"a\\"]","results":["b"]}',
    '{"id":"q","results" : [ "b" , "c" ] }',
    '{"id":"q","results":["b",]}',
    '{"id":"q","results":["b" "c"]}',
    '{"id":"q","results":[,"b"]}',
    '{"id":"q","results":["b"]]}',
    '{"id":"q","results":[["b"]]}',
    '{"id":"q","results":"b"}',
    '{"id":"q","results":null}',
    '{"id":"q","results":["b"],"m":{"k":1}}',
    '{"id":"q"results":["b"]}',
    '{"id":"q","results":["b\n"]}',
    '{"id":"q","results":["b",\n"c"]}',
    "",
]


@given(st.lists(records | records | broken | st.sampled_from(SLY), min_size=1, max_size=4))
def test_packed_lines_are_what_a_careful_parser_reads(lines: list[str]) -> None:
    text = "\n".join(lines).encode()
    expected = load_all(text.removesuffix(b"\n").split(b"\n"))
    packer = Packer(parse_lines, lines=True)
    if expected is None:
        assert packer.pack(text) is None
    else:
        check_columns(packer, text, expected)


@pytest.mark.parametrize("line", SLY)
def test_sly_lines_are_read_as_they_are_meant(line: str) -> None:
    for text in (line, f"{line}\n{line}", f'{line}\n{{"id":"r","results":["b"]}}'):
        expected = load_all(text.encode().split(b"\n"))
        if expected is None:
            assert Packer(parse_lines, lines=True).pack(text.encode()) is None
        else:
            check_columns(Packer(parse_lines, lines=True), text.encode(), expected)


@given(st.lists(records | records | broken | st.sampled_from(SLY), min_size=1, max_size=4))
def test_packed_pieces_are_what_a_careful_parser_reads(parts: list[str]) -> None:
    piece = f"[{','.join(parts)}]".encode()
    packer = Packer(orjson.loads, lines=False)
    try:
        expected = load_strictly(piece)
    except ValueError:
        assert packer.pack(piece) is None
    else:
        check_columns(packer, piece, expected)


@given(st.lists(records | records | broken | st.sampled_from(SLY), min_size=1, max_size=6))
def test_plain_lists_are_cut_where_they_are(lines: list[str]) -> None:
    text = "\n".join(lines).encode()
    packed = walk.pack_plain_rankings(text, NAME)
    assert fallback.pack_plain_rankings(text, NAME) is None
    assert packed is not None
    borders, places, rows = (np.frombuffer(packed[n], np.int64) for n in (1, 4, 5))
    assert len(places) == len(rows) == len(borders) - 1
    assert all(text[place : place + 1] == b"[" for place in places)
    assert [text.count(b"\n", 0, place) for place in places] == rows.tolist()
    assert packed[0].count(b"\n") == text.count(b"\n")


def check_sorted(text: bytes) -> SortedLines | None:
    """Lines in columns are what a careful parser reads; all others are as they were."""
    lines = text.split(b"\n")
    lines = [line + b"\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])
    found = sort_lines(text)
    if found is None:
        return None
    assert sorted([*found.rows, *found.odd]) == [*range(len(lines))]
    rows = [
        dict(zip(found.columns, row, strict=True))
        for row in zip(*found.columns.values(), strict=True)
    ]
    assert rows == [load_strictly(lines[row]) for row in found.rows]
    every = range(len(lines))
    assert found.cut_lines(text, every) == lines
    return found


@given(st.lists(records | broken | st.sampled_from(SLY), max_size=3), st.booleans(), st.randoms())
def test_sorted_lines_are_what_a_careful_parser_reads(
    lines: list[str], ends: bool, random: Random
) -> None:
    usual = ['{"id":"q","results":["a","b"]}'] * (len(lines) + 1)
    mixed = [*lines, *usual]
    random.shuffle(mixed)
    check_sorted(("\n".join(mixed) + "\n" * ends).encode())


@pytest.mark.parametrize("line", SLY)
def test_a_sly_line_hides_no_other(line: str) -> None:
    usual = '{"id":"q","results":["a","b"]}'
    for text in (f"{line}\n{usual}\n{usual}\n{usual}", f"{usual}\n{usual}\n{usual}\n{line}\n"):
        found = check_sorted(text.encode())
        assert found is not None
        assert len(found.rows) >= 3


def test_most_lines_must_be_plain_to_be_sorted() -> None:
    assert sort_lines(b'{"id":"q","results":["a"]}\n{"id":"q","results":[1]}\n') is None
    assert sort_lines(b"") is None
    assert sort_lines(b"\n\n") is None


def test_sorted_lines_may_repeat_keys_where_that_is_only_counted() -> None:
    text = b'{"id":"p","id":"q","results":["a"]}\n' + b'{"id":"r","results":["b"]}\n' * 2
    careful, quick = sort_lines(text), sort_lines(text, lossy=True)
    assert careful is not None
    assert quick is not None
    assert (careful.rows, careful.odd, careful.lost) == ([1, 2], [0], [])
    assert (quick.rows, quick.odd, quick.lost) == ([0, 1, 2], [], [0])


@pytest.mark.parametrize("size", [*range(1, 40), 63, 64, 65, 1000])
@pytest.mark.parametrize("odd", ["", " ", "é", "\\n", "\x1f", "\x7f", "\\"])
def test_every_byte_of_an_id_is_looked_at(size: int, odd: str) -> None:
    for place in range(1, size + 1) if size < 40 else (1, 40, size):
        text = f'{{"results":["{"x" * place}{odd}{"x" * (size - place)}","y"]}}'.encode()
        packed = walk.pack_rankings(text, NAME, False)
        assert (packed is not None) is (odd in ("", " "))
        if packed is not None:
            assert packed[0] == b'{"results":[]}'
            assert restore(packed) == text.replace(b",", b", ")


def test_records_of_a_good_file_are_packed() -> None:
    """The tests above would pass if nothing ever were."""
    line = b'{"id":"q","ground_truth":[["a"]],"results":["a","b"],"metadata":{"k":1}}\n'
    columns = Packer(parse_lines, lines=True).pack(line * 3)
    assert columns is not None
    assert isinstance(columns["results"], TextLists)
    assert [*columns["results"]] == [["a", "b"]] * 3


def test_a_name_cannot_be_empty() -> None:
    with pytest.raises(ValueError, match="empty"):
        walk.pack_rankings(b'{"":["a"]}', b"", False)
    with pytest.raises(ValueError, match="empty"):
        walk.pack_plain_rankings(b'{"":["a"]}', b"")


def test_attempts_end_where_they_are_in_vain() -> None:
    packer = Packer(parse_lines, lines=True)
    texts = 0
    while packer.pays:
        assert packer.pack(b'{"id":"q","results":[1]}\n') is None
        texts += 1
    assert texts == 3
