"""Paired tests: by enumeration, by scipy, and by their definition."""

import itertools
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from groupwise.evaluator.errors import OptionError
from groupwise.evaluator.statistics import classical, paired, permutation, products, resampling
from groupwise.evaluator.statistics.binomial import binomial_tail
from groupwise.evaluator.statistics.corrections import correct
from groupwise.evaluator.statistics.intervals import NOTHING
from tests.statistics.drawing import draw_all

Floats = NDArray[np.float64]
PAIR = [(0, 1)]
SCORES = st.sampled_from([0.0, 1 / 3, 0.5, 2 / 3, 0.1, 0.2, 0.3, 1.0]) | st.floats(0, 1)
RUNS = st.integers(1, 9).flatmap(
    lambda n: st.tuples(*[st.lists(SCORES, min_size=n, max_size=n)] * 2)
)


def import_stats() -> Any:
    return pytest.importorskip("scipy.stats", reason="needs scipy")


def enumerate_p(differences: Floats, *, one_sided: bool = False) -> float:
    """All signs, one after the other."""
    observed = math.fsum(differences)
    signed = (
        math.fsum(sign * difference for sign, difference in zip(signs, differences, strict=True))
        for signs in itertools.product([1, -1], repeat=len(differences))
    )
    return float(
        np.mean(
            [
                (total if one_sided else abs(total))
                >= (observed if one_sided else abs(observed)) - 1e-9
                for total in signed
            ]
        )
    )


def p_of(values: Floats, test: str = "randomisation", **options: int) -> float:
    (p,) = paired.test_pairs(values, PAIR, test=test, **options).p_values
    return p


def p_not_worse(values: Floats, margin: float, test: str = "randomisation") -> float:
    (p,) = paired.test_non_inferiority(values, PAIR, margin, test=test).p_values
    return p


@pytest.mark.parametrize("n", range(1, 13))
def test_exact_randomisation_is_full_enumeration(n: int) -> None:
    rng = np.random.default_rng(n)
    for values in (rng.random((2, n)), rng.integers(0, 4, (2, n)) / 3, rng.integers(0, 2, (2, n))):
        found = paired.test_pairs(values.astype(np.float64), PAIR)
        assert found.p_values == [enumerate_p(values[1] - values[0])]
        assert (found.exact, found.permutations) == (True, None)


@given(RUNS)
def test_ties_with_the_observed_sum_count(runs: tuple[list[float], list[float]]) -> None:
    values = np.array(runs)
    moved = values[:, np.abs(values[1] - values[0]) > 1e-11]
    expected = enumerate_p(moved[1] - moved[0])
    assert p_of(values) == expected
    assert p_of(values[::-1]) == expected
    assert p_of(np.hstack([values, values[[0, 0]]])) == expected


@pytest.mark.parametrize("margin", [0.0, 0.01, 0.1, 1 / 3])
def test_exact_non_inferiority_is_full_enumeration(margin: float) -> None:
    rng = np.random.default_rng(0)
    for values in (rng.random((2, 10)), rng.integers(0, 4, (2, 10)) / 3):
        expected = enumerate_p(values[1] - values[0] + margin, one_sided=True)
        assert p_not_worse(values, margin) == expected


def test_queries_without_a_difference_do_not_matter() -> None:
    rng = np.random.default_rng(0)
    few = rng.random((2, 12))
    many = np.hstack([few, np.repeat(rng.random((1, 500)), 2, axis=0)])
    assert p_of(many) == p_of(few) == enumerate_p(few[1] - few[0])


