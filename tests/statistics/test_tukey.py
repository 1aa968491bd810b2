"""Randomised Tukey HSD, beside a reference that is written out."""

import itertools
import math

import numpy as np
import pytest
from numpy.typing import NDArray

from groupwise.evaluator.statistics import paired, products
from groupwise.evaluator.statistics.tukey import (
    randomised_tukey,
    randomised_tukey_of_metrics,
    residual_variance,
    tukey_effect_sizes,
)

Floats = NDArray[np.float64]


def reference(values: Floats, permutations: int) -> dict[tuple[int, int], float]:
    """Shuffle each query; count how often the largest difference reaches that of a pair."""
    rng, means = np.random.default_rng(99), values.mean(axis=1)
    pairs = {*itertools.combinations(range(len(values)), 2)}
    counts = dict.fromkeys(sorted(pairs), 0)
    for _ in range(permutations):
        shuffled = np.array([rng.permutation(query) for query in values.T]).mean(axis=0)
        largest = shuffled.max() - shuffled.min()
        for a, b in counts:
            counts[a, b] += largest >= abs(means[b] - means[a]) - 1e-9
    return {pair: (count + 1) / (permutations + 1) for pair, count in counts.items()}


def assert_within_monte_carlo_error(
    found: dict[tuple[int, int], float], expected: dict[tuple[int, int], float], permutations: int
) -> None:
    assert found.keys() == expected.keys()
    for pair, p in expected.items():
        spread = math.sqrt(max(p * (1 - p), 1e-3) * 2 / permutations)
        assert abs(found[pair] - p) < 4.5 * spread, pair


@pytest.mark.parametrize(("runs", "queries"), [(2, 30), (3, 5), (3, 40), (4, 25), (6, 60), (7, 12)])
def test_p_values_are_within_monte_carlo_error_of_the_reference(runs: int, queries: int) -> None:
    rng = np.random.default_rng([runs, queries])
    values = rng.integers(0, 5, (runs, queries)) / 4 + np.linspace(0, 0.4, runs)[:, None] / runs
    permutations = 2000
    assert_within_monte_carlo_error(
        randomised_tukey(values, permutations=permutations, seed=1),
        reference(values, permutations),
        permutations,
    )


def test_small_cases_by_all_orders() -> None:
    """Three runs, four queries: all 1,296 ways to order the values of each query."""
    values = np.array([[0.1, 0.5, 0.2, 0.6], [0.4, 0.5, 0.3, 0.9], [0.6, 0.9, 0.8, 0.7]])
    means = values.mean(axis=1)
    ranges = [
        np.ptp(np.mean(orders, axis=0))
        for orders in itertools.product(*(itertools.permutations(query) for query in values.T))
    ]
    found = randomised_tukey(values, permutations=20_000)
    for (a, b), p in found.items():
        exact = np.mean(np.array(ranges) >= abs(means[b] - means[a]) - 1e-9)
        assert abs(p - exact) < 4.5 * math.sqrt(exact * (1 - exact) / 20_000) + 1e-4


def test_two_runs_are_a_randomisation_test() -> None:
    values = np.random.default_rng(3).random((2, 12)) + np.array([[0], [0.15]])
    (exact,) = paired.test_pairs(values, [(0, 1)]).p_values
    found = randomised_tukey(values, permutations=20_000)[0, 1]
    assert abs(found - exact) < 4.5 * math.sqrt(exact * (1 - exact) / 20_000)


def test_metrics_and_blocks_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    values = np.random.default_rng(0).random((3, 5, 31)) * np.array([1, 40, 1e-9])[:, None, None]
    together = randomised_tukey_of_metrics(values, permutations=77, seed=5)
    assert together == [randomised_tukey(metric, permutations=77, seed=5) for metric in values]
    monkeypatch.setattr(products, "LARGEST_PIECE", 1)
    assert together == randomised_tukey_of_metrics(values, permutations=77, seed=5)
    assert together != randomised_tukey_of_metrics(values, permutations=77, seed=6)


def test_runs_that_are_equal_have_p_one() -> None:
    same = np.repeat(np.random.default_rng(0).random((1, 9)) / 3, 3, axis=0)
    expected = dict.fromkeys([(0, 1), (0, 2), (1, 2)], 1.0)
    assert randomised_tukey(same, permutations=50) == expected
    assert randomised_tukey(np.zeros((3, 0)), permutations=50) == expected
    assert randomised_tukey(np.array([[0.1], [0.2]]), permutations=3) == {(0, 1): 1.0}
    assert randomised_tukey(np.ones((1, 4)), permutations=1) == {}
    assert randomised_tukey_of_metrics(np.zeros((0, 3, 4))) == []


@pytest.mark.nightly
def test_the_family_wise_error_is_that_of_the_level() -> None:
    rng, false_alarms, families = np.random.default_rng(1), 0, 2000
    for family in range(families):
        values = rng.random((1, 25)) + rng.normal(0, 0.2, (5, 25))
        found = randomised_tukey(values, permutations=399, seed=family)
        false_alarms += min(found.values()) <= 0.05
    assert 0.035 <= false_alarms / families <= 0.065


def test_effect_sizes_need_something_that_varies() -> None:
    assert residual_variance(np.ones((1, 5))) is None
    assert residual_variance(np.ones((3, 1))) is None
    assert tukey_effect_sizes(np.ones((3, 4))) is None
