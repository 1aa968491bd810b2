"""Findings as a GitLab code quality report: a list of objects."""

from collections.abc import Iterator
from typing import Any

from groupwise.evaluator.reading.writing import dump_line
from groupwise.evaluator.reporting.findings.places import (
    hash_texts,
    home_of,
    relative_path,
    with_identities,
)
from groupwise.evaluator.reporting.findings.wording import (
    count_omitted,
    describe_omitted,
    format_message,
)
from groupwise.evaluator.text import printable
from groupwise.schemas.validation import ValidationReport

SEVERITIES = {"error": "major", "warning": "minor", "info": "info"}
NO_FILE = "."


def render(report: ValidationReport) -> str:
    """Return the list; a code with more findings than listed gets an entry that says so."""
    return f"[{','.join(map(dump_line, [*_list_findings(report), *_list_omissions(report)]))}]\n"


def _list_findings(report: ValidationReport) -> Iterator[dict[str, Any]]:
    for finding, identity in with_identities(report):
        yield {
            "description": f"{finding.code} {finding.name}: {format_message(finding)}",
            "check_name": finding.code,
            "fingerprint": identity,
            "severity": SEVERITIES[finding.severity],
            "location": _build_location(home_of(finding, report), finding.line),
        }


def _list_omissions(report: ValidationReport) -> Iterator[dict[str, Any]]:
    files = {finding.code: home_of(finding, report) for finding in reversed(report.findings)}
    for code, count in count_omitted(report).items():
        yield {
            "description": describe_omitted(code, count),
            "check_name": code,
            "fingerprint": hash_texts("more", code),
            "severity": "info",
            "location": _build_location(files.get(code, next(iter(report.files), None)), None),
        }


def _build_location(file: str | None, line: int | None) -> dict[str, Any]:
    path = NO_FILE if file is None else printable(relative_path(file))
    return {"path": path, "lines": {"begin": line or 1}}
