"""The paired t-test, Wilcoxon's signed-rank test and the sign test, for one pair of runs."""

import warnings
from importlib import import_module
from threading import Lock
from typing import Any

from groupwise.evaluator.errors import OptionError, Problem
from groupwise.evaluator.hits import FloatArray
from groupwise.evaluator.hits.arrays import np
from groupwise.evaluator.statistics.binomial import binomial_tail

EQUAL = 1e-12
"""A difference below this share of the largest value is none, where a margin is added to it."""
SMALLEST, LARGEST = 1e-100, 1e100
_filters = Lock()
"""Filters of warnings are those of the process: threads that change them at once mix them up."""


def subtract(a: FloatArray, b: FloatArray, margin: float | None = None) -> FloatArray:
    """Return b - a + margin, scaled by a power of two if squares would overflow or vanish."""
    with np.errstate(over="ignore"):
        differences: FloatArray = b - a
    largest = np.abs(differences).max(initial=0)
    if margin is None and (largest == 0 or SMALLEST < largest < LARGEST):
        return differences
    return _subtract_scaled(a, b, margin)


def _subtract_scaled(a: FloatArray, b: FloatArray, margin: float | None) -> FloatArray:
    extra = 0.0 if margin is None else margin
    largest = max(np.abs(a).max(initial=0), np.abs(b).max(initial=0), abs(extra))
    shift = -int(np.frexp(largest)[1])
    differences: FloatArray = np.ldexp(b, shift) - np.ldexp(a, shift) + np.ldexp(extra, shift)
    if margin is not None:
        differences[np.abs(differences) <= EQUAL] = 0.0
    return differences


def t_test(differences: FloatArray, *, one_sided: bool) -> float:
    """Return the p-value of Student's t; 1 if there is one query, or no difference at all."""
    count = len(differences)
    if count < 2 or not differences.any():
        return 1.0
    mean, error = differences.mean(), differences.std(ddof=1) / count**0.5
    if error == 0:
        return float(one_sided and mean < 0)
    stdtr, t = import_scipy("special", "t").stdtr, float(mean / error)
    return float(stdtr(count - 1, -t) if one_sided else 2 * stdtr(count - 1, -abs(t)))


def wilcoxon_test(differences: FloatArray, *, one_sided: bool) -> float:
    """Return the p-value that scipy's defaults give; 1 if there is no difference at all."""
    wilcoxon = import_scipy("stats", "wilcoxon").wilcoxon
    if not differences.any():
        return 1.0
    with _filters, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # ties, and few queries: the description says so
        found = wilcoxon(differences, alternative="greater" if one_sided else "two-sided")
    return float(found.pvalue)


def sign_test(differences: FloatArray, *, one_sided: bool) -> float:
    """Return the p-value of as many gains and losses, by the binomial distribution."""
    gains, losses = int((differences > 0).sum()), int((differences < 0).sum())
    if one_sided:
        return binomial_tail(losses, gains + losses)
    return min(1.0, 2 * binomial_tail(min(gains, losses), gains + losses))


def import_scipy(module: str, test: str) -> Any:
    """Return a module of scipy.

    Raises:
        OptionError: scipy is not installed.
    """
    name = f"scipy.{module}"
    try:
        return import_module(name)
    except ImportError:
        message = f"the test {test!r} needs scipy, which is not installed: pip install scipy"
        raise OptionError([Problem(message)]) from None
