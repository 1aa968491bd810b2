"""Gates: what a score must be, as people write it."""

import math
import operator
import re
from typing import NamedTuple

COMPARISONS = {">=": operator.ge, ">": operator.gt, "<=": operator.le, "<": operator.lt}
SPELLING = re.compile(r"\s*(?P<metric>[^<>]*?)\s*(?P<sign>>=|<=|>|<)\s*(?P<target>[^<>=]*?)\s*")


class Gate(NamedTuple):
    """A metric, a comparison and a target."""

    metric: str
    sign: str
    target: float

    def __str__(self) -> str:
        return f"{self.metric} {self.sign} {self.target:g}"


def gate_of(text: str) -> Gate:
    """A gate as it is written, such as ``recall@5 >= 0.8``; ValueError if it is none."""
    match = SPELLING.fullmatch(text)
    accepted = "a metric, one of >= > <= <, and a number, such as 'recall@5>=0.8'"
    wrong = ValueError(f"{text!r} is no gate; write {accepted}")
    if not match or not match["metric"]:
        raise wrong
    try:
        target = float(match["target"])
    except ValueError:
        raise wrong from None
    if not math.isfinite(target):
        raise wrong
    return Gate(match["metric"], match["sign"], target)
