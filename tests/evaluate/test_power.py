"""Power: numbers by hand, and from the contract; simulations are nightly."""

import json
import math
import random
from collections.abc import Sequence
from pathlib import Path
from statistics import NormalDist, stdev
from typing import Any

import numpy as np
import pytest

from groupwise import (
    InputError,
    OptionError,
    PowerAnalysis,
    UnknownMetric,
    compare,
    evaluate,
    power,
)
from tests.paths import RETRIEVERS

TRUTH = RETRIEVERS / "ground_truth.jsonl"
Z = NormalDist().inv_cdf(0.975) + NormalDist().inv_cdf(0.8)


def runs(*names: str) -> dict[str, Any]:
    return {name: RETRIEVERS / f"{name}.jsonl" for name in names}


def values(name: str, metric: str, **options: Any) -> list[float]:
    report = evaluate(TRUTH, RETRIEVERS / f"{name}.jsonl", metrics=[metric], **options)
    return [value or 0.0 for _, value in report.per_query.column(metric)]


def read_truth() -> dict[str, Any]:
    records = map(json.loads, TRUTH.read_text("utf-8").splitlines())
    return {record["id"]: record["ground_truth"] for record in records}


def small(*hits: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """Ground truth, and a run whose recall is 1 where there is a hit, else 0."""
    truth = {f"q{number}": [["a"]] for number in range(len(hits))}
    return truth, {f"q{number}": ["a" if hit else "x"] for number, hit in enumerate(hits)}


def test_the_example_of_the_contract() -> None:
    plan = power(sd=0.3, queries=200, difference=0.02).planned
    assert plan is not None
    assert (plan.n, plan.queries_for) == (200, {"0.02": 1766})
    assert plan.detectable == pytest.approx(Z * 0.3 / math.sqrt(200), rel=1e-12)
    assert power().targets == {"0.8": 16, "0.85": 22, "0.9": 35, "0.95": 73}


@pytest.mark.parametrize("metric", ["recall@5", "ndcg@10", "hit_rate@10", "complete@5"])
def test_two_runs_have_the_standard_deviation_of_their_differences(metric: str) -> None:
    first, second = values("bm25", metric), values("fusion", metric)
    differences = [b - a for a, b in zip(first, second, strict=True)]
    found = power(TRUTH, runs("fusion", "bm25"), metrics=metric).metrics[metric]
    sd = stdev(differences)
    assert found.n == 250
    assert found.sd == pytest.approx(sd, rel=1e-12)
    assert found.observed == pytest.approx(sum(differences) / 250, abs=1e-12)
    assert found.detectable == pytest.approx(Z * sd / math.sqrt(250), rel=1e-12)
    expected = {str(d): math.ceil((Z * sd / d) ** 2) for d in (0.01, 0.02, 0.05, 0.1)}
    assert found.queries_for == expected


def test_one_run_has_the_root_of_two_times_its_own() -> None:
    analysis = power(TRUTH, runs("bm25"), metrics="recall@5")
    found = analysis.metrics["recall@5"]
    assert found.sd == pytest.approx(math.sqrt(2) * stdev(values("bm25", "recall@5")), rel=1e-12)
    assert (analysis.sd_of, found.observed) == ("run", None)
    assert any("√2" in text for text in analysis.conclusions)


def test_the_same_analysis_for_any_order_of_records_and_runs() -> None:
    truth = read_truth()
    shuffled = dict(random.Random(1).sample(list(truth.items()), len(truth)))  # noqa: S311
    first = power(truth, runs("bm25", "tfidf"))
    assert power(shuffled, runs("tfidf", "bm25")).to_json() == first.to_json()


@pytest.mark.parametrize("profile", ["autorag", "trec", "coverage"])
def test_a_comparison_says_the_same(profile: str) -> None:
    names = ["recall@5", "ndcg@10", "complete@3"]
    found = power(TRUTH, runs("tfidf", "fusion"), metrics=names, profile=profile).metrics
    pairs = compare(
        TRUTH, runs("tfidf", "fusion"), metrics=names, profile=profile, permutations=10
    ).pairs
    assert [pair.metric for pair in pairs] == names
    for pair in pairs:
        assert found[pair.metric].detectable == pytest.approx(pair.detectable, rel=1e-9)
        assert found[pair.metric].observed == pair.difference


@pytest.mark.parametrize("hits", [(1, 1, 1, 1), (0, 0)])
def test_values_that_do_not_vary_say_nothing(hits: Sequence[int]) -> None:
    truth, run = small(*hits)
    analysis = power(truth, {"only": run}, metrics="recall", difference=0.1)
    found = analysis.metrics["recall"]
    assert (found.sd, found.detectable, found.queries_for) == (0.0, None, {"0.1": None})
    assert f"all {len(hits)} values are equal" in analysis.conclusions[0]
    both = power(truth, {"a": run, "b": run}, metrics="recall")
    assert f"the two runs score the same on all {len(hits)} queries" in both.conclusions[0]
    assert both.metrics["recall"].observed == 0.0


def test_differences_that_are_equal_but_for_rounding_do_not_vary() -> None:
    truth = {query: [[f"{query}{i}"] for i in range(10)] for query in "abcd"}
    one, other = (
        {
            query: [f"{query}{i}" for i in range(met + more)]
            for query, met in zip("abcd", (1, 2, 3, 5), strict=True)
        }
        for more in (0, 2)
    )
    assert len({0.3 - 0.1, 0.4 - 0.2, 0.5 - 0.3, 0.7 - 0.5}) > 1
    found = power(truth, {"one": one, "other": other}, metrics="recall").metrics["recall"]
    assert (found.sd, found.detectable) == (0.0, None)
    assert found.observed == pytest.approx(0.2)
    said = power(truth, {"one": one, "other": other}, metrics="recall").conclusions[0]
    assert "the two runs differ by the same amount on all 4 queries" in said


def test_one_query_shows_nothing() -> None:
    truth, run = small(1)
    analysis = power(truth, {"a": run, "b": {"q0": ["x"]}}, metrics="recall")
    found = analysis.metrics["recall"]
    assert (found.n, found.sd, found.detectable, found.observed) == (1, None, None, -1.0)
    assert "it takes two or more" in analysis.conclusions[0]


def test_few_queries_are_a_rough_guess() -> None:
    truth, run = small(1, 0, 1, 1, 0, 0, 1)
    assert any("rough guess" in text for text in power(truth, {"a": run}).conclusions)
    text = " ".join(power(truth, {"a": run}, metrics="recall").conclusions)
    assert "even a perfect score does not show that a metric is above 0.8: that takes 16" in text


def test_a_difference_that_no_metric_can_have_is_no_difference_to_see() -> None:
    truth, run = small(1, 0, 1)
    analysis = power(truth, {"a": run}, metrics="recall")
    assert analysis.metrics["recall"].detectable is None
    assert "With 3 queries you can see no difference in recall; for 0.1 you need" in str(analysis)
    six, other = small(1, 0, 1, 0, 1, 0)
    wide = power(six, {"a": other}, metrics="recall", confidence=0.95, power=0.95)
    detectable = wide.metrics["recall"].detectable
    assert detectable is not None
    assert detectable > 1
    assert "With 6 queries you can see no difference in recall" in str(wide)


@pytest.mark.parametrize(("confidence", "fewest"), [(0.9, 5), (0.95, 6), (0.99, 8)])
def test_fewer_queries_than_the_randomisation_test_needs_show_nothing(
    confidence: float, fewest: int
) -> None:
    """All signs alike is one of 2ⁿ, and so is its opposite: p = 2 / 2ⁿ at least."""
    assert 2 / 2**fewest <= 1 - confidence < 2 / 2 ** (fewest - 1)
    enough, less = (
        power(sd=0.01, difference=0.5, queries=queries, confidence=confidence).planned
        for queries in (fewest, fewest - 1)
    )
    assert enough is not None
    assert less is not None
    assert (enough.queries_for, less.detectable) == ({"0.5": fewest}, None)
    assert enough.detectable is not None
    plan = power(sd=0.01, queries=fewest - 1, confidence=confidence)
    assert f"{fewest - 1} queries can show no difference" in plan.conclusions[0]


def test_queries_that_one_run_lacks_count_as_zero_or_in_neither_run() -> None:
    truth, run = small(1, 0, 1, 1, 0)
    other = {query: results for query, results in run.items() if query != "q0"}
    zero = power(truth, {"a": run, "b": other}, metrics="recall").metrics["recall"]
    skip = power(truth, {"a": run, "b": other}, metrics="recall", missing="skip").metrics["recall"]
    assert zero.n == 5
    assert zero.observed == pytest.approx(-0.2)
    assert (skip.n, skip.observed) == (4, 0.0)
    with pytest.raises(InputError):
        power(truth, {"a": run, "b": other}, metrics="recall", missing="error")


def test_a_metric_without_values_for_some_queries_has_its_own_n() -> None:
    truth = {
        "q1": [{"alternatives": ["a"], "label": "x"}],
        "q2": [["b"]],
        "q3": [{"alternatives": ["c"], "label": "x"}],
    }
    run = {"q1": ["a"], "q2": ["b"], "q3": ["y"]}
    found = power(truth, {"a": run}, metrics=["recall", "recall(label=x)"]).metrics
    assert [each.n for each in found.values()] == [3, 2]


def test_nothing_scored_is_an_error() -> None:
    with pytest.raises(InputError, match="no query could be scored"):
        power({"q1": []}, {"a": {"q1": ["x"]}})


def test_ranks_are_refused() -> None:
    truth, run = small(1, 0)
    with pytest.raises(OptionError, match="first_hit is a rank"):
        power(truth, {"a": run}, metrics=["recall", "first_hit"])
    with pytest.raises(UnknownMetric, match="recall"):
        power(truth, {"a": run}, metrics="recal")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"difference": 0}, "difference: expected a number from 1e-06 on"),
        ({"difference": "0.02"}, "difference: expected a number"),
        ({"difference": [0.1, math.nan]}, "difference: expected"),
        ({"difference": True}, "difference: expected"),
        ({"target": 1}, "target: expected a number from 0 to below 1"),
        ({"target": [0.5, -0.1]}, "target: expected"),
        ({"power": 1}, "power: expected a number from 0.5 to below 1"),
        ({"power": 0.2}, "power: expected"),
        ({"confidence": 95}, "confidence: expected a number from 0.5 to below 1"),
        ({"sd": 0}, "sd: expected a number from 1e-06 on"),
        ({"sd": math.inf}, "sd: expected"),
        ({"sd": 0.3, "queries": 0}, "queries: expected a whole number from 1 on"),
        ({"sd": 0.3, "queries": 2.0}, "queries: expected"),
        ({"queries": 10}, "queries needs sd"),
        ({"sd": 0.3, "metrics": "recall"}, "metrics: without ground truth and a run"),
        ({"k": 5}, "k: without ground truth and a run"),
        ({"difference": []}, "difference: expected one number or more"),
    ],
)
def test_a_value_that_is_not_accepted_is_named(options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message.replace("+", r"\+")):
        power(**options)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([], "expected one run or two by name"),
        ({}, "expected one run or two, got 0"),
        ({"a": {}, "b": {}, "c": {}}, "compare takes many"),
        ({" ": {}}, "expected a name for each run"),
        ({1: {}}, "expected a name for each run"),
        (None, "expected one run or two by name"),
    ],
)
def test_runs_come_by_name(given: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        power({"q1": [["a"]]}, given)


def test_data_and_a_plan_exclude_each_other() -> None:
    truth, run = small(1, 0)
    with pytest.raises(OptionError, match="planning without data"):
        power(truth, {"a": run}, sd=0.3)


def test_huge_values_of_a_metric_and_tiny_differences_have_no_number() -> None:
    plan = power(sd=1e12, difference=1e-6).planned
    assert plan is not None
    assert plan.queries_for == {"1e-06": None}
    assert "more than 1,000,000,000,000" in power(sd=1e12, difference=1e-6).conclusions[0]


def test_a_sentence_says_what_to_do() -> None:
    analysis = power(TRUTH, runs("bm25", "trigrams"), metrics="recall@5", profile="coverage")
    found = analysis.metrics["recall@5"]
    assert found.observed is not None
    assert found.detectable is not None
    assert abs(found.observed) > found.detectable
    assert "large enough to see" in analysis.conclusions[0]
    enough = power(TRUTH, runs("bm25"), metrics="recall@5", difference=0.3)
    assert "that is enough for 0.3" in enough.conclusions[0]


def test_a_saved_baseline_may_stand_for_a_run(tmp_path: Path) -> None:
    saved, bm25, fusion = tmp_path / "base.json", *runs("bm25", "fusion").values()
    evaluate(TRUTH, bm25, metrics="recall@5", provenance=True).save_baseline(saved)
    found = power(TRUTH, {"a": saved, "b": fusion}, metrics="recall@5")
    same = power(TRUTH, {"a": bm25, "b": fusion}, metrics="recall@5")
    assert found.metrics == same.metrics
    few = dict(list(read_truth().items())[:20])
    with pytest.raises(InputError, match="allow_other_data"):
        power(few, {"a": saved, "b": fusion}, metrics="recall@5")
    other = power(few, {"a": saved, "b": fusion}, metrics="recall@5", allow_other_data=True)
    assert other.metrics["recall@5"].n == 20


def test_an_analysis_says_what_it_was_made_from() -> None:
    found = power(TRUTH, runs("bm25", "fusion"), metrics="recall@5", provenance=True).to_dict()
    inputs = found["provenance"]["inputs"]
    assert [(one["role"], one["name"]) for one in inputs] == [
        ("ground_truth", "ground_truth.jsonl"),
        ("run", "bm25.jsonl"),
        ("run", "fusion.jsonl"),
    ]
    assert all(one["fingerprint"] for one in inputs)
    assert "provenance" not in power(sd=0.3).to_dict()


def test_differences_are_sorted_and_listed_once() -> None:
    plan = power(sd=0.3, difference=[0.05, 0.01, 0.05]).planned
    assert plan is not None
    assert list(plan.queries_for) == ["0.01", "0.05"]


HOSTILE = "\x1b[31m=cmd|`x`*\n::error::"


def test_names_of_runs_are_shown_without_effect() -> None:
    truth, run = small(1, 0, 1)
    analysis = power(truth, {HOSTILE: run, "b": {"q0": ["x"], "q1": ["a"]}}, metrics="recall")
    for form in ("table", "markdown", "csv"):
        text = analysis.render(form)
        assert "\x1b" not in text
        assert not any(line.startswith("::") for line in text.splitlines())
    assert "\\`x\\`" in analysis.to_markdown()
    assert json.loads(analysis.to_json())["runs"] == sorted([HOSTILE, "b"])


def test_the_forms_tell_the_same() -> None:
    analysis = power(TRUTH, runs("bm25", "fusion"), metrics="recall@5", difference=0.02)
    found = analysis.metrics["recall@5"]
    need = found.queries_for["0.02"]
    assert need is not None
    assert f"{need:,}" in analysis.render("table")
    assert f"| {need:,} |" in analysis.to_markdown()
    rows = [line.split(",") for line in analysis.to_csv().splitlines()]
    assert rows[1][:3] == ["metric", "recall@5", "250"]
    assert (float(rows[1][3]), rows[1][6:]) == (found.sd, ["0.02", str(need)])
    assert rows[2] == ["target", "", "", "", "", "", "0.8", "16"]
    assert json.loads(analysis.to_json())["metrics"]["recall@5"]["queries_for"] == {"0.02": need}
    assert str(analysis) == analysis.to_markdown()
    assert PowerAnalysis.model_validate(analysis.to_dict()) == analysis
    with pytest.raises(ValueError, match="no form 'tabel'"):
        analysis.render("tabel")


@pytest.mark.nightly
@pytest.mark.parametrize(("metric", "difference"), [("recall@5", 0.05), ("complete@10", 0.03)])
def test_the_number_of_queries_finds_the_difference_in_four_of_five_simulations(
    metric: str, difference: float
) -> None:
    """Differences between two real runs, drawn anew, with the mean that is to be seen."""
    rng, simulations = np.random.default_rng(7), 2_000
    pair = [np.array(values(name, metric)) for name in ("bm25", "trigrams")]
    real = pair[1] - pair[0]
    found = power(TRUTH, runs("bm25", "trigrams"), metrics=metric, difference=difference)
    need = found.metrics[metric].queries_for[str(difference)]
    assert need is not None
    shifted = real - real.mean() + difference
    drawn = rng.choice(shifted, (simulations, need))
    t = drawn.mean(axis=1) / (drawn.std(axis=1, ddof=1) / math.sqrt(need))
    share = (np.abs(t) > NormalDist().inv_cdf(0.975)).mean()
    assert share == pytest.approx(0.8, abs=0.035)


@pytest.mark.nightly
def test_a_randomisation_test_finds_the_difference_as_often() -> None:
    """The sign-flipping test, written out, on fewer simulations."""
    rng, simulations, flips = np.random.default_rng(11), 400, 500
    real = np.array(values("trigrams", "ndcg@10")) - np.array(values("bm25", "ndcg@10"))
    found = power(TRUTH, runs("bm25", "trigrams"), metrics="ndcg@10", difference=0.06)
    need = found.metrics["ndcg@10"].queries_for["0.06"]
    assert need is not None
    shifted = real - real.mean() + 0.06
    significant = 0
    for _ in range(simulations):
        drawn = rng.choice(shifted, need)
        signs = rng.choice([-1.0, 1.0], (flips, need))
        as_large = int((np.abs(signs @ drawn) >= abs(drawn.sum()) - 1e-9).sum())
        significant += (as_large + 1) / (flips + 1) <= 0.05
    assert significant / simulations == pytest.approx(0.8, abs=0.06)
