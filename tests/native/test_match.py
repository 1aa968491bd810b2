"""The compiled walk over ids, beside the same in Python and beside one comparison at a time."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import accumulate
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from groupwise.evaluator.hits import Hits
from groupwise.evaluator.intake.rows import Rows
from groupwise.evaluator.matching.exact import ExactMatcher
from groupwise.evaluator.native import COMPILED, Matched, match, match_in_python
from groupwise.schemas.ids import LARGEST
from tests.paths import ROOT

TEXTS = [
    *"abcdefgh", "", " ", "\t\n", "\u00a0", "\u3000x", " a", "a ", "a\0", "ä", "ß", "文", "文献-1",
    "\U0001f600", "\ud800", "0123456", "01234567", "x1234567y", "x0000000y", "0123456701234567",
    "0123456x01234567", "01234567x01234567", "01234567y01234567", "ab", "\u6261", "\u6261\u6261",
]  # fmt: skip
texts = st.sampled_from(TEXTS) | st.text(max_size=20)
sound = texts.filter(lambda text: bool(text) and not text[0].isspace())
wholes = st.integers(-9, 9) | st.sampled_from([LARGEST, -LARGEST])
others = st.sampled_from([2**63, -(2**63), 2**70, True, None, 1.5, b"a", ("a",), ["a"], {"a": 1}])


def queries_of(ids: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Ground truths with rankings, most of them of one kind of ids."""
    truths = st.lists(st.lists(ids, min_size=1, max_size=4), max_size=4)
    return st.lists(st.tuples(truths, st.lists(ids, max_size=9)), max_size=6)


mixed = texts | wholes | others
odd = st.lists(st.tuples(st.lists(st.lists(mixed) | mixed) | mixed, st.lists(mixed) | mixed))


def find_kinds(value: Any, levels: int) -> set[Any]:
    """The kinds of the ids in lists of lists; None stands for what is no id, or no list."""
    if levels:
        if type(value) is not list:
            return {None}
        return set().union(*(find_kinds(part, levels - 1) for part in value))
    if type(value) is int:
        return {int if abs(value) <= LARGEST else None}
    return {str if type(value) is str and value.strip() else None}


def find_odd(truths: list[Any], rankings: list[Any]) -> tuple[list[int], type]:
    """Which queries are not plain, one by one, and the kind of the others."""
    odd, kind = [], type(None)
    for row, (truth, ranking) in enumerate(zip(truths, rankings, strict=True)):
        kinds = find_kinds(truth, 2) | find_kinds(ranking, 1)
        is_blank = type(truth) is list and [] in truth
        if None in kinds or is_blank or len(kinds | {kind} - {type(None)}) > 1:
            odd.append(row)
        else:
            kind = next(iter(kinds), kind)
    return odd, kind


def split(rows: list[Any]) -> tuple[list[Any], list[Any]]:
    """Ground truths and rankings."""
    return [truth for truth, _ in rows], [ranking for _, ranking in rows]


def begins_with_space(value: Any) -> bool:
    """Whether any text begins with white space; the compiled walk calls it odd, if it is or not."""
    if type(value) is list:
        return any(map(begins_with_space, value))
    return type(value) is str and value[:1].isspace()


@given(odd | queries_of(sound) | queries_of(wholes) | queries_of(sound | wholes))
def test_queries_are_plain_if_all_their_ids_are_of_one_kind(rows: list[Any]) -> None:
    truths, rankings = split(rows)
    expected = find_odd(truths, rankings)
    found = match_in_python(truths, rankings, 5)
    assert found[-1] == expected[0]
    if not expected[0]:
        assert found[0] is expected[1]
    if not begins_with_space([truths, rankings]):
        compiled = match(truths, rankings, 5)
        assert compiled.odd == expected[0]
        assert compiled.odd or compiled.kind is expected[1]


@pytest.mark.skipif(not COMPILED, reason="the compiled part was not built")
@pytest.mark.parametrize("text", [" a", "\u3000x", "\u00a0", "\t"])
def test_texts_that_begin_with_space_are_left_to_the_schema(text: str) -> None:
    assert match([[["a"]], [[text]], [["b"]]], [["a"], ["b"], [text]]).odd == [1, 2]


