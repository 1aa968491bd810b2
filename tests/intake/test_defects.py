"""Defects that are found without the models are those that the models report."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from groupwise.evaluator.intake.defects import DefectFinder
from groupwise.evaluator.intake.object_defects import ALTERNATIVE, GROUP, RESULT
from groupwise.evaluator.intake.problems import actual_pointer, unknown_field
from groupwise.schemas import FixtureQuery, Query, RunQuery
from groupwise.schemas.ground_truth import Alternative, Group
from groupwise.schemas.result import Result
from tests.strategies import MANY
from tests.validation.data import IDS, TRUTHS

MODELS = [Query, RunQuery, FixtureQuery]
SCALARS = st.sampled_from([None, True, False, 0, 7, -1, 2**63, 1.5, 1e300, "", " ", "a", "b"])
KEYS = st.sampled_from(["id", "grade", "score", "a", "alternatives"])
NESTED = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=2),
    max_leaves=6,
)
GROUPS = st.lists(st.lists(IDS | SCALARS, max_size=4) | SCALARS | NESTED, max_size=4)
GRADES = st.dictionaries(
    IDS | st.sampled_from(["", "groups"]),
    st.sampled_from([1, 0, -1, 0.5, 2**70, True, "b", "1", ["b"]]),
    max_size=3,
)
FIELDS = st.fixed_dictionaries(
    {},
    optional={
        "id": SCALARS | NESTED,
        "qid": SCALARS,
        "query": SCALARS,
        "ground_truth": TRUTHS | GROUPS | NESTED | GRADES,
        "retrieval_gt": GROUPS | NESTED | GRADES,
        "results": st.lists(IDS | SCALARS, max_size=5) | NESTED | GROUPS,
        "scores": st.lists(SCALARS, max_size=3) | st.lists(st.floats(0, 1), max_size=4) | SCALARS,
        "answerable": st.booleans() | SCALARS,
        "metadata": NESTED,
        "not_relevant": NESTED | st.lists(IDS, max_size=2),
        "hashes": NESTED,
        "corpus": SCALARS,
        "expected": NESTED,
        "generation_gt": NESTED,
        "gruond_truth": NESTED,
    },
)
USUAL = st.fixed_dictionaries(
    {"id": st.just("q1") | SCALARS, "ground_truth": TRUTHS | GROUPS | GRADES},
    optional={"results": st.lists(IDS | SCALARS, max_size=5), "query": st.just("Who?")},
)
ALIKE = {"pair": "mixed_kinds"}
"""Errors about the same thing, which differ in their advice only."""


def models_say(model: Any, record: Any, *policies: str | None) -> list[str]:
    flat, ids = policies or (None, None)
    try:
        model.model_validate(record, context={"flat": flat, "ids": ids})
    except ValidationError as error:
        return sorted(repr(read_detail(detail, record)) for detail in error.errors())
    return []


def read_detail(detail: Any, record: Any) -> tuple[str, str, tuple[str | int, ...]]:
    place = actual_pointer(record, (*detail["loc"], *unknown_field(detail)))
    kind = ALIKE.get(detail["type"], detail["type"])
    field = next((step for step in reversed(detail["loc"]) if isinstance(step, str)), "")
    return kind, field if kind in ("missing", "shape") else "", tuple(place)


def in_file(record: Any, pointer: tuple[str | int, ...]) -> tuple[str | int, ...]:
    return tuple(actual_pointer(record, pointer))


def check(model: Any, record: Any, flat: str | None = None, ids: str | None = None) -> bool:
    found = DefectFinder(model, flat, ids).find(record)
    if found is None:
        return False
    told = [
        (defect.type, defect.field if defect.type in ("missing", "shape") else "",
         in_file(record, defect.pointer))
        for defect in found
    ]  # fmt: skip
    assert sorted(map(repr, told)) == models_say(model, record, flat, ids)
    return True


@MANY
@given(
    st.sampled_from(MODELS), USUAL | FIELDS | NESTED, st.sampled_from([None, "any", "all"]),
    st.sampled_from([None, "text"]),
)  # fmt: skip
def test_what_is_found_is_what_the_models_report(
    model: Any, record: Any, flat: str | None, ids: str | None
) -> None:
    check(model, json.loads(json.dumps(record)), flat, ids)


@pytest.mark.parametrize(("flat", "ids"), [("any", None), ("all", "text"), (None, "text")])
def test_defects_that_no_policy_prevents_need_no_model(flat: str | None, ids: str | None) -> None:
    assert check(Query, {"id": "q1", "ground_truth": [["a"], [], [""]]}, flat, ids)
    assert check(FixtureQuery, {"id": "q1", "ground_truth": [["a"]]}, flat, ids)


@pytest.mark.parametrize(
    "record",
    [
        {"id": "q1", "ground_truth": [["a"], []], "results": ["a"]},
        {"id": "q1", "ground_truth": [["a", ""]], "results": ["a"]},
        {"id": "q1", "ground_truth": [[None], [1.5]], "results": ["a"]},
        {"id": "q1", "ground_truth": ["a", "b"], "results": ["a"]},
        {"id": "q1", "ground_truth": {"a": 1, "b": 0}, "results": ["a"]},
        {"id": " ", "ground_truth": {"a": 0.5, "": -1}, "results": None},
        {"id": "q1", "ground_truth": [["a"], "b", None, 7], "results": ["a"]},
        {"id": "q1", "ground_truth": [["a"], [7, 8]], "results": ["a"]},
        {"id": "q1", "ground_truth": [["a", 7]], "results": ["a"]},
        {"id": "q1", "ground_truth": "a", "results": ["a"]},
        {"id": "q1", "ground_truth": [["a"]], "results": [None, "", 0.5]},
        {"id": "q1", "ground_truth": [["a"]], "results": ["a", 1]},
        {"id": "q1", "ground_truth": [["a"]], "results": None},
        {"id": "q1", "ground_truth": [["a"]], "results": [["a"], [], [["a", 1.5]]]},
        {"id": "q1", "ground_truth": [["a"]]},
        {"id": "q1", "results": ["a"]},
        {"ground_truth": [["a"]], "results": ["a"]},
        {"id": " ", "ground_truth": [["a"]], "results": ["a"]},
        {"id": None, "ground_truth": [[]], "results": [""]},
        {"id": "q1", "ground_thruth": [["a"]], "results": ["a"]},
        {"qid": "q1", "retrieval_gt": [[""]], "retrieved_ids": ["a"]},
        {"id": ["q1"], "ground_truth": [["a"]], "results": ["a"]},
        {"id": {"q": 1}, "ground_truth": [["a"]], "results": ["a"]},
        {"id": "q1", "ground_truth": [["a"], True], "results": ["a", True]},
        {"id": "q1", "ground_truth": [[["a"]], [["b", 0.5]]], "results": ["a", ["b", 1]]},
        {"id": "q1", "ground_truth": {"a": None}, "results": {"ids": ["a"]}},
        {"id": "q1", "ground_truth": [["a"], {"b": "high"}], "results": ["a"]},
        {"id": "q1", "ground_truth": [[{"doc": "a"}, {"id": "a", "grade": "1"}]], "results": []},
        {"id": "q1", "ground_truth": [["a"]], "results": [{"doc": "a"}, {"doc": "b"}]},
        {"id": "q1", "ground_truth": [["a"]], "results": [{"id": None}, {"score": 1}, "b"]},
        {"id": "q1", "ground_truth": [["a"]], "results": [{"id": "a", "score": "0.5"}]},
        {"id": "q1", "ground_truth": [["a"]], "results": ["a"], "scores": ["0.5"]},
        {"id": "q1", "ground_truth": [["a"]], "results": ["a"], "scores": [0.5, 0.4]},
        {"id": "q1", "ground_truth": [["a"]], "results": ["a"], "scores": 0.5},
        {"id": "q1", "ground_truth": [["a"]], "results": ["a"], "query": 7, "metadata": "x"},
        {"id": "q1", "ground_truth": [["a"]], "results": ["a"], "not_relevant": None},
        {"id": "q1", "ground_truth": [["a"]], "results": ["a"], "not_relevant": ["b", None]},
        {"id": "q1", "ground_truth": [["a"]], "results": ["a"], "answerable": "yes"},
        "query",
        7,
        None,
        ["q1", [["a"]]],
    ],
)
def test_common_defects_need_no_model(record: Any) -> None:
    assert check(FixtureQuery, record)


@pytest.mark.parametrize(
    ("fields", "model"),
    [(ALTERNATIVE.fields, Alternative), (RESULT.fields, Result), (GROUP, Group)],
)
def test_the_fields_of_objects_are_those_of_the_models(fields: set[str], model: Any) -> None:
    assert fields == {*model.model_fields}


def test_grades_without_groups_need_no_model_where_only_ids_become_text() -> None:
    assert check(Query, {"id": "q1", "ground_truth": {"a": 1, "b": 0}}, None, "text")
    assert check(Query, {"id": "q1", "ground_truth": ["a", "b"]}, None, "text")
    assert check(Query, {"id": "q1", "ground_truth": [["a"], [7]]}, "any", None)
    assert not check(Query, {"id": "q1", "ground_truth": {"a": 1, "b": 0}}, "any", "text")
    assert not check(Query, {"id": "q1", "ground_truth": {"a": 1, "b": 2}}, "any", None)
    assert not check(Query, {"id": "q1", "ground_truth": [["a"], [7]]}, None, "text")


@pytest.mark.parametrize("flat", ["any", "all"])
@pytest.mark.parametrize("truth", [{"a": 1, "b": 0.5}, ["a", "b"]])
def test_other_defects_need_no_model_beside_what_a_policy_accepts(flat: str, truth: Any) -> None:
    assert check(Query, {"id": " ", "ground_truth": truth}, flat, None)
    assert check(FixtureQuery, {"id": "q1", "ground_truth": truth}, flat, "text")


@pytest.mark.parametrize("truth", [{"a": 1, "b": 0}, {" ": 1}, {"a": 2000}, ["a", "a"], ["a", 1]])
def test_what_a_policy_may_accept_is_left_to_the_models(truth: Any) -> None:
    assert not check(FixtureQuery, {"id": "q1", "ground_truth": truth}, "all", "text")


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("value", [None, True, 7, 1.5, "", "a", [], [["a"]], {}])
def test_values_without_fields_have_as_many_defects_as_the_models_report(
    model: Any, value: Any
) -> None:
    count = DefectFinder(model, None, None).count_without_fields(value)
    assert count == len(models_say(model, value)) > 0


@given(st.sampled_from(MODELS), st.lists(NESTED | st.just({}), max_size=4))
def test_values_are_counted_together_as_each_by_itself(model: Any, values: list[Any]) -> None:
    finder = DefectFinder(model, None, None)
    together = finder.count_in_each(values)
    if together:
        assert {finder.count_without_fields(value) for value in values} == {together}


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("values", [[{}] * 3, [[]] * 3, [[["a"]], None, 7, "a"]])
def test_values_without_fields_are_counted_together(model: Any, values: list[Any]) -> None:
    expected = len(models_say(model, values[0]))
    assert DefectFinder(model, None, None).count_in_each(values) == expected


@given(st.sampled_from(MODELS), USUAL | FIELDS.filter(bool) | st.just((1, 2)))
def test_values_with_fields_are_not_counted_by_their_type(model: Any, value: Any) -> None:
    assert DefectFinder(model, None, None).count_without_fields(value) == 0


@pytest.mark.parametrize(("flat", "ids"), [("all", None), (None, "text"), ("any", "text")])
def test_policies_are_left_to_the_models(flat: str | None, ids: str | None) -> None:
    record = {"id": "q1", "ground_truth": ["a", 1], "results": ["a"]}
    assert DefectFinder(FixtureQuery, flat, ids).find(record) is None


def test_what_only_programs_can_pass_is_left_to_the_models() -> None:
    class Text(str):
        __slots__ = ()

    record = {"id": "q1", "ground_truth": [[Text("")], ("a",)], "results": ["a"]}
    assert DefectFinder(FixtureQuery, None, None).find(record) is None
