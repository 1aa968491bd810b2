"""Bounds: a comparison and a number, such as ``>= 0.8``; the part of a gate after its metric."""

from functools import lru_cache
from typing import NamedTuple

from groupwise.evaluator.errors import InputError, Problem
from groupwise.evaluator.statistics.gates import COMPARISONS, parse_finite
from groupwise.evaluator.text import quote


class Bound(NamedTuple):
    """A comparison and a target."""

    sign: str
    target: float

    def holds_for(self, value: float) -> bool:
        """Whether a value is on the right side of the target; nothing is rounded."""
        return bool(COMPARISONS[self.sign](value, self.target))


@lru_cache(maxsize=1024)
def parse_bound(text: str) -> Bound:
    """Return the bound that a text such as ``>= 0.8`` spells.

    Raises:
        InputError: The text is not a bound.
    """
    plain = text.strip()
    sign = next((known for known in COMPARISONS if plain.startswith(known)), "")
    target = parse_finite(plain.removeprefix(sign).strip()) if sign else None
    if target is None:
        expected = f"one of {' '.join(COMPARISONS)} and a number, such as '>= 0.8'"
        raise InputError([Problem(f"{quote(text)} is not a bound; expected {expected}")])
    return Bound(sign, target)
