"""Checks for machines: GitHub's annotations, JUnit XML, Markdown."""

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from tests.cli.conftest import GROUND_TRUTH, RESULTS, Groupwise, Write
from tests.reporting.junit import check_junit

TEXT = """\
{
  "queries": [
    {"id": "q1", "ground_truth": [["a"]], "results": ["a"],
     "expected": {"recall": 1,
                  "mrr": "no_worse"}},
    {"id": "q2", "ground_truth": [["b"], ["c"]], "results": ["b", "c"], "expected": {
      "first_hit": "<= 2"}}
  ],
  "expected": {
    "recall": ">= 0.9"
  }
}
"""
RUN = {"q1": ["x", "a"], "q2": ["x", "y"]}
FORMS = ("github", "junit", "markdown")


@pytest.fixture
def failing(write: Write) -> tuple[str, ...]:
    return "check", write("tests/f.json", TEXT), "--run", write("run.json", RUN)


def test_annotations_name_the_file_and_the_line(
    groupwise: Groupwise, failing: tuple[str, ...]
) -> None:
    done = groupwise(*failing, "--format", "github")
    head = "::error file=tests/f.json,line="
    worst = "the worst queries: 'q2' 0.0000, 'q1' 1.0000"
    assert (done.code, done.out.splitlines()) == (1, [
        f"{head}10,title=groupwise check::mean, recall: expected >= 0.9, found 0.5; {worst}",
        f"{head}5,title=groupwise check::query 'q1', mrr: expected no worse than 1.0, found 0.5",
        f"{head}7,title=groupwise check::query 'q2', first_hit: expected <= 2, found null",
        "::notice title=groupwise check::1 file: 1 failed",
    ])  # fmt: skip


def test_a_case_for_each_expectation(groupwise: Groupwise, failing: tuple[str, ...]) -> None:
    done = groupwise(*failing, "--format", "junit")
    root = check_junit(done.out)
    (suite,) = root
    assert {**suite.attrib} == {
        "name": "tests/f.json", "tests": "4", "failures": "3", "errors": "0", "skipped": "0",
    }  # fmt: skip
    cases = {case.get("name"): case for case in suite}
    assert list(cases) == ["mean, recall", "query 'q1', recall", "query 'q1', mrr",
                           "query 'q2', first_hit"]  # fmt: skip
    assert not list(cases["query 'q1', recall"])
    (failure,) = cases["mean, recall"]
    assert failure.get("message") == "expected >= 0.9, found 0.5"
    assert str(failure.text).startswith("tests/f.json:10: mean, recall")
    assert "the worst queries: 'q2' 0.0000, 'q1' 1.0000" in str(failure.text)


def test_markdown_shows_what_fell_short_and_the_worst_queries(
    groupwise: Groupwise, failing: tuple[str, ...]
) -> None:
    done = groupwise(*failing, "--format", "markdown")
    assert done.out.startswith("**1 file: 1 failed**\n")
    assert "| tests/f.json | failed | 3 of 4 expectations not met |" in done.out
    assert "| *mean* | recall | \\>= 0.9 | 0.5 |" in done.out
    assert "| q2 | first\\_hit | \\<= 2 | null |" in done.out
    assert "| worst queries | recall |\n| --- | ---: |\n| q2 | 0.0000 |\n" in done.out


@pytest.mark.parametrize("form", FORMS)
def test_every_result_has_its_place(groupwise: Groupwise, write: Write, form: str) -> None:
    query = {"id": "q", "ground_truth": GROUND_TRUTH, "results": RESULTS}
    unscored = {"id": "u", "ground_truth": [], "answerable": False, "results": []}
    write("t/ok.json", {"queries": [query], "expected": {"recall": 0.5}})
    write("t/bad.json", {"queries": [query], "expected": {"recall": "no_better"}})
    write("t/none.json", [query, unscored | {"expected": {"recall": ">= 0"}}])
    write("t/other.json", {"scripts": {}})
    done = groupwise("check", "t", "--format", form)
    assert done.code == 3
    assert "got the string 'no_better'" in done.out.replace("\\_", "_")
    assert "1 ok, 2 error, 1 skipped" in done.out or form == "junit"
    assert "no value" in done.out
    if form == "junit":
        suites = {suite.get("name"): suite for suite in check_junit(done.out)}
        counts = {name: (s.get("errors"), s.get("skipped")) for name, s in suites.items()}
        assert counts == {"t/bad.json": ("1", "0"), "t/none.json": ("1", "0"),
                          "t/ok.json": ("0", "0"), "t/other.json": ("0", "1")}  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