def naive_hits(truths: list[Any], rankings: list[Any], depth: int) -> Iterator[tuple[int, ...]]:
    """Query, group, rank and alternative of each hit, one comparison at a time."""
    group = alternative = 0
    for query, (truth, ranking) in enumerate(zip(truths, rankings, strict=True)):
        for ids in truth:
            for place, wanted in enumerate(ids):
                for rank, result in enumerate(ranking[:depth], 1):
                    if result == wanted:
                        yield query, group, rank, alternative + place
            group, alternative = group + 1, alternative + len(ids)


def lists_twice(truth: Any) -> bool:
    """Whether an id is in a ground truth more than once."""
    ids = [each for group in truth for each in group]
    return len({*ids}) < len(ids)


def column(data: bytes) -> list[int]:
    """The numbers of a column."""
    return [int(number) for number in np.frombuffer(data, np.int64)]


@pytest.mark.skipif(not COMPILED, reason="the compiled part was not built")
@given(queries_of(sound) | queries_of(wholes), st.integers(0, 9))
def test_hits_are_those_of_one_comparison_at_a_time(rows: list[Any], depth: int) -> None:
    truths, rankings = split(rows)
    found = match(truths, rankings, depth)
    left = [row for row, truth in enumerate(truths) if lists_twice(truth)]
    counts = [sum(map(len, truth)) for truth in truths]
    starts = [*accumulate(counts, initial=0)]
    assert found.left == [(row, starts[row]) for row in left]
    assert found.listed == starts[-1]
    assert column(found.lengths) == [min(len(ranking), depth) for ranking in rankings]
    assert column(found.groups) == [*map(len, truths)]
    assert column(found.sizes) == [len(group) for truth in truths for group in truth]
    hits = [hit for hit in naive_hits(truths, rankings, depth) if hit[0] not in left]
    expected = [(rank, number) for _, _, rank, number in sorted(hits)]
    assert [*zip(column(found.ranks), column(found.alternatives), strict=True)] == expected


def as_lists(hits: Hits) -> list[list[Any]]:
    """What metrics see of hits."""
    columns = (hits.rank, hits.group, hits.document, hits.grade, hits.length)
    return [each.tolist() for each in columns]


def find_hits(walk: Callable[..., Any], rows: list[Any]) -> list[list[Any]]:
    """The hits that the matcher builds from a walk."""
    given = Rows([f"q{number}" for number in range(len(rows))], *split(rows))
    given.matched = Matched(5, *walk(given.truths, given.results, 5))
    matcher = ExactMatcher(5)
    matcher.add(given)
    return as_lists(matcher.batch())


@given(queries_of(sound) | queries_of(wholes))
def test_the_matcher_finds_the_same_with_either_walk(rows: list[Any]) -> None:
    assert find_hits(lambda *given: match(*given)[1:], rows) == find_hits(match_in_python, rows)


@pytest.mark.skipif(not COMPILED, reason="the compiled part was not built")
@pytest.mark.parametrize("count", [2, 63, 64, 65, 2000])
def test_ids_made_to_collide_are_left_to_python(count: int) -> None:
    """The sketch of an id is of its first, middle and last bytes; these differ elsewhere."""
    ids = [f"{'a' * 10}{number:06}{'a' * 40}" for number in range(count)]
    found = match([[ids]], [[*ids, "b"]], 9999)
    if count <= 64:
        assert column(found.ranks) == [*range(1, count + 1)]
    else:
        assert found.left == [(0, 0)]


@pytest.mark.skipif(not COMPILED, reason="the compiled part was not built")
def test_results_that_repeat_in_the_wrong_order_take_no_quadratic_time() -> None:
    ranking = ["b", "a"] * 100_000
    found = match([[["a"], ["b"]]], [ranking], len(ranking))
    assert found.left == [(0, 0)]
    assert find_hits(lambda *given: match(*given)[1:], [([["a"], ["b"]], ["b", "a"] * 2)]) == (
        find_hits(match_in_python, [([["a"], ["b"]], ["b", "a"] * 2)])
    )


def test_lists_of_different_length_are_refused() -> None:
    with pytest.raises(ValueError, match=r"length|argument"):
        match([[["a"]]], [])


def test_python_is_used_where_it_is_asked_for() -> None:
    script = "from groupwise.evaluator.native import COMPILED; print(COMPILED)"
    environment = {**os.environ, "GROUPWISE_PURE": "1"}
    command = [sys.executable, "-c", script]
    said = subprocess.check_output(command, cwd=ROOT, env=environment, text=True)
    assert said == "False\n"
