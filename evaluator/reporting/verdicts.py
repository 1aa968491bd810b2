"""The gates of a report, and the worst queries beside them, for forms that CI shows."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from groupwise.evaluator.reporting.pivot import format_rank, format_score, list_labels
from groupwise.evaluator.text import cut

if TYPE_CHECKING:
    from groupwise.schemas import GateVerdict, Report

WORST = 5
LONGEST_ID = 60


def list_gates(report: "Report") -> "Sequence[GateVerdict]":
    """Return the gates of a report, those that keep it from passing first."""
    return sorted(report.gates, key=lambda gate: not gate.fails)


def choose_metric(report: "Report") -> str | None:
    """Return the metric that the worst queries are chosen by: of the first gate that fails."""
    failed = [gate.metric for gate in report.gates if gate.fails]
    labels = list_labels(report)
    return next((metric for metric in failed if metric in labels), next(iter(labels), None))


def describe_worst_queries(report: "Report", metric: str | None, count: int = WORST) -> str:
    """Return the worst queries by a metric, in a line; blank if there are none."""
    queries = report.worst(count, metric) if metric else []
    if not queries or metric is None:
        return ""
    spell = format_rank if metric in report.ranks else format_score
    shown = (f"{cut(q, LONGEST_ID)!r} {spell(report.per_query[q][metric])}" for q in queries)
    return f"the worst queries by {metric}: {', '.join(shown)}"
