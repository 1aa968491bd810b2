"""A report as GitHub workflow commands: gates, warnings, scores and the worst queries."""

from collections.abc import Iterator

from groupwise.evaluator.reporting.annotations import MOST, format_command
from groupwise.evaluator.reporting.findings.places import relative_path
from groupwise.evaluator.reporting.pivot import format_counts, format_score, list_labels
from groupwise.evaluator.reporting.profile import describe_profile
from groupwise.evaluator.reporting.slices import format_of_slice
from groupwise.evaluator.reporting.verdicts import (
    WORST,
    choose_metric,
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
        "warning": [*_list_unreachable(report), *report.warnings],
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
    yield from (f"gate {gate}" for gate in list_gates(report) if gate.fails)


def _list_unreachable(report: Report) -> Iterator[str]:
    gates = list_gates(report)
    yield from (f"gate {gate}" for gate in gates if not gate.fails and not gate.passed)


def _describe_slices(report: Report, field: str) -> str:
    """Return the first score of each slice of a field, as many as a line should have."""
    metric = list_labels(report)[0]
    slices = [f"{name} {format_of_slice(s, metric)}" for name, s in report.slices[field].items()]
    more = f", … and {len(slices) - MOST:,} more" if len(slices) > MOST else ""
    return f"{metric} by {field}: {', '.join(slices[:MOST])}{more}"


def _list_notices(report: Report, worst: int) -> Iterator[str]:
    passed = [gate.gate for gate in list_gates(report) if gate.passed]
    if passed:
        yield f"{plural(len(passed), 'gate')} passed: {', '.join(passed)}"
    scores = (f"{name} {format_score(value)}" for name, value in report.scores.items())
    profile = describe_profile(report.profile, report.matching)
    yield f"{', '.join(scores)} ({profile}; {format_counts(report.counts)})"
    yield from (_describe_slices(report, field) for field in report.slices)
    if queries := describe_worst_queries(report, choose_metric(report), worst):
        yield queries
