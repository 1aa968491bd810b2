"""The quick check of plain records accepts nothing that the schema refuses, with equal results."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import IntEnum
from typing import Any
from unittest import mock

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from groupwise import InputError, Report, evaluate
from groupwise.evaluator.intake.check import Intake
from groupwise.schemas import GroundTruth, RunQuery, plain_kind, plain_rankings, plain_truths


class Text(str):
    """A string of another type."""

    __slots__ = ()


class Number(IntEnum):
    ONE = 1


SOUND = st.sampled_from(["a", "b", "c "]) | st.integers(0, 3) | st.just(2**63 - 1)
BLANK = ["", " ", "\t\n", "\u00a0", Text(" ")]
LARGE = [2**63, -(2**63), 2**80]
OTHERS: list[Any] = [None, True, False, 1.0, 0.5, float("nan"), b"a", [], {}, ["a"]]
LOOKALIKES = [Text("a"), Number.ONE, np.str_("a"), np.int64(1), np.float64(1)]
ODD: st.SearchStrategy[Any] = st.sampled_from([*BLANK, *LARGE, *OTHERS, *LOOKALIKES])
IDS = SOUND | ODD
ARRAYS = st.sampled_from([np.array(["a", "b"]), np.array([1, 2]), np.array([])])
LISTS = st.lists(st.sampled_from("abc"), max_size=3) | st.lists(IDS, max_size=3)
GROUPS = (
    LISTS | ARRAYS | LISTS.map(tuple) | IDS | st.just({"a": 1}) | st.just({"alternatives": ["a"]})
)
TRUTHS = ARRAYS | st.lists(LISTS, max_size=3) | st.lists(GROUPS, max_size=3) | IDS
RESULTS = (
    LISTS | ARRAYS | LISTS.map(tuple) | IDS | st.just([{"id": "a"}]) | st.just(["a", {"id": "b"}])
)


def accepted(validate: Callable[[], Any]) -> Any:
    try:
        return validate()
    except ValidationError:
        return None


@given(TRUTHS)
def test_a_ground_truth_that_is_plain_is_sound_and_the_same(value: Any) -> None:
    if plain_truths([value]) is not None:
        checked = GroundTruth.model_validate(value)
        assert [[one.id for one in group.alternatives] for group in checked.groups] == value
        assert {group.weight for group in checked.groups} <= {1}
        assert {one.grade for one in checked.alternatives} <= {1}
        assert {type(one.id) for one in checked.alternatives} <= {plain_truths([value])}


@given(RESULTS)
def test_a_ranking_that_is_plain_is_sound_and_the_same(value: Any) -> None:
    if plain_rankings([value]) is not None:
        assert RunQuery.model_validate({"id": "q", "results": value}).ids() == value


@given(st.lists(IDS, min_size=1, max_size=4))
def test_ids_of_a_plain_kind_are_sound(value: list[Any]) -> None:
    if plain_kind(value) is not None:
        assert RunQuery.model_validate({"id": "q", "results": value}).ids() == value


@given(st.lists(st.sampled_from("abc"), min_size=1) | st.lists(st.integers(-9, 9), min_size=1))
def test_what_is_plain_is_accepted_without_a_closer_look(value: list[Any]) -> None:
    assert plain_kind(value) is type(value[0])
    assert plain_rankings([value]) is type(value[0])
    assert plain_truths([[value]]) is type(value[0])


RECORDS = st.fixed_dictionaries(
    {},
    optional={
        "id": st.sampled_from(["q1", "q2", 1, " ", None, True, 1.5]),
        "qid": st.sampled_from(["q3", 7]),
        "ground_truth": TRUTHS,
        "retrieval_gt": TRUTHS,
        "results": RESULTS,
        "retrieved_ids": RESULTS,
        "scores": st.lists(st.sampled_from([0.5, 1, 10**400, float("nan"), "1", None]), max_size=3)
        | st.none(),
        "query": st.sampled_from(["text", None, 5]),
        "expected": st.sampled_from([{}, {"map": 1}, {"map": None}, {"map": "1"}, None, []]),
        "metadata": st.sampled_from([{}, {"a": [1]}, None, 5]),
        "generation_gt": st.sampled_from([["x"], None]),
        "answerable": st.booleans(),
        "not_relevant": st.sampled_from([["z"], [None], "z"]),
        "hashes": st.sampled_from([{}, {"a": "0"}, {"a": None}, {"a": 1}, None, []]),
        "corpus": st.sampled_from(["gw1:1:0", None, 5]),
        "unknown": st.just(1),
    },
)
SOUND_RECORDS = st.fixed_dictionaries(
    {"ground_truth": st.lists(st.lists(st.sampled_from("ab"), min_size=1), max_size=2)}
    | {"results": st.lists(st.sampled_from("abx"), max_size=3)}
)
ROWS = st.lists(
    st.builds(lambda number, one: {"id": f"n{number}"} | one, st.integers(0, 9), SOUND_RECORDS)
    | RECORDS,
    min_size=1,
    max_size=4,
)


def outcome(evaluation: Callable[[], Report]) -> Any:
    """The report, or the problems found."""
    try:
        report = evaluation()
    except InputError as error:
        return error.problems, error.count
    return report.to_dict()


@contextmanager
def careful() -> Iterator[None]:
    """Let the schema read each record by itself."""

    with mock.patch.object(Intake, "_accept", return_value=None):
        yield


@given(ROWS)
def test_records_fare_the_same_in_bulk_and_one_by_one_with_care(rows: list[Any]) -> None:
    quick = outcome(lambda: evaluate(rows))
    with careful():
        assert outcome(lambda: evaluate(rows)) == quick


@given(truths=st.dictionaries(st.sampled_from("pq"), TRUTHS), seed=st.lists(RESULTS, min_size=2))
def test_maps_fare_the_same_in_bulk_and_one_by_one_with_care(
    truths: dict[str, Any], seed: list[Any]
) -> None:
    results = dict(zip("pq", seed, strict=False))
    quick = outcome(lambda: evaluate(truths, results))
    with careful():
        assert outcome(lambda: evaluate(truths, results)) == quick


def test_the_judge_of_this_file_refuses_something() -> None:
    assert accepted(lambda: GroundTruth.model_validate([[True]])) is None
    assert accepted(lambda: GroundTruth.model_validate([["a"]])) is not None
