"""The findings as commands of a GitHub workflow, which shows them beside the lines of the files."""

from collections.abc import Iterator
from itertools import takewhile

from groupwise.evaluator.reporting.findings.wording import left_out, more, said
from groupwise.evaluator.reporting.sanitise import annotation_property, annotation_safe
from groupwise.schemas.validation import Finding, ValidationReport

COMMANDS = {"error": "error", "warning": "warning", "info": "notice"}


def render(report: ValidationReport) -> str:
    """One command per finding, and a notice for each code that has more."""
    return "".join(f"{line}\n" for line in _lines(report))


def _lines(report: ValidationReport) -> Iterator[str]:
    for finding in report.findings:
        yield _command(COMMANDS[finding.severity], _properties(finding), said(finding))
    for code, count in left_out(report).items():
        yield _command("notice", {"title": code}, more(code, count))


def _command(name: str, properties: dict[str, str], text: str) -> str:
    given = ",".join(f"{key}={annotation_property(value)}" for key, value in properties.items())
    return f"::{name} {given}::{annotation_safe(text)}"


def _properties(finding: Finding) -> dict[str, str]:
    """What is known of the place; a line is nothing without a file, nor a column without a line."""
    place = [finding.file or None, finding.line, finding.column]
    known = takewhile(
        lambda one: one[1] is not None, zip(("file", "line", "col"), place, strict=True)
    )
    title = f"{finding.code} {finding.name}"
    return {key: str(value) for key, value in known} | {"title": title}
