"""Corrected p-values are those of statsmodels."""

import json
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groupwise.evaluator.statistics.corrections import CORRECTIONS, correct
from tests.paths import STATISTICS

CASES = json.loads((STATISTICS / "statsmodels.json").read_text("utf-8"))["multipletests"]
P_VALUES = st.lists(st.floats(0, 1) | st.sampled_from([0.0, 0.01, 0.05, 1.0]), max_size=30)


@pytest.mark.parametrize("method", ["holm", "bh", "bonferroni"])
def test_corrections_are_those_of_statsmodels(method: str) -> None:
    for case in CASES:
        assert correct(case["p"], method) == pytest.approx(case[method], abs=1e-12)


@given(P_VALUES)
def test_holm_by_its_definition(p_values: list[float]) -> None:
    """A p-value is the least level at which the step-down procedure rejects its hypothesis."""
    corrected = correct(p_values, "holm")
    for level in [*p_values, *corrected, 0.05]:
        rejected = [value <= level for value in corrected]
        for test, p in enumerate(p_values):
            smaller = sorted(p_values)[: sorted(p_values).index(p) + 1]
            steps = (
                Fraction(value) * (len(p_values) - place) <= Fraction(level)
                for place, value in enumerate(smaller)
            )
            if abs(corrected[test] - level) > 1e-12:
                assert rejected[test] == all(steps) or level >= 1


@given(P_VALUES)
def test_corrections_raise_and_keep_the_order(p_values: list[float]) -> None:
    for method in CORRECTIONS:
        corrected = correct(p_values, method)
        assert all(p <= q <= 1 for p, q in zip(p_values, corrected, strict=True))
        by_p = [q for _, q in sorted(zip(p_values, corrected, strict=True))]
        assert by_p == sorted(by_p)


def test_no_correction_and_no_tests() -> None:
    assert correct([0.2, 0.1], "none") == [0.2, 0.1]
    assert [correct([], method) for method in CORRECTIONS] == [[]] * len(CORRECTIONS)
    assert [correct([0.03], method) for method in CORRECTIONS] == [[0.03]] * len(CORRECTIONS)


def test_every_correction_says_what_it_controls() -> None:
    assert next(iter(CORRECTIONS)) == "holm"
    for name, correction in CORRECTIONS.items():
        assert (correction.name, bool(correction.controls)) == (name, True)
