"""The findings as JSON Lines: one per line, then one of all but the findings.

The last line is told by its ``schema``; its ``by_code`` counts also what was left out.
"""

from collections.abc import Iterator

from groupwise.evaluator.reading.json_text import dump_line
from groupwise.evaluator.reporting.findings.json import content
from groupwise.schemas.validation import ValidationReport


def render(report: ValidationReport) -> str:
    """All lines."""
    return "".join(f"{line}\n" for line in _lines(report))


def _lines(report: ValidationReport) -> Iterator[str]:
    rest = content(report)
    yield from map(dump_line, rest.pop("findings"))
    yield dump_line(rest)
