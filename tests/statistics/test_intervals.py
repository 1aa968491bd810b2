"""Intervals agree with scipy, and cover what they say they cover."""

import math
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from groupwise.evaluator.statistics import products, resampling
from groupwise.evaluator.statistics.bca import Bootstrap
from groupwise.evaluator.statistics.intervals import (
    NOTHING,
    RESAMPLES,
    Interval,
    estimate_all,
    estimate_intervals,
    wilson_interval,
)
from tests.paths import ROOT
from tests.statistics.drawing import draw_all

Floats = NDArray[np.float64]
CASES = 100


def import_peer(name: str) -> Any:
    return pytest.importorskip(name, reason=f"needs {name.partition('.')[0]}")


def indices_of(queries: int, resamples: int, seed: int) -> NDArray[np.int64]:
    """The queries in each resample that an interval with this seed is made of."""
    stream = resampling.open_stream(seed, resampling.COUNTS)
    return resampling.draw_indices(stream, resamples, queries, queries)


def scipy_bca(values: Floats, indices: NDArray[np.int64], confidence: float) -> Any:
    """The interval that scipy makes of the same resamples.

    Means are rounded to 11 digits, so that equal means compare as equal; else scipy, too, takes a
    mean of thirds for larger or smaller than itself, as the order of addition has it.
    """
    stats = import_peer("scipy.stats")

    def mean(sample: Floats, axis: int = -1) -> Any:
        return np.round(np.mean(sample, axis=axis), 11)

    known = stats.bootstrap((values,), mean, n_resamples=2, method="percentile")
    known.bootstrap_distribution = mean(values[indices])
    return stats.bootstrap(
        (values,), mean, n_resamples=0, bootstrap_result=known, method="BCa",
        confidence_level=confidence,
    ).confidence_interval  # fmt: skip


KINDS: dict[str, Callable[[np.random.Generator, int], Floats]] = {
    "even": lambda rng, n: rng.random(n),
    "skewed": lambda rng, n: rng.random(n) ** 6,
    "thirds": lambda rng, n: rng.integers(0, 4, n) / 3,
    "reciprocal ranks": lambda rng, n: 1 / rng.integers(1, 11, n),
    "large": lambda rng, n: rng.normal(300, 20, n),
}


@pytest.mark.parametrize("case", range(CASES))
def test_bca_agrees_with_scipy_on_the_same_resamples(case: int) -> None:
    rng = np.random.default_rng(case)
    n, confidence = int(rng.integers(4, 120)), float(rng.choice([0.8, 0.9, 0.95, 0.99]))
    values = [*KINDS.values()][case % len(KINDS)](rng, n)
    resamples = int(rng.choice([999, 2000]))
    (found,) = estimate_intervals(
        values[None], confidence=confidence, seed=case, resamples=resamples, binary=False
    )
    expected = scipy_bca(values, indices_of(n, resamples, case), confidence)
    assert found.kind == "bca"
    assert found.low == pytest.approx(expected.low, rel=1e-9, abs=1e-9)
    assert found.high == pytest.approx(expected.high, rel=1e-9, abs=1e-9)


def test_bca_of_differences_agrees_with_scipy_on_the_same_resamples() -> None:
    rng = np.random.default_rng(5)
    values = np.stack([KINDS["reciprocal ranks"](rng, 60), KINDS["even"](rng, 60)])
    found = estimate_all(values[None], [(0, 1), (1, 0)], seed=3, resamples=1999).pairs[0]
    for (a, b), interval in zip([(0, 1), (1, 0)], found, strict=True):
        expected = scipy_bca(values[b] - values[a], indices_of(60, 1999, 3), 0.95)
        assert interval.low == pytest.approx(expected.low, abs=1e-9)
        assert interval.high == pytest.approx(expected.high, abs=1e-9)


def test_wilson_agrees_with_scipy() -> None:
    stats = import_peer("scipy.stats")
    for case in range(CASES):
        rng = np.random.default_rng(case)
        n, confidence = int(rng.integers(1, 5000)), float(rng.uniform(0.5, 0.999))
        successes = [0, n, int(rng.integers(0, n + 1))][case % 3]
        found = wilson_interval(successes, n, confidence)
        expected = stats.binomtest(successes, n).proportion_ci(confidence, "wilson")
        assert found == pytest.approx(expected, abs=1e-9)
        assert 0 <= found[0] <= successes / n <= found[1] <= 1


