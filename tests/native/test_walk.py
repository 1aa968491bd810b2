"""The compiled walk over ids, beside plain Python: it may leave things, never get them wrong."""

import os
import re
import subprocess
import sys
from array import array
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groupwise.evaluator.intake.rows import Rows
from groupwise.evaluator.matching import exact
from groupwise.evaluator.native import fallback
from groupwise.evaluator.native.loader import COMPILED, walk
from tests.paths import ROOT

compiled = pytest.mark.skipif(not COMPILED, reason="the compiled part was not built")


class Name(str):
    """A string, but not of the plain type."""

    __slots__ = ()


ODD_TEXTS = [
    "", " ", "\t\n", "\u00a0", "\u3000\u2003", " a", "a ", "a\0", "a\0b", "ä", "ä", "ß", "文",
    "文献-1", "\U0001f600", "\ud800", "0123456", "01234567", "012345678", "x1234567y",
    "x0000000y", "0123456701234567", "0123456x01234567", "01234567x01234567", "01234567y01234567",
]  # fmt: skip
texts = st.sampled_from([*"abcdefgh", *ODD_TEXTS]) | st.text(max_size=20)
others = st.sampled_from([0, 1, True, None, 1.5, Name("a"), b"a", ("a",), ["a"], {"a": 1}])
sound = texts.filter(str.strip)
ids = st.one_of(sound, sound, sound, st.integers(), st.just(Name("a")))
truths = st.lists(st.lists(st.lists(ids, min_size=1, max_size=4), max_size=4), max_size=6)


def kind_of(one: Any) -> type | None:
    """The kind of an id; None if it is none, or not of a plain type."""
    if type(one) is int:
        return int if abs(one) < 2**63 else None
    return str if type(one) is str and one.strip() else None


def kind_of_all(lists: Any) -> type | None:
    """The one kind of all ids of some lists; None if there is none or more than one."""
    if not all(type(row) is list for row in lists):
        return None
    kinds = {kind_of(one) for row in lists for one in row}
    return kinds.pop() if len(kinds) == 1 else None


def flat(value: Any) -> Iterator[Any]:
    """All that is within lists of lists."""
    if type(value) is list:
        for part in value:
            yield from flat(part)
    else:
        yield value


def has_names(value: Any) -> bool:
    """Whether there are strings of another type, of which the fallback is certain as well."""
    return Name in {*map(type, flat(value))}


wholes = st.integers() | st.sampled_from([2**63 - 1, 2**63, 1 - 2**63, -(2**63), 2**70, 0, True])
lists_of_ids = (
    st.lists(texts, max_size=5)
    | st.lists(wholes, max_size=5)
    | st.lists(texts | others | wholes, max_size=5)
    | others
)


@compiled
@given(st.lists(lists_of_ids) | st.lists(st.lists(wholes, max_size=5)))
def test_rankings_have_a_kind_if_all_their_ids_do(lists: list[Any]) -> None:
    assert walk.kind_of_rankings(lists) is kind_of_all(lists)
    if not has_names(lists):
        assert fallback.kind_of_rankings(lists) is kind_of_all(lists)


@compiled
@given(
    st.lists(
        st.lists(st.lists(texts, max_size=3), max_size=3)
        | st.lists(st.lists(wholes, max_size=3), max_size=3)
        | st.lists(st.lists(texts | others, max_size=3) | others, max_size=3)
        | others
    )
)
def test_truths_have_a_kind_if_all_their_groups_do(lists: list[Any]) -> None:
    whole = all(type(truth) is list and all(truth) for truth in lists)
    expected = kind_of_all([group for truth in lists for group in truth]) if whole else None
    assert walk.kind_of_truths(lists) is expected
    if not has_names(lists):
        assert fallback.kind_of_truths(lists) is expected


@compiled
@given(
    st.lists(
        st.lists(texts, max_size=3)
        | st.lists(wholes, max_size=3)
        | st.lists(st.lists(texts, max_size=3) | st.lists(wholes, max_size=3), max_size=3)
        | st.lists(st.lists(texts | others, max_size=3) | others, max_size=3)
        | others
    )
)
def test_odd_rows_are_those_without_a_kind(lists: list[Any]) -> None:
    for way in (walk, fallback):
        rows = range(len(lists))
        assert way.find_odd_rankings(lists) == [
            row for row in rows if way.kind_of_rankings([lists[row]]) is None
        ]
        assert way.find_odd_truths(lists) == [
            row for row in rows if way.kind_of_truths([lists[row]]) is None
        ]


