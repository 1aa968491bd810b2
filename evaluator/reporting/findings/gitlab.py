"""The findings as a report of GitLab's code quality: a list of objects."""

from collections.abc import Iterator
from typing import Any

from groupwise.evaluator.reading.json_text import dump_line
from groupwise.evaluator.reporting.findings.places import (
    digest,
    home_of,
    relative_path,
    with_identities,
)
from groupwise.evaluator.reporting.findings.wording import left_out, more, said
from groupwise.evaluator.text import printable
from groupwise.schemas.validation import ValidationReport

SEVERITIES = {"error": "major", "warning": "minor", "info": "info"}
NO_FILE = "."


def render(report: ValidationReport) -> str:
    """One list; a code that has more findings than are here gets an entry that says so."""
    return f"[{','.join(map(dump_line, [*_findings(report), *_rest(report)]))}]\n"


def _findings(report: ValidationReport) -> Iterator[dict[str, Any]]:
    for finding, identity in with_identities(report):
        yield {
            "description": f"{finding.code} {finding.name}: {said(finding)}",
            "check_name": finding.code,
            "fingerprint": identity,
            "severity": SEVERITIES[finding.severity],
            "location": _location(home_of(finding, report), finding.line),
        }


def _rest(report: ValidationReport) -> Iterator[dict[str, Any]]:
    files = {finding.code: home_of(finding, report) for finding in reversed(report.findings)}
    for code, count in left_out(report).items():
        yield {
            "description": more(code, count),
            "check_name": code,
            "fingerprint": digest("more", code),
            "severity": "info",
            "location": _location(files.get(code, next(iter(report.files), None)), None),
        }


def _location(file: str | None, line: int | None) -> dict[str, Any]:
    path = NO_FILE if file is None else printable(relative_path(file))
    return {"path": path, "lines": {"begin": line or 1}}
