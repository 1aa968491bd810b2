"""Ceilings against all rankings there are, for small ground truths."""

from itertools import permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groupwise import evaluate, validate
from groupwise.evaluator.evaluation.ceilings import Ceilings, find_ceilings
from groupwise.schemas import Query
from tests.strategies import SMALL_TRUTHS, written

METRICS = ["precision", "recall", "f1", "mrr", "map", "ndcg", "complete", "hit_rate"]
SIZES = st.lists(st.integers(1, 3), min_size=1, max_size=4).filter(lambda sizes: sum(sizes) <= 5)
WEIGHTS = st.sampled_from([1, 1, 2, 0.5])
PROFILES = st.sampled_from(["autorag", "coverage", "trec"])
SOME = settings(max_examples=40)


def best_of_all(truth: list[Any], metrics: list[str], profile: str) -> dict[str, float]:
    """The highest score of any ranking without repeats."""
    listed = [document for group in truth for document in group["alternatives"]]
    ids = sorted({document["id"] for document in listed})
    rankings = [list(row) for n in range(1, len(ids) + 1) for row in permutations(ids, n)]
    report = evaluate([truth] * len(rankings), rankings, metrics=metrics, profile=profile)
    rows = [report.per_query[str(number)] for number in range(len(rankings))]
    return {name: max(row[name] or 0 for row in rows) for name in metrics}


def ceilings_of(truth: list[Any], metrics: list[str], profile: str) -> Ceilings:
    sound = Query.model_validate({"id": "q", "ground_truth": truth}).ground_truth.truth()
    return find_ceilings([(sound, 1)], metrics, profile)


@st.composite
def apart(draw: st.DrawFn) -> list[Any]:
    """Groups that share no id, with weights and grades."""
    names = iter("abcdefgh")
    grades = st.sampled_from([1, 1, 2, 3])
    return [
        {
            "alternatives": [{"id": next(names), "grade": draw(grades)} for _ in range(size)],
            "weight": draw(WEIGHTS),
        }
        for size in draw(SIZES)
    ]


def at(k: int | None) -> list[str]:
    return METRICS if k is None else [f"{name}@{k}" for name in METRICS]


@SOME
@given(apart(), PROFILES, st.sampled_from([None, 1, 2, 3, 5]))
def test_of_groups_apart_nothing_scores_more_than_the_ceiling(
    truth: list[Any], profile: str, k: int | None
) -> None:
    found = ceilings_of(truth, at(k), profile)
    for name, best in best_of_all(truth, at(k), profile).items():
        bound, reached = found.bounds[name], found.reached[name]
        assert bound is not None
        assert reached is not None
        assert reached <= best + 1e-9
        assert best <= bound + 1e-9, name
        if not (profile == "autorag" and name.startswith("map")):
            assert best == pytest.approx(reached, abs=1e-9), name


@SOME
@given(SMALL_TRUTHS, PROFILES, st.sampled_from([None, 1, 2, 3]))
def test_of_groups_that_share_ids_nothing_scores_more_than_the_bound(
    groups: list[Any], profile: str, k: int | None
) -> None:
    truth = [written(group) for group in groups]
    found = ceilings_of(truth, at(k), profile)
    for name, best in best_of_all(truth, at(k), profile).items():
        bound, reached = found.bounds[name], found.reached[name]
        assert bound is not None
        assert reached is not None
        assert reached <= best + 1e-9 <= bound + 2e-9, name


@given(SIZES)
def test_coverage_is_whole_where_there_is_room_for_all_groups(sizes: list[int]) -> None:
    names = iter("abcdefgh")
    truth = [[next(names) for _ in range(size)] for size in sizes]
    report = validate({"q": truth}, k=len(truth), profile="coverage")
    assert report.statistics.ceilings == dict.fromkeys(
        [f"{name}@{len(truth)}" for name in METRICS[:6]], pytest.approx(1)
    )