COVERAGE = [
    (float(rate), int(n), float(percent))
    for rate, n, percent in re.findall(
        r"^\| (0\.\d+) \| (\d+) \| (\d+\.\d) \|",
        (ROOT / "docs" / "explanation" / "statistics.md").read_text("utf-8"),
        re.MULTILINE,
    )
]
"""The table on the page: hit rate, number of queries, coverage in percent."""


def test_the_page_has_the_coverage_of_nine_cases() -> None:
    cases = [(rate, n) for rate, n, _ in COVERAGE]
    assert cases == [(rate, n) for rate in (0.5, 0.8, 0.96) for n in (20, 50, 200)]


@pytest.mark.nightly
@pytest.mark.parametrize(("rate", "n", "percent"), COVERAGE)
def test_the_interval_of_a_hit_rate_covers_it(rate: float, n: int, percent: float) -> None:
    hits = np.random.default_rng([n, int(100 * rate)]).binomial(n, rate, 10_000)
    numbers, times = np.unique(hits, return_counts=True)
    covered = 0
    for number, count in zip(numbers.tolist(), times.tolist(), strict=True):
        (found,) = estimate_intervals(np.repeat([[0.0, 1.0]], [n - number, number], axis=1))
        assert found.kind == "wilson"
        assert found.low is not None
        assert found.high is not None
        covered += count * (found.low <= rate <= found.high)
    assert 0.92 <= covered / 10_000 <= 0.98
    assert covered / 100 == pytest.approx(percent, abs=1)


@pytest.mark.nightly
@pytest.mark.parametrize("n", [20, 200])
def test_the_interval_of_a_mean_reciprocal_rank_covers_it(n: int) -> None:
    rng = np.random.default_rng(n)
    ranks = rng.geometric(0.35, (4000, n))
    true = sum(0.35 * 0.65 ** (rank - 1) / rank for rank in range(1, 11))
    values = np.where(ranks <= 10, 1 / ranks, 0.0)
    covered = [
        found.low is not None and found.high is not None and found.low <= true <= found.high
        for found in estimate_intervals(values, resamples=2000, binary=False)
    ]
    assert 0.92 <= np.mean(covered) <= 0.98


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([], NOTHING),
        ([0.5], NOTHING),
        ([1.0], NOTHING),
        ([0.3, 0.3, 0.3], NOTHING),
        ([0.1 + 0.2, 0.3], NOTHING),
        ([5e300, 5e300], NOTHING),
    ],
)
def test_where_nothing_can_be_said(values: list[float], expected: Interval) -> None:
    assert estimate_intervals(np.array([values], np.float64), resamples=99) == [expected]


@pytest.mark.parametrize(
    "values",
    [[0.0, 0.5], [5e-324, 1e-323, 0.0], [1e300, 2e300, -1e300], [-3.0, 7.5], [0.5] * 999 + [0.25]],
)
def test_intervals_of_extreme_values_hold_the_mean(values: list[float]) -> None:
    (found,) = estimate_intervals(np.array([values]), resamples=999)
    assert found.low is not None
    assert found.high is not None
    mean = math.fsum(value / len(values) for value in values)
    slack = 1e-12 * max(map(abs, values))
    assert min(values) - slack <= found.low <= mean <= found.high <= max(values) + slack


@pytest.mark.parametrize("confidence", [1e-9, 0.5, 0.999999, 1 - 1e-15])
def test_any_confidence_gives_an_interval_within_the_resamples(confidence: float) -> None:
    values = np.array([[0.0] * 30 + [0.9], [0.3] * 30 + [0.0]])
    for found in estimate_intervals(values, confidence=confidence, resamples=500):
        assert found.low is not None
        assert found.high is not None
        assert 0 <= found.low <= found.high <= 0.9


