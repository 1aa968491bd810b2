"""Dicts of ranx and pytrec_eval: what they mean."""

from typing import Any

import numpy as np
import pytest

from groupwise import Dataset, InputError, Run, evaluate


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


def test_ids_that_are_whole_numbers_are_ordered_as_text() -> None:
    run = Run.model_validate({"q1": {9: 1.0, 10: 1.0, 11: 2.0}})
    assert run.queries[0].ids() == [11, 9, 10]
