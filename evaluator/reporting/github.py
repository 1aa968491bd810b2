"""A report as GitHub workflow commands: gates, warnings, scores and the worst queries."""

from collections.abc import Iterator

from groupwise.evaluator.reporting.annotations import MOST, format_command
from groupwise.evaluator.reporting.findings.places import relative_path
from groupwise.evaluator.reporting.pivot import format_counts, format_score
from groupwise.evaluator.reporting.verdicts import (
    WORST,
    choose_metric,
    describe_gate,
    describe_worst_queries,
    list_gates,
)
from groupwise.evaluator.text import plural
from groupwise.schemas import Report

TITLE = "groupwise evaluate"


def render(report: Report, worst: int | None = None, file: str | None = None) -> str:
    """Return an error for each gate that fails, warnings, and notices of what was found.

    Args:
        report: The report.
        worst: How many of the worst queries to name; None: 5.
        file: The file that annotations are shown beside.
    """
    place = {"file": relative_path(file) if file else None, "title": TITLE}
    commands = {
        "error": list(_list_errors(report)),
        "warning": list(report.warnings),
        "notice": list(_list_notices(report, worst or WORST)),
    }
    lines = [
        format_command(name, place, text) for name in commands for text in _limit(commands[name])
    ]
    return "".join(f"{line}\n" for line in lines)


def _limit(texts: list[str]) -> list[str]:
    """Return as many texts as GitHub shows; the last says how many more there are."""
    if len(texts) <= MOST:
        return texts
    return [*texts[: MOST - 1], f"… and {len(texts) - MOST + 1:,} more"]


def _list_errors(report: Report) -> Iterator[str]:
    if not report.counts.scored:
        yield "no query could be scored"
    yield from (f"gate {describe_gate(gate)}" for gate in list_gates(report) if not gate.passed)


def _list_notices(report: Report, worst: int) -> Iterator[str]:
    passed = [gate.gate for gate in list_gates(report) if gate.passed]
    if passed:
        yield f"{plural(len(passed), 'gate')} passed: {', '.join(passed)}"
    scores = (f"{name} {format_score(value)}" for name, value in report.scores.items())
    yield f"{', '.join(scores)} (profile {report.profile}; {format_counts(report.counts)})"
    if queries := describe_worst_queries(report, choose_metric(report), worst):
        yield queries
