"""The shapes that a program may hand over, and what comes back."""

import copy
import json
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest
from pydantic import ValidationError

from groupwise import (
    Alternative,
    Dataset,
    Fixture,
    GroundTruth,
    Group,
    InputError,
    OptionError,
    Query,
    Report,
    Result,
    Run,
    __version__,
    evaluate,
    hit_vector,
    metrics,
)

TRUTH = [["test-1", "test-2"], ["test-3"]]
RESULTS = ["test-1", "pred-1", "test-2", "pred-3"]
SIX = {
    "precision": 0.5,
    "recall": 0.5,
    "f1": 0.5,
    "mrr": 0.5,
    "map": 0.41666666666666663,
    "ndcg": 0.7039180890341347,
}
OBJECTS = [{"id": one, "score": 0.5, "text": "…", "tokens": 7} for one in RESULTS]

TRUTHS: dict[str, Any] = {
    "lists": TRUTH,
    "tuples": (("test-1", "test-2"), ("test-3",)),
    "sets as groups": [{"test-1", "test-2"}, frozenset({"test-3"})],
    "arrays as groups": [np.array(["test-1", "test-2"]), np.array(["test-3"])],
    "groups in full": [
        {"alternatives": ["test-1", {"id": "test-2"}]},
        {"alternatives": ["test-3"]},
    ],
    "grades in short": [{"test-1": 1, "test-2": 1}, {"test-3": 1}],
    "a model": GroundTruth.model_validate(TRUTH),
    "models": [
        Group(alternatives=(Alternative(id="test-1"), Alternative(id="test-2"))),
        Group(alternatives=(Alternative(id="test-3"),)),
    ],
    "a record": {"ground_truth": TRUTH, "query": "text", "metadata": {"hops": 2}},
    "autorag's record": {"retrieval_gt": TRUTH},
}
RANKINGS: dict[str, Any] = {
    "a list": RESULTS,
    "a tuple": tuple(RESULTS),
    "an array": np.array(RESULTS),
    "objects": OBJECTS,
    "models": [Result(id=one) for one in RESULTS],
    "some of each": [RESULTS[0], {"id": RESULTS[1]}, Result(id=RESULTS[2]), RESULTS[3]],
    "with scores": {"results": RESULTS, "scores": [0.9, 0.4, 0.2, 0.1]},
    "with an array of scores": {"results": RESULTS, "scores": np.array([0.9, 0.4, 0.2, 0.1])},
    "autorag's record": {"retrieved_ids": RESULTS, "retrieve_scores": [4, 3, 2, 1]},
}


@pytest.mark.parametrize("shape", TRUTHS)
def test_a_ground_truth_may_be(shape: str) -> None:
    assert evaluate({"q1": TRUTHS[shape]}, {"q1": RESULTS}).scores == SIX


def test_a_ground_truth_may_be_an_array_of_two_dimensions() -> None:
    truth = np.array([["test-1", "test-2"], ["test-3", "test-4"]])
    report = evaluate({"q1": truth}, {"q1": RESULTS}, metrics="recall")
    assert report.scores == {"recall": 0.5}


@pytest.mark.parametrize("shape", RANKINGS)
def test_results_may_be(shape: str) -> None:
    assert evaluate({"q1": TRUTH}, {"q1": RANKINGS[shape]}).scores == SIX


@pytest.mark.parametrize("shape", RANKINGS)
def test_results_may_be_in_a_list_in_the_same_order(shape: str) -> None:
    assert evaluate([TRUTH, TRUTH], [RANKINGS[shape], RESULTS]).scores == SIX


@pytest.mark.parametrize(
    ("truths", "results"),
    [
        ({1: TRUTH}, {1: RESULTS}),
        ({1: TRUTH}, {"1": RESULTS}),
        (MappingProxyType({"q": TRUTH}), MappingProxyType({"q": RESULTS})),
        ([{"id": 5, "ground_truth": TRUTH}], [{"id": "5", "results": RESULTS}]),
        ([Query(id="q", ground_truth=GroundTruth.model_validate(TRUTH))], {"q": RESULTS}),
        (Dataset.model_validate({"q": TRUTH}), Run.model_validate({"q": RESULTS})),
        ((TRUTH,), (RESULTS,)),
    ],
)
def test_queries_may_be(truths: Any, results: Any) -> None:
    assert evaluate(truths, results).scores == SIX


