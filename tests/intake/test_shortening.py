"""What models say about a shortened record is what they say first about the whole one."""

import json
from typing import Any
from unittest import mock

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pydantic import ValidationError

from groupwise import InputError, check_fixture, evaluate
from groupwise.evaluator.intake import checking, shortening
from groupwise.evaluator.intake.defects import DefectFinder
from groupwise.evaluator.intake.shortening import shorten
from groupwise.schemas import FixtureQuery, Query, RunQuery
from tests.formats.reading import file_of
from tests.intake.test_defects import FIELDS, GROUPS, SCALARS, USUAL
from tests.strategies import MANY
from tests.validation.data import IDS

MODELS = [Query, RunQuery, FixtureQuery]
BAD = st.sampled_from([None, "", " ", 1.5, True, 2**63, 7, "a"])
LISTED = st.fixed_dictionaries(
    {},
    optional={
        "id": st.just("q1") | SCALARS,
        "ground_truth": st.lists(st.lists(IDS | BAD, max_size=5) | BAD, max_size=6),
        "results": st.lists(IDS | BAD, max_size=6)
        | st.lists(st.lists(IDS | BAD, min_size=1, max_size=2), max_size=4),
        "scores": st.lists(st.sampled_from([0.5, 1]), max_size=3),
        "retrieval_gt": GROUPS,
    },
)
POLICIES = st.sampled_from([(None, None), ("any", None), ("all", "text"), (None, "text")])


def report(model: Any, record: Any, flat: str | None, ids: str | None) -> list[Any]:
    try:
        model.model_validate(record, context={"flat": flat, "ids": ids})
    except ValidationError as error:
        return [(each["type"], each["loc"], each["msg"]) for each in error.errors()]
    return []


@MANY
@given(st.sampled_from(MODELS), LISTED | USUAL | FIELDS, POLICIES, st.sampled_from([1, 2, 1000]))
@example(Query, {"id": "q", "ground_truth": ["a", "b", ["c"]]}, (None, None), 1)
@example(RunQuery, {"id": "q", "results": [["a", 0.5], ["b", "c"]]}, (None, None), 1)
def test_the_first_errors_of_a_shortened_record_are_those_of_the_whole(
    model: Any, record: Any, policies: tuple[str | None, str | None], most: int
) -> None:
    given = json.loads(json.dumps(record))
    with mock.patch.object(shortening, "LONG_LIST", 0):
        short = shorten(DefectFinder(model, *policies), given, most)
    if short is None:
        return
    expected = report(model, given, *policies)
    found = report(model, short.record, *policies)
    assert short.defects == len(expected)
    assert short.described == len(found)
    restored = [(kind, short.restore(place), message) for kind, place, message in found]
    assert restored[:most] == expected[:most]


GROUPED = [["a", "b"]] * 40
BROKEN = [
    {"id": "q", "ground_truth": GROUPED},
    {"id": "q", "ground_truth": [*GROUPED, ["c", ""], []], "results": ["a"] * 50},
    {"id": " ", "ground_truth": [["a"] * 50], "results": [["a", "b"]] * 50},
    {"id": "q", "ground_truth": GROUPED, "results": ["a", None, *["b"] * 40, 0.5]},
    {"id": "q", "ground_truth": [["a", *[""] * 50]], "results": "a"},
    {"id": "q", "ground_truth": GROUPED, "results": ["a"], "reslts": ["b"]},
]


@pytest.mark.parametrize("record", BROKEN)
def test_common_defects_of_large_records_need_few_models(record: Any) -> None:
    with mock.patch.object(shortening, "LONG_LIST", 10):
        short = shorten(DefectFinder(FixtureQuery, None, None), record, 2)
    assert short is not None
    assert sum(len(each) for each in short.record.values() if type(each) is list) <= 5


@pytest.mark.parametrize(
    "record",
    [
        {"id": "q", "ground_truth": GROUPED, "results": ["a"]},
        {"id": "q", "ground_truth": [*GROUPED, [7]], "results": None},
        {"id": "q", "ground_truth": ["a", "b"] * 20, "results": None},
        {"id": "q", "ground_truth": [{"a": 1}] * 40, "results": None},
        {"id": "q", "ground_truth": [[]], "results": ["a"]},
        ["q", GROUPED],
    ],
)
def test_records_that_are_valid_unclear_or_small_are_not_shortened(record: Any) -> None:
    with mock.patch.object(shortening, "LONG_LIST", 10):
        assert shorten(DefectFinder(FixtureQuery, None, None), record, 5) is None


@pytest.mark.parametrize("record", BROKEN)
@pytest.mark.parametrize("call", [evaluate, check_fixture])
def test_problems_of_large_records_are_the_same_and_in_the_same_place(
    record: Any, call: Any
) -> None:
    with file_of(json.dumps([record], indent=1), ".json") as path:
        outcomes = []
        for long in (10, 10**6):
            with (
                mock.patch.object(shortening, "LONG_LIST", long),
                mock.patch.object(checking, "shorten", wraps=shorten) as asked,
                pytest.raises(InputError) as caught,
            ):
                call(path)
            assert asked.called
            outcomes.append((caught.value.count, caught.value.problems, str(caught.value)))
    assert outcomes[0] == outcomes[1]
