"""The registry of forms: ways to write a report, each declared beside its renderer."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING

from groupwise.evaluator.text import suggest

if TYPE_CHECKING:
    from groupwise.schemas import Report


@dataclass(frozen=True)
class Form:
    """A way to write a report.

    Attributes:
        name: What ``--format`` calls it.
        render: Takes a report; returns its text with a newline at the end, or the bytes of a file.
        suffixes: Endings of file names that ask for it.
    """

    name: str
    render: "Callable[[Report], str | bytes]"
    suffixes: tuple[str, ...] = ()


_added: dict[str, Form] = {}


def add_form(form: Form) -> Form:
    """Make a form of your own known by its name and its suffixes."""
    if form.name in _built_in():
        raise ValueError(f"a built-in form is called {form.name!r}; choose another name")
    _added[form.name] = form
    return form


def every_form() -> dict[str, Form]:
    """Return all forms by name."""
    return _built_in() | _added


def _built_in() -> dict[str, Form]:
    from groupwise.evaluator.reporting import (  # noqa: PLC0415  (they declare with Form)
        csv,
        json,
        jsonl,
        markdown,
        parquet,
        terminal,
    )

    modules = (terminal, json, jsonl, csv, markdown, parquet)
    return {module.FORM.name: module.FORM for module in modules}


def find_form(name: str) -> Form:
    """Return the form of that name; a ValueError names the forms there are."""
    forms = every_form()
    if name not in forms:
        raise ValueError(f"no form {name!r}; {suggest(name, forms)}")
    return forms[name]


def form_for(path: str) -> Form | None:
    """Return the form that the ending of a file name asks for."""
    suffix = PurePath(path).suffix.lower()
    return next((form for form in every_form().values() if suffix in form.suffixes), None)


def render(report: "Report", name: str) -> str:
    """Return the report as text in the form of that name.

    The same report gives the same text, whatever the order of its input.
    """
    rendered = find_form(name).render(report)
    if isinstance(rendered, bytes):
        raise ValueError(f"the form {name!r} is not text; write it to a file")  # noqa: TRY004
    return rendered


def write_report(report: "Report", path: str | os.PathLike[str], name: str) -> None:
    """Write the report to a file in the form of that name, whole or not at all."""
    from groupwise.evaluator.reading.writing import write_whole  # noqa: PLC0415

    rendered = find_form(name).render(report)
    write_whole(path, rendered.encode() if isinstance(rendered, str) else rendered)