def test_the_last_group_may_be_listed_whole_for_the_map_of_autorag() -> None:
    """a, c, d: the first group at rank 1, the second at ranks 2 and 3, (1/2 + 2/3) / 2 = 7/12."""
    found = find_ceilings([([["a", "b"], ["c", "d"]], 1)], ["map"], "autorag")
    assert found.reached["map"] == pytest.approx((1 + 7 / 12) / 2)
    assert found.bounds["map"] == pytest.approx((1 + 7 / 12) / 2)


def test_a_gate_is_unreachable_only_if_that_is_certain() -> None:
    apart = {"q1": [["a"], ["b"]], "q2": [["c"], ["d"]]}
    assert "ST002" in validate(apart, gates=["mrr >= 0.76"]).codes
    assert "ST002" not in validate(apart, gates=["mrr >= 0.75"]).codes
    # b and d meet all four groups at ranks 1 and 2; the greedy choice does not find them.
    shared = {"q1": [["c", "a", "b"], ["b"], ["a", "d", "c"], ["d"]]}
    assert "ST002" not in validate(shared, gates=["mrr >= 0.75"]).codes
    assert "ST002" not in validate({"q1": [["a", "b"], ["c", "d"]]}, gates=["map >= 0.79"]).codes
    assert "ST002" in validate({"q1": [["a", "b"], ["c", "d"]]}, gates=["map >= 0.8"]).codes


SHARED_WITH_GRADES = [
    {"alternatives": [{"id": "d", "grade": 2}], "weight": 0.1},
    {"alternatives": [{"id": "a", "grade": 7}, {"id": "b", "grade": 0.25}, "d"]},
]
"""Both groups list ``d``, and only ``a`` meets the second in full: ``a, d`` is perfect."""


@pytest.mark.parametrize("name", ["precision", "recall", "f1", "mrr", "map", "ndcg"])
def test_the_perfect_ranking_of_graded_groups_that_share_an_id_is_found(name: str) -> None:
    report = validate({"q": SHARED_WITH_GRADES}, profile="coverage", k=3)
    assert report.statistics.ceilings[f"{name}@3"] == 1.0


def test_what_is_divided_by_the_ideal_has_a_ceiling_of_1_at_every_cutoff() -> None:
    """For two results ``p, q`` is best, though ``x`` alone meets most groups."""
    truth = [["x", "p"], ["x", "p"], ["x", "q"], ["x", "q"], ["p"], ["q"]]
    found = validate({"q": truth}, profile="coverage", k=2).statistics.ceilings
    assert (found["mrr@2"], found["ndcg@2"]) == (1.0, 1.0)


@pytest.mark.parametrize("profile", ["autorag", "trec", "coverage"])
@pytest.mark.parametrize("name", METRICS)
def test_a_budget_has_the_ceiling_of_whole_rankings(name: str, profile: str) -> None:
    """How many tokens the documents have is not known; a gate on a budget is still checked."""
    truth: list[Any] = [["a", "b"], ["c"], ["d", "a"]]
    found = find_ceilings([(truth, 1)], [name, f"{name}@2000t"], profile)
    assert found.reached[f"{name}@2000t"] == found.reached[name]
    assert found.bounds[f"{name}@2000t"] == found.bounds[name]
    report = validate({"q": truth}, gates=[f"{profile}:{name}@2000t >= 0.1"])
    assert "ST002" not in report.codes


@SOME
@given(SMALL_TRUTHS, PROFILES, st.randoms())
def test_the_order_of_groups_changes_no_ceiling(
    groups: list[Any], profile: str, source: Any
) -> None:
    truth = [written(group) for group in groups]
    shuffled = [
        {**group, "alternatives": source.sample(group["alternatives"], len(group["alternatives"]))}
        for group in source.sample(truth, len(truth))
    ]
    first, second = (ceilings_of(order, at(None), profile) for order in (truth, shuffled))
    assert first.reached == pytest.approx(second.reached, abs=1e-12)
    assert first.bounds == pytest.approx(second.bounds, abs=1e-12)
