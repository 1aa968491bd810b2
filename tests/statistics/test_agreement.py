"""Kendall's tau-b and the share of significant pairs."""

import math

import numpy as np
import pytest

from groupwise.evaluator.statistics.agreement import kendall_tau, share_significant


@pytest.mark.parametrize("case", range(30))
def test_kendall_agrees_with_scipy(case: int) -> None:
    stats = pytest.importorskip("scipy.stats", reason="needs scipy")
    rng = np.random.default_rng(case)
    a, b = rng.integers(0, int(rng.integers(2, 9)), (2, int(rng.integers(2, 30)))) / 7
    expected = stats.kendalltau(a, b).statistic
    found = kendall_tau(a.tolist(), b.tolist())
    assert found == (None if math.isnan(expected) else pytest.approx(expected, abs=1e-12))


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ([1, 2, 3, 4], [10, 20, 30, 40], 1.0),
        ([1, 2, 3, 4], [4, 3, 2, 1], -1.0),
        ([1, 1, 1], [1, 2, 3], None),
        ([1], [1], None),
        ([], [], None),
        ([1, 2, 2], [1, 2, 3], 2 / math.sqrt(6)),
    ],
)
def test_kendall_by_hand(a: list[float], b: list[float], expected: float | None) -> None:
    assert kendall_tau(a, b) == (expected if expected is None else pytest.approx(expected))


def test_the_share_of_significant_pairs() -> None:
    assert share_significant([]) is None
    assert share_significant([0.05, 0.051]) == 0.5
    assert share_significant([0.05, 0.051], alpha=0.1) == 1.0
