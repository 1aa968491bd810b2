"""Checks of fixtures as text: one module per form."""

# ruff: noqa: PLC0415  (a form is imported when it is rendered)

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from groupwise.evaluator.reporting.forms import Form, Forms

if TYPE_CHECKING:
    from groupwise.evaluator.evaluation.checked_files import CheckedFile

    Files: TypeAlias = Sequence[CheckedFile]


def _render_built_in(name: str, files: "Files") -> str:
    """Import the module of a built-in form and call it."""
    render: Callable[..., str]
    match name:
        case "github":
            from groupwise.evaluator.reporting.checks.github import render
        case "junit":
            from groupwise.evaluator.reporting.checks.junit import render
        case "markdown":
            from groupwise.evaluator.reporting.checks.markdown import render
        case _:
            from groupwise.evaluator.reporting.checks.text import render
    return render(files)


def _form(name: str, *suffixes: str) -> "Form[Files]":
    return Form(name, partial(_render_built_in, name), suffixes)


CHECK_FORMS: "Forms[Files]" = Forms(
    _form("text", ".txt"), _form("github"), _form("junit", ".xml"), _form("markdown", ".md")
)
