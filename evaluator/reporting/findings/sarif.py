"""The findings as SARIF 2.1.0, for code scanning and editors."""

import re
from collections.abc import Iterator
from typing import Any

import groupwise
from groupwise.evaluator.reading.json_text import dump_line
from groupwise.evaluator.reporting.findings.json import content
from groupwise.evaluator.reporting.findings.places import home_of, uri, with_identities
from groupwise.evaluator.reporting.findings.wording import left_out, more, said
from groupwise.evaluator.text import printable
from groupwise.evaluator.validation.rules.registry import every_rule
from groupwise.evaluator.validation.rules.rule import Rule
from groupwise.schemas.validation import Finding, ValidationReport

Json = dict[str, Any]

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
LEVELS = {"error": "error", "warning": "warning", "info": "note"}
FINGERPRINT = "groupwise/v1"
LINK = re.compile(r"[\\\[\]]")


def render(report: ValidationReport) -> str:
    """One object with one run; what was left out is told by a notification of the run."""
    return f"{dump_line({'$schema': SCHEMA, 'version': '2.1.0', 'runs': [_run(report)]})}\n"


def _run(report: ValidationReport) -> Json:
    codes = list(dict.fromkeys(finding.code for finding in report.findings))
    names = {finding.code: finding.name for finding in report.findings}
    rules = every_rule()
    return {
        "tool": {
            "driver": {
                "name": "groupwise",
                "version": groupwise.__version__,
                "rules": [_rule(rules.get(code), code, names[code]) for code in codes],
            }
        },
        "columnKind": "unicodeCodePoints",
        "invocations": [_invocation(report)],
        "results": [
            _result(finding, identity, codes.index(finding.code), home_of(finding, report))
            for finding, identity in with_identities(report)
        ],
        "properties": _properties(report),
    }


def _rule(rule: Rule | None, code: str, name: str) -> Json:
    if rule is None:
        return {"id": printable(code), "name": printable(name)}
    return {
        "id": rule.code,
        "name": rule.name,
        "shortDescription": {"text": rule.what},
        "fullDescription": {"text": f"{rule.what} {rule.why}"},
        "help": {"text": "\n\n".join(_help(rule)), "markdown": _markdown(rule)},
        "defaultConfiguration": {"level": LEVELS[rule.severity]},
    }


def _help(rule: Rule) -> Iterator[str]:
    yield rule.why
    yield f"Example:\n{rule.example}"
    yield f"Instead:\n{rule.instead}"
    if rule.fix:
        yield f"Fix ({rule.fixable}): {rule.fix}"


def _markdown(rule: Rule) -> str:
    parts = [
        f"**{rule.what}**",
        rule.why,
        f"Example:\n\n```text\n{rule.example}\n```",
        f"Instead:\n\n```text\n{rule.instead}\n```",
    ]
    fix = [f"Fix ({rule.fixable}): {rule.fix}"] if rule.fix else []
    return "\n\n".join(parts + fix)


def _invocation(report: ValidationReport) -> Json:
    notes = [
        {"level": "note", "message": {"text": _literal(more(code, count))}}
        for code, count in left_out(report).items()
    ]
    return {"executionSuccessful": True, "toolExecutionNotifications": notes}


def _result(finding: Finding, identity: str, rule: int, file: str | None) -> Json:
    locations = {} if file is None else {"locations": [_location(finding, file)]}
    return {
        "ruleId": printable(finding.code),
        "ruleIndex": rule,
        "level": LEVELS[finding.severity],
        "message": {"text": _literal(said(finding))},
        **locations,
        "partialFingerprints": {FINGERPRINT: identity},
        "properties": _details(finding),
    }


def _location(finding: Finding, file: str) -> Json:
    place: Json = {"artifactLocation": {"uri": uri(file)}}
    if finding.line is not None and finding.file:
        place["region"] = _region(finding.line, finding.column)
    return {"physicalLocation": place}


def _region(line: int, column: int | None) -> Json:
    return {"startLine": line} | ({} if column is None else {"startColumn": column})


def _details(finding: Finding) -> Json:
    """What SARIF has no place of its own for."""
    known = {name: getattr(finding, name) for name in ("query", "group", "id", "pointer", "fix")}
    return {
        name: printable(value) if isinstance(value, str) else value
        for name, value in known.items()
        if value is not None
    }


def _properties(report: ValidationReport) -> Json:
    """The counts, also of what was left out, and the summary of the data."""
    whole = content(report)
    names = ("counts", "by_code", "statistics", "baselined")
    return {name: whole[name] for name in names if name in whole}


def _literal(text: str) -> str:
    """Plain text in which nothing is a placeholder or a link (SARIF 3.11.5 and 3.11.6).

    The words of rules need no such care: they are ours, and shown as they are by most viewers.
    """
    plain = LINK.sub(r"\\\g<0>", text) if "](" in text else text
    return plain.replace("{", "{{").replace("}", "}}")
