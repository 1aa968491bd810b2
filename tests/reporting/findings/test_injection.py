"""Ids, queries, messages and file names never act on who reads the findings."""

import json
import re
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groupwise.evaluator.reporting.findings import FINDINGS_FORMS
from groupwise.evaluator.reporting.findings import render_findings as render
from groupwise.evaluator.text import UNSEEN
from groupwise.schemas.validation import StaleEntry, ValidationReport
from tests.cli.test_injection import HOSTILE
from tests.reporting.findings.reports import finding, report
from tests.reporting.findings.test_forms import SARIF

MORE = {
    "command": "x\n::error file=a,line=1::owned",
    "percent": "50%0A::warning::%25",
    "end of data": "]]></failure><script>alert(1)</script>&amp;&#10;",
    "no character": "a\ufffe\uffffb\x00\x0bc",
    "half a pair": "\ud800x\udcff",
    "placeholder": "{0} {1:n} {{",
    "quotes": "a\"b'c\\",
    "path": "../../etc/passwd",
    "commas": "a,line=3,title=x::y",
}
ALL_HOSTILE = HOSTILE | MORE
ANY_TEXT = st.text(st.characters(exclude_categories=()))
ACTING = ANY_TEXT | st.text(
    st.sampled_from("\x1b\x9b\r\n\u202e\u200b\u2028\ufffe\x00\ud800%:,]>[<&{}()*`\"'\\ax0")
)


def laden(text: str) -> ValidationReport:
    """A report with the text wherever data can be."""
    everywhere = {"message": text, "file": text, "query": text, "id": text, "pointer": text}
    here = finding(line=1, column=2, fingerprint=text, **everywhere)
    found = report(
        here, here, finding("GT010", text), hidden={"GT004": 5}, files=(text,),
        stale=(StaleEntry(code="GT001", query=text, fingerprint=text),),
    )  # fmt: skip
    data = found.statistics.model_copy(update={"profile": text, "ceilings": {text: 0.5}})
    whole: ValidationReport = found.model_copy(update={"statistics": data})
    return whole


def raw(text: str) -> list[str]:
    return [one for one in UNSEEN.findall(text) if one != "\n"]


def check(form: str, text: str) -> None:
    shown = render(laden(text), form)
    assert raw(shown) == []
    shown.encode()
    CHECKS[form](shown, text)


def check_text(shown: str, _: str) -> None:
    """No data begins a line or makes one: there are as many as of a harmless report."""
    assert shown.count("\n") == render(laden("harmless"), "text").count("\n")


def check_json(shown: str, text: str) -> None:
    found = json.loads(shown)
    assert found["findings"][0]["query"] == text
    assert found["findings"][0]["message"] == text


def check_jsonl(shown: str, text: str) -> None:
    assert [json.loads(line).get("query") for line in shown.splitlines()] == [
        text, text, None, None,
    ]  # fmt: skip


def check_github(shown: str, _: str) -> None:
    lines = shown.split("\n")[:-1]
    assert len(lines) == 4
    for line in lines:
        properties = re.fullmatch(r"::(?:error|notice) ([^:]*)::.*", line)
        assert properties
        names = [one.partition("=")[0] for one in properties[1].split(",")]
        assert names in (["file", "line", "col", "title"], ["title"])
        assert line.startswith("::error") or names == ["title"]
        assert not re.search(r"%(?!25|3A|2C)", line)


def check_gitlab(shown: str, _: str) -> None:
    entries = json.loads(shown)
    assert len({one["fingerprint"] for one in entries}) == 4
    assert not list(unseen_within(entries))


def check_sarif(shown: str, _: str) -> None:
    log = json.loads(shown)
    SARIF.validate(log)
    results = log["runs"][0]["results"]
    assert len(results) == 3
    assert not list(unseen_within(results))
    for one in results:
        text = one["message"]["text"]
        assert not re.search(r"(?<!\{)(\{\{)*\{\d", text)
        assert not re.search(r"(?<!\\)(\\\\)*\]\(", text)
        uri = one["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        assert re.fullmatch(r"(file:///)?[A-Za-z0-9_.~/%-]*", uri)


def check_junit(shown: str, _: str) -> None:
    root = ET.fromstring(shown)  # noqa: S314  (what we wrote ourselves)
    assert {one.tag for one in root.iter()} == {
        "testsuites", "testsuite", "testcase", "failure", "system-out",
    }  # fmt: skip
    assert len(list(root.iter("testcase"))) == 3
    texts = [*root.itertext(), *(value for one in root.iter() for value in one.attrib.values())]
    assert not [text for text in texts if raw(text)]


def unseen_within(value: Any) -> Any:
    """Unseen characters that a program which reads the JSON would show to a person."""
    if isinstance(value, str):
        yield from UNSEEN.findall(value)
    elif isinstance(value, dict):
        yield from (one for part in (*value, *value.values()) for one in unseen_within(part))
    elif isinstance(value, list):
        yield from (one for part in value for one in unseen_within(part))


CHECKS = {
    "text": check_text,
    "json": check_json,
    "jsonl": check_jsonl,
    "github": check_github,
    "gitlab": check_gitlab,
    "sarif": check_sarif,
    "junit": check_junit,
}


def test_every_form_is_checked() -> None:
    assert set(CHECKS) == set(FINDINGS_FORMS.built_in)


@pytest.mark.parametrize("form", FINDINGS_FORMS.built_in)
def test_nothing_of_the_data_acts(form: str) -> None:
    for hostile in ALL_HOSTILE.values():
        check(form, hostile)


@pytest.mark.parametrize("form", FINDINGS_FORMS.built_in)
@given(text=ACTING)
def test_no_text_whatever_acts(form: str, text: str) -> None:
    check(form, text)


@pytest.mark.parametrize("form", ["text", "github", "gitlab", "sarif", "junit"])
def test_an_escape_sequence_is_shown_as_its_escape(form: str) -> None:
    shown = render(laden("a\x1b[31mb"), form)
    assert "\\x1b[31m" in shown.replace("\\\\", "\\")
