"""Analyses of power as text: one module per form, all from the same layout."""

# ruff: noqa: PLC0415  (a form is imported when it is rendered)

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from groupwise.evaluator.reporting.forms import Form, Forms

if TYPE_CHECKING:
    from groupwise.schemas.power import PowerAnalysis


def _render_built_in(name: str, analysis: "PowerAnalysis", **layout: Any) -> str:
    """Import the module of a built-in form and call it."""
    render: Callable[..., str]
    match name:
        case "markdown":
            from groupwise.evaluator.reporting.power.markdown import render
        case "json":
            from groupwise.evaluator.reporting.power.json import render
        case "csv":
            from groupwise.evaluator.reporting.power.csv import render
        case _:
            from groupwise.evaluator.reporting.power.terminal import render
    return render(analysis, **layout)


def _form(name: str, *suffixes: str) -> "Form[PowerAnalysis]":
    return Form(name, partial(_render_built_in, name), suffixes)


POWER_FORMS: "Forms[PowerAnalysis]" = Forms(
    _form("table", ".txt"),
    _form("markdown", ".md"),
    _form("json", ".json"),
    _form("csv", ".csv"),
)
