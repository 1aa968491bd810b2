"""A report in a notebook: warnings, gates, scores, slices, the worst queries."""

from collections.abc import Iterator, Sequence

from groupwise.evaluator.reporting.estimates import (
    has_estimates,
    list_estimate_columns,
    list_estimate_notes,
    list_estimates,
)
from groupwise.evaluator.reporting.notebook.view import View
from groupwise.evaluator.reporting.pivot import (
    build_pivot,
    describe_worst,
    format_cell,
    format_counts,
    format_score,
    list_labels,
)
from groupwise.evaluator.reporting.profile import describe_profile
from groupwise.evaluator.reporting.slices import list_slice_columns, list_slices
from groupwise.evaluator.reporting.spread import RANK_HEAD, list_ranks
from groupwise.evaluator.reporting.verdicts import WORST, choose_metric, list_gates
from groupwise.schemas import Report

SLICED_FIELDS = 3
MARKS = {"passed": "✓ passed", "failed": "✗ failed"}


def view_report(report: Report) -> View:
    """Return what a notebook shows of a report."""
    about = f"{describe_profile(report.profile, report.matching)}; {format_counts(report.counts)}"
    view = View("Report", about)
    view.warn(report.warnings)
    _show_gates(view, report)
    _show_scores(view, report)
    _show_slices(view, report)
    _show_worst(view, report)
    return view


def _show_gates(view: View, report: Report) -> None:
    rows = [
        (gate.gate, MARKS.get(gate.outcome, gate.outcome), gate.reason)
        for gate in list_gates(report)
    ]
    if rows:
        view.table(("gate", "outcome", "details"), rows, texts=(0, 1, 2))


def _show_scores(view: View, report: Report) -> None:
    if has_estimates(report):
        view.table(["metric", *list_estimate_columns(report)], list(list_estimates(report)))
    elif report.scores:
        columns, rows = build_pivot(report)
        view.table(["metric", *columns], [(name, *_spell(values)) for name, values in rows])
    for note in list_estimate_notes(report):
        view.line(note)
    if report.ranks:
        view.table(RANK_HEAD, list(list_ranks(report)))


def _spell(values: Sequence[float | None]) -> Iterator[str]:
    return map(format_score, values)


def _show_slices(view: View, report: Report) -> None:
    for field in list(report.slices)[:SLICED_FIELDS]:
        rows = [(name, queries, *cells) for name, queries, cells in list_slices(report, field)]
        view.table([field, "queries", *list_slice_columns(report)], rows)
    if more := list(report.slices)[SLICED_FIELDS:]:
        view.line(f"slices by {', '.join(more)} are in report.slices")


def _show_worst(view: View, report: Report) -> None:
    metric = choose_metric(report)
    queries = report.worst(WORST, metric)
    if queries:
        names = list_labels(report)
        rows = [(query, *(format_cell(report, query, name) for name in names)) for query in queries]
        view.table(("query", *names), rows, title=describe_worst(report, len(queries), metric))
