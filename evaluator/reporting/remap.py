"""The forms of the report of a remapping."""

from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

from groupwise.evaluator.reporting.forms import Form, Forms

if TYPE_CHECKING:
    from groupwise.schemas.remap import Remapped

MODULE = "groupwise.evaluator.reporting.remapped"


def _render(name: str, report: "Remapped", **layout: Any) -> str:
    """Import the renderers and call one of them."""
    render: Callable[..., str] = getattr(import_module(MODULE), f"render_{name}")
    return render(report, **layout)


def _form(name: str, suffix: str) -> "Form[Remapped]":
    return Form(name, partial(_render, name), (suffix,))


REMAP_FORMS: "Forms[Remapped]" = Forms(
    _form("table", ".txt"),
    _form("markdown", ".md"),
    _form("json", ".json"),
    _form("csv", ".csv"),
)
