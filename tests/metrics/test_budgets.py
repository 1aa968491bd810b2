"""A budget of tokens cuts the results, and never the ideal."""

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groupwise import evaluate
from tests.strategies import MANY, SMALL_CASES, Case

NEVER_FALLING = [
    "coverage:recall", "coverage:hit_rate", "coverage:complete", "coverage:mrr", "coverage:map",
    "coverage:ndcg", "coverage:alpha_ndcg", "coverage:nerr_ia", "coverage:nnrbp", "trec:recall",
    "trec:hit_rate", "trec:mrr", "trec:map", "trec:ndcg", "trec:ndcg(gain=exponential)",
]  # fmt: skip


def values(truth: Any, ranking: Any, cut: str) -> list[float]:
    results = [{"id": one, "tokens": 10} for one in ranking]
    names = [f"{name}{cut}" for name in NEVER_FALLING]
    per_query = evaluate({"q": truth}, {"q": results}, metrics=names).per_query["q"]
    return [per_query[name] or 0.0 for name in names]


@pytest.mark.parametrize(
    ("metric", "expected"),
    [
        ("coverage:ndcg", 1 / (1 + 1 / math.log2(3) + 1 / 2)),
        ("coverage:mrr", 1 / (1 + 1 / 2 + 1 / 3)),
        ("coverage:alpha_ndcg", 1 / (1 + 1 / math.log2(3) + 1 / 2)),
        ("coverage:nerr_ia", 1 / (1 + 1 / 2 + 1 / 3)),
        ("coverage:nnrbp", 1 / (1 + 1 / 2 + 1 / 4)),
        ("trec:ndcg", 1 / (1 + 1 / math.log2(3) + 1 / 2)),
    ],
)
@pytest.mark.parametrize("cut", ["", "@5t", "@1000000t"])
def test_one_of_three_documents_is_not_perfect(metric: str, expected: float, cut: str) -> None:
    run = {"q": [{"id": "a", "tokens": 1}]}
    report = evaluate({"q": [["a"], ["b"], ["c"]]}, run, metrics=metric + cut)
    assert report.scores[metric + cut] == pytest.approx(expected, abs=1e-12)


@MANY
@given(case=SMALL_CASES, budget=st.integers(0, 80))
def test_scores_never_fall_as_a_budget_grows(case: Case, budget: int) -> None:
    small, large, none = (
        values(case.truth, case.ranking, cut) for cut in (f"@{budget + 1}t", f"@{budget + 11}t", "")
    )
    assert all(map(float.__le__, small, large))
    assert all(map(float.__le__, large, none))


@MANY
@given(case=SMALL_CASES)
def test_a_budget_for_all_results_changes_nothing(case: Case) -> None:
    assert values(case.truth, case.ranking, "@10000t") == values(case.truth, case.ranking, "")
