"""Gates: bounds on scores, such as ``recall@5 >= 0.8``."""

import math
import operator
from typing import NamedTuple

from groupwise.evaluator.errors import InputError, Problem

COMPARISONS = {">=": operator.ge, ">": operator.gt, "<=": operator.le, "<": operator.lt}
EXPECTED = "a metric, one of >= > <= <, and a number, such as 'recall@5>=0.8'"


class Gate(NamedTuple):
    """A metric, a comparison and a target."""

    metric: str
    sign: str
    target: float

    def __str__(self) -> str:
        return f"{self.metric} {self.sign} {repr(self.target).removesuffix('.0')}"

    def is_passed_by(self, value: float) -> bool:
        """Whether a score is on the right side of the target."""
        return bool(COMPARISONS[self.sign](value, self.target))


def parse_gate(text: str | Gate) -> Gate:
    """Return the gate that a text such as ``recall@5 >= 0.8`` spells; a gate as it is.

    Raises:
        InputError: The text is not a gate.
    """
    if isinstance(text, Gate):
        return text
    sign = _find_sign(text)
    metric, _, target = text.partition(sign)
    try:
        gate = Gate(metric.strip(), sign, float(target))
    except ValueError:
        raise _refuse(text) from None
    if not gate.metric or not math.isfinite(gate.target):
        raise _refuse(text)
    return gate


def _find_sign(text: str) -> str:
    """Return the first comparison in a text."""
    place = min((text.find(sign) for sign in "<>" if sign in text), default=None)
    if place is None:
        raise _refuse(text)
    return text[place : place + 2] if text[place + 1 : place + 2] == "=" else text[place]


def _refuse(text: str) -> InputError:
    return InputError([Problem(f"{text!r} is not a gate; expected {EXPECTED}")])
