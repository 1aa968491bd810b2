"""Values of the trec profile worked out by others or by hand, each with where it comes from."""

import math
from typing import Any

import pytest

from groupwise import evaluate
from tests.comparing import agree


def score(metric: str, truth: Any, ranking: Any, not_relevant: Any = ()) -> float | None:
    record = {"id": "q", "ground_truth": truth, "not_relevant": list(not_relevant)}
    report = evaluate([record], {"q": list(ranking)}, profile="trec", metrics=metric)
    (value,) = report.scores.values()
    return value


def singletons(ids: Any) -> list[list[Any]]:
    return [[one] for one in ids]


def rounded(value: float | None) -> float:
    assert value is not None
    return round(value, 4)


TEN = [f"doc{number}" for number in range(1, 11)]


@pytest.mark.parametrize(
    ("metric", "expected"),
    [
        ("ndcg@3", 0.8713),
        ("ndcg@5", 0.9822),
        ("mrr", 1.0),
        ("map@3", 0.6667),
        ("map@5", 0.9167),
    ],
)
def test_ten_documents_with_judgements_of_7_5_and_3(metric: str, expected: float) -> None:
    truth = [{"doc1": 7}, {"doc2": 5}, {"doc4": 3}]
    assert rounded(score(metric, truth, TEN)) == expected


@pytest.mark.parametrize(("ranking", "expected"), [("axbcy", 0.9508), ("xcyba", 0.4930)])
def test_exponential_gain_of_grades_3_2_1(ranking: str, expected: float) -> None:
    """The grades are 3, 0, 2, 1, 0 and 0, 1, 0, 2, 3; a tutorial prints 0.65 for the latter."""
    truth = [{"a": 3}, {"b": 2}, {"c": 1}]
    assert rounded(score("ndcg(gain=exponential)@5", truth, ranking)) == expected


@pytest.mark.parametrize("ranking", [[1, 5, 3, 8, 2], [1, 5, 3, 8, 2, 9]])
def test_retrieved_1_5_3_8_2_of_relevant_1_2_3(ranking: list[int]) -> None:
    truth = singletons([1, 2, 3])
    assert agree(score("precision@3", truth, ranking), 2 / 3)
    assert score("recall@5", truth, ranking) == 1.0
    assert rounded(score("map", truth, ranking)) == 0.7556
    assert score("mrr", truth, ranking) == 1.0


def test_retrieved_8_5_1_3_2_of_relevant_1_2_3() -> None:
    assert agree(score("mrr", singletons([1, 2, 3]), [8, 5, 1, 3, 2]), 1 / 3)


@pytest.mark.parametrize(
    ("metric", "expected"), [("precision@3", 2 / 3), ("precision@5", 0.4), ("recall@3", 0.5)]
)
def test_retrieved_a_to_e_of_relevant_a_c_f_g(metric: str, expected: float) -> None:
    assert agree(score(metric, singletons("ACFG"), "ABCDE"), expected)


def test_retrieved_doc2_to_doc5_of_relevant_doc2_doc4_doc7() -> None:
    truth = singletons(["doc2", "doc4", "doc7"])
    assert rounded(score("map", truth, ["doc2", "doc3", "doc4", "doc5"])) == 0.5556


def test_ndcg_of_grades_0_1_0_1_0() -> None:
    assert rounded(score("ndcg", singletons("ab"), "xaybz")) == 0.6509


def test_groups_are_dissolved() -> None:
    """The running example: three relevant documents, found at ranks 1 and 3."""
    truth, ranking = [["test-1", "test-2"], ["test-3"]], ["test-1", "pred-1", "test-2", "pred-3"]
    ideal = 1 + 1 / math.log2(3) + 1 / 2
    expected = {
        "precision": 2 / 4,
        "recall": 2 / 3,
        "f1": 4 / 7,
        "mrr": 1.0,
        "map": (1 + 2 / 3) / 3,
        "ndcg": (1 + 1 / 2) / ideal,
    }
    report = evaluate({"q": truth}, {"q": ranking}, profile="trec")
    assert all(agree(report.scores[name], value) for name, value in expected.items())


def test_a_flat_list_needs_no_answer() -> None:
    report = evaluate({"q": ["a", "b"]}, {"q": ["a", "x"]}, profile="trec", metrics="recall")
    assert report.scores["recall"] == 0.5


def test_precision_is_over_the_cutoff_itself() -> None:
    assert score("precision@10", [["a"]], "ab") == 0.1
    assert score("precision", [["a"]], "ab") == 0.5


def test_a_repeat_counts_at_its_first_place_only() -> None:
    assert agree(score("precision@3", singletons("ab"), "aab"), 2 / 3)
    assert agree(score("map", singletons("ab"), "aab"), (1 + 2 / 3) / 2)
    assert score("recall", singletons("ab"), "aaa") == 0.5


@pytest.mark.parametrize("written", ["not_relevant", "a grade of 0"])
def test_what_is_judged_against_counts_in_bpref_and_judged(written: str) -> None:
    """R = 2, N = 2: one judged against stands before b, so that it loses 1/2."""
    if written == "not_relevant":
        truth: list[Any] = [["a"], ["b"]]
        against = ["x", "y"]
    else:
        truth = [{"a": 1, "x": 0}, {"b": 1, "y": 0}]
        against = []
    assert score("bpref", truth, "aubxz", against) == 1.0
    assert score("bpref", truth, "axub", against) == (1 + 1 / 2) / 2
    assert score("judged@4", truth, "axub", against) == 3 / 4
    assert score("judged@2", truth, "axub", against) == 1.0
    assert score("judged@10", truth, "axub", against) == 3 / 4


def test_what_is_both_judged_against_and_relevant_is_relevant() -> None:
    assert score("bpref", [["a"]], "a", "a") == 1.0
    assert score("judged", [["a"]], "ax", "a") == 0.5


@pytest.mark.parametrize("p", [0.5, 0.8, 0.95])
@pytest.mark.parametrize("ranking", ["abc", "ab", "a"])
def test_rank_biased_precision_of_relevant_results_and_its_residual_are_one(
    p: float, ranking: str
) -> None:
    truth = singletons("abc")
    found = score(f"rbp(p={p})", truth, ranking)
    rest = score(f"rbp_residual(p={p})", truth, ranking)
    assert found is not None
    assert rest is not None
    assert agree(found, 1 - p ** len(ranking))
    assert agree(found + rest, 1.0)


def test_the_residual_is_what_is_unjudged_or_unseen() -> None:
    """With p = 1/2 the ranks are worth 1/2, 1/4, 1/8, and 1/8 is unseen."""
    assert score("rbp(p=0.5)", [["a"]], "aux", "x") == 0.5
    assert score("rbp_residual(p=0.5)", [["a"]], "aux", "x") == 1 / 4 + 1 / 8


def test_expected_reciprocal_rank_by_hand() -> None:
    """Grades 4, 0, 2 of at most 4: (15/16)/1 + (1 - 15/16)(3/16)/3."""
    truth = [{"a": 4}, {"b": 2}]
    assert agree(score("err", truth, "axb"), 15 / 16 + (1 / 16) * (3 / 16) / 3)
    assert agree(score("err(highest=2)", [{"b": 2}], "xb"), (3 / 4) / 2)
