"""Equal scores: in which order their results count, and how much another order could change."""

from itertools import groupby, permutations, product
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from groupwise import Report, evaluate
from groupwise.evaluator.metrics.registry import metrics_of
from tests import oracle
from tests.comparing import agree
from tests.oracle import Group
from tests.strategies import GRADES, MANY, small_groups, written

SCORED = [
    name
    for name, one in metrics_of("trec").items()
    if one.kind == "score" and one.profile == "trec"
]
Pairs = list[tuple[str, float]]


@st.composite
def tied_runs(draw: st.DrawFn) -> Pairs:
    """A few results, each document once, most of them tied with others."""
    ids = draw(st.lists(st.sampled_from("abcdwxyz"), min_size=1, max_size=5, unique=True))
    return [(one, draw(st.sampled_from([1.0, 1.0, 2.0]))) for one in ids]


@st.composite
def judged_documents(draw: st.DrawFn) -> list[Group]:
    """Groups of one document each."""
    ids = draw(st.lists(st.sampled_from("abcd"), min_size=1, unique=True))
    grades = GRADES.filter(bool)
    return [Group([(one, draw(grades))]) for one in ids]


def orders(pairs: Pairs) -> list[list[str]]:
    """All rankings that the scores allow."""
    descending = sorted(pairs, key=lambda pair: -pair[1])
    tied = [[one for one, _ in same] for _, same in groupby(descending, key=lambda pair: pair[1])]
    return [[one for part in parts for one in part] for parts in product(*map(permutations, tied))]


def run_of(pairs: Pairs) -> dict[str, Any]:
    return {"results": [one for one, _ in pairs], "scores": [score for _, score in pairs]}


def reported(
    groups: list[Group], unwanted: list[str], pairs: Pairs, metrics: Any, k: int | None = None
) -> Report:
    truth = {
        "id": "q",
        "ground_truth": [written(group) for group in groups],
        "not_relevant": unwanted,
    }
    run = {"id": "q", **run_of(pairs)}
    return evaluate([truth], [run], profile="trec", metrics=metrics, k=k, ties="report")


UNWANTED = st.lists(st.sampled_from("wx"), unique=True)


@MANY
@given(
    groups=judged_documents(),
    unwanted=UNWANTED,
    pairs=tied_runs(),
    k=st.none() | st.integers(1, 6),
)
def test_the_bounds_are_the_worst_and_best_of_all_orders(
    groups: list[Group], unwanted: list[str], pairs: Pairs, k: int | None
) -> None:
    ties = reported(groups, unwanted, pairs, SCORED, k).ties
    assert ties is not None
    touched = False
    for name in SCORED:
        every = [oracle.value(f"trec:{name}", groups, one, k, unwanted) for one in orders(pairs)]
        found = [float(one) for one in every if one is not None]
        bounds = ties.bounds[name if k is None else f"{name}@{k}"]
        assert agree(bounds.worst, min(found)), (name, bounds, min(found))
        assert agree(bounds.best, max(found)), (name, bounds, max(found))
        touched = touched or not agree(min(found), max(found))
    assert ties.queries == touched


@MANY
@given(groups=judged_documents(), unwanted=UNWANTED, pairs=tied_runs(), rel=st.sampled_from([2, 3]))
def test_the_bounds_hold_at_a_level_of_relevance_too(
    groups: list[Group], unwanted: list[str], pairs: Pairs, rel: int
) -> None:
    names = [name for name in SCORED if "rel" in metrics_of("trec")[name].parameters]
    ties = reported(groups, unwanted, pairs, [f"{name}(rel={rel})" for name in names]).ties
    assert ties is not None
    for name, bounds in zip(names, ties.bounds.values(), strict=True):
        every = [
            oracle.value(f"trec:{name}", groups, one, None, unwanted, rel=rel)
            for one in orders(pairs)
        ]
        found = [float(one) for one in every if one is not None]
        assert agree(bounds.worst, min(found)), (name, bounds, min(found))
        assert agree(bounds.best, max(found)), (name, bounds, max(found))