@compiled
@given(st.lists(texts | wholes | others))
def test_odd_ids_are_those_without_a_kind(ids: list[Any]) -> None:
    for way in (walk, fallback):
        assert way.find_odd_ids(ids) == [
            place for place, one in enumerate(ids) if way.kind_of_rankings([[one]]) is None
        ]


@compiled
@pytest.mark.parametrize("value", [None, "ab", ("a",), {"a": 1}, 3])
def test_what_is_no_list_has_no_kind(value: Any) -> None:
    for way in (walk, fallback):
        assert way.kind_of_rankings(value) is None
        assert way.kind_of_truths(value) is None
        assert way.find_odd_ids(value) is None
        assert way.find_odd_rankings(value) is None
        assert way.find_odd_truths(value) is None


def naive(truths: list[Any], rankings: list[Any], rows: set[int]) -> set[tuple[int, int]]:
    """Rank and number of every alternative found, one comparison at a time."""
    listed = [[one for group in truth for one in group] for truth in truths]
    found, first = set(), 0
    for row, (gold, ranking) in enumerate(zip(listed, rankings, strict=True)):
        for rank, result in enumerate(ranking, 1):
            for place, one in enumerate(gold):
                if row in rows and one == result:
                    found.add((rank, first + place))
        first += len(gold)
    return found


def numbers(column: bytes) -> list[int]:
    return array("q", column).tolist()


@compiled
@given(st.data(), truths, st.integers(0, 1000))
def test_hits_are_those_of_comparing_each_with_each(data: Any, truths: Any, first: int) -> None:
    some = st.sampled_from([one for truth in truths for group in truth for one in group] or ["a"])
    ranking = st.lists(some | ids, max_size=12)
    rankings = [data.draw(ranking) for _ in truths]
    found = walk.match_rankings(truths, rankings, first)
    lengths, groups, sizes, ranks, alternatives, end, left, shared = found
    assert numbers(lengths) == [len(ranking) for ranking in rankings]
    assert numbers(groups) == [len(truth) for truth in truths]
    assert numbers(sizes) == [len(group) for truth in truths for group in truth]
    assert end == first + sum(numbers(sizes))
    rows = {*range(len(truths))} - {row for row, _ in left}
    hits = list(zip(numbers(ranks), [one - first for one in numbers(alternatives)], strict=True))
    assert len(hits) == len({*hits})
    assert {*hits} == naive(truths, rankings, rows)
    group_of = [number for number, size in enumerate(numbers(sizes)) for _ in range(size)]
    order = [(group_of[alternative], rank) for rank, alternative in hits]
    assert order == sorted(order)
    listed = [[one for group in truth for one in group] for truth in truths]
    repeating = {row for row in rows if len({*listed[row]}) < len(listed[row])}
    assert {row for row, _ in shared} == repeating


@compiled
@given(truths)
def test_rows_are_left_for_a_reason_and_with_their_first_alternative(truths: Any) -> None:
    rankings: list[Any] = [[one for group in truth for one in group] for truth in truths]
    left = dict(walk.match_rankings(truths, rankings, 7)[-2])
    everything = dict(fallback.match_rankings(truths, rankings, 7)[-2])
    assert left.items() <= everything.items()
    for row, gold in enumerate(rankings):
        plain = all(type(one) is str or kind_of(one) is int for one in gold)
        assert (row in left) is not plain


@compiled
@pytest.mark.parametrize("name", ["d{}", "https://example.org/{:012}/chunk.html", "{}"])
@pytest.mark.parametrize("count", [63, 64, 65, 300, 5000])
def test_many_alternatives_are_found(name: str, count: int) -> None:
    ids = [int(name.format(n)) if name == "{}" else name.format(n) for n in range(count)]
    ranking = [*ids[::-1], *([-1] if name == "{}" else ["x"]), ids[0]]
    *_, ranks, alternatives, end, left, shared = walk.match_rankings([[ids]], [ranking], 0)
    found = dict(zip(numbers(ranks), numbers(alternatives), strict=True))
    assert (left, shared, end) == ([], [], count)
    assert found == {**{rank: count - rank for rank in range(1, count + 1)}, count + 2: 0}