def test_numpy_whole_numbers_are_ids() -> None:
    truth, results = [np.array([1, 2]), [np.int64(3)]], np.array([1, 9, 2, 8])
    assert evaluate({"q": truth}, {"q": results}).scores == SIX
    assert hit_vector(truth, results) == [1, 0, 1, 0]


def test_the_example_of_the_contract() -> None:
    report = evaluate(
        {"q1": TRUTH},
        {"q1": RESULTS},
        metrics=["precision", "recall", "f1", "mrr", "map", "ndcg@3"],
        profile="autorag",
        missing="zero",
        empty_results="zero",
        flat=None,
        ids=None,
        ties="score",
    )
    assert report.scores["ndcg@3"] == 0.7039180890341347
    assert report.per_query["q1"]["ndcg@3"] == 0.7039180890341347
    assert report.counts.model_dump() == {
        "queries": 1,
        "scored": 1,
        "missing": 0,
        "empty_results": 0,
        "unanswerable": 0,
        "extra": 0,
    }


def test_the_inputs_are_never_changed() -> None:
    truths = {"q1": copy.deepcopy(TRUTH), "q2": [{"a": 1}], "q3": ["x", "y"]}
    results: dict[str, Any] = {"q1": list(RESULTS), "q2": [{"id": "a"}], "q3": ("x",)}
    before = copy.deepcopy((truths, results))
    evaluate(truths, results, flat="any")
    assert (truths, results) == before


def test_arrays_are_never_changed() -> None:
    array = np.array(RESULTS)
    array.flags.writeable = False
    evaluate([TRUTH], [array])


@pytest.mark.parametrize(
    ("results", "said"),
    [
        ({"a", "b"}, "a set has no order"),
        ("abc", "expected a list of results, best first, got the string 'abc'"),
        (None, "expected a list of results, best first, got null"),
        ({"a": "best"}, "expected a list of results, best first, got an object"),
        (5, "results"),
        (["a", ["b"]], "a list is not an id"),
        ({"results": ["a"], "scores": [1, 2]}, "expected one score per result, got 2 for 1"),
        ({"results": ["a"], "scores": [float("nan")]}, "scores"),
        ([{"id": "a", "scor": 1}], "did you mean 'score'?"),
        ([{"score": 1}], "no id"),
    ],
)
def test_results_that_are_none_are_refused_with_their_place(results: Any, said: str) -> None:
    with pytest.raises(InputError) as error:
        evaluate({"q1": [["a"]]}, {"q1": results})
    (problem,) = error.value.problems
    assert said in problem.message
    assert (problem.source, problem.query) == ("results", "q1")


@pytest.mark.parametrize("value", [5, None, 1.5, True, object()])
def test_what_is_no_ground_truth_at_all_is_refused(value: Any) -> None:
    with pytest.raises(InputError, match="ground_truth"):
        evaluate(value, {"q1": ["a"]})


@pytest.mark.parametrize(("truths", "results"), [(2, 1), (1, 2)])
def test_lists_of_other_lengths_cannot_be_paired_by_their_order(truths: int, results: int) -> None:
    found = f"{truths} ground truths? and {results} results?; lists are paired"
    with pytest.raises(InputError, match=found):
        evaluate([TRUTH] * truths, [RESULTS] * results)


def test_a_repeated_query_id_is_refused() -> None:
    records = [{"id": "q1", "ground_truth": TRUTH}] * 2
    with pytest.raises(InputError, match="query 'q1': the query id is repeated"):
        evaluate(records, {"q1": RESULTS})


@pytest.mark.parametrize("profile", ["trek", "coverag", ""])
def test_an_unknown_profile_is_refused(profile: str) -> None:
    with pytest.raises(OptionError, match="profile"):
        evaluate([TRUTH], [RESULTS], profile=profile or "none")


@pytest.mark.parametrize("names", ["recall", ["recall"], ("recall",), iter(["recall"])])
def test_metrics_may_be_named_by_one_string_or_many(names: Any) -> None:
    assert evaluate([TRUTH], [RESULTS], metrics=names).scores == {"recall": 0.5}


@pytest.mark.parametrize(
    ("k", "labels"),
    [
        (3, ["recall@3", "map@1"]),
        ([1, 3], ["recall@1", "recall@3", "map@1"]),
        (None, ["recall", "map@1"]),
    ],
)
def test_cutoffs_are_for_the_metrics_that_name_none(k: Any, labels: list[str]) -> None:
    assert list(evaluate([TRUTH], [RESULTS], metrics=["recall", "map@1"], k=k).scores) == labels


def test_the_scores_of_queries_can_be_left_out() -> None:
    report = evaluate([TRUTH], [RESULTS], per_query=False)
    assert (report.scores, len(report.per_query)) == (SIX, 0)


