"""Findings as a JSON object: the data unchanged."""

from typing import Any

from groupwise.evaluator.reading.writing import dump_line
from groupwise.schemas.validation import ValidationReport


def render(report: ValidationReport) -> str:
    """Return the object on one line; ``by_code`` counts the findings of each code."""
    return f"{dump_line(content(report))}\n"


def content(report: ValidationReport) -> dict[str, Any]:
    """Return the report as plain data with text as keys, as JSON requires."""
    return report.to_dict() | {"statistics": report.statistics.model_dump(mode="json")}
