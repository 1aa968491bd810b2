"""Verdicts: which gates a report passes."""

from collections.abc import Iterable
from typing import NamedTuple

from groupwise.evaluator.metrics.names import parse
from groupwise.evaluator.statistics.gates import Gate, parse_gate
from groupwise.schemas import Report


class Verdict(NamedTuple):
    """A gate, the score that it is about, and whether it is passed.

    ``value`` is None where no query has a value of the metric; such a gate is not passed.
    """

    gate: Gate
    value: float | None
    passed: bool

    def __str__(self) -> str:
        if self.value is None:
            return f"{self.gate}: {self.gate.metric} has no value"
        outcome = "passed" if self.passed else "failed"
        return f"{self.gate} {outcome}: {self.gate.metric} is {self.value!r}"


def judge_gates(report: Report, gates: Iterable[Gate | str]) -> list[Verdict]:
    """Return the verdict of each gate on a report.

    Args:
        report: What an evaluation found; it has a score for the metric of each gate, as it does
            after ``evaluate(…, gates=gates)``.
        gates: Gates such as ``"recall@5 >= 0.8"``.

    Raises:
        InputError: A text is not a gate.
        KeyError: The report has no such score.

    Example:
        >>> from groupwise import evaluate
        >>> report = evaluate({"q": [["a"]]}, {"q": ["a", "x"]}, gates=["precision > 0.8"])
        >>> print(*judge_gates(report, ["precision > 0.8"]))
        precision > 0.8 failed: precision is 0.5
    """
    return [_judge(report, parse_gate(gate)) for gate in gates]


def _judge(report: Report, gate: Gate) -> Verdict:
    value = report.scores[parse(gate.metric, report.profile).label]
    return Verdict(gate, value, value is not None and gate.is_passed_by(value))
