"""Findings as JSON Lines: a finding per line, then a line with everything else.

Only the last line has a ``schema``; its ``by_code`` also counts findings that are not listed.
"""

from collections.abc import Iterator

from groupwise.evaluator.reading.writing import dump_line
from groupwise.evaluator.reporting.findings.json import content
from groupwise.schemas.validation import ValidationReport


def render(report: ValidationReport) -> str:
    """Return all lines."""
    return "".join(f"{line}\n" for line in _build_lines(report))


def _build_lines(report: ValidationReport) -> Iterator[str]:
    rest = content(report)
    yield from map(dump_line, rest.pop("findings"))
    yield dump_line(rest)
