"""The ideal ranking of many groups: exact while few documents are shared, and free of order."""

import math
import operator
import random
from collections import Counter
from functools import cache
from typing import Any

import pytest

from groupwise import Report, evaluate
from tests import oracle
from tests.comparing import agree
from tests.differential.formulas import coverage
from tests.oracle import Group
from tests.strategies import written

RING = [[f"d{number}", f"d{(number + 1) % 20}"] for number in range(20)]
"""Each of 20 documents meets two groups, each of 20 groups is met by two documents."""
TANGLED = [*map(list, ("gc", "bf", "erfn", "ko", "pcgk", "pnr", "kre", "gnfb", "peco", "re"))]
"""The next best document is often one of several, which lead to different rankings."""


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


@pytest.mark.parametrize("metric", ["recall", "map", "mrr", "ndcg", "alpha_ndcg", "nerr_ia@10"])
@pytest.mark.parametrize("groups", [RING, TANGLED], ids=["ring", "tangled"])
def test_the_order_of_groups_changes_nothing_where_the_ideal_is_greedy(
    metric: str, groups: list[list[str]]
) -> None:
    source = random.Random(3)  # noqa: S311  (an order, no secret)
    orders = [
        [source.sample(group, len(group)) for group in source.sample(groups, len(groups))]
        for _ in range(6)
    ]
    ranking = sorted({one for group in groups for one in group})[:3]
    found = {report_of(order, ranking, [metric]).scores[metric] for order in orders}
    assert len(found) == 1


def test_all_ties_are_tried_where_a_greedy_ideal_has_few_documents() -> None:
    groups = [Group([(one, 1.0) for one in group]) for group in TANGLED]
    expected = oracle.value("coverage:alpha_ndcg", groups, ["n"])
    for order in (TANGLED, TANGLED[::-1]):
        assert agree(report_of(order, ["n"], "alpha_ndcg").scores["alpha_ndcg"], expected)


def random_groups(source: random.Random, most_shared: int, most_groups: int) -> list[Group]:
    """Groups of weight and grades with documents of their own, and some that several share."""
    count = source.randint(2, most_groups)
    listed: list[dict[str, float]] = [
        {f"o{number}": source.choice([1.0, 2.0, 3.0, 4.0])} if source.random() < 0.7 else {}
        for number in range(count)
    ]
    for number in range(source.randint(1, most_shared)):
        for group in source.sample(listed, source.randint(2, min(count, 5))):
            group[f"s{number}"] = source.choice([1.0, 1.0, 2.0, 3.0, 0.5])
    weights = [source.choice([1.0, 2.0, 3.0, 0.5, 0.1, 0.7]) for _ in listed]
    pairs = zip(listed, weights, strict=True)
    return [Group(list((group or {"u": 1.0}).items()), weight) for group, weight in pairs]


@pytest.mark.parametrize("seed", range(40))
def test_an_ideal_with_grades_and_weights_is_exact(seed: int) -> None:
    source = random.Random(seed)  # noqa: S311  (data, no secret)
    groups = random_groups(source, most_shared=4, most_groups=7)
    k = source.choice([1, 2, 3, 5, 20])
    ranking = [source.choice(oracle.documents(groups))]
    report = report_of([written(group) for group in groups], ranking, f"ndcg@{k}")
    worth = coverage.best_worth(oracle.view(groups, (), k), coverage.logarithmic, graded=True)
    assert not is_greedy(report)
    gained = math.fsum(oracle.added(groups, ranking))
    assert agree(report.scores[f"ndcg@{k}"], gained / worth)


def test_own_documents_do_not_count_against_an_exact_ideal() -> None:
    """Two shared documents, and eighteen of one group only that are better there."""
    groups = [
        {f"o{number}": 3, **({"s0": 1} if number < 10 else {}), **({"s1": 1} if number > 7 else {})}
        for number in range(18)
    ]
    report = report_of(groups, ["s0"], ["ndcg"])
    assert not is_greedy(report)
    graded = [Group([(one, float(grade)) for one, grade in group.items()]) for group in groups]
    assert agree(report.scores["ndcg"], 10 / 7 / best_worth_by_kinds(graded))


