"""The first record of a sample, by which formats are recognised."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from groupwise.evaluator.reading.detection import SAMPLE_MEMBERS, Sample
from tests.strategies import MANY

VALUES = st.recursive(
    st.sampled_from([None, True, 0, 1.5, "", "é\n", '"{']) | st.just("x"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("ab"), inner),
    max_leaves=8,
)
NAMES = st.sampled_from(["id", "ground_truth", "results", "queries", "a\\b"])
OBJECTS = st.dictionaries(NAMES, VALUES, max_size=4)


def find_first_naively(record: dict[str, Any]) -> dict[str, Any]:
    """Members up to the queries of a fixture, and no more than there are looked at."""
    found: dict[str, Any] = {}
    for name, value in list(record.items())[:SAMPLE_MEMBERS]:
        if name == "queries" and isinstance(value, list):
            return {**found, name: []}
        found[name] = value
    return found


@MANY
@given(OBJECTS, st.sampled_from([None, 1]))
def test_the_members_of_a_whole_object(record: dict[str, Any], indent: int | None) -> None:
    text = json.dumps(record, indent=indent, ensure_ascii=False)
    assert Sample("data.json", text.encode()).first_record == find_first_naively(record)


@MANY
@given(OBJECTS, st.data())
def test_the_members_before_the_end_of_a_sample(record: dict[str, Any], draw: Any) -> None:
    text = json.dumps(record)
    cut = draw.draw(st.integers(1, len(text)))
    found = Sample("data.json", text[:cut].encode()).first_record or {}
    expected = find_first_naively(record)
    whole = list(found)[:-1]
    assert whole == list(expected)[: len(whole)]
    assert [found[name] for name in whole] == [expected[name] for name in whole]


def test_only_the_first_members_are_looked_at() -> None:
    record = {f"k{number}": [number] for number in range(2 * SAMPLE_MEMBERS)}
    found = Sample("data.json", json.dumps(record).encode()).first_record
    assert found == find_first_naively(record)
    repeated = "{" + ", ".join(['"a": 1'] * SAMPLE_MEMBERS) + ', "b": 2}'
    assert Sample("data.json", repeated.encode()).first_record == {"a": 1}