@pytest.mark.parametrize("n", [15, 16, 64, 65, 300])
@pytest.mark.parametrize("margin", [None, 0.02])
def test_random_signs_by_hand(n: int, margin: float | None) -> None:
    values = np.random.default_rng(n).random((2, n))
    differences = values[1] - values[0] + (margin or 0.0)
    signs = 2 * draw_all(resampling.draw_signs, n, 500, 7) - 1
    sums, observed = signs @ differences, differences.sum()
    extreme = np.abs(sums) >= abs(observed) - 1e-9 if margin is None else sums >= observed - 1e-9
    if margin is None:
        found = paired.test_pairs(values, PAIR, permutations=500, seed=7)
    else:
        found = paired.test_non_inferiority(values, PAIR, margin, permutations=500, seed=7)
    assert found.p_values == [(int(extreme.sum()) + 1) / 501]
    assert (found.exact, found.permutations) == (False, 500)


def test_random_signs_come_close_to_all_signs() -> None:
    values = np.random.default_rng(4).random((2, 16))
    expected = enumerate_p(values[1] - values[0])
    error = math.sqrt(expected * (1 - expected) / 100_000)
    assert abs(p_of(values, permutations=100_000) - expected) < 5 * error


@pytest.mark.parametrize("margin", [None, 0.1])
def test_the_bootstrap_by_hand(margin: float | None) -> None:
    values = np.random.default_rng(3).random((2, 40)) ** 2
    differences = values[1] - values[0]
    drawn = draw_all(resampling.draw_counts, 40, 999, 5) @ differences
    centred, observed = drawn - differences.sum(), differences.sum() + 40 * (margin or 0.0)
    if margin is None:
        count = int((np.abs(centred) >= abs(observed)).sum())
        assert p_of(values, "bootstrap", permutations=999, seed=5) == (count + 1) / 1000
    else:
        count = int((centred >= observed).sum())
        found = paired.test_non_inferiority(
            values, PAIR, margin, test="bootstrap", permutations=999, seed=5
        )
        assert found.p_values == [(count + 1) / 1000]


