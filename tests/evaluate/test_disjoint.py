"""No query of the run is in the ground truth: an error that says how the ids differ."""

import pickle
from pathlib import Path
from typing import Any

import pytest

from groupwise import Evaluator, InputError, evaluate
from groupwise.evaluator.evaluation.disjoint import describe_disjoint
from groupwise.evaluator.evaluation.plan import Plan
from groupwise.evaluator.intake.rows import Rows

NONE = "no query of the run is in the ground truth"


@pytest.mark.parametrize(
    ("truths", "run", "said"),
    [
        (["q1", "q2"], ["Q1", "Q2"], "; they differ by case: 'q1' and 'Q1'"),
        (["q1", "q2"], ["q1 ", " q2"], "; they differ by white space: 'q2' and ' q2'"),
        (["q 1"], ["q1"], "; they differ by white space: 'q 1' and 'q1'"),
        (["q1"], ["Q 1"], "; they differ by case and white space: 'q1' and 'Q 1'"),
        (["7", "8"], ["007", "008"], "; they differ by the way numbers are written: '7' and '007'"),
        (["7"], ["7.0"], "; they differ by the way numbers are written: '7' and '7.0'"),
        (["1", "2"], ["q1", "q2"], "; they differ by a prefix: '1' and 'q1'"),
        (["dev/1", "dev/2"], ["1", "2"], "; they differ by a prefix: 'dev/1' and '1'"),
        (["a", "b"], ["a.txt", "b.txt"], "; they differ by a suffix: 'a' and 'a.txt'"),
        (["a-1", "b-1"], ["a", "b"], "; they differ by a suffix: 'a-1' and 'a'"),
        (["1", "2"], ["21", "x2", "y1"], ": the ground truth has '1', the run has '21'"),
        (["x"], ["y"], ": the ground truth has 'x', the run has 'y'"),
    ],
)
def test_the_difference_is_guessed(truths: list[str], run: list[str], said: str) -> None:
    assert describe_disjoint(truths, run) == NONE + said
    with pytest.raises(InputError) as error:
        evaluate({query: [["a"]] for query in truths}, {query: ["a"] for query in run})
    assert str(error.value) == NONE + said


POLICIES: list[dict[str, Any]] = [
    {},
    {"missing": "skip"},
    {"missing": "error"},
    {"extra": "error"},
    {"empty_results": "skip"},
    {"per_query": False},
]


@pytest.mark.parametrize("policies", POLICIES)
@pytest.mark.parametrize(
    ("run", "said"),
    [
        ({"Q": ["a"]}, "differ by case"),
        ({}, "the run has no queries; expected results"),
        ([], "the run has no queries"),
    ],
)
def test_it_is_an_error_under_every_policy(policies: dict[str, Any], run: Any, said: str) -> None:
    with pytest.raises(InputError, match=said):
        evaluate({"q": [["a"]]}, run, **policies)
    with pytest.raises(InputError, match=said):
        Evaluator({"q": [["a"]]}, **policies).evaluate(run)


@pytest.mark.parametrize("name", ["run.json", "run.jsonl", "run.trec"])
def test_it_is_an_error_of_files(name: str, tmp_path: Path) -> None:
    texts = {
        "run.json": '{"Q": ["a"]}',
        "run.jsonl": '{"id": "Q", "results": ["a"]}\n',
        "run.trec": "Q Q0 a 1 0.5 t\n",
    }
    (tmp_path / name).write_text(texts[name])
    with pytest.raises(InputError, match="they differ by case: 'q' and 'Q'"):
        evaluate({"q": [["a"]]}, tmp_path / name)


def test_one_query_in_both_is_enough() -> None:
    report = evaluate({"q": [["a"]], "r": [["a"]]}, {"q": ["a"], "R": ["a"]}, metrics="recall")
    assert report.scores["recall"] == 0.5


@pytest.mark.parametrize("run", [{"q": []}, {"q": ["a"]}])
def test_a_query_without_groups_or_results_is_a_query(run: Any) -> None:
    assert evaluate({"q": []}, run, metrics="recall").counts.unanswerable == 1


def test_a_ground_truth_without_groups_is_named() -> None:
    with pytest.raises(InputError, match="which has no query with groups"):
        evaluate({"q": []}, {"r": ["a"]})


def test_a_part_without_pairs_merges_with_one_that_has_some() -> None:
    plan = Plan(("recall",), "autorag")
    one, other = plan.start(), plan.start()
    one.add_missing(Rows(["r"], [[["a"]]]))
    other.add(Rows(["q"], [[["a"]]], [["a"]]))
    merged = one.merge(pickle.loads(pickle.dumps(other)))  # noqa: S301
    assert merged.report().scores["recall"] == 0.5


def test_a_retriever_that_fails_for_all_queries_still_has_a_report() -> None:
    truth = [{"id": "q", "query": "?", "ground_truth": [["a"]]}]
    report = evaluate(truth, retriever=lambda _text: 1 / 0, metrics="recall")
    assert report.scores["recall"] == 0.0
