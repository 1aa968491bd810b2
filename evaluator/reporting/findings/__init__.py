"""What validation found, as text: one module per form.

``json`` and ``jsonl`` carry the data as they are, in JSON's escapes. All other forms are read by
people in the end, so that in them what acts instead of being seen is shown as its escape.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from groupwise.schemas.validation import ValidationReport

FORMS = {
    "text": "for people: findings by file, counts, a summary of the data",
    "json": "one object: findings, counts, a summary of the data",
    "jsonl": "one finding per line, then the rest of the report",
    "github": "annotations of a GitHub workflow",
    "gitlab": "a report of GitLab's code quality",
    "sarif": "SARIF 2.1.0, for code scanning and editors",
    "junit": "JUnit's XML: a suite per file, a case per rule",
}
"""The forms, and what each is."""

SHOWN_PER_CODE = 20


def render(
    report: "ValidationReport",
    form: str,
    *,
    limit: int = SHOWN_PER_CODE,
    statistics: bool = False,
    width: int = 100,
    colour: bool = False,
) -> str:
    """The report in one of the forms, each line with a newline at its end.

    Args:
        report: What validation found.
        form: One of ``FORMS``.
        limit: How many findings of each code the form ``text`` shows.
        statistics: Whether ``text`` shows a table of the codes instead of the findings.
        width: How many columns ``text`` may fill with bars and tables; findings are not cut.
        colour: Whether ``text`` is coloured.

    Raises:
        ValueError: There is no such form.
    """
    if form not in FORMS:
        raise ValueError(f"no form {form!r}; there are {', '.join(FORMS)}")
    if form == "text":
        from groupwise.evaluator.reporting.findings import text  # noqa: PLC0415

        layout = text.Layout(limit=limit, statistics=statistics, width=width, colour=colour)
        return text.render(report, layout)
    return _renderers()[form](report)


def _renderers() -> "dict[str, Callable[[ValidationReport], str]]":
    from groupwise.evaluator.reporting.findings import (  # noqa: PLC0415  (loaded when needed)
        github,
        gitlab,
        json,
        jsonl,
        junit,
        sarif,
    )

    modules = (github, gitlab, json, jsonl, junit, sarif)
    return {module.__name__.rpartition(".")[2]: module.render for module in modules}
