"""Corrections of p-values for the number of tests in a family."""

from collections.abc import Callable, Sequence
from typing import NamedTuple


class Correction(NamedTuple):
    """A way to correct p-values, and what it controls."""

    name: str
    title: str
    controls: str
    reference: str
    adjust: Callable[[Sequence[float]], list[float]]


def correct(p_values: Sequence[float], method: str = "holm") -> list[float]:
    """Return the corrected p-values of one family, in the same order.

    >>> correct([0.01, 0.04, 0.03], "holm")
    [0.03, 0.06, 0.06]
    """
    return CORRECTIONS[method].adjust(p_values)


def _keep(p_values: Sequence[float]) -> list[float]:
    return list(p_values)


def _adjust_bonferroni(p_values: Sequence[float]) -> list[float]:
    return [min(1.0, p * len(p_values)) for p in p_values]


def _adjust_holm(p_values: Sequence[float]) -> list[float]:
    """Multiply the smallest by n, the next by n - 1 and so on; never below the one before."""
    count, corrected, least = len(p_values), [0.0] * len(p_values), 0.0
    for place, test in enumerate(_order(p_values)):
        least = max(least, min(1.0, p_values[test] * (count - place)))
        corrected[test] = least
    return corrected


def _adjust_benjamini_hochberg(p_values: Sequence[float]) -> list[float]:
    """Multiply the largest by n / n, the one below by n / (n - 1); never above the one before."""
    count, corrected, most = len(p_values), [0.0] * len(p_values), 1.0
    for place, test in reversed([*enumerate(_order(p_values), 1)]):
        most = min(most, p_values[test] * (count / place))
        corrected[test] = most
    return corrected


def _order(p_values: Sequence[float]) -> list[int]:
    return sorted(range(len(p_values)), key=p_values.__getitem__)


CORRECTIONS = {
    correction.name: correction
    for correction in (
        Correction(
            "holm",
            "Holm",
            "the probability of any false positive in the family",
            "Holm 1979",
            _adjust_holm,
        ),
        Correction(
            "bh",
            "Benjamini-Hochberg",
            "the expected share of false positives among the positives",
            "Benjamini & Hochberg 1995",
            _adjust_benjamini_hochberg,
        ),
        Correction(
            "bonferroni",
            "Bonferroni",
            "the probability of any false positive in the family",
            "Dunn 1961",
            _adjust_bonferroni,
        ),
        Correction("none", "none", "nothing", "", _keep),
    )
}
"""The corrections by name; the first is the default."""
