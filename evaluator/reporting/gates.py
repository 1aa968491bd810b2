"""The gates of a report, as the rows of a table."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from groupwise.evaluator.reporting.pivot import format_score
from groupwise.evaluator.text import shorten

if TYPE_CHECKING:
    from groupwise.schemas import GateVerdict, MeanInterval, Report

GATES_HEAD = ("gate", "outcome", "value", "bound", "ceiling", "interval")
LONGEST_GATE = 48
STYLES = {"passed": "met", "failed": "error", "undecided": "error", "unreachable": "warning"}


def list_gate_rows(report: "Report") -> Iterator[tuple[str, ...]]:
    """Yield a row per gate, in the order given; numbers are rounded for display only."""
    return map(_build_row, report.gates)


def style_gates(report: "Report") -> dict[tuple[int, int], str]:
    """Return the styles of the outcomes, by row and column."""
    column = GATES_HEAD.index("outcome")
    return {(row, column): STYLES[gate.outcome] for row, gate in enumerate(report.gates)}


def _build_row(verdict: "GateVerdict") -> tuple[str, ...]:
    numbers = map(format_score, (verdict.value, verdict.bound, verdict.ceiling))
    gate = shorten(verdict.gate, LONGEST_GATE)
    return (gate, verdict.outcome, *numbers, _format_interval(verdict.interval))


def _format_interval(interval: "MeanInterval | None") -> str:
    if interval is None or interval.low is None or interval.high is None:
        return ""
    return f"{interval.low:.4f} to {interval.high:.4f}"
