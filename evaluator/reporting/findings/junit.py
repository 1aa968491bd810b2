"""The findings as JUnit's XML: a suite per file, a case per code, a failure that lists them.

Notes are no failures: their cases pass, and carry them as output. A file without findings has one
case, which passes.
"""

import re
from collections.abc import Iterable
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from groupwise.evaluator.reporting.findings.wording import left_out, more, said
from groupwise.evaluator.text import plural, printable
from groupwise.evaluator.validation.rules.registry import every_rule
from groupwise.schemas.validation import Finding, ValidationReport

NAME = "groupwise validate"
NOT_SHOWN = "not shown"
NONCHARACTERS = re.compile("[\ufffe\uffff]")
HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'


def render(report: ValidationReport) -> str:
    """One document."""
    root = Element("testsuites", name=NAME)
    for file in _files(report):
        _add_suite(root, file or NAME, [one for one in report.findings if one.file == file])
    _add_rest(root, report)
    _count(root, root.iter("testcase"))
    indent(root)
    return f"{HEAD}{tostring(root, encoding='unicode')}\n"


def _files(report: ValidationReport) -> list[str | None]:
    return list(dict.fromkeys([*report.files, *(finding.file for finding in report.findings)]))


def _add_suite(root: Element, name: str, findings: list[Finding]) -> None:
    suite = SubElement(root, "testsuite", name=_legal(name))
    by_code: dict[str, list[Finding]] = {}
    for finding in findings:
        by_code.setdefault(finding.code, []).append(finding)
    for some in by_code.values():
        _add_case(suite, f"{some[0].code} {some[0].name}", some[0].severity, some)
    if not findings:
        SubElement(suite, "testcase", name="no findings", classname=_legal(name))
    _count(suite, suite.iter("testcase"))


def _add_case(suite: Element, name: str, severity: str, findings: list[Finding]) -> None:
    case = SubElement(suite, "testcase", name=_legal(name), classname=suite.get("name", ""))
    lines = "\n".join(map(_line, findings))
    _add_outcome(case, severity, plural(len(findings), "finding"), lines)


def _add_outcome(case: Element, severity: str, message: str, text: str) -> None:
    if severity == "info":
        SubElement(case, "system-out").text = text
    else:
        SubElement(case, "failure", type=severity, message=message).text = text


def _line(finding: Finding) -> str:
    place = f"{finding.place}: " if finding.place else ""
    return _legal(f"{place}{said(finding)}")


def _add_rest(root: Element, report: ValidationReport) -> None:
    """A case for each code of which there is more than the report holds."""
    rest = left_out(report)
    if not rest:
        return
    rules = every_rule()
    suite = SubElement(root, "testsuite", name=NOT_SHOWN)
    for code, count in rest.items():
        case = SubElement(suite, "testcase", name=_legal(code), classname=NOT_SHOWN)
        text = _legal(more(code, count))
        _add_outcome(case, rules[code].severity if code in rules else "error", text, text)
    _count(suite, suite.iter("testcase"))


def _count(element: Element, cases: Iterable[Element]) -> None:
    outcomes = [case.find("failure") is not None for case in cases]
    element.set("tests", str(len(outcomes)))
    element.set("failures", str(sum(outcomes)))


def _legal(text: str) -> str:
    """Text that XML may hold: besides what is unseen it forbids two characters."""
    return NONCHARACTERS.sub(lambda match: f"\\u{ord(match[0]):04x}", printable(text))
