"""Values worked out by others or by hand, each with where it comes from.

Of the worked values of the literature only those stand here that the autorag profile defines the
same way: precision and recall of plain relevance (as groups of one), and the reciprocal rank of a
single group. Average precision over all relevant documents (0.7556, 0.5556), graded ndcg with
linear gain or with an ideal over all judged documents (0.8713, 0.9822, 0.9508, 0.4930, 0.6509) and
map@3 0.6667, map@5 0.9167 are of the trec profile, which is not there yet.
"""

import math
from typing import Any

import pytest

from groupwise import evaluate, metrics
from tests.comparing import agree

SIX = ("precision", "recall", "f1", "mrr", "map", "ndcg")
TRUTH = [["test-1", "test-2"], ["test-3"]]
RESULTS = ["test-1", "pred-1", "test-2", "pred-3"]


def singletons(ids: str | list[Any]) -> list[list[Any]]:
    return [[one] for one in ids]


def value(name: str, truth: list[Any], results: list[Any] | str, k: int | None = None) -> Any:
    return getattr(metrics, name)(truth, list(results), k=k)


def test_the_running_example_to_the_last_bit() -> None:
    assert evaluate({"q1": TRUTH}, {"q1": RESULTS}).scores == {
        "precision": 0.5,
        "recall": 0.5,
        "f1": 0.5,
        "mrr": 0.5,
        "map": 0.41666666666666663,
        "ndcg": 0.7039180890341347,
    }


@pytest.mark.parametrize(
    ("name", "k", "expected"),
    [("precision", 3, 2 / 3), ("recall", 5, 1.0), ("recall", 3, 2 / 3), ("hit_rate", 1, 1.0)],
)
@pytest.mark.parametrize("results", [[1, 5, 3, 8, 2], [1, 5, 3, 8, 2, 9]])
def test_retrieved_1_5_3_8_2_of_relevant_1_2_3(
    name: str, k: int, expected: float, results: list[int]
) -> None:
    assert agree(value(name, singletons([1, 2, 3]), results, k), expected)


@pytest.mark.parametrize(
    ("results", "expected"), [([1, 5, 3, 8, 2], 1.0), ([8, 5, 1, 3, 2], 1 / 3)]
)
def test_the_reciprocal_rank_of_relevant_1_2_3(results: list[int], expected: float) -> None:
    assert agree(value("mrr", [[1, 2, 3]], results), expected)
    assert agree(value("first_hit", singletons([1, 2, 3]), results), 1 / expected)


@pytest.mark.parametrize(
    ("name", "k", "expected"), [("precision", 3, 2 / 3), ("precision", 5, 0.4), ("recall", 3, 0.5)]
)
def test_retrieved_a_to_e_of_relevant_a_c_f_g(name: str, k: int, expected: float) -> None:
    assert agree(value(name, singletons("ACFG"), "ABCDE", k), expected)


def test_retrieved_doc1_to_doc10_of_relevant_doc1_doc2_doc4() -> None:
    ranking = [f"doc{number}" for number in range(1, 11)]
    assert value("mrr", [["doc1", "doc2", "doc4"]], ranking) == 1.0


LOG3, LOG5 = math.log2(3), math.log2(5)
QUIRKS = {
    "a repeated result gains again": ([["a"]], "aaaa", "ndcg", 1 + 1 / LOG3 + 1 / 2 + 1 / LOG5),
    "a repeated result counts again": ([["a"]], "axa", "map", 5 / 6),
    "one per group with filler": (
        [["a", "b"], ["c", "d"]],
        "acxy",
        "ndcg",
        (1 + 1 / LOG3) / (1 + 1 / LOG3 + 1 / 2 + 1 / LOG5),
    ),
    "mrr of a perfect ranking": ([["a", "b"], ["c", "d"]], "acxy", "mrr", 0.75),
    "map of a perfect ranking": ([["a", "b"], ["c", "d"]], "acxy", "map", 0.75),
    "ndcg with groups missing": ([["a"], ["b"], ["c"]], "a", "ndcg", 1.0),
    "before a second alternative": ([["a", "b"], ["c"]], "acxy", "map", 0.75),
    "a second alternative lowers map": ([["a", "b"], ["c"]], "acxb", "map", 0.625),
    "precision counts a document once": ([["a"]], "aaa", "precision", 1 / 3),
    "the ideal counts what is listed": ([["a", "a"]], "ax", "ndcg", 1 / (1 + 1 / LOG3)),
}


@pytest.mark.parametrize("quirk", QUIRKS)
def test_a_quirk_of_autorag_has_its_value(quirk: str) -> None:
    truth, results, name, expected = QUIRKS[quirk]
    assert agree(value(name, truth, results), expected)


def test_the_published_digits_of_the_quirks() -> None:
    assert round(value("ndcg", [["a"]], "aaaa"), 2) == 2.56
    assert round(value("ndcg", [["a", "b"], ["c", "d"]], "acxy"), 3) == 0.637


@pytest.mark.parametrize("name", SIX)
def test_an_empty_result_scores_zero_and_not_nothing(name: str) -> None:
    assert value(name, TRUTH, []) == 0.0


def test_a_grade_of_zero_never_meets_a_group() -> None:
    truth = [{"a": 0, "b": 2}]
    assert value("recall", truth, "a") == 0.0
    assert value("hit_rate", truth, "a") == 0.0
    assert value("first_hit", truth, "ab") == 2.0


def test_a_document_of_two_groups_meets_both() -> None:
    truth = [["a", "b"], ["a", "c"]]
    assert value("completion_rank", truth, "xa") == 2.0
    assert value("complete", truth, "xa") == 1.0
    assert value("precision", truth, "xa") == 0.5


def test_the_best_grade_of_a_document_counts() -> None:
    truth = [{"a": 1, "b": 3}, {"a": 2}]
    assert agree(value("ndcg", truth, "a"), 3 / 7)
    twice = [{"alternatives": [{"id": "a", "grade": 1}, {"id": "a", "grade": 3}]}]
    assert agree(value("ndcg", twice, "a"), 1.0)


@pytest.mark.parametrize("weights", [[1, 1, 0.1, 0.1, 0.1], [0.1, 0.7, 0.2, 0.3], [3, 0.1, 0.1]])
@pytest.mark.parametrize("name", ["recall", "mrr", "map"])
def test_all_groups_met_at_rank_one_score_one_to_the_last_bit(
    name: str, weights: list[float]
) -> None:
    truth = [{"alternatives": ["a"], "weight": weight} for weight in weights]
    assert value(name, truth, "a") == 1.0


def test_all_groups_met_at_any_rank_have_a_recall_of_one_to_the_last_bit() -> None:
    weights = {"a": [1, 1, 0.1, 0.1], "b": [0.1]}
    truth = [
        {"alternatives": [one], "weight": weight} for one in weights for weight in weights[one]
    ]
    assert value("recall", truth, "ab") == value("recall", truth, "ba") == 1.0