def test_a_form_that_passes_is_exit_0_and_may_go_to_a_file(
    groupwise: Groupwise, write: Write, form: str
) -> None:
    name = write("f.json", TEXT)
    done = groupwise("check", name, "--format", form)
    assert (done.code, done.err) == (0, "")
    assert groupwise("check", name, "--format", form, "-o", "out").code == 0
    assert Path("out").read_text("utf-8") == done.out
    suffix = {"junit": "xml", "markdown": "md"}.get(form)
    if suffix:
        assert groupwise("check", name, "-o", f"o.{suffix}").code == 0
        assert Path(f"o.{suffix}").read_text("utf-8") == done.out


def test_text_may_go_to_a_file(groupwise: Groupwise, failing: tuple[str, ...]) -> None:
    shown = groupwise(*failing)
    done = groupwise(*failing, "-o", "check.txt")
    assert (done.code, done.out) == (1, "")
    assert Path("check.txt").read_text("utf-8") == shown.out


HOSTILE = [
    "\x00\x01\x1b[31m", "]]>", "<script>", "a|b", "::error::x", "##[error]x", "\ufffe", "%0A::stop",
    "\ud800", "`*_[x](y)", "a\nb", "\u202e",
]  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
def test_hostile_ids_are_harmless(groupwise: Groupwise, write: Write, form: str) -> None:
    queries = [
        {"id": f"{text}{n}", "ground_truth": [["a"]], "results": ["x"], "expected": {"recall": 1}}
        for n, text in enumerate(HOSTILE)
        if "\ud800" not in text
    ]
    name = write("t/a<b>&\"'.json", {"queries": queries, "expected": {"mrr": "> 0"}})
    done = groupwise("check", name, "--format", form)
    assert done.code == 1
    assert not {*"\x00\x01\x1b\u202e"} & {*done.out}
    assert "##[" not in done.out
    lines = done.out.splitlines()
    if form == "github":
        assert {line.split()[0] for line in lines} == {"::error", "::notice"}
        assert len(lines) == 11, "ten errors, which is what GitHub shows, and the totals"
        assert "::… and 3 more failures" in lines[9]
    elif form == "junit":
        names = [case.get("name") for case in check_junit(done.out).iter("testcase")]
        assert len({*names}) == len(queries) + 1
    else:
        assert "<script>" not in done.out
        assert all(line.count("|") - line.count("\\|") in (0, 3, 4, 5) for line in lines)
        assert not any(line.lstrip().startswith("::") for line in lines)


@pytest.mark.parametrize("form", FORMS)
def test_the_output_of_many_failures_is_bounded(
    groupwise: Groupwise, write: Write, form: str
) -> None:
    queries: list[dict[str, Any]] = [
        {"id": f"q{n}", "ground_truth": [["a"]], "results": ["x"], "expected": {"recall": "> 0"}}
        for n in range(2000)
    ]
    name = write("f.json", "[\n" + ",\n".join(map(json.dumps, queries)) + "\n]")
    done = groupwise("check", name, "--format", form)
    size = {"github": 11, "markdown": 40}.get(form)
    assert size is None or len(done.out.splitlines()) <= size
    if form == "junit":
        assert len(list(ET.fromstring(done.out).iter("failure"))) == 2000  # noqa: S314


def test_long_ids_are_cut_and_their_cases_keep_names_of_their_own(
    groupwise: Groupwise, write: Write
) -> None:
    ids = [f"{'x' * 5000}{n}" for n in range(3)]
    query = {"ground_truth": [["a"]], "results": ["x"], "expected": {"recall": 1}}
    name = write("f.json", [query | {"id": query_id} for query_id in ids])
    done = groupwise("check", name)
    assert max(map(len, done.out.splitlines())) < 200
    done = groupwise("check", name, "--format", "junit")
    names = [str(case.get("name")) for case in check_junit(done.out).iter("testcase")]
    assert [case.removeprefix(names[0]) for case in names] == ["", " (2)", " (3)"]
