"""The forms for programs: what they hold, and that they say what was skipped."""

import json
import re
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from groupwise.evaluator.reporting.findings import FINDINGS_FORMS
from groupwise.evaluator.reporting.findings import render_findings as render
from groupwise.schemas.validation import ValidationReport
from tests.paths import FIXTURES
from tests.reporting.findings.reports import EMPTY_GROUP, NOWHERE, SHARED, SMALL, finding, report

REPEATED_TITLE = "title=GT007 repeated-alternative"
SHARED_TITLE = "title=GT010 shared-alternative"
SARIF_SCHEMA = FIXTURES / "schemas" / "sarif-2.1.0.schema.json"
SARIF = pytest.importorskip("jsonschema").Draft4Validator(json.loads(SARIF_SCHEMA.read_bytes()))


def sarif(found: ValidationReport) -> Any:
    log = json.loads(render(found, "sarif"))
    SARIF.validate(log)
    (run,) = log["runs"]
    return run


def xml(found: ValidationReport) -> ET.Element:
    return ET.fromstring(render(found, "junit"))  # noqa: S314  (what we wrote ourselves)


def test_an_unknown_form_is_refused() -> None:
    with pytest.raises(ValueError, match="no form 'yaml'; choose from text, json"):
        render(SMALL, "yaml")


@pytest.mark.parametrize("form", FINDINGS_FORMS.built_in)
def test_the_same_report_gives_the_same_text(form: str) -> None:
    text = render(SMALL, form)
    assert text == render(SMALL.model_copy(), form)
    assert text.endswith("\n")
    assert not text.endswith("\n\n")


@pytest.mark.parametrize("form", FINDINGS_FORMS.built_in)
def test_every_form_says_what_was_left_out(form: str) -> None:
    text = render(SMALL, form)
    assert "1,234 more of GT004" in text or '"GT004":1235' in text


@pytest.mark.parametrize("form", FINDINGS_FORMS.built_in)
def test_a_report_without_findings_can_be_shown(form: str) -> None:
    assert "GT0" not in render(ValidationReport(), form)


def test_json_is_the_object_of_the_contract() -> None:
    found = json.loads(render(SMALL, "json"))
    assert found == json.loads(SMALL.to_json())
    assert found["schema"] == "groupwise.findings/1"
    assert found["counts"] == {"error": 1235, "warning": 2, "info": 1}
    assert found["findings"][0] == {
        "code": "GT004", "name": "empty-group", "severity": "error", "message": "group 1 is empty",
        "file": "qa.json", "line": 7, "column": 21, "pointer": "/queries/0/ground_truth/1",
        "query": "q1", "group": 1, "fix": "unsafe", "fingerprint": "4f1a",
    }  # fmt: skip


def test_json_lines_are_findings_and_the_rest() -> None:
    *findings, rest = map(json.loads, render(SMALL, "jsonl").splitlines())
    whole = json.loads(render(SMALL, "json"))
    assert findings == whole.pop("findings")
    assert rest == whole


def test_github_annotations() -> None:
    assert render(SMALL, "github").splitlines() == [
        '::error file=qa.json,line=7,col=21,title=GT004 empty-group::query "q1": group 1 is empty',
        f'::warning file=qa.json,line=9,col=3,{REPEATED_TITLE}::query "q2": "a" is listed twice',
        f'::notice file=more/qa.jsonl,line=2,{SHARED_TITLE}::query "q3": "a" is in groups 0 and 1',
        "::warning title=ST001 too-few-queries::20 queries are too few",
        "::notice title=GT004::… and 1,234 more of GT004",
    ]


def test_github_annotations_are_escaped() -> None:
    one = finding(message="50%\r\n::error::x", file="a,b:c%.json", line=1)
    assert render(report(one), "github") == (
        "::error file=a%2Cb%3Ac%25.json,line=1,title=GT004 empty-group::50%25\\x0d\\x0a::error::x\n"
    )


def test_gitlab_has_what_its_report_needs() -> None:
    first, *_, rest = json.loads(render(SMALL, "gitlab"))
    assert first.pop("fingerprint")
    assert first == {
        "description": 'GT004 empty-group: query "q1": group 1 is empty',
        "check_name": "GT004",
        "severity": "major",
        "location": {"path": "qa.json", "lines": {"begin": 7}},
    }
    assert rest["description"] == "… and 1,234 more of GT004"
    severities = [one["severity"] for one in json.loads(render(SMALL, "gitlab"))]
    assert severities == ["major", "minor", "info", "minor", "info"]


def test_gitlab_paths_are_those_of_the_repository() -> None:
    one, other = json.loads(render(report(finding(file="./a//b.json"), NOWHERE), "gitlab"))
    assert one["location"] == {"path": "a/b.json", "lines": {"begin": 1}}
    assert other["location"]["path"] == "."
    (gate,) = json.loads(render(report(NOWHERE, files=("qa.json",)), "gitlab"))
    assert gate["location"]["path"] == "qa.json"


