"""A report as text: one module per form. Rounding happens here and nowhere else."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from groupwise.schemas import Report

FORMS = ("json", "jsonl", "csv", "markdown")


def render(report: "Report", form: str) -> str:
    """The report in one of the forms that programs and documents take, with a newline at its end.

    The same report gives the same text, whatever the order of its input.
    """
    if form not in FORMS:
        raise ValueError(f"no form {form!r}; there are {', '.join(FORMS)}")
    text: str = import_module(f"groupwise.evaluator.reporting.{form}").render(report)
    return text