def best_worth_by_kinds(groups: list[Group]) -> float:
    """The most that any ranking is worth, from how many groups of a kind own documents meet.

    A kind of groups has the same shared documents; which of them is met first does not matter.
    """
    kinds = Counter(tuple(group.is_met_by(one) for one in ("s0", "s1")) for group in groups)
    sizes = list(kinds.items())

    @cache
    def best_from(taken: tuple[bool, bool], counts: tuple[int, ...], rank: int) -> float:
        def left(kind: tuple[bool, ...]) -> float:
            return 6 / 7 if any(map(operator.and_, kind, taken)) else 1.0

        found = [0.0]
        for number, (kind, size) in enumerate(sizes):
            if counts[number] < size:
                after = (*counts[:number], counts[number] + 1, *counts[number + 1 :])
                worth = left(kind) / math.log2(rank + 1)
                found.append(worth + best_from(taken, after, rank + 1))
        for one in (0, 1):
            if not taken[one]:
                met = sum(
                    (size - count) / 7
                    for (kind, size), count in zip(sizes, counts, strict=True)
                    if kind[one] and left(kind) == 1
                )
                both = (True, taken[1]) if one == 0 else (taken[0], True)
                found.append(met / math.log2(rank + 1) + best_from(both, counts, rank + 1))
        return max(found)

    return best_from((False, False), (0,) * len(sizes), 1)


@pytest.mark.parametrize("groups", [300, 1200])
@pytest.mark.parametrize("metric", ["ndcg@10", "ndcg", "mrr", "alpha_ndcg", "nnrbp"])
def test_a_large_ring_is_ranked_in_no_time(groups: int, metric: str) -> None:
    """A search of all ties would not end; the first documents meet two groups each."""
    ring = [[f"d{number}", f"d{(number + 1) % groups}"] for number in range(groups)]
    report = report_of(ring, ["d0"], metric)
    assert 0 < next(value for value in report.scores.values() if value is not None) < 1


@pytest.mark.parametrize("alpha", [0.01, 0.5])
def test_documents_of_one_large_group_are_ranked_in_no_time(alpha: float) -> None:
    star = [[f"d{n}" for n in range(3000)], *([f"d{n}", f"o{n}"] for n in range(3000))]
    metric = f"alpha_ndcg(alpha={alpha})@2"
    best = 2 + (2 - alpha) / math.log2(3)
    assert agree(report_of(star, ["d0"], metric).scores[metric], 2 / best)


def test_thousands_of_graded_alternatives_with_a_shared_one_are_exact() -> None:
    groups = [
        {**{f"{name}{n}": 1 + 4 * n / 1499 for n in range(1500)}, "shared": 3}
        for name in ("a", "b")
    ]
    report = report_of(groups, ["shared"], ["ndcg"])
    own, shared = 1 + 1 / math.log2(3), 2 * 7 / 31
    assert agree(report.scores["ndcg"], shared / own)
    assert not is_greedy(report)


def test_a_greedy_ideal_is_told() -> None:
    assert is_greedy(report_of(RING, ["d0"], ["ndcg"]))
    assert not is_greedy(report_of(RING[:8], ["d0"], ["ndcg"]))


PARAMETERS = [
    "ndcg", "ndcg@3", "mrr@2", "map", "f1", "ndcg(label=vital)", "alpha_ndcg(alpha=0.9)",
    "alpha_ndcg(alpha=0.3)@4", "nerr_ia(alpha=0.7)", "nnrbp(alpha=0.1,beta=0.7)",
    "err_ia(alpha=0.3)", "alpha_dcg(alpha=0.7)", "map_ia", "nrbp(alpha=0.3)",
]  # fmt: skip


@pytest.mark.parametrize("seed", range(30))
def test_the_order_of_the_file_changes_no_bit(seed: int) -> None:
    """With weights, grades, labels and shared documents, and credits that no double holds."""
    source = random.Random(seed)  # noqa: S311  (data, no secret)
    truth = [written(group) for group in random_groups(source, most_shared=14, most_groups=8)]
    for group in truth[::2]:
        group["label"] = "vital"
    ids = sorted({one["id"] for group in truth for one in group["alternatives"]})
    ranking = source.choices([*ids, "x", "y"], k=8)
    found = report_of(truth, ranking, PARAMETERS).scores
    for _ in range(3):
        shuffled = [
            {**group, "alternatives": source.sample(listed, len(listed))}
            for group in source.sample(truth, len(truth))
            for listed in [group["alternatives"]]
        ]
        assert report_of(shuffled, ranking, PARAMETERS).scores == found
