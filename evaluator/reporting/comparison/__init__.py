"""Comparisons as text: one module per form, all from the same sections."""

# ruff: noqa: PLC0415  (a form is imported when it is rendered)

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from groupwise.evaluator.reporting.forms import Form, Forms

if TYPE_CHECKING:
    from groupwise.schemas.comparison import Comparison


def _render_built_in(name: str, comparison: "Comparison", **layout: Any) -> str:
    """Import the module of a built-in form and call it."""
    render: Callable[..., str]
    match name:
        case "json":
            from groupwise.evaluator.reporting.comparison.json import render
        case "csv":
            from groupwise.evaluator.reporting.comparison.csv import render
        case "markdown":
            from groupwise.evaluator.reporting.comparison.markdown import render
        case "html":
            from groupwise.evaluator.reporting.html.comparison import render
        case "latex":
            from groupwise.evaluator.reporting.comparison.latex import render
        case _:
            from groupwise.evaluator.reporting.comparison.terminal import render
    return render(comparison, **layout)


def _form(name: str, *suffixes: str, **properties: Any) -> "Form[Comparison]":
    return Form(name, partial(_render_built_in, name), suffixes, **properties)


COMPARISON_FORMS: "Forms[Comparison]" = Forms(
    _form("table", ".txt"),
    _form("markdown", ".md", layout=("explain",)),
    _form("latex", ".tex"),
    _form("json", ".json"),
    _form("csv", ".csv"),
    _form("html", ".html", ".htm", layout=("explain",), requires=("jinja2", "html"), is_whole=True),
)
