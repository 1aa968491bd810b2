"""Published values, and six pairs of real runs beside scipy."""

import csv
import itertools
import json
import math
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from groupwise import evaluate
from groupwise.evaluator.statistics import paired
from groupwise.evaluator.statistics.tukey import (
    randomised_tukey,
    residual_variance,
    tukey_effect_sizes,
)
from tests.paths import ROBUST03, STATISTICS
from tests.statistics.test_tukey import assert_within_monte_carlo_error, reference

Floats = NDArray[np.float64]
PUBLISHED = json.loads((STATISTICS / "published.json").read_text("utf-8"))
RUNS = ("NLPR03vb10", "pircRBa1", "rutcor03100", "uic0301")
PAIRS = [*itertools.combinations(range(len(RUNS)), 2)]
METRICS = ("map", "ndcg@10", "precision@10", "mrr")


def read_system(name: str) -> list[float]:
    with (STATISTICS / f"{name}.csv").open(encoding="utf-8") as lines:
        return [float(row["ndcg@5"]) for row in csv.DictReader(lines)]


@pytest.fixture(scope="module")
def systems() -> Floats:
    return np.array([read_system(name) for name in "XYZ"])


@pytest.fixture(scope="module")
def robust() -> dict[str, Floats]:
    """The values of each query, for each metric, of shape (runs, queries)."""
    reports = [
        evaluate(
            ROBUST03 / "robust03_qrels.txt.gz",
            ROBUST03 / f"input.{run}.gz",
            metrics=METRICS,
            profile="trec",
        )
        for run in RUNS
    ]
    queries = sorted(reports[0].per_query)
    return {
        metric: np.array([[r.per_query[query][metric] for query in queries] for r in reports])
        for metric in METRICS
    }


def agree_as_printed(value: float, printed: float, digits: int) -> bool:
    return math.isclose(value, printed, rel_tol=0, abs_tol=0.5 * 10.0**-digits + 1e-12)


def test_the_published_paired_t_test(systems: Floats) -> None:
    stats = pytest.importorskip("scipy.stats", reason="needs scipy")
    y, x = systems[1], systems[0]
    differences, expected = x - y, PUBLISHED["paired_t_X_Y"]
    (p,) = paired.test_pairs(np.stack([y, x]), [(0, 1)], test="t").p_values
    effect, deviation = paired.effect_size(differences), paired.standard_deviation(differences)
    assert effect is not None
    assert deviation is not None
    margin = stats.t.ppf(0.975, 19) * deviation / math.sqrt(20)
    assert agree_as_printed(differences.mean(), expected["mean_difference"], 4)
    assert agree_as_printed(deviation**2, expected["variance"], 4)
    assert agree_as_printed(effect, expected["effect_size"], 3)
    assert agree_as_printed(effect * math.sqrt(20), expected["t"], 3)
    assert agree_as_printed(p, expected["p"], 3)
    assert agree_as_printed(margin, expected["margin_of_error_95"], 4)


def test_the_published_residual_variance_and_effect_sizes(systems: Floats) -> None:
    """The sums of squares between systems and topics, F and its p have no counterpart here."""
    expected = PUBLISHED["two_way_anova_without_replication"]
    variance, effects = residual_variance(systems), tukey_effect_sizes(systems)
    assert variance is not None
    assert effects is not None
    assert agree_as_printed(variance, expected["residual_ms"], 4)
    assert agree_as_printed(variance * 2 * 19, expected["residual_ss"], 4)
    for (a, b), effect in effects.items():
        printed = PUBLISHED["tukey_effect_sizes"][f"{'XYZ'[a]}-{'XYZ'[b]}"]
        assert agree_as_printed(-effect, printed, 4)


def test_randomised_tukey_of_the_published_systems(systems: Floats) -> None:
    found = randomised_tukey(systems, permutations=5000)
    assert_within_monte_carlo_error(found, reference(systems, 5000), 5000)


def count_signs(a: Floats, b: Floats) -> tuple[int, int]:
    return int((b > a).sum()), int((b != a).sum())


@pytest.mark.filterwarnings("ignore::UserWarning")  # old scipy: zeros, few queries
@pytest.mark.parametrize("metric", METRICS)
def test_p_values_of_real_runs_are_those_of_scipy(robust: dict[str, Floats], metric: str) -> None:
    stats: Any = pytest.importorskip("scipy.stats", reason="needs scipy")
    values = robust[metric]
    theirs = {
        "t": [stats.ttest_rel(values[b], values[a]).pvalue for a, b in PAIRS],
        "wilcoxon": [stats.wilcoxon(values[b], values[a]).pvalue for a, b in PAIRS],
        "sign": [stats.binomtest(*count_signs(values[a], values[b])).pvalue for a, b in PAIRS],
    }
    for test, expected in theirs.items():
        found = paired.test_pairs(values, PAIRS, test=test)
        assert len(found.p_values) == 6
        assert found.p_values == pytest.approx(expected, abs=1e-9)


def test_randomisation_of_real_runs_is_near_the_t_test(robust: dict[str, Floats]) -> None:
    """With 100 queries the two agree closely (Smucker, Allan & Carterette 2007).

    Not so for precision@10 and mrr, which have few values: ties with the observed sum raise p.
    """
    pytest.importorskip("scipy", reason="needs scipy")
    for values in (robust["map"], robust["ndcg@10"]):
        by_t = paired.test_pairs(values, PAIRS, test="t").p_values
        found = paired.test_pairs(values, PAIRS).p_values
        assert found == pytest.approx(by_t, abs=0.02)
