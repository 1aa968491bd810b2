"""Dicts of ranx and pytrec_eval: what they mean, and that the quick way means the same."""

from typing import Any
from unittest import mock

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from groupwise import Dataset, InputError, Run, evaluate
from groupwise.evaluator.intake.bulk import known_names
from groupwise.evaluator.intake.graded import expand_by_id
from groupwise.schemas import RunQuery

NAMES = st.sampled_from("abcdefgh")
GRADES = st.dictionaries(NAMES, st.integers(-1, 2), max_size=5)
SCORES = st.dictionaries(NAMES, st.sampled_from([0.5, 0.25, 1, -2.0]), max_size=6)


def test_they_take_the_place_of_an_evaluator_of_dicts() -> None:
    qrels = {"q1": {"a": 3, "b": 1, "c": 0}, "q2": {"d": 1}}
    run = {"q1": {"b": 0.2, "x": 0.9, "a": 0.5}, "q2": {"d": 1, "y": 1}}
    report = evaluate(qrels, run, profile="trec", metrics=["mrr", "recall@2", "judged@3"])
    # q1: x, a, b; q2: y before d, for ids descend where scores are equal.
    assert report.scores["mrr"] == (1 / 2 + 1 / 2) / 2
    assert report.scores["recall@2"] == (1 / 2 + 1) / 2
    assert report.per_query["q1"]["judged@3"] == pytest.approx(2 / 3)


def test_without_an_answer_the_question_is_asked() -> None:
    with pytest.raises(InputError, match="grades by id, without groups: must all of them"):
        evaluate({"q1": {"a": 3, "b": 1}}, {"q1": {"a": 1.0}})


def test_any_is_one_group_and_all_is_one_each() -> None:
    data = {"q1": {"a": 3, "b": 1, "c": 0, "d": -1}}
    for flat, groups in (("any", [["a", "b"]]), ("all", [["a"], ["b"]])):
        model = Dataset.model_validate(data, context={"flat": flat})
        (query,) = model.queries
        found = [[one.id for one in group.alternatives] for group in query.ground_truth.groups]
        assert found == groups
        assert [one.grade for one in query.ground_truth.alternatives] == [3, 1]
        assert query.judged_not_relevant() == ["c"]


def test_numbers_of_numpy_are_numbers() -> None:
    qrels = {"q1": {"a": np.int64(2), "b": np.float32(0)}}
    run = {"q1": {"a": np.float32(0.5), "x": np.float64(0.25)}}
    assert evaluate(qrels, run, profile="trec", metrics=["mrr"]).scores["mrr"] == 1


@pytest.mark.parametrize("score", [float("nan"), float("inf"), "best", None, True, [1]])
def test_a_score_that_is_none_is_refused(score: Any) -> None:
    with pytest.raises(InputError, match="results: query 'q1'"):
        evaluate({"q1": [["a"]]}, {"q1": {"a": score, "b": 0.5}})


@pytest.mark.parametrize("grade", [float("nan"), float("inf"), "high", None, True, [1], 1001])
def test_a_grade_that_is_none_is_refused(grade: Any) -> None:
    with pytest.raises(InputError, match="ground_truth: query 'q1'"):
        evaluate({"q1": {"a": grade, "b": 1}}, {"q1": ["a"]}, flat="any")


SOUND = st.sampled_from([1, 2, 0.5, 3.0, 1000])
ODD = st.sampled_from([1, 2.0, 0, -1, 1001, float("nan"), True, "2"])


def records_with(grades: st.SearchStrategy[Any], ids: st.SearchStrategy[str]) -> Any:
    """Ground truths with grades, flat or in groups of either kind."""
    by_id = st.dictionaries(ids, grades, min_size=1, max_size=4)
    truths = by_id | st.lists(by_id | st.lists(ids, min_size=1, max_size=3), max_size=3)
    return st.fixed_dictionaries(
        {"ground_truth": truths}, optional={"not_relevant": st.just(["z"])}
    )


RECORDS = st.lists(records_with(SOUND, NAMES), min_size=1, max_size=3) | st.lists(
    records_with(ODD, NAMES | st.sampled_from([" ", "alternatives"])), min_size=1, max_size=3
)


def outcome(truths: Any, flat: str | None) -> Any:
    """Scores, or what is said of the input."""
    metrics = ["recall", "trec:ndcg", "coverage:ndcg", "trec:bpref"]
    try:
        run = {query: ["a", "c", "z", "b"] for query in "012"}
        report = evaluate(truths, run, flat=flat, metrics=metrics)  # type: ignore[arg-type]
    except InputError as error:
        return sorted((one.message, one.query, one.pointer) for one in error.problems)
    return report.to_json()


@given(RECORDS, st.sampled_from(["any", "all", None]))
def test_the_quick_way_of_grades_in_records_means_the_same(
    values: list[Any], flat: str | None
) -> None:
    records = [{"id": str(number), **value} for number, value in enumerate(values)]
    quick = outcome(records, flat)
    with mock.patch("groupwise.evaluator.intake.checking.Intake._take_in_bulk", return_value=None):
        assert quick == outcome(records, flat)


@given(RECORDS, st.sampled_from(["any", "all", None]))
def test_the_quick_way_of_graded_groups_by_query_means_the_same(
    values: list[Any], flat: str | None
) -> None:
    truths = {str(number): value["ground_truth"] for number, value in enumerate(values)}
    quick = outcome(truths, flat)
    with mock.patch("groupwise.evaluator.intake.checking.Intake._take_in_bulk", return_value=None):
        assert quick == outcome(truths, flat)


@given(st.lists(GRADES, min_size=1, max_size=3), st.sampled_from(["any", "all", None]))
def test_the_quick_way_of_grades_by_query_means_the_same(
    values: list[Any], flat: str | None
) -> None:
    records = {str(number): value for number, value in enumerate(values)}
    quick = outcome(records, flat)
    with mock.patch("groupwise.evaluator.intake.checking.Intake._take_in_bulk", return_value=None):
        assert quick == outcome(records, flat)


def test_grades_do_not_become_models() -> None:
    qrels = {"q1": {"a": 3, "b": 1, "c": 0}, "q2": {"d": 1}}
    records = [{"id": "1", "ground_truth": [{"a": 2}, ["b"]]}, {"id": "2", "ground_truth": []}]
    with mock.patch(
        "groupwise.evaluator.intake.checking.Intake._validate", side_effect=AssertionError
    ):
        evaluate(qrels, {"q1": ["a"], "q2": []}, profile="trec")
        evaluate(records, {"1": ["a"], "2": []})
        evaluate({"1": [{"a": 2}, ["b"]], "2": []}, {"1": ["a"], "2": []})


@given(st.lists(SCORES, min_size=1, max_size=3))
def test_the_quick_way_of_scores_means_the_same(values: list[Any]) -> None:
    quick = expand_by_id(values, "results", known_names(RunQuery), None)
    for value, other in zip(values, quick, strict=True):
        slow = RunQuery.model_validate({"id": "q", "results": value})
        assert other["results"] == slow.ids()
        assert (other["scores"] or None) == slow.given_scores()


def test_ids_that_are_whole_numbers_are_ordered_as_text() -> None:
    run = Run.model_validate({"q1": {9: 1.0, 10: 1.0, 11: 2.0}})
    assert run.queries[0].ids() == [11, 9, 10]
