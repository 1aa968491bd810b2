"""Gates: bounds on scores, such as ``recall@5 >= 0.8``.

========================================  ====================================================
``recall@10 >= 0.9``                      a mean and a number; also ``>``, ``<=``, ``<``
``ndcg@10 >= baseline - 0.01``            the score of a baseline; also ``+``, ``*``, or alone
``lower(mrr) >= 0.8``                     the lower end of the interval; also ``upper``
``type=bridge: complete@10 >= 0.7``       the queries of a slice
========================================  ====================================================

The name of a slice that holds a colon before something like a metric is put in double quotes.
"""

import math
import operator
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Literal, NamedTuple

from groupwise.evaluator.errors import InputError, Problem
from groupwise.evaluator.metrics.names import SPELLING
from groupwise.evaluator.metrics.profiles import PROFILES
from groupwise.evaluator.reading.limits import GATE
from groupwise.evaluator.text import NUMBER, quote

if TYPE_CHECKING:
    from decimal import Decimal

COMPARISONS = {">=": operator.ge, ">": operator.gt, "<=": operator.le, "<": operator.lt}
EXPECTED = (
    "a metric, one of >= > <= <, and a number, such as 'recall@5>=0.8', 'lower(mrr) >= 0.8', "
    "'ndcg@10 >= baseline - 0.01' or 'type=bridge: complete@10 >= 0.7'"
)
LONGEST = GATE.default
BASELINE = "baseline"
RELATIONS: dict[str, "Callable[[Decimal, Decimal], Decimal]"] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
}
"""How a number changes the score of a baseline; in decimals, so that 0.91 - 0.01 is 0.9."""
END = re.compile(r"(lower|upper)\s*\((.*)\)", re.IGNORECASE | re.DOTALL)
FIELD = re.compile(r'("(?:[^"\\]|\\.)*+"|[^=:"]*+)=\s*+')
QUOTED = re.compile(r'("(?:[^"\\]|\\.)*+")\s*+:')


class Gate(NamedTuple):
    """What a score is compared with.

    Attributes:
        metric: The metric, as it is spelled.
        sign: The comparison.
        target: The number that the score is compared with, or that changes that of the baseline.
        end: The end of the interval that counts; None: the mean.
        field: The field of a slice, as it is written; None: all queries.
        slice: The slice, as it is written.
        relation: How the target changes the score of the baseline; None: it is no such gate.
    """

    metric: str
    sign: str
    target: float
    end: Literal["lower", "upper"] | None = None
    field: str | None = None
    slice: str | None = None
    relation: str | None = None

    def __str__(self) -> str:
        queries = "" if self.field is None else f"{self.field}={self.slice}: "
        metric = f"{self.end}({self.metric})" if self.end else self.metric
        return f"{queries}{metric} {self.sign} {self._spell_bound()}"

    def _spell_bound(self) -> str:
        number = repr(self.target).removesuffix(".0")
        if self.relation is None:
            return number
        is_changed = self.target or self.relation == "*"
        return f"{BASELINE} {self.relation} {number}" if is_changed else BASELINE

    @property
    def field_name(self) -> str | None:
        """The field of a slice, without quotes."""
        quoted = None if self.field is None else read_quoted(self.field)
        return self.field if quoted is None else quoted

    @property
    def is_of_all(self) -> bool:
        """Whether it compares the mean over all queries, or its lower end, with a number."""
        return self.field is None and self.relation is None and self.end != "upper"

    @property
    def is_minimum(self) -> bool:
        """Whether a score must be high to pass."""
        return self.sign in (">=", ">")

    def find_bound(self, baseline: float | None = None) -> float:
        """Return the number that a value is compared with, given the score of the baseline."""
        if self.relation is None or baseline is None:
            return self.target
        from decimal import Decimal  # noqa: PLC0415  (rarely needed)

        change = RELATIONS[self.relation]
        return float(change(Decimal(repr(baseline)), Decimal(repr(self.target))))

    def is_passed_by(self, value: float, bound: float | None = None) -> bool:
        """Whether a value is on the right side of the bound, or of the target."""
        return bool(COMPARISONS[self.sign](value, self.target if bound is None else bound))