@pytest.mark.filterwarnings("ignore::UserWarning")  # old scipy: zeros, few queries
@pytest.mark.parametrize("n", [2, 3, 9, 20, 51, 200, 1000])
@pytest.mark.parametrize("digits", [1, 2, 17])
def test_t_wilcoxon_and_sign_agree_with_scipy(n: int, digits: int) -> None:
    stats = import_stats()
    rng = np.random.default_rng([n, digits])
    a, b = np.round(rng.random((2, n)), digits)
    b[: n // 4] = a[: n // 4]
    values = np.stack([a, b])
    gains, losses = int((b > a).sum()), int((b < a).sum())
    expected = {
        "t": stats.ttest_rel(a, b).pvalue,
        "wilcoxon": stats.wilcoxon(b, a).pvalue,
        "sign": stats.binomtest(gains, gains + losses).pvalue,
    }
    assert {test: p_of(values, test) for test in expected} == pytest.approx(expected, abs=1e-9)


@pytest.mark.filterwarnings("ignore::UserWarning")  # old scipy: zeros, few queries
@pytest.mark.parametrize("margin", [0.0, 0.05, 0.3])
def test_non_inferiority_agrees_with_scipy(margin: float) -> None:
    stats = import_stats()
    a, b = np.random.default_rng(8).random((2, 60))
    moved = b + margin - a
    gains = int((moved > 0).sum())
    expected = {
        "t": stats.ttest_1samp(moved, 0, alternative="greater").pvalue,
        "wilcoxon": stats.wilcoxon(moved, alternative="greater").pvalue,
        "sign": stats.binomtest(gains, 60, alternative="greater").pvalue,
    }
    found = {test: p_not_worse(np.stack([a, b]), margin, test) for test in expected}
    assert found == pytest.approx(expected, abs=1e-9)


def test_a_difference_of_the_margin_is_neither_better_nor_worse() -> None:
    """0.49 - 0.5 is not -0.01 in doubles."""
    values = np.array([[0.5] * 20, [0.49] * 20])
    for test in ("randomisation", "sign"):
        assert p_not_worse(values, 0.01, test) == 1.0
        assert p_not_worse(values, 0.011, test) < 1e-3


@pytest.mark.parametrize("test", paired.TESTS)
def test_non_inferiority_is_found_with_many_queries(test: str) -> None:
    if paired.TESTS[test].needs:
        import_stats()
    rng = np.random.default_rng(2)
    a = rng.random(400)
    values = np.stack([a, a + rng.normal(0, 0.05, 400)])
    assert p_not_worse(values, 0.02, test) < 0.001
    assert p_not_worse(values - [[0], [0.02]], 0.02, test) > 0.02
    assert p_not_worse(values - [[0], [0.05]], 0.02, test) > 0.99


@pytest.mark.parametrize("test", paired.TESTS)
@pytest.mark.parametrize("n", [0, 1, 2, 20])
def test_runs_that_are_equal_have_p_one(test: str, n: int) -> None:
    if paired.TESTS[test].needs:
        import_stats()
    run = np.random.default_rng(0).random(n)
    assert p_of(np.stack([run, run]), test, permutations=9) == 1.0
    assert paired.test_pairs(np.stack([run, run]), [], test=test).p_values == []
    assert p_not_worse(np.stack([run, run]), 0.0, test) == 1.0


@pytest.mark.parametrize("test", paired.TESTS)
def test_one_query_tells_nothing(test: str) -> None:
    if paired.TESTS[test].needs:
        import_stats()
    assert p_of(np.array([[0.1], [0.9]]), test) == 1.0
    assert p_not_worse(np.array([[0.1], [0.9]]), 0.1, test) >= 0.5


@pytest.mark.parametrize("test", paired.TESTS)
@pytest.mark.parametrize("size", [5e-324, 1e-310, 1e300, 1.7e308])
def test_the_scale_of_the_values_does_not_matter(test: str, size: float) -> None:
    if paired.TESTS[test].needs:
        import_stats()
    whole = np.random.default_rng(1).integers(-1, 2, (2, 30)).astype(np.float64)
    assert p_of(whole * size, test) == pytest.approx(p_of(whole, test), rel=1e-9)


@pytest.mark.parametrize("test", ["randomisation", "bootstrap"])
def test_p_values_do_not_depend_on_other_runs_metrics_or_blocks(
    test: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    values = np.random.default_rng(0).random((3, 7, 101))
    pairs = [*itertools.combinations(range(7), 2)]
    options: dict[str, Any] = {"test": test, "permutations": 300, "seed": 11}
    together = paired.test_pairs_of_metrics(values, pairs, **options)
    for metric, outcome in zip(values, together, strict=True):
        assert paired.test_pairs(metric, pairs, **options) == outcome
        for (a, b), p in zip(pairs, outcome.p_values, strict=True):
            assert p == p_of(metric[[a, b]], **options) == p_of(metric[[b, a]], **options)
    monkeypatch.setattr(products, "LARGEST_BLOCK", 500)
    assert paired.test_pairs_of_metrics(values, pairs, **options) == together
    margins = paired.test_non_inferiority_of_metrics(values, pairs, 0.03, **options)
    expected = [paired.test_non_inferiority(metric, pairs, 0.03, **options) for metric in values]
    assert margins == expected


@pytest.mark.parametrize("test", ["randomisation", "bootstrap"])
def test_one_permutation_and_any_seed(test: str) -> None:
    values = np.random.default_rng(0).random((2, 40))
    for seed in (0, 2**64, 10**30):
        assert p_of(values, test, permutations=1, seed=seed) in {0.5, 1.0}


def test_outcomes_say_what_was_done() -> None:
    values = np.random.default_rng(0).random((3, 30))
    values[1, 5:] = values[0, 5:]
    found = paired.test_pairs(values, [(0, 1), (0, 2)], permutations=50)
    assert (found.exact, found.exact_pairs, found.permutations) == (False, [True, False], 50)
    assert "50 permutations, seed 0" in found.details
    assert "two-sided" in found.details
    assert "one-sided" in paired.test_non_inferiority(values, [(0, 1)], 0.1).details
    import_stats()
    assert "zero_method='wilcox'" in paired.test_pairs(values, [(0, 2)], test="wilcoxon").details


def test_a_test_that_needs_scipy_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(name: str) -> Any:
        raise ImportError(name)

    monkeypatch.setattr(classical, "import_module", refuse)
    for test in ("t", "wilcoxon"):
        expected = f"the test '{test}' needs scipy, which is not installed: pip install scipy"
        with pytest.raises(OptionError, match=expected):
            p_of(np.random.default_rng(0).random((2, 9)), test)
    assert p_of(np.random.default_rng(0).random((2, 9)), "sign") <= 1


def test_an_unknown_test() -> None:
    with pytest.raises(OptionError, match="no test 'student'"):
        p_of(np.zeros((2, 2)), "student")


@pytest.mark.parametrize("trials", [1, 2, 3, 10, 51, 100, 1001])
def test_binomial_tails_are_exact(trials: int) -> None:
    total = 0
    for successes in range(trials + 1):
        total += math.comb(trials, successes)
        assert binomial_tail(successes, trials) == pytest.approx(total / 2**trials, rel=1e-12)


def test_binomial_tails_of_a_million_trials() -> None:
    binom = import_stats().binom
    for successes in (490_000, 498_000, 499_999, 500_000, 501_000):
        expected = binom.cdf(successes, 10**6, 0.5)
        assert binomial_tail(successes, 10**6) == pytest.approx(expected, rel=1e-9)


def test_differences_have_intervals() -> None:
    values = np.random.default_rng(0).random((2, 50))
    ((low, high, kind),) = paired.estimate_differences(values, PAIR, resamples=500)
    assert kind == "bca"
    assert low is not None
    assert high is not None
    assert low < (values[1] - values[0]).mean() < high
    assert paired.estimate_differences(values[[0, 0]], PAIR, resamples=50) == [NOTHING]


def test_wins_ties_and_losses() -> None:
    a, b = np.array([0.5, 0.5, 0.1, 0.3]), np.array([0.5, 0.7, 0.2, 0.0])
    assert paired.compare_by_query(a, b) == (2, 1, 1)
    assert paired.compare_by_query(b, a) == (1, 1, 2)


def test_the_effect_is_the_mean_over_the_standard_deviation() -> None:
    differences = np.array([0.1, 0.3, -0.1, 0.2])
    spread = math.sqrt(sum((d - 0.125) ** 2 for d in differences) / 3)
    assert paired.effect_size(differences) == pytest.approx(0.125 / spread)
    assert paired.effect_size(1e300 * differences) == pytest.approx(0.125 / spread)
    assert paired.standard_deviation(differences) == pytest.approx(spread)


@pytest.mark.parametrize("values", [[], [0.4], [0.0, 0.0], [0.1, 0.1, 0.3 - 0.2]])
def test_there_is_no_effect_without_variation(values: list[float]) -> None:
    differences = np.array(values, np.float64)
    assert paired.effect_size(differences) is None
    assert not paired.standard_deviation(differences)


@pytest.mark.nightly
def test_the_family_wise_error_of_the_default_procedure() -> None:
    """Four runs of the same quality, all six pairs: how often is any difference significant?"""
    rng, false_alarms, families = np.random.default_rng(0), 0, 10_000
    pairs = [*itertools.combinations(range(4), 2)]
    for family in range(families):
        topics = rng.random((1, 40))
        values = np.clip(topics + rng.normal(0, 0.2, (4, 40)), 0, 1)
        found = paired.test_pairs(values, pairs, permutations=1000, seed=family)
        false_alarms += min(correct(found.p_values, "holm")) <= 0.05
    assert false_alarms / families <= 0.055


def test_exactness_ends_where_it_says() -> None:
    values = np.random.default_rng(0).random((2, permutation.EXACT_UP_TO + 1))
    assert not paired.test_pairs(values, PAIR, permutations=9).exact
    assert paired.test_pairs(values[:, 1:], PAIR, permutations=9).exact
