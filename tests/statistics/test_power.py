"""Sample sizes: published ones, those of statsmodels, and simulated power."""

import json
import math
from statistics import NormalDist

import numpy as np
import pytest

from groupwise import power
from groupwise.evaluator.statistics.intervals import wilson_interval
from groupwise.evaluator.statistics.power import (
    detectable_difference,
    queries_for,
    queries_for_perfect,
)
from tests.paths import STATISTICS

SIZES = json.loads((STATISTICS / "statsmodels.json").read_text("utf-8"))["solve_power"]


@pytest.mark.parametrize("case", SIZES)
def test_sample_sizes_are_those_of_statsmodels(case: dict[str, float]) -> None:
    asked = {name: case[name] for name in ("sd", "difference", "confidence", "power")}
    plan = power(**asked).planned  # type: ignore[arg-type]
    assert plan is not None
    assert [*plan.queries_for.values()] == [case["queries"]]


@pytest.mark.parametrize("n", [2, 20, 200, 10_000])
def test_what_can_be_seen_needs_as_many_queries(n: int) -> None:
    seen = detectable_difference(0.3, n)
    assert seen is not None
    assert queries_for(0.3, seen * (1 + 1e-9)) in {n, 2}
    assert queries_for(0.3, seen * (1 - 1e-6)) == n + 1


def test_the_power_of_a_detectable_difference_is_80_percent() -> None:
    rng, n, sd = np.random.default_rng(0), 200, 0.3
    seen = detectable_difference(sd, n)
    assert seen is not None
    means = rng.normal(seen, sd, (10_000, n)).mean(axis=1)
    found = np.abs(means) / (sd / math.sqrt(n)) > NormalDist().inv_cdf(0.975)
    assert found.mean() == pytest.approx(0.8, abs=0.02)


@pytest.mark.parametrize(("sd", "n"), [(0.3, 1), (0.3, 0), (0.0, 50)])
def test_nothing_is_known_without_variation(sd: float, n: int) -> None:
    assert detectable_difference(sd, n) is None


def test_no_variation_needs_two_queries_and_tiny_differences_many() -> None:
    assert queries_for(0.0, 0.02) == 2
    assert queries_for(1e300, 1e-300) > 10**1199


@pytest.mark.parametrize(
    ("target", "expected"), [(0.8, 16), (0.85, 22), (0.9, 35), (0.95, 73), (0.0, 1)]
)
def test_a_perfect_score_clears_a_target(target: float, expected: int) -> None:
    assert queries_for_perfect(target) == expected
    assert wilson_interval(expected, expected, 0.95)[0] >= target
    if expected > 1:
        assert wilson_interval(expected - 1, expected - 1, 0.95)[0] < target