@pytest.mark.parametrize("form", ["gitlab", "sarif"])
def test_identities_are_unique_and_stay_when_records_move(form: str) -> None:
    def identities(*lines: int) -> list[str]:
        same = [EMPTY_GROUP.model_copy(update={"line": line}) for line in lines]
        other = EMPTY_GROUP.model_copy(update={"query": "q2"})
        nameless = [finding(query="q3", message=text) for text in "ab"]
        text = render(report(*same, other, *nameless), form)
        if form == "gitlab":
            return [one["fingerprint"] for one in json.loads(text)]
        results = json.loads(text)["runs"][0]["results"]
        return [one["partialFingerprints"]["groupwise/v1"] for one in results]

    assert len(set(identities(7, 9))) == 5
    assert identities(7, 9) == identities(70, 90)


def test_sarif_has_rules_results_and_counts() -> None:
    run = sarif(SMALL)
    assert run["tool"]["driver"]["name"] == "groupwise"
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == ["GT004", "GT007", "GT010", "ST001"]
    assert rules[0]["defaultConfiguration"] == {"level": "error"}
    assert "No result can meet it" in rules[0]["help"]["text"]
    assert '```text\n{"id": "q1"' in rules[0]["help"]["markdown"]
    assert "helpUri" not in rules[0]
    first = run["results"][0]
    assert (first["ruleId"], first["ruleIndex"], first["level"]) == ("GT004", 0, "error")
    assert first["message"] == {"text": 'query "q1": group 1 is empty'}
    assert first["locations"] == [
        {
            "physicalLocation": {
                "artifactLocation": {"uri": "qa.json"},
                "region": {"startLine": 7, "startColumn": 21},
            }
        }
    ]
    assert first["properties"] == {
        "query": "q1", "group": 1, "pointer": "/queries/0/ground_truth/1", "fix": "unsafe",
    }  # fmt: skip
    assert [one["level"] for one in run["results"]] == ["error", "warning", "note", "warning"]
    assert run["properties"]["by_code"]["GT004"] == 1235
    (note,) = run["invocations"][0]["toolExecutionNotifications"]
    assert note["message"]["text"] == "… and 1,234 more of GT004"


def test_sarif_places_are_as_far_as_known() -> None:
    def place(one: Any, **more: Any) -> Any:
        (result,) = sarif(report(one, **more))["results"]
        return [location["physicalLocation"] for location in result.get("locations", [])]

    assert place(NOWHERE) == []
    assert place(NOWHERE, files=("qa.json",)) == [{"artifactLocation": {"uri": "qa.json"}}]
    assert place(finding(file="a b.json")) == [{"artifactLocation": {"uri": "a%20b.json"}}]
    assert place(SHARED) == [
        {"artifactLocation": {"uri": "more/qa.jsonl"}, "region": {"startLine": 2}}
    ]


def test_sarif_messages_have_neither_placeholders_nor_links() -> None:
    (one,) = sarif(report(finding(message="{0} [x](http://evil.example)")))["results"]
    assert one["message"]["text"] == r"{{0}} \[x\](http://evil.example)"


def test_a_rule_that_is_not_declared_is_named_all_the_same() -> None:
    one = finding().model_copy(update={"code": "XX001", "name": "new"})
    (rule,) = sarif(ValidationReport(findings=(one,)))["tool"]["driver"]["rules"]
    assert rule == {"id": "XX001", "name": "new"}


def test_junit_has_a_suite_per_file_and_a_case_per_code() -> None:
    root = xml(SMALL)
    suites = {suite.get("name"): suite for suite in root}
    assert list(suites) == [
        "qa.json", "more/qa.jsonl", "clean.json", "groupwise validate", "not shown",
    ]  # fmt: skip
    assert (root.get("tests"), root.get("failures")) == ("6", "4")
    (failure,) = suites["qa.json"][0]
    assert (failure.get("type"), failure.get("message")) == ("error", "1 finding")
    assert failure.text == 'qa.json:7:21: query "q1": group 1 is empty'
    assert suites["more/qa.jsonl"].get("failures") == "0"
    assert suites["more/qa.jsonl"].findtext("testcase/system-out")
    assert [case.get("name") for case in suites["clean.json"]] == ["no findings"]
    assert suites["not shown"].findtext("testcase/failure") == "… and 1,234 more of GT004"


def test_junit_lists_findings_of_one_code_in_one_case() -> None:
    (suite,) = xml(report(*(finding(file="qa.json", line=line) for line in (1, 2, 3))))
    (case,) = suite
    failure = case[0]
    assert failure.get("message") == "3 findings"
    assert re.findall(r"qa\.json:(\d)", failure.text or "") == ["1", "2", "3"]
