"""The findings as one JSON object: the data as they are."""

from typing import Any

from groupwise.evaluator.reading.json_text import dump_line
from groupwise.schemas.validation import ValidationReport


def render(report: ValidationReport) -> str:
    """One line: the object of the contract. ``by_code`` says how many there are of each code."""
    return f"{dump_line(content(report))}\n"


def content(report: ValidationReport) -> dict[str, Any]:
    """The report as plain data whose keys are all text, as JSON has them."""
    whole = report.to_dict()
    return whole | {"statistics": {name: _keyed(v) for name, v in whole["statistics"].items()}}


def _keyed(value: Any) -> Any:
    return {str(key): one for key, one in value.items()} if isinstance(value, dict) else value
