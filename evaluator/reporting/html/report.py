"""A report as a page: warnings, what was evaluated, scores, slices, and the queries."""

from typing import Any

from groupwise.evaluator.reporting.estimates import list_estimate_notes
from groupwise.evaluator.reporting.html.completion import complete
from groupwise.evaluator.reporting.html.environment import render_page
from groupwise.evaluator.reporting.html.figures import draw_charts
from groupwise.evaluator.reporting.html.headings import (
    describe_matching,
    list_inputs,
    list_policies,
    name_inputs,
)
from groupwise.evaluator.reporting.html.queries import (
    SHOWN_SCORES,
    build_lines,
    build_rows,
    count_in_full,
    order_queries,
)
from groupwise.evaluator.reporting.html.scores import explain_metric, list_scores
from groupwise.evaluator.reporting.html.tables import list_tables
from groupwise.evaluator.reporting.pivot import format_counts, list_labels
from groupwise.schemas import Report


def render(report: Report, worst: int | None = None) -> str:
    """Return the page.

    Args:
        report: The report.
        worst: How many queries to show in full, the worst first; None: all up to 300, else 100.

    Raises:
        InputError: The data has changed since it was evaluated.
    """
    whole = complete(report)
    return render_page("report.html", **_describe(whole), **_list_queries(whole, worst))


def _describe(report: Report) -> dict[str, Any]:
    """Return what the page says about all queries."""
    level = report.confidence
    return {
        "title": _title(report),
        "report": report,
        "counts": format_counts(report.counts),
        "inputs": list(list_inputs(report.provenance)),
        "policies": list_policies(report.provenance),
        "matching": describe_matching(report.matching),
        "version": report.provenance.groupwise if report.provenance else "",
        "scores": list(list_scores(report)),
        "level": f"{100 * level.level:g} %" if level else "",
        "notes": list(list_estimate_notes(report)),
        "tables": list(list_tables(report)),
        "charts": list(draw_charts(report, "report")),
    }


def _title(report: Report) -> str:
    """Return the title of a page: the run and the ground truth, if they have names."""
    run, truth = (name_inputs(report.provenance, role) for role in ("run", "ground_truth"))
    if not run or not truth:
        return "Evaluation"
    return run[0] if run == truth else f"{run[0]} on {truth[0]}"


def _list_queries(report: Report, worst: int | None) -> dict[str, Any]:
    """Return the queries: those in full, and the rest."""
    ordered, labels = order_queries(report), list_labels(report)
    full = count_in_full(len(ordered), worst)
    shown = labels[:SHOWN_SCORES]
    return {
        "labels": [(label, explain_metric(label, report.profile)) for label in shown],
        "hidden_labels": len(labels) - len(shown),
        "full": list(build_rows(report, ordered[:full])),
        "rest": build_lines(report, ordered[full:]),
        "rest_count": len(ordered) - full,
        "k": report.explanation.k if report.explanation else None,
    }
