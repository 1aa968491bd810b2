"""The ideal ranking of many groups: exact while few documents are shared, and free of order."""

import math
import random
from typing import Any

import pytest

from groupwise import Report, evaluate
from tests.comparing import agree

RING = [[f"d{number}", f"d{(number + 1) % 20}"] for number in range(20)]
"""Each of 20 documents meets two groups, each of 20 groups is met by two documents."""


def report_of(groups: list[Any], ranking: list[str], metrics: Any) -> Report:
    return evaluate({"q": groups}, {"q": ranking}, profile="coverage", metrics=metrics)


def is_greedy(report: Report) -> bool:
    return any("greedy ideal ranking" in warning for warning in report.warnings)


@pytest.mark.parametrize("shared", [2, 8, 12])
def test_the_ideal_is_exact_where_at_most_12_documents_are_shared(shared: int) -> None:
    """Document s0 meets groups 0 and 1, s1 groups 2 and 3, and so on; each is met first."""
    groups = [[f"s{number // 2}", f"u{number}"] for number in range(2 * shared)]
    perfect = [f"s{number}" for number in range(shared)]
    report = report_of(groups, perfect, ["mrr", "ndcg"])
    assert not is_greedy(report)
    assert all(agree(value, 1.0) for value in report.scores.values())


def test_groups_of_their_own_do_not_make_an_ideal_inexact() -> None:
    groups = [["s", "p"], ["s", "t", "q"], ["t", "r"], *([f"u{number}"] for number in range(15))]
    report = report_of(groups, ["s", "t"], ["ndcg"])
    ideal = 2 + math.fsum(1 / math.log2(rank + 1) for rank in range(2, 18))
    assert agree(report.scores["ndcg"], (2 + 1 / math.log2(3)) / ideal)
    assert not is_greedy(report)


@pytest.mark.parametrize("metric", ["recall", "map", "mrr", "ndcg", "alpha_ndcg@10"])
def test_the_order_of_groups_changes_nothing_where_the_ideal_is_greedy(metric: str) -> None:
    source = random.Random(3)  # noqa: S311  (an order, no secret)
    orders = [
        [source.sample(group, len(group)) for group in source.sample(RING, len(RING))]
        for _ in range(6)
    ]
    found = {report_of(groups, ["d0", "d5", "d3"], [metric]).scores[metric] for groups in orders}
    assert len(found) == 1


def test_a_greedy_ideal_is_told() -> None:
    assert is_greedy(report_of(RING, ["d0"], ["ndcg"]))
    assert not is_greedy(report_of(RING[:8], ["d0"], ["ndcg"]))