def test_progress_is_told() -> None:
    told: list[int] = []
    evaluate([TRUTH] * 9000, [RESULTS] * 9000, progress=told.append)
    assert told == sorted(told)
    assert told[-1] == 9000


def test_a_score_is_found_in_any_case_and_a_wrong_one_gets_a_suggestion() -> None:
    scores = evaluate([TRUTH], [RESULTS], metrics=["ndcg@3", "recall"]).scores
    assert scores["nDCG@3"] == scores["ndcg@3"]
    with pytest.raises(KeyError, match="did you mean 'recall'"):
        scores["recal"]


def test_a_report_goes_to_json_and_back() -> None:
    report = evaluate({"q1": TRUTH, "q2": []}, {"q1": RESULTS}, metrics=["recall", "first_hit"])
    assert json.loads(report.to_json()) == report.to_dict()
    assert Report.model_validate(json.loads(report.to_json())).to_dict() == report.to_dict()


def test_the_report_has_the_fields_of_the_contract() -> None:
    fields = evaluate({"q1": TRUTH}, {"q1": RESULTS}, metrics="precision").to_dict()
    assert fields == {
        "schema": "groupwise.report/1",
        "profile": "autorag",
        "counts": {
            "queries": 1,
            "scored": 1,
            "missing": 0,
            "empty_results": 0,
            "unanswerable": 0,
            "extra": 0,
        },
        "scores": {"precision": 0.5},
        "per_query": {"q1": {"precision": 0.5}},
        "warnings": [],
        "provenance": {
            "groupwise": __version__,
            "inputs": [
                {"role": "ground_truth", "name": None, "fingerprint": None},
                {"role": "run", "name": None, "fingerprint": None},
            ],
            "policies": {
                "missing": "zero", "extra": "ignore", "empty_results": "zero",
                "unanswerable": "skip", "flat": None, "ids": None, "ties": "score",
                "characters_per_token": None,
            },
            "matching": {"type": "exact"},
        },
    }  # fmt: skip


def test_queries_are_reported_in_order_of_their_ids() -> None:
    report = evaluate({"b": TRUTH, "a": TRUTH, "c": []}, {"b": RESULTS, "a": RESULTS})
    assert list(report.per_query) == ["a", "b", "c"]


def test_values_are_immutable() -> None:
    report = evaluate([TRUTH], [RESULTS])
    for model, field in (
        (report, "profile"),
        (GroundTruth.model_validate(TRUTH), "groups"),
        (Result(id="a"), "score"),
        (
            Fixture.model_validate({"queries": [{"id": 1, "ground_truth": [], "results": []}]}),
            "name",
        ),
    ):
        with pytest.raises(ValidationError):
            setattr(model, field, None)


@pytest.mark.parametrize(
    ("name", "k", "expected"),
    [
        ("recall", None, 0.5),
        ("recall", 1, 0.5),
        ("precision", 1, 1.0),
        ("precision", None, 0.5),
        ("mrr", None, 0.5),
        ("map", None, 5 / 12),
        ("hit_rate", 1, 1.0),
        ("complete", None, 0.0),
        ("first_hit", None, 1.0),
        ("completion_rank", None, None),
    ],
)
def test_a_metric_of_one_query(name: str, k: int | None, expected: float | None) -> None:
    assert getattr(metrics, name)(TRUTH, RESULTS, k=k) == (expected and pytest.approx(expected))


def test_a_metric_of_one_query_that_nothing_answers_has_no_value() -> None:
    assert metrics.recall([], ["a"]) is None


def test_a_metric_of_one_query_takes_the_policies_that_concern_it() -> None:
    assert metrics.recall(["a", "b"], ["a"], flat="all") == 0.5
    assert metrics.recall([[1]], ["1"], ids="text") == 1.0
    with pytest.raises(InputError, match="a flat list"):
        metrics.recall(["a", "b"], ["a"])
    with pytest.raises(OptionError):
        metrics.recall([["a"]], ["a"], k=0)


def test_models_are_written_the_short_way_and_read_again() -> None:
    rich = [{"alternatives": ["a", {"id": "b", "grade": 2.0}], "weight": 3.0, "label": "hop-1"}]
    truths: list[Any] = [TRUTH, rich]
    for truth in truths:
        model = GroundTruth.model_validate(truth)
        assert json.loads(model.model_dump_json()) == truth
        assert GroundTruth.model_validate(json.loads(model.model_dump_json())) == model
