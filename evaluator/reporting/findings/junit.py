"""Findings as JUnit XML: a suite per file, a case per code, a failure that lists the findings.

Notes are not failures: their cases pass and carry them as output. A file without findings has one
passing case.
"""

from groupwise.evaluator.reporting.findings.wording import (
    count_omitted,
    describe_omitted,
    format_message,
)
from groupwise.evaluator.reporting.junit_writer import Case, JUnit
from groupwise.evaluator.reporting.sanitise import xml_safe
from groupwise.evaluator.text import plural
from groupwise.evaluator.validation.rules.registry import every_rule
from groupwise.schemas.validation import Finding, ValidationReport

NAME = "groupwise validate"
NOT_SHOWN = "not shown"


def render(report: ValidationReport) -> str:
    """Return the document."""
    document = JUnit(NAME)
    for file in _list_files(report):
        _add_suite(document, file or NAME, [f for f in report.findings if f.file == file])
    _add_omissions(document, report)
    return document.render()


def _list_files(report: ValidationReport) -> list[str | None]:
    return list(dict.fromkeys([*report.files, *(finding.file for finding in report.findings)]))


def _add_suite(document: JUnit, name: str, findings: list[Finding]) -> None:
    suite = document.add_suite(name)
    by_code: dict[str, list[Finding]] = {}
    for finding in findings:
        by_code.setdefault(finding.code, []).append(finding)
    for same in by_code.values():
        lines = "\n".join(map(_format_line, same))
        case = suite.add_case(f"{same[0].code} {same[0].name}")
        _add_outcome(case, same[0].severity, plural(len(same), "finding"), lines)
    if not findings:
        suite.add_case("no findings")


def _add_outcome(case: Case, severity: str, message: str, text: str) -> None:
    if severity == "info":
        case.print(text)
    else:
        case.fail(message, text, severity)


def _format_line(finding: Finding) -> str:
    place = f"{finding.place}: " if finding.place else ""
    return xml_safe(f"{place}{format_message(finding)}")


def _add_omissions(document: JUnit, report: ValidationReport) -> None:
    """Add a case for each code with more findings than the report holds."""
    rest = count_omitted(report)
    if not rest:
        return
    rules = every_rule()
    suite = document.add_suite(NOT_SHOWN)
    for code, count in rest.items():
        text = describe_omitted(code, count)
        severity = rules[code].severity if code in rules else "error"
        _add_outcome(suite.add_case(code), severity, text, text)
