"""Findings as text: one module per form.

``json`` and ``jsonl`` carry the data unchanged, in JSON's escapes. All other forms are read by
people in the end, so they show characters that cannot be seen as escapes.
"""

# ruff: noqa: PLC0415  (a form is imported when it is rendered)

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from groupwise.evaluator.reporting.forms import Form, Forms

if TYPE_CHECKING:
    from groupwise.schemas.validation import ValidationReport

SHOWN_PER_CODE = 20


def _render_built_in(name: str, report: "ValidationReport", **layout: Any) -> str:
    """Import the module of a built-in form and call it."""
    render: Callable[..., str]
    match name:
        case "json":
            from groupwise.evaluator.reporting.findings.json import render
        case "jsonl":
            from groupwise.evaluator.reporting.findings.jsonl import render
        case "github":
            from groupwise.evaluator.reporting.findings.github import render
        case "gitlab":
            from groupwise.evaluator.reporting.findings.gitlab import render
        case "sarif":
            from groupwise.evaluator.reporting.findings.sarif import render
        case "junit":
            from groupwise.evaluator.reporting.findings.junit import render
        case _:
            from groupwise.evaluator.reporting.findings.text import render
    return render(report, **layout)


def _form(name: str, *suffixes: str, omits: Sequence[str] = ()) -> "Form[ValidationReport]":
    return Form(name, partial(_render_built_in, name), suffixes, omits=omits)


FINDINGS_FORMS: "Forms[ValidationReport]" = Forms(
    _form("text", ".txt"),
    _form("json", ".json"),
    _form("jsonl", ".jsonl", ".ndjson", omits=("statistics",)),
    _form("github", omits=("statistics",)),
    _form("gitlab", omits=("statistics",)),
    _form("sarif", ".sarif"),
    _form("junit", ".xml", omits=("statistics",)),
)


def render_findings(report: "ValidationReport", name: str, **layout: Any) -> str:
    """Return the findings in the form of that name.

    Args:
        report: What validation found.
        name: The name of a form.
        **layout: For the form ``text``: ``limit`` (findings shown of each code), ``statistics``
            (a table of the codes instead of the findings), ``quiet`` (without counts and statistics
            of the data), ``width`` and ``colour``.

    Raises:
        ValueError: There is no such form, or it is binary.
    """
    return FINDINGS_FORMS.render_text(report, name, **layout)