@compiled
@given(st.data(), st.integers(0, 9))
def test_checking_and_matching_in_one_walk_is_both_in_turn(data: Any, depth: int) -> None:
    kind = data.draw(st.sampled_from([sound, wholes, sound | wholes, texts, ids]))
    found = data.draw(st.lists(st.lists(st.lists(kind, max_size=3), max_size=3), max_size=4))
    some = st.sampled_from([one for truth in found for group in truth for one in group] or ["a"])
    rankings = [data.draw(st.lists(some | kind, max_size=6)) for _ in found]
    walked = walk.match_plain(found, rankings, depth)
    kinds = {walk.kind_of_truths(found), walk.kind_of_rankings([*rankings, *rankings[:1]])}
    if walked is None:
        assert len(kinds - {None}) != 1 or None in kinds or not all(found)
    else:
        kind, matched = walked
        assert kinds <= {kind, None}
        assert kind_of_all([*rankings, *(group for truth in found for group in truth)]) is kind
        cut = [ranking[:depth] for ranking in rankings]
        assert matched == walk.match_rankings(found, cut, 0)


@compiled
@pytest.mark.parametrize(
    ("truths", "rankings"),
    [([["a"]], [["a"]]), ([(["a"],)], [["a"]]), ([[["a"]]], ["a"]), ([None], [["a"]])],
)
def test_other_shapes_are_an_error_not_a_crash(truths: Any, rankings: Any) -> None:
    with pytest.raises(TypeError, match="lists of lists"):
        walk.match_rankings(truths, rankings, 0)


@compiled
@given(st.lists(texts | others) | others)
def test_hashes_are_those_of_python(values: Any) -> None:
    plain = type(values) is list and all(type(one) is str for one in values)
    expected = [hash(one) for one in values] if plain else None
    for way in (walk, fallback):
        found = way.hash_texts(values)
        assert (None if found is None else numbers(found)) == expected


def is_visible(one: Any) -> bool:
    return type(one) is str and one != "" and all("!" <= sign <= "~" for sign in one)


NAMES = st.text(st.characters(min_codepoint=30, max_codepoint=130), max_size=40)


@compiled
@given(st.lists(NAMES | texts | others) | others)
def test_clean_hashes_are_those_of_visible_ascii(values: Any) -> None:
    clean = type(values) is list and all(map(is_visible, values))
    expected = [hash(one) for one in values] if clean else None
    for way in (walk, fallback):
        found = way.hash_clean_texts(values)
        assert (None if found is None else numbers(found)) == expected


def is_clear(ranking: Any) -> bool:
    """Whether a ranking has visible ids only, each of them once."""
    if type(ranking) is not list or not all(map(is_visible, ranking)):
        return False
    return len({*ranking}) == len(ranking)


@compiled
@given(st.lists(st.lists(NAMES | texts | others, max_size=12) | others, max_size=8) | others)
def test_rankings_are_clear_if_their_ids_are_visible_and_differ(rankings: Any) -> None:
    expected = None
    if type(rankings) is list:
        expected = [number for number, ids in enumerate(rankings) if not is_clear(ids)]
    for way in (walk, fallback):
        assert way.find_unclear(rankings) == expected


