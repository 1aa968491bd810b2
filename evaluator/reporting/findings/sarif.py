"""Findings as SARIF 2.1.0, for code scanning and editors."""

import re
from collections.abc import Iterator
from typing import Any

import groupwise
from groupwise.evaluator.reading.writing import dump_line
from groupwise.evaluator.reporting.findings.json import content
from groupwise.evaluator.reporting.findings.places import build_uri, home_of, with_identities
from groupwise.evaluator.reporting.findings.wording import (
    count_omitted,
    describe_omitted,
    format_message,
)
from groupwise.evaluator.text import printable
from groupwise.evaluator.validation.rules.registry import every_rule
from groupwise.evaluator.validation.rules.rule import Rule
from groupwise.schemas.validation import Finding, ValidationReport

Json = dict[str, Any]

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
LEVELS = {"error": "error", "warning": "warning", "info": "note"}
FINGERPRINT = "groupwise/v1"
MARKDOWN = ("Example:\n\n```text\n{}\n```", "Instead:\n\n```text\n{}\n```")
LINK = re.compile(r"[\\\[\]]")


def render(report: ValidationReport) -> str:
    """Return an object with one run; a notification of the run counts omitted findings."""
    return f"{dump_line({'$schema': SCHEMA, 'version': '2.1.0', 'runs': [_build_run(report)]})}\n"


def _build_run(report: ValidationReport) -> Json:
    codes = list(dict.fromkeys(finding.code for finding in report.findings))
    names = {finding.code: finding.name for finding in report.findings}
    rules = every_rule()
    return {
        "tool": {
            "driver": {
                "name": "groupwise",
                "version": groupwise.__version__,
                "rules": [_describe_rule(rules.get(code), code, names[code]) for code in codes],
            }
        },
        "columnKind": "unicodeCodePoints",
        "invocations": [_build_invocation(report)],
        "results": [
            _build_result(finding, identity, codes.index(finding.code), home_of(finding, report))
            for finding, identity in with_identities(report)
        ],
        "properties": _list_properties(report),
    }


def _describe_rule(rule: Rule | None, code: str, name: str) -> Json:
    if rule is None:
        return {"id": printable(code), "name": printable(name)}
    return {
        "id": rule.code,
        "name": rule.name,
        "shortDescription": {"text": rule.what},
        "fullDescription": {"text": f"{rule.what} {rule.why}".rstrip()},
        "help": {
            "text": "\n\n".join(_list_help(rule, "Example:\n{}", "Instead:\n{}")),
            "markdown": "\n\n".join([f"**{rule.what}**", *_list_help(rule, *MARKDOWN)]),
        },
        "defaultConfiguration": {"level": LEVELS[rule.severity]},
    }


def _list_help(rule: Rule, example: str, instead: str) -> Iterator[str]:
    yield rule.why or rule.what
    if rule.example:
        yield example.format(rule.example)
    if rule.instead:
        yield instead.format(rule.instead)
    if rule.fix:
        yield f"Fix ({rule.fixable}): {rule.fix}"


def _build_invocation(report: ValidationReport) -> Json:
    notes = [
        {"level": "note", "message": {"text": _escape_text(describe_omitted(code, count))}}
        for code, count in count_omitted(report).items()
    ]
    return {"executionSuccessful": True, "toolExecutionNotifications": notes}


def _build_result(finding: Finding, identity: str, rule: int, file: str | None) -> Json:
    locations = {} if file is None else {"locations": [_build_location(finding, file)]}
    return {
        "ruleId": printable(finding.code),
        "ruleIndex": rule,
        "level": LEVELS[finding.severity],
        "message": {"text": _escape_text(format_message(finding))},
        **locations,
        "partialFingerprints": {FINGERPRINT: identity},
        "properties": _list_details(finding),
    }


def _build_location(finding: Finding, file: str) -> Json:
    place: Json = {"artifactLocation": {"uri": build_uri(file)}}
    if finding.line is not None and finding.file:
        column = {} if finding.column is None else {"startColumn": finding.column}
        place["region"] = {"startLine": finding.line, **column}
    return {"physicalLocation": place}


def _list_details(finding: Finding) -> Json:
    """Return what SARIF has no field for."""
    known = {name: getattr(finding, name) for name in ("query", "group", "id", "pointer", "fix")}
    return {
        name: printable(value) if isinstance(value, str) else value
        for name, value in known.items()
        if value is not None
    }


def _list_properties(report: ValidationReport) -> Json:
    """Return the counts, omitted findings included, and the summary of the data."""
    whole = content(report)
    names = ("counts", "by_code", "statistics", "baselined")
    return {name: whole[name] for name in names if name in whole}


def _escape_text(text: str) -> str:
    """Return text without placeholders and links (SARIF 3.11.5 and 3.11.6).

    Texts of rules are not escaped: they are ours, and most viewers show them literally.
    """
    plain = LINK.sub(r"\\\g<0>", text) if "](" in text else text
    return plain.replace("{", "{{").replace("}", "}}")