def parse_gate(text: str | Gate) -> Gate:
    """Return the gate that a text such as ``recall@5 >= 0.8`` spells; a gate as it is.

    Raises:
        InputError: The text is not a gate.
    """
    if isinstance(text, Gate):
        return text
    if not isinstance(text, str) or len(text) > LONGEST:
        raise _refuse(text)
    left, sign, right = _split_at_sign(text)
    field, slice_, value = _split_slice(left)
    end = END.fullmatch(value)
    metric = end[2].strip() if end else value
    relation, target = _parse_target(right, text)
    if not SPELLING.fullmatch(metric.lower()):
        raise _refuse(text)
    return Gate(metric, sign, target, _name_end(end), field, slice_, relation)


def _name_end(match: re.Match[str] | None) -> Literal["lower", "upper"] | None:
    if match is None:
        return None
    return "lower" if match[1].lower() == "lower" else "upper"


def _split_at_sign(text: str) -> tuple[str, str, str]:
    """Return what is before the last comparison, the comparison, and what is behind it."""
    place = max(text.rfind("<"), text.rfind(">"))
    if place < 0:
        raise _refuse(text)
    sign = text[place : place + 2] if text[place + 1 : place + 2] == "=" else text[place]
    return text[:place].strip(), sign, text[place + len(sign) :].strip()


def _split_slice(text: str) -> tuple[str | None, str | None, str]:
    """Return the field and the slice as they are written, and what is compared.

    A slice ends at the first colon that something like a metric follows.
    """
    start = FIELD.match(text)
    if start is None or not start[1].strip():
        return None, None, text
    rest = text[start.end() :]
    if quoted := QUOTED.match(rest):
        return start[1].strip(), quoted[1], rest[quoted.end() :].strip()
    for place in [place for place, sign in enumerate(rest) if sign == ":"]:
        value = rest[place + 1 :].strip()
        if rest[:place].strip() and _is_like_metric(value):
            return start[1].strip(), rest[:place].strip(), value
    return None, None, text


def _is_like_metric(text: str) -> bool:
    end = END.fullmatch(text)
    match = SPELLING.fullmatch((end[2] if end else text).lower())
    return match is not None and match["profile"] in (None, *PROFILES)


def _parse_target(text: str, gate: str) -> tuple[str | None, float]:
    """Return how a number changes the baseline, if it does, and the number."""
    if text[: len(BASELINE)].lower() != BASELINE:
        return None, _parse_number(text, gate)
    change = text[len(BASELINE) :].strip() or "- 0"
    relation, number = change[0], change[1:].strip()
    if relation not in RELATIONS or number.startswith(("+", "-")):
        raise _refuse(gate)
    target = _parse_number(number, gate)
    return relation if target or relation == "*" else "-", target


def _parse_number(text: str, gate: str) -> float:
    number = parse_finite(text)
    if number is None:
        raise _refuse(gate)
    return number


def parse_finite(text: str) -> float | None:
    """Return the number that a text spells; None if it is not one, or is not finite."""
    number = float(text) if NUMBER.fullmatch(text) else math.inf
    return number if math.isfinite(number) else None


def read_quoted(text: str) -> str | None:
    """Return the text between double quotes, with its escapes resolved; None if there are none.

    >>> read_quoted('"a: b"'), read_quoted("bridge")
    ('a: b', None)
    """
    import json  # noqa: PLC0415  (rarely needed)

    if not text.startswith('"'):
        return None
    try:
        value = json.loads(text)
    except ValueError:
        return None
    return value if isinstance(value, str) else None


def _refuse(text: object) -> InputError:
    return InputError([Problem(f"{quote(text)} is not a gate; expected {EXPECTED}")])
