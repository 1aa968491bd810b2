"""Findings as GitHub workflow commands, shown beside the lines of the files."""

from collections.abc import Iterator
from itertools import takewhile

from groupwise.evaluator.reporting.annotations import format_command
from groupwise.evaluator.reporting.findings.wording import (
    count_omitted,
    describe_omitted,
    format_message,
)
from groupwise.schemas.validation import Finding, ValidationReport

COMMANDS = {"error": "error", "warning": "warning", "info": "notice"}


def render(report: ValidationReport) -> str:
    """Return a command per finding, and a notice for each code with more findings."""
    return "".join(f"{line}\n" for line in _build_lines(report))


def _build_lines(report: ValidationReport) -> Iterator[str]:
    for finding in report.findings:
        name, properties = COMMANDS[finding.severity], _list_properties(finding)
        yield format_command(name, properties, format_message(finding))
    for code, count in count_omitted(report).items():
        yield format_command("notice", {"title": code}, describe_omitted(code, count))


def _list_properties(finding: Finding) -> dict[str, str]:
    """Return the known place; a line needs a file, and a column needs a line."""
    place = [finding.file or None, finding.line, finding.column]
    named = zip(("file", "line", "col"), place, strict=True)
    known = takewhile(lambda pair: pair[1] is not None, named)
    title = f"{finding.code} {finding.name}"
    return {key: str(value) for key, value in known} | {"title": title}