@st.composite
def repeating_runs(draw: st.DrawFn) -> Pairs:
    """Results that repeat documents, most of them tied with others."""
    ids = draw(st.lists(st.sampled_from("aabbcdwxy"), min_size=2, max_size=6))
    return [(one, draw(st.sampled_from([1.0, 1.0, 1.0, 2.0]))) for one in ids]


@MANY
@given(
    groups=st.lists(small_groups(), min_size=1, max_size=4),
    unwanted=UNWANTED,
    pairs=repeating_runs(),
    k=st.none() | st.integers(1, 6),
)
@example([Group([("z", 1.0)])], [], [("z", 1.0), ("z", 1.0), ("x", 1.0), ("y", 1.0)], None)
@example(
    [Group([("a", 1.0)]), Group([("b", 2.0)])],
    [],
    [("b", 1.0), ("b", 1.0), ("b", 1.0), ("a", 1.0)],
    None,
)
def test_the_bounds_are_those_of_all_orders_where_tied_results_are_repeated(
    groups: list[Group], unwanted: list[str], pairs: Pairs, k: int | None
) -> None:
    """Groups share documents, and list them with several grades."""
    metrics = [
        *SCORED,
        "ndcg(gain=exponential)",
        "err(highest=2)",
        "precision(rel=2)",
        "map(rel=2)",
    ]
    ties = reported(groups, unwanted, pairs, metrics, k).ties
    assert ties is not None
    every = {*map(tuple, orders(pairs))}
    for metric in metrics:
        name, _, given_parameters = metric.rstrip(")").partition("(")
        parameters: dict[str, Any] = dict(p.split("=") for p in given_parameters.split(",") if p)
        parameters = {n: v if n == "gain" else float(v) for n, v in parameters.items()}
        values = [
            oracle.value(f"trec:{name}", groups, one, k, unwanted, **parameters) for one in every
        ]
        found = [float(one) for one in values if one is not None]
        bounds = ties.bounds[metric if k is None else f"{metric}@{k}"]
        assert agree(bounds.worst, min(found)), (metric, bounds, min(found))
        assert agree(bounds.best, max(found)), (metric, bounds, max(found))


@pytest.mark.parametrize("size", [40, 4000])
def test_many_tied_repeats_take_a_bounded_number_of_orders(size: int) -> None:
    grades = {f"d{number}": 1 + number % 4 for number in range(size)}
    run = [(one, 1.0) for one in grades for _ in range(1 + grades[one] % 2)]
    ties = evaluate(grades_in(grades), {"q": run_of(run)}, profile="trec", ties="report").ties
    assert ties is not None
    assert ties.bounds["ndcg"].best == 1.0
    assert ties.bounds["ndcg"].worst is not None
    assert ties.bounds["ndcg"].worst < 1.0


def grades_in(grades: dict[str, int]) -> dict[str, Any]:
    return {"q": [{document: grade} for document, grade in grades.items()]}


@MANY
@given(groups=judged_documents(), pairs=tied_runs(), k=st.integers(1, 6))
def test_the_score_lies_within_its_bounds(groups: list[Group], pairs: Pairs, k: int) -> None:
    report = reported(groups, [], pairs, SCORED, k)
    assert report.ties is not None
    for label, bounds in report.ties.bounds.items():
        value = report.scores[label]
        assert bounds.worst is not None
        assert value is not None
        assert bounds.best is not None
        assert bounds.worst <= value <= bounds.best, label


TRUTHS = {"hit": [["a"]], "behind": [["a"]], "both": [["a"], ["b"]], "alone": [["a"]]}
TIED_RUNS = {
    "hit": run_of([("a", 1.0), ("b", 1.0)]),
    "behind": run_of([("a", 3.0), ("b", 1.0), ("c", 1.0)]),
    "both": run_of([("a", 1.0), ("b", 1.0)]),
    "alone": run_of([("a", 2.0), ("b", 1.0)]),
}


def test_only_queries_whose_value_may_change_are_counted() -> None:
    """A tie of two misses, or of two hits, changes nothing."""
    report = evaluate(TRUTHS, TIED_RUNS, profile="trec", metrics="mrr", ties="report")
    assert report.ties is not None
    assert report.ties.queries == 1
    assert report.ties.bounds["mrr"].worst == (0.5 + 1 + 1 + 1) / 4
    assert report.ties.bounds["mrr"].best == 1.0
    assert report.scores["mrr"] == (0.5 + 1 + 1 + 1) / 4