@pytest.mark.parametrize("resamples", [1, 2, 3])
def test_few_resamples_give_an_interval(resamples: int) -> None:
    (found,) = estimate_intervals(np.array([[0.1, 0.5, 0.7]]), resamples=resamples)
    assert found.kind == "bca"


def test_shares_are_told_by_the_values_of_all_runs_of_a_metric() -> None:
    shares = [[0.0, 1.0, 1.0], [1.0, 1.0, 1.0]]
    mixed = [[0.0, 1.0, 1.0], [0.5, 1.0, 1.0]]
    found = estimate_all(np.array([shares, mixed]), [(0, 1)], resamples=99)
    assert [[run.kind for run in runs] for runs in found.runs] == [["wilson"] * 2, ["bca"] * 2]
    assert [pair.kind for pairs in found.pairs for pair in pairs] == ["bca", "bca"]
    columns = estimate_intervals(np.array(mixed), resamples=99)
    assert [column.kind for column in columns] == ["wilson", "bca"]


def test_identical_runs_have_no_interval_of_the_difference() -> None:
    run = [0.2, 0.4, 0.9]
    assert estimate_all(np.array([[run, run]]), [(0, 1)], resamples=99).pairs == [[NOTHING]]
    one = estimate_all(np.array([[[0.2], [0.4]]]), [(0, 1)])
    assert (one.runs, one.pairs) == ([[NOTHING] * 2], [[NOTHING]])


def test_an_interval_does_not_depend_on_other_columns_or_blocks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    values = np.random.default_rng(0).random((37, 333))
    together = estimate_intervals(values, resamples=700)
    alone = [estimate_intervals(column[None], resamples=700)[0] for column in values]
    assert together == alone
    runs = estimate_all(values[None], [(3, 7)], resamples=700)
    assert runs.runs == [together]
    assert runs.pairs == estimate_all(values[None, [3, 7]], [(0, 1)], resamples=700).pairs
    monkeypatch.setattr(products, "LARGEST_BLOCK", 1000)
    monkeypatch.setattr(products, "LARGEST_PIECE", 300)
    monkeypatch.setattr(resampling, "CACHE_CELLS", 10)
    assert estimate_intervals(values, resamples=700) == together


def test_seeds_make_resamples() -> None:
    values = np.random.default_rng(0).random((1, 50))
    assert estimate_intervals(values) == estimate_intervals(values, seed=0, resamples=RESAMPLES)
    assert estimate_intervals(values) != estimate_intervals(values, seed=2**70)


def test_each_query_is_drawn_equally_often() -> None:
    counts = draw_all(resampling.draw_counts, 7, 20_000, 0)
    assert (counts.sum(axis=1) == 7).all()
    assert np.abs(counts.mean(axis=0) - 1).max() < 5 * math.sqrt(6 / 7 / 20_000)
    signs = draw_all(resampling.draw_signs, 70, 20_000, 0)
    assert np.abs(signs.mean(axis=0) - 0.5).max() < 5 * 0.5 / math.sqrt(20_000)
    assert np.abs(np.corrcoef(signs.T) - np.eye(70)).max() < 6 / math.sqrt(20_000)


def test_resamples_stay_the_same_for_ever() -> None:
    """Raw words of PCG64 are fixed by NumPy; intervals in committed files are made of them."""
    assert indices_of(10, 2, 0).tolist() == [
        list(row) for row in zip(*[iter(_draw_by_hand(10, 20))] * 10, strict=True)
    ]


def _draw_by_hand(queries: int, count: int) -> list[int]:
    raw = np.random.PCG64(np.random.SeedSequence(0, spawn_key=(1,))).random_raw(count // 2)
    halves = [half for word in raw.tolist() for half in (word & 0xFFFFFFFF, word >> 32)]
    return [half * queries >> 32 for half in halves]


def test_a_bootstrap_of_many_columns_is_one() -> None:
    values = np.random.default_rng(1).random((2, 3, 20))
    bootstrap = Bootstrap(values, resamples=50)
    assert bootstrap.sums.shape == (6, 50)
    assert bootstrap.interval(4, 0.9) == Bootstrap(values[1], resamples=50).interval(1, 0.9)
