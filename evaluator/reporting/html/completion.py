"""What a page shows beyond scores: the data is evaluated again for what a report lacks."""

from typing import Any

from groupwise.evaluator.errors import InputError, Problem
from groupwise.evaluator.evaluation.explain import CHANGED, are_alike
from groupwise.evaluator.evaluation.explanations import Request
from groupwise.evaluator.reporting.charts.curve import DEPTH
from groupwise.schemas import Report

LEVEL = 0.95
PARTS = {
    "curve": ("curve",),
    "confidence": ("confidence", "intervals", "slices"),
    "ceilings": ("ceilings", "slices"),
    "fingerprints": ("provenance",),
    "explain": ("explanation",),
}
"""What is asked for, and the fields of a report that have it."""


def ask_for_page(*, per_query: bool) -> dict[str, Any]:
    """Return the parts of a plan that make a report whole."""
    explain = {"explain": Request(page=True)} if per_query else {}
    return {
        "curve": DEPTH, "confidence": LEVEL, "ceilings": True, "fingerprints": True, **explain
    }  # fmt: skip


def complete(report: Report) -> Report:
    """Return the report with all that a page shows, as far as its data is still known.

    Raises:
        InputError: The data has changed since.
    """
    per_query = len(report.per_query) > 0
    lacking = _list_lacking(report) - (set() if per_query else {"explain"})
    if report.again is None or not lacking:
        return report
    asked = ask_for_page(per_query=per_query)
    if report.confidence is not None:
        asked["confidence"] = report.confidence.level
    found: Report = report.again(**asked)
    if not are_alike(found, report, report.per_query):
        raise InputError([Problem(CHANGED)])
    fields = {field for part in lacking for field in PARTS[part]}
    parts = {field: getattr(found, field) for field in fields}
    noticed = tuple(text for text in found.warnings if text not in report.warnings)
    return report.model_copy(update={**parts, "warnings": (*report.warnings, *noticed)})


def _list_lacking(report: Report) -> set[str]:
    """Return the parts of a page that a report does not have."""
    inputs = report.provenance.inputs if report.provenance else ()
    is_for_page = report.explanation is not None and report.explanation.queries.has_texts
    has = {
        "curve": report.curve is not None,
        "confidence": report.confidence is not None,
        "ceilings": is_for_page or report.scores.keys() <= report.ceilings.keys(),
        "fingerprints": any(given.fingerprint for given in inputs),
        "explain": is_for_page,
    }
    return {part for part, found in has.items() if not found}
