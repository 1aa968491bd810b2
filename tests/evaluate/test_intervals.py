"""Intervals in reports: of which values they are, and that nothing but the values decides them."""

import inspect
import math
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groupwise import Evaluator, InputError, OptionError, Report, evaluate
from groupwise.evaluator.evaluation.slices import FEW
from groupwise.evaluator.statistics import intervals
from tests.evaluate.test_slices import data
from tests.strategies import FEWER

METRICS = ["recall", "hit_rate", "ndcg@2", "first_hit", "recall(label=vital)"]
Z = 1.959963984540054
"""The 97.5th percentile of the normal distribution."""


def naive_wilson(values: list[float]) -> tuple[float, float]:
    """The score interval at 95 %: the two solutions of a quadratic equation."""
    n, share = len(values), sum(values) / len(values)
    a, b, c = 1 + Z**2 / n, -(2 * share + Z**2 / n), share**2
    root = math.sqrt(max(b * b - 4 * a * c, 0.0))
    return (-b - root) / (2 * a), (-b + root) / (2 * a)


def of_queries(report: Report, metric: str, members: set[str]) -> list[float]:
    """The values of some queries, in order of query id."""
    values = (report.per_query[query_id][metric] for query_id in sorted(members))
    return [value for value in values if value is not None]


@FEWER
@given(source=st.randoms(use_true_random=False), count=st.integers(4, 30))
def test_shares_have_the_interval_of_wilson_over_all_queries_and_in_slices(
    source: random.Random, count: int
) -> None:
    truths, results = data(source, count)
    truths["q0"], results["q0"] = {"ground_truth": [["a"]]}, ["a"]
    report = evaluate(truths, results, metrics=METRICS, confidence=0.95, by="groups")
    parts: list[tuple[Any, set[str]]] = [(report, {*truths})]
    for name, found in report.slices["groups"].items():
        sizes = {q: len(record.get("ground_truth", [])) for q, record in truths.items()}
        parts.append((found, {q for q, size in sizes.items() if str(size) == name}))
    for part, members in parts:
        values = of_queries(report, "hit_rate", members)
        interval = part.intervals["hit_rate"]
        if len(values) < 2:
            assert (interval.low, interval.high, interval.interval) == (None, None, "none")
        else:
            low, high = naive_wilson(values)
            assert interval.interval == "wilson"
            assert interval.low == pytest.approx(low, abs=1e-9)
            assert interval.high == pytest.approx(high, abs=1e-9)


def test_other_scores_have_the_bca_interval_of_scipy_over_queries_in_order_of_id() -> None:
    stats = pytest.importorskip("scipy.stats", reason="needs scipy")
    np = pytest.importorskip("numpy")
    source = random.Random(5)  # noqa: S311  (data of a test)
    truths = {f"q{n}": [[f"{n}-{i}"] for i in range(4)] for n in range(60)}
    results = {f"q{n}": [f"{n}-{i}" for i in range(source.randrange(5))] for n in range(60)}
    report = evaluate(truths, results, metrics="recall", confidence=0.9)
    values = np.array(of_queries(report, "recall", {*truths}))
    is_new = "rng" in inspect.signature(stats.bootstrap).parameters  # since scipy 1.15
    generator = {"rng" if is_new else "random_state": np.random.default_rng(1)}
    expected = stats.bootstrap(
        (values,), np.mean, confidence_level=0.9, n_resamples=20_000, **generator
    ).confidence_interval
    found = report.intervals["recall"]
    assert found.interval == "bca"
    assert found.low == pytest.approx(expected.low, abs=0.01)  # other resamples
    assert found.high == pytest.approx(expected.high, abs=0.01)
    assert report.confidence is not None
    assert report.confidence.model_dump() == {"level": 0.9, "seed": 0, "resamples": 10_000}


@settings(max_examples=FEWER.max_examples // 2)
@given(
    source=st.randoms(use_true_random=False),
    count=st.integers(2, 20),
    missing=st.sampled_from(["zero", "skip"]),
)
def test_order_of_input_and_whether_queries_are_reported_change_no_byte(
    source: random.Random, count: int, missing: Any
) -> None:
    truths, results = data(source, count)
    truths["q0"], results["q0"] = {"ground_truth": [["a"]]}, ["a"]
    options: dict[str, Any] = {
        "metrics": METRICS, "confidence": 0.95, "by": "groups", "missing": missing
    }  # fmt: skip
    report = evaluate(truths, results, **options)
    shuffled = dict(source.sample(sorted(truths.items()), len(truths)))
    assert evaluate(shuffled, results, **options).to_json() == report.to_json()
    assert Evaluator(truths, **options).evaluate(results).to_json() == report.to_json()
    without = evaluate(truths, results, **options, per_query=False)
    assert not len(without.per_query)
    assert (without.intervals, without.slices) == (report.intervals, report.slices)
    for name, interval in report.intervals.items():
        if interval.low is not None and interval.high is not None:
            score = report.scores[name]
            assert score is not None
            assert interval.low <= score <= interval.high


def test_a_metric_counts_only_the_queries_that_have_a_value() -> None:
    label = {"alternatives": ["a"], "label": "vital"}
    truths = {str(n): [label] if n % 2 else [["a"]] for n in range(20)}
    results = {str(n): ["a"] if n % 4 else [] for n in range(20)}
    report = evaluate(truths, results, metrics=["recall(label=vital)", "recall"], confidence=0.95)
    low, high = naive_wilson([1.0] * 10)  # the ten odd ones
    found = report.intervals["recall(label=vital)"]
    assert found.low == pytest.approx(low)
    assert found.high == pytest.approx(high)
    low, high = naive_wilson([1.0] * 15 + [0.0] * 5)
    assert report.intervals["recall"].low == pytest.approx(low)


def test_ranks_have_no_interval_and_equal_values_say_nothing() -> None:
    truths = {str(n): [["a"], ["b"]] for n in range(12)}
    results = {str(n): ["a"] for n in range(12)}
    report = evaluate(truths, results, metrics=["recall", "first_hit"], confidence=0.95)
    assert report.to_dict()["intervals"] == {
        "recall": {"low": None, "high": None, "interval": "none"}
    }
    assert not report.warnings


def test_few_queries_are_said_in_plain_words() -> None:
    assert intervals.FEW == FEW
    report = evaluate({"q": [["a"]]}, {"q": ["a"]}, metrics="recall", confidence=0.95)
    expected = "intervals are over 1 scored query; under 10, they say little"
    assert report.warnings == (expected,)
    assert report.intervals["recall"].interval == "none"


@pytest.mark.parametrize("level", [0, 1, 95, -0.5, "0.95", True, math.nan, math.inf])
def test_a_level_is_between_0_and_1(level: Any) -> None:
    with pytest.raises(OptionError, match="confidence: expected a number between 0 and 1"):
        evaluate({"q": [["a"]]}, {"q": ["a"]}, confidence=level)


def test_no_scored_query_has_no_interval() -> None:
    truths: dict[str, Any] = {"q": {"answerable": False}}
    report = evaluate(truths, {"q": ["a"]}, metrics="recall", confidence=0.95)
    assert report.scores["recall"] is None
    assert report.intervals["recall"].interval == "none"
    with pytest.raises(InputError):
        evaluate({}, {}, metrics="recall", confidence=0.95)
