"""Records, heads and places are the same whatever the size of the blocks they are read in."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.formats.reading import BLOCKS, Outcome, read

SIZES = st.sampled_from(BLOCKS)
TRICKY = st.sampled_from(["a", "}, {", "],[", '"', "\\", '": [', "é ", "😀", "{", "a:b", "\n", " "])
TEXTS = st.lists(TRICKY, min_size=1, max_size=3).map("".join)
RESULTS = st.lists(TEXTS | st.builds(lambda one: {"id": one}, TEXTS), max_size=6)
STYLES: list[dict[str, Any]] = [
    {},
    {"indent": 2},
    {"separators": (",", ":")},
    {"ensure_ascii": False, "indent": "\t"},
]


@st.composite
def records(draw: st.DrawFn) -> list[dict[str, Any]]:
    results = draw(st.lists(RESULTS, min_size=1, max_size=8))
    return [
        {"id": f"q{number}", "ground_truth": [["d", draw(TEXTS)]], "results": one}
        for number, one in enumerate(results)
    ]


def assert_places(outcome: Outcome, text: str) -> None:
    """Every place, read from there on, holds the very value that the pointer leads to."""
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    for record in outcome.records:
        for way, (number, column) in record.places.items():
            found, _ = json.JSONDecoder().raw_decode(text, starts[number - 1] + column - 1)
            assert found == value_at(record.value, way)


def value_at(value: Any, way: tuple[str | int, ...]) -> Any:
    for step in way:
        value = value[step]
    return value


@given(block=SIZES, expected=records(), style=st.sampled_from(STYLES))
def test_a_list_of_records(block: int, expected: list[dict[str, Any]], style: Any) -> None:
    text = json.dumps(expected, **style)
    outcome = read(text, block=block)
    assert (outcome.values, outcome.problems) == (expected, [])
    assert_places(outcome, text)


@given(
    block=SIZES,
    expected=st.dictionaries(TEXTS, st.lists(TEXTS, max_size=4) | RESULTS, min_size=1, max_size=8),
    style=st.sampled_from(STYLES),
)
def test_a_map_by_query_id(block: int, expected: dict[str, Any], style: Any) -> None:
    text = json.dumps(expected, **style)
    outcome = read(text, block=block)
    assert (outcome.by_key, outcome.problems) == (expected, [])
    assert_places(outcome, text)


@given(
    block=SIZES,
    expected=records(),
    style=st.sampled_from(STYLES),
    before=st.fixed_dictionaries({}, optional={"name": TEXTS, "metrics": st.just(["map"])}),
    after=st.fixed_dictionaries({}, optional={"expected": st.just({"map": 1}), "profile": TEXTS}),
)
def test_a_fixture(
    block: int,
    expected: list[dict[str, Any]],
    style: Any,
    before: dict[str, Any],
    after: dict[str, Any],
) -> None:
    text = json.dumps({**before, "queries": expected, **after}, **style)
    outcome = read(text, block=block)
    assert (outcome.values, outcome.problems) == (expected, [])
    assert outcome.head == {**before, **after}
    assert_places(outcome, text)


@given(
    block=SIZES,
    expected=records(),
    ascii_only=st.booleans(),
    between=st.sampled_from(["\n", "\r\n", "\n\n", "\n \n"]),
    at_end=st.sampled_from(["", "\n", "\n\n"]),
)
def test_json_lines(
    block: int, expected: list[dict[str, Any]], ascii_only: bool, between: str, at_end: str
) -> None:
    lines = [json.dumps(record, ensure_ascii=ascii_only) for record in expected]
    text = between.join(lines) + at_end
    outcome = read(text, ".jsonl", block=block)
    assert (outcome.values, outcome.problems) == (expected, [])
    assert_places(outcome, text)


@pytest.mark.parametrize("block", BLOCKS)
def test_one_record_as_a_document(block: int) -> None:
    record = {"id": "q1", "ground_truth": [["a"]], "results": ["a"]}
    outcome = read(json.dumps(record, indent=1), block=block)
    assert (outcome.values, outcome.head) == ([record], {})
