"""Findings as JUnit XML: a suite per file, a case per code, a failure that lists the findings.

Notes are not failures: their cases pass and carry them as output. A file without findings has one
passing case.
"""

import re
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from groupwise.evaluator.reporting.findings.wording import (
    count_omitted,
    describe_omitted,
    format_message,
)
from groupwise.evaluator.text import plural, printable
from groupwise.evaluator.validation.rules.registry import every_rule
from groupwise.schemas.validation import Finding, ValidationReport

NAME = "groupwise validate"
NOT_SHOWN = "not shown"
NONCHARACTERS = re.compile("[\ufffe\uffff]")
HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'


def render(report: ValidationReport) -> str:
    """Return the document."""
    root = Element("testsuites", name=NAME)
    for file in _list_files(report):
        _add_suite(root, file or NAME, [f for f in report.findings if f.file == file])
    _add_omissions(root, report)
    _count_cases(root)
    indent(root)
    return f"{HEAD}{tostring(root, encoding='unicode')}\n"


def _list_files(report: ValidationReport) -> list[str | None]:
    return list(dict.fromkeys([*report.files, *(finding.file for finding in report.findings)]))


def _add_suite(root: Element, name: str, findings: list[Finding]) -> None:
    suite = SubElement(root, "testsuite", name=_escape_xml(name))
    by_code: dict[str, list[Finding]] = {}
    for finding in findings:
        by_code.setdefault(finding.code, []).append(finding)
    for same in by_code.values():
        title = _escape_xml(f"{same[0].code} {same[0].name}")
        case = SubElement(suite, "testcase", name=title, classname=_escape_xml(name))
        lines = "\n".join(map(_format_line, same))
        _add_outcome(case, same[0].severity, plural(len(same), "finding"), lines)
    if not findings:
        SubElement(suite, "testcase", name="no findings", classname=_escape_xml(name))
    _count_cases(suite)


def _add_outcome(case: Element, severity: str, message: str, text: str) -> None:
    if severity == "info":
        SubElement(case, "system-out").text = text
    else:
        SubElement(case, "failure", type=severity, message=message).text = text


def _format_line(finding: Finding) -> str:
    place = f"{finding.place}: " if finding.place else ""
    return _escape_xml(f"{place}{format_message(finding)}")


def _add_omissions(root: Element, report: ValidationReport) -> None:
    """Add a case for each code with more findings than the report holds."""
    rest = count_omitted(report)
    if not rest:
        return
    rules = every_rule()
    suite = SubElement(root, "testsuite", name=NOT_SHOWN)
    for code, count in rest.items():
        case = SubElement(suite, "testcase", name=_escape_xml(code), classname=NOT_SHOWN)
        text = _escape_xml(describe_omitted(code, count))
        _add_outcome(case, rules[code].severity if code in rules else "error", text, text)
    _count_cases(suite)


def _count_cases(element: Element) -> None:
    outcomes = [case.find("failure") is not None for case in element.iter("testcase")]
    element.set("tests", str(len(outcomes)))
    element.set("failures", str(sum(outcomes)))


def _escape_xml(text: str) -> str:
    """Return text that XML allows: it forbids control characters and two noncharacters."""
    return NONCHARACTERS.sub(lambda match: f"\\u{ord(match[0]):04x}", printable(text))
