"""Novelty from vectors: worked values, empty results, labels, budgets."""

import math
from typing import Any

import pytest

from groupwise import evaluate
from tests.comparing import agree

VECTORS = {
    "a": [1.0, 0.0],
    "b": [0.2, math.sqrt(1 - 0.2**2)],
    "c": [0.0, 1.0],
    "x": [-1.0, 0.0],
}
TRUTH = {"q": [["a"], ["b"]], "empty": [["a"]], "missing": [["c"]]}
RUN = {"q": ["a", "b", "x"], "empty": []}


def score(truth: Any, run: Any, metric: str, **options: Any) -> float | None:
    return evaluate(truth, run, metrics=metric, vectors=VECTORS, **options).scores[metric]


def test_the_worked_value_of_an_unnormalised_gain() -> None:
    """Gains 1 * (.5 + .5 * 1), 1 * (.5 + .5 * .8) and 0."""
    value = score({"q": TRUTH["q"]}, {"q": RUN["q"]}, "novelty_dcg")
    assert value is not None
    assert value == pytest.approx(1 + 0.9 / math.log2(3), abs=1e-12)
    assert round(value, 3) == 1.568


@pytest.mark.parametrize(
    ("metric", "expected"),
    [
        ("novelty_dcg(alpha=1)", 1 + 1 / math.log2(3)),
        ("novelty_dcg(alpha=0)", 1 + 0.8 / math.log2(3)),
        ("novelty_dcg@1", 1.0),
        ("novelty_ndcg", 1.0),
        ("novelty_ndcg@1", 1.0),
    ],
)
def test_parameters_and_cutoffs(metric: str, expected: float) -> None:
    value = score({"q": TRUTH["q"]}, {"q": RUN["q"]}, metric)
    assert value == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("metric", ["novelty_dcg", "novelty_ndcg", "novelty_ndcg@5"])
def test_empty_and_missing_queries_score_0(metric: str) -> None:
    alone = score({"q": TRUTH["q"]}, {"q": RUN["q"]}, metric)
    assert alone is not None
    assert agree(score(TRUTH, RUN, metric), alone / 3)
    assert agree(score(TRUTH, RUN, metric, missing="skip"), alone / 2)
    assert score(TRUTH, RUN, metric, missing="skip", empty_results="skip") == alone


def test_empty_queries_score_0_where_vectors_come_with_the_results() -> None:
    run = {"q": [{"id": one, "vector": VECTORS[one]} for one in RUN["q"]], "empty": []}
    truth = {name: TRUTH[name] for name in run}
    report = evaluate(truth, run, metrics=["novelty_ndcg", "ild"])
    assert report.per_query["empty"]["novelty_ndcg"] == 0.0
    assert report.per_query["empty"]["ild"] is None


def test_a_label_restricts_the_ideal() -> None:
    truth = [{"alternatives": ["a"], "label": "vital"}, {"alternatives": ["b"], "label": "okay"}]
    for label in ("vital", "okay"):
        metric = f"novelty_ndcg(label={label})@1"
        only = [group["alternatives"] for group in truth if group["label"] == label]
        run = {"q": ["a"]}
        assert score({"q": truth}, run, metric) == score({"q": only}, run, "novelty_ndcg@1")


def test_a_document_has_the_grade_of_the_labelled_group() -> None:
    truth = [
        {"alternatives": [{"id": "a", "grade": 1}], "label": "vital"},
        {"alternatives": [{"id": "a", "grade": 3}, {"id": "c", "grade": 2}]},
    ]
    assert score({"q": truth}, {"q": ["x", "a"]}, "novelty_dcg(label=vital)") == pytest.approx(
        (0.5 + 0.5 * 2) / math.log2(3)
    )
    assert score({"q": truth}, {"q": ["a"]}, "novelty_ndcg(label=vital)") == 1.0


def test_a_budget_does_not_cut_the_ideal() -> None:
    run = {"q": [{"id": "a", "tokens": 5}, {"id": "b", "tokens": 5}]}
    truth = {"q": [["a"], ["c"]]}
    ideal = 1 + 1 / math.log2(3)
    for metric in ("novelty_ndcg@5t", "novelty_ndcg@1000t", "novelty_ndcg"):
        assert agree(score(truth, run, metric), 1 / ideal)
    assert score(truth, run, "novelty_ndcg@1t") == 0.0


@pytest.mark.parametrize("order", [("a", "b"), ("b", "a")])
def test_the_order_of_groups_changes_no_bit(order: tuple[str, ...]) -> None:
    truth = [[one] for one in order] + [["c", "x"]]
    assert score({"q": truth}, {"q": ["b", "x"]}, "novelty_ndcg") == score(
        {"q": truth[::-1]}, {"q": ["b", "x"]}, "novelty_ndcg"
    )


def test_a_label_needs_the_vectors_of_its_own_documents_only() -> None:
    truth = {"q": [{"alternatives": ["a"], "label": "vital"}, ["unknown"]]}
    names = ["novelty_ndcg(label=vital)", "novelty_ndcg"]
    scores = evaluate(truth, {"q": ["x", "a"]}, metrics=names, vectors=VECTORS).scores
    assert scores["novelty_ndcg(label=vital)"] == pytest.approx((0.5 + 0.5 * 2) / math.log2(3))
    assert scores["novelty_ndcg"] is None