def test_a_tie_that_straddles_no_cutoff_changes_nothing() -> None:
    report = evaluate(TRUTHS, TIED_RUNS, profile="trec", metrics="recall@2", ties="report")
    assert report.ties is not None
    assert report.ties.queries == 0


def test_bounds_are_given_where_they_are_asked_for_only() -> None:
    assert evaluate(TRUTHS, TIED_RUNS, profile="trec").ties is None


def test_the_other_profiles_keep_the_given_order() -> None:
    names = ["autorag:mrr", "coverage:mrr", "trec:mrr"]
    report = evaluate({"q": TRUTHS["hit"]}, {"q": TIED_RUNS["hit"]}, metrics=names, ties="report")
    assert report.scores == {"autorag:mrr": 1.0, "coverage:mrr": 1.0, "trec:mrr": 0.5}
    assert report.ties is not None
    bounds = report.ties.bounds
    assert [bounds[name].worst for name in names] == [1.0, 1.0, 0.5]


def first_result(pairs: Pairs, wanted: str, **policies: Any) -> bool:
    """Whether the wanted one comes first."""
    report = evaluate({"q": [[wanted]]}, {"q": run_of(pairs)}, profile="trec", **policies)
    return report.scores["mrr"] == 1.0


def test_equal_scores_are_ordered_by_id_descending() -> None:
    assert first_result([("a", 1.0), ("b", 1.0)], "b")
    assert first_result([("b", 1.0), ("a", 1.0)], "b")
    assert first_result([("10", 1.0), ("9", 1.0)], "9")


def test_numbers_as_ids_are_ordered_as_trec_eval_would_as_text() -> None:
    report = evaluate(
        {"q": [[9]]}, {"q": {"results": [10, 9], "scores": [1.0, 1.0]}}, profile="trec"
    )
    assert report.scores["mrr"] == 1.0


def test_the_given_order_is_kept_on_request() -> None:
    assert first_result([("a", 1.0), ("b", 1.0)], "a", ties="input")
    assert first_result([("a", 1.0), ("b", 2.0)], "a", ties="input")


def test_results_without_scores_keep_their_order() -> None:
    report = evaluate({"q": [["a"]]}, {"q": ["a", "b"]}, profile="trec", ties="report")
    assert report.scores["mrr"] == 1.0
    assert report.ties is not None
    assert report.ties.queries == 0


@pytest.mark.parametrize(
    ("higher", "lower"),
    [(1 + 1e-8, 1.0), (16777217.0, 16777216.0), (1e-320, 0.0), (-1.0, -1.0000000000000002)],
)
def test_scores_are_told_apart_in_double_precision(higher: float, lower: float) -> None:
    pairs = [("z", lower), ("a", higher)]
    assert first_result(pairs, "a")
    ties = reported([Group([("a", 1.0)])], [], pairs, ["mrr"]).ties
    assert ties is not None
    assert ties.queries == 0


def test_zero_and_minus_zero_are_a_tie() -> None:
    assert first_result([("a", 0.0), ("b", -0.0)], "b")


def test_a_repeat_among_the_tied_is_no_second_hit() -> None:
    pairs = [("b", 1.0), ("b", 1.0), ("a", 1.0)]
    ties = reported([Group([("a", 1.0)]), Group([("b", 1.0)])], [], pairs, ["precision@2"]).ties
    assert ties is not None
    assert (ties.bounds["precision@2"].worst, ties.bounds["precision@2"].best) == (0.5, 1.0)


def test_no_bounds_are_claimed_for_what_looks_at_groups() -> None:
    """Which group a tied result meets, or its tokens, would decide; not every order is tried."""
    names = ["complete@2", "mrr(label=vital)", "recall@9t", "map"]
    groups = [{"alternatives": ["a"], "label": "vital"}, {"alternatives": ["b"], "label": "okay"}]
    results = [{"id": one, "score": 1.0, "tokens": 5} for one in "ab"]
    ties = evaluate(
        {"q": groups}, {"q": results}, profile="trec", metrics=names, ties="report"
    ).ties
    assert ties is not None
    assert list(ties.bounds) == ["map"]
