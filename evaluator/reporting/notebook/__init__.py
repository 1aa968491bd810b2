"""Results and data as small pieces of HTML, which notebooks show in place of the ``repr``.

They hold no script, no link and no colour of their own, so that they are safe in a shared notebook
and readable on light and dark pages. Whatever the size of the object, a view shows its beginning.
"""

from collections.abc import Callable, Mapping
from typing import Any

from groupwise.evaluator.reporting.forms import find_forms
from groupwise.evaluator.reporting.notebook.comparison import view_comparison
from groupwise.evaluator.reporting.notebook.data import view_dataset, view_query, view_run
from groupwise.evaluator.reporting.notebook.explanation import view_explanation
from groupwise.evaluator.reporting.notebook.findings import view_findings
from groupwise.evaluator.reporting.notebook.report import view_report
from groupwise.evaluator.reporting.notebook.view import View
from groupwise.schemas import Comparison, Dataset, Query, Report, Run, ValidationReport
from groupwise.schemas.explanation import Explanation
from groupwise.schemas.rendering import Rendered


def view_in_notebook(subject: Any) -> str | None:
    """Return an object as HTML; None where its ``repr`` is short and says it all."""
    view = build_view(subject)
    return None if view is None else view.html()


def build_view(subject: Any) -> View | None:
    """Return what a notebook shows of an object."""
    for model, view in VIEWS.items():
        if isinstance(subject, model):
            return view(subject)
    return _view_lines(subject) if isinstance(subject, Rendered) else None


def _view_lines(subject: Rendered) -> View:
    """Return the form for people, line by line."""
    view = View(type(subject).__name__, "")
    view.lines(subject.render(find_forms(subject.kind).default.name).splitlines())
    return view


VIEWS: Mapping[type, Callable[[Any], View]] = {
    Report: view_report,
    Comparison: view_comparison,
    Explanation: view_explanation,
    ValidationReport: view_findings,
    Dataset: view_dataset,
    Run: view_run,
    Query: view_query,
}
"""The view of each model that has one of its own."""
