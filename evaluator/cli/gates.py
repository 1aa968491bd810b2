"""Gates: what a score must be for the exit code to be 0."""

import math
import operator
import re
from typing import TYPE_CHECKING, NamedTuple

from groupwise.evaluator.cli import streams

if TYPE_CHECKING:
    from groupwise.schemas import Report

COMPARISONS = {">=": operator.ge, ">": operator.gt, "<=": operator.le, "<": operator.lt}
SPELLING = re.compile(r"\s*(?P<metric>[^<>]*?)\s*(?P<sign>>=|<=|>|<)\s*(?P<target>[^<>=]*?)\s*")


class Gate(NamedTuple):
    """A metric, a comparison and a target."""

    metric: str
    sign: str
    target: float

    def __str__(self) -> str:
        return f"{self.metric} {self.sign} {self.target:g}"


def gate(text: str) -> Gate:
    """A gate as it is written, such as ``recall@5 >= 0.8``."""
    match = SPELLING.fullmatch(text)
    if not match or not match["metric"]:
        raise _wrong(text)
    try:
        target = float(match["target"])
    except ValueError:
        raise _wrong(text) from None
    if not math.isfinite(target):
        raise _wrong(text)
    return Gate(match["metric"], match["sign"], target)


def _wrong(text: str) -> Exception:
    from argparse import ArgumentTypeError  # noqa: PLC0415

    accepted = "a metric, one of >= > <= <, and a number, such as 'recall@5>=0.8'"
    return ArgumentTypeError(f"{text!r} is no gate; write {accepted}")


def judged(one: Gate, report: "Report") -> bool | None:
    """Whether a gate holds, told on standard error; None where the metric has no value."""
    from groupwise.evaluator.metrics.names import parse  # noqa: PLC0415

    value = report.scores[parse(one.metric, report.profile).label]
    if value is None:
        streams.note(f"gate {one}: {one.metric} has no value", "error")
        return None
    holds = bool(COMPARISONS[one.sign](value, one.target))
    kind, word = ("met", "holds") if holds else ("failed", "does not hold")
    streams.note(f"gate {one} {word}: {one.metric} is {value!r}", style=kind)
    return holds
