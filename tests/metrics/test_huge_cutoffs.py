"""Time and memory do not depend on a cutoff itself."""

import math

import numpy as np
import pytest

from groupwise import evaluate
from groupwise.evaluator.metrics.coverage import logarithmic, reciprocal
from groupwise.evaluator.metrics.series import sum_upto
from tests.comparing import agree
from tests.metrics.every import METRICS

EULER = 0.5772156649015329


@pytest.mark.parametrize("k", [10**12, 10**18])
def test_every_metric_takes_a_huge_cutoff(k: int) -> None:
    vectors = {one: [1.0, float(place)] for place, one in enumerate("abcx")}
    truth = {"q": [["a", "b"], ["b", "c"]], "r": [["a"]]}
    run = {"q": ["a", "x", "b"], "r": []}
    huge, large = (
        evaluate(truth, run, metrics=[f"{label}@{cut}" for label in METRICS], vectors=vectors)
        for cut in (k, k // 2)
    )
    assert len(huge.per_query) == len(large.per_query) == 2


def test_err_ia_at_a_huge_cutoff_divides_by_the_harmonic_number() -> None:
    """With alpha = 0 a document that meets every group is worth 1 / rank, again and again."""
    metric = f"coverage:err_ia(alpha=0)@{10**12}"
    value = evaluate({"q": [["a"]]}, {"q": ["a"]}, metrics=metric).scores[metric]
    assert agree(value, 1 / (math.log(10**12) + EULER))


@pytest.mark.parametrize("discount", [reciprocal, logarithmic])
@pytest.mark.parametrize("alpha", [0.0, 1e-6, 1e-4, 1e-3, 0.01, 0.5, 1.0])
def test_a_long_sum_is_that_of_its_terms(discount: object, alpha: float) -> None:
    def term(place: np.ndarray) -> np.ndarray:
        return np.power(1 - alpha, place - 1) * discount(place)  # type: ignore[operator, no-any-return]

    last = np.array([0, 1, 20, 4096, 4097, 300_000])
    found = sum_upto(term, last)
    for number, value in zip(last.tolist(), found.tolist(), strict=True):
        assert agree(value, math.fsum(term(np.arange(1.0, number + 1)).tolist())), number