@compiled
@pytest.mark.parametrize("size", [7, 8, 9, 16, 33, 1000, 5000])
def test_long_rankings_of_long_ids_are_clear(size: int) -> None:
    ids = [f"{'x' * (number % 40)}{number}" for number in range(size)]
    for way in (walk, fallback):
        assert way.find_unclear([ids, ids[::-1], [*ids, ids[size // 2]], [*ids, "a b"]]) == [2, 3]


def is_clean(truth: Any, groups: int, alternatives: int, single: int) -> bool:
    """Whether a ground truth is beyond doubt, one condition after the other."""
    if type(truth) is not list or not 1 <= len(truth) <= groups:
        return False
    if not all(type(group) is list and 1 <= len(group) <= alternatives for group in truth):
        return False
    listed = [one for group in truth for one in group]
    if not all(is_visible(one) and one == one.lower() for one in listed):
        return False
    short = any(
        len(one) == 1 and max(len(truth), len(group)) >= single for group in truth for one in group
    )
    return not short and len({*listed}) == len(listed)


tidy = st.sampled_from([*"abcdefgh", "ab", "cd", "ef", "x-1", "x-2", "0f0e"]) | NAMES.map(str.lower)
tidy_truths = st.lists(st.lists(tidy, max_size=4, unique=True), max_size=4)
LIMITS = (3, 3, 2)


@compiled
@given(st.lists(tidy_truths | st.lists(st.lists(tidy | others) | others) | others, min_size=1))
def test_clean_truths_are_told_by_their_shapes_and_hashes(truths: list[Any]) -> None:
    found = walk.hash_clean_truths(truths, *LIMITS)
    assert (found is not None) is all(is_clean(truth, *LIMITS) for truth in truths)
    if found is not None:
        assert found[0] == [bytes(len(group) for group in truth) for truth in truths]
        assert numbers(found[1]) == [hash(one) for t in truths for group in t for one in group]
    assert fallback.hash_clean_truths(truths, *LIMITS) in (None, found)


@compiled
@given(st.lists(tidy_truths | st.lists(st.lists(tidy | others) | others) | others))
def test_clean_truths_are_told_from_others(truths: list[Any]) -> None:
    clean = [truth for truth in truths if is_clean(truth, *LIMITS)]
    shapes, hashes, odd = walk.sort_out_truths(truths, *LIMITS)
    assert odd == [row for row, truth in enumerate(truths) if not is_clean(truth, *LIMITS)]
    assert shapes == [bytes(len(group) for group in truth) for truth in clean]
    assert numbers(hashes) == [hash(one) for t in clean for group in t for one in group]
    assert fallback.sort_out_truths(truths, *LIMITS) == (shapes, hashes, odd)


@given(st.lists(tidy, min_size=2, max_size=9, unique=True))
def test_clean_truths_pass_without_the_compiled_part_too(listed: list[str]) -> None:
    truths = [[[one]] for one in listed]
    clean = all(is_clean(truth, *LIMITS) for truth in truths)
    assert (fallback.hash_clean_truths(truths, *LIMITS) is not None) is clean


@compiled
@pytest.mark.parametrize("count", [64, 65])
def test_truths_of_very_many_alternatives_are_in_doubt(count: int) -> None:
    truth: Any = [[f"doc-{number}" for number in range(count)]]
    assert (walk.hash_clean_truths([truth], 10, 100, 101) is not None) is (count == 64)


@compiled
def test_truths_of_more_groups_than_a_byte_can_tell_are_in_doubt() -> None:
    truth: Any = [[f"doc-{number}"] for number in range(300)]
    assert walk.hash_clean_truths([truth], 1000, 20, 1001) is None


JSON_SIGNS = st.lists(st.sampled_from(['"', ":", " ", "\n", "\t", "\r", "{", "a", "\v"]))


@compiled
@given(JSON_SIGNS)
def test_ends_of_keys_are_colons_behind_a_quote(signs: list[str]) -> None:
    text = "".join(signs)
    expected = len(re.findall(r'"[ \t\r\n]*:', text))
    assert walk.count_key_ends(text.encode()) == expected
    assert fallback.count_key_ends(text.encode()) == expected


@compiled
@given(st.lists(JSON_SIGNS))
def test_ends_of_keys_are_counted_in_each_line_by_itself(lines: list[list[str]]) -> None:
    texts = ["".join(signs).encode() for signs in lines]
    expected = sum(map(fallback.count_key_ends, texts))
    assert walk.count_key_ends(texts) == fallback.count_key_ends(texts) == expected


signs = st.text(max_size=2) | st.text('":\\,[{', max_size=3)
values = st.recursive(
    st.none() | st.integers(-9, 9) | signs,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(signs, inner, max_size=3),
)


def keys_of(value: Any) -> int:
    if type(value) is dict:
        return len(value) + sum(map(keys_of, value.values()))
    return sum(map(keys_of, value)) if type(value) is list else 0


@compiled
@given(values)
def test_keys_are_counted_at_every_level(value: Any) -> None:
    assert walk.count_keys(value) == keys_of(value)


@given(values)
def test_keys_are_never_counted_too_often_without_the_compiled_part(value: Any) -> None:
    odd = any(key.endswith(("\\", "[", "{", ",", ":")) for key in all_keys(value))
    found = fallback.count_keys(value)
    assert found is None or (found <= keys_of(value) if odd else found == keys_of(value))


def test_quotes_and_colons_in_strings_are_no_keys() -> None:
    value: Any = [{"a": '":', ":b": {"c": ':"', "": ":"}}, '"', ":", [":", '":']]
    assert fallback.count_keys(value) == walk.count_keys(value) == 4


def all_keys(value: Any) -> Iterator[str]:
    if type(value) is dict:
        yield from value
    for part in value.values() if type(value) is dict else value if type(value) is list else ():
        yield from all_keys(part)


@compiled
def test_what_is_nested_very_deep_is_left() -> None:
    deep: Any = {"a": 1}
    for _ in range(1023):
        deep = [deep]
    assert walk.count_keys(deep) == 1
    assert walk.count_keys([deep]) is None
    assert walk.count_keys({"a": [{"b": 1}, [deep]], "c": {"d": 2}}) is None


@compiled
@given(st.lists(st.dictionaries(st.text(max_size=1), values, max_size=3) | values, max_size=4))
def test_flat_objects_hold_no_others(objects: list[Any]) -> None:
    expected = all(
        type(one) is dict and not any(type(part) in (dict, list) for part in one.values())
        for one in objects
    )
    for way in (walk, fallback):
        assert way.are_flat(objects) is expected
        assert not way.are_flat(tuple(objects))


@given(st.data(), truths)
def test_a_batch_is_the_same_without_the_compiled_part(data: Any, truths: Any) -> None:
    some = st.sampled_from([one for truth in truths for group in truth for one in group] or ["a"])
    rows = Rows([str(row) for row in range(len(truths))], truths)
    rows.results = [data.draw(st.lists(some | ids, max_size=12)) for _ in truths]
    with pytest.MonkeyPatch.context() as patch:
        aided = hits_of(rows)
        patch.setattr(exact, "walk", fallback)
        assert hits_of(rows) == aided


def hits_of(rows: Rows) -> list[list[Any]]:
    matcher = exact.ExactMatcher()
    matcher.add(rows)
    hits = matcher.batch()
    columns = (hits.rank, hits.group, hits.document, hits.length, hits.groups.size)
    return [column.tolist() for column in columns]


@pytest.mark.parametrize("example", ["running-example.json", "multi-hop.json"])
def test_the_command_prints_the_same_without_it(example: str) -> None:
    path = ROOT / "fixtures" / "examples" / example
    assert printed(path, "1") == printed(path, "0")


def printed(path: Path, pure: str) -> bytes:
    command = [sys.executable, "-m", "groupwise", "evaluate", str(path), "--format", "json"]
    environment = {**os.environ, "GROUPWISE_PURE": pure}
    return subprocess.run(command, env=environment, capture_output=True, check=True).stdout


@compiled
@pytest.mark.parametrize(
    ("block", "expected"),
    [
        (b"", []),
        (b"\n \n", []),
        (b"q Q0 a 1 2 t", [("q", 7, ["a"], [2.0])]),
        (b"\nq\tQ0 a 1 -2.5e1 t\r\n", [("q", 8, ["a"], [-25.0])]),
        (
            "q Q0 ä 1 2 t\nq Q0 \u2028b 2 1 t\np Q0 a 1 9 t\nq Q0 c 3 0 t".encode(),
            [("q", 7, ["ä", "\u2028b"], [2.0, 1.0]), ("p", 9, ["a"], [9.0]), ("q", 10, ["c"], [0])],
        ),
        (b"q Q0 a 1 2 t\nqq Q0 a 1 2 t", [("q", 7, ["a"], [2]), ("qq", 8, ["a"], [2])]),
        (b"q Q0 a\0b 1 2 t", [("q", 7, ["a\0b"], [2.0])]),
        (b"q Q0 a 1 2 t more words here", [("q", 7, ["a"], [2.0])]),
        (b"# c\nq Q0 #a 1 2 t\n #\xff 1\n\nq Q0 b 1 1 t", [("q", 8, ["#a", "b"], [2.0, 1.0])]),
    ],
)
def test_lines_of_a_run_are_rows(block: bytes, expected: list[Any]) -> None:
    assert walk.parse_run_lines(block, 7) == expected


@compiled
@pytest.mark.parametrize("text", ["nan", "inf", "-1e999", "x", "1_0", "0x1", "9007199254740992"])
def test_a_run_with_an_odd_score_is_left(text: str) -> None:
    assert walk.parse_run_lines(f"q Q0 a 1 {text} t\n".encode(), 1) is None


@compiled
@pytest.mark.parametrize("line", [b"q Q0 a 1 2", b"q Q0 a 1 #", b"q Q0 \xff 1 2 t", b"\xff"])
def test_a_run_with_an_odd_line_is_left(line: bytes) -> None:
    assert walk.parse_run_lines(b"q Q0 a 1 2 t\n" + line, 1) is None
    assert walk.parse_run_lines(b"q Q0 a 1 " + b"0" * 41 + b" t", 1) is None
