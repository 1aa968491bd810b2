"""Ids, queries, file names and arguments never act on the reader's terminal."""

import csv
import io
import json
from pathlib import Path

import pytest

from groupwise.evaluator.reporting.findings import FINDINGS_FORMS
from groupwise.evaluator.text import UNSEEN
from tests.cli.conftest import Groupwise, Write

HOSTILE = {
    "colour": "\x1b[31mred\x1b[0m",
    "title": "\x1b]0;owned\x07",
    "link": "\x1b]8;;http://evil.example\x1b\\click\x1b]8;;\x1b\\",
    "c1": "\x9b31m",
    "bidi": "a\u202egnp.exe",
    "isolate": "\u2066x\u2069",
    "zero width": "a\u200bb\ufeffc",
    "tags": "a\U000e0041b",
    "delete": "a\x7f\x08b",
    "lines": "a\r\nerror: all is lost\u2028b",
    "markup": "[red]x[/red] [link=http://evil.example]y[/link] :smile:",
    "formula": "=cmd|'/c calc'!A0",
    "pipe": "a | b `c` <img src=x> [l](javascript:x) *d*",
}


def pair(write: Write, hostile: str) -> tuple[str, str]:
    ids = [hostile, f"{hostile}2"]
    write("g.json", {query: [[f"{query}g"]] for query in [*ids, "only here " + hostile]})
    write("r.json", {query: [f"{query}r"] for query in [*ids, "only there " + hostile]})
    return "g.json", "r.json"


def raw(text: str) -> list[str]:
    return [one for one in UNSEEN.findall(text) if one != "\n"]


@pytest.mark.parametrize("form", ["table", "json", "jsonl", "csv", "markdown"])
def test_nothing_unseen_comes_out_of_data(groupwise: Groupwise, write: Write, form: str) -> None:
    for hostile in HOSTILE.values():
        done = groupwise("evaluate", *pair(write, hostile), "--format", form)
        assert (done.code, raw(done.out), raw(done.err)) == (0, [], [])


@pytest.mark.parametrize("hostile", HOSTILE.values(), ids=HOSTILE)
def test_json_keeps_the_ids_as_they_are(groupwise: Groupwise, write: Write, hostile: str) -> None:
    done = groupwise("evaluate", *pair(write, hostile), "--format", "json")
    assert hostile in json.loads(done.out)["per_query"]


@pytest.mark.parametrize("hostile", HOSTILE.values(), ids=HOSTILE)
def test_nothing_unseen_comes_out_of_errors(
    groupwise: Groupwise, write: Write, hostile: str
) -> None:
    name = write(
        "f.json", [{"id": hostile, "ground_truth": [[]], "results": [hostile], hostile: 1}]
    )
    calls = [
        ("evaluate", name),
        ("evaluate", name, "-m", hostile),
        ("evaluate", f"{hostile}.json"),
        ("evaluate", name, "--gate", hostile),
        ("evaluate", name, f"--{hostile}"),
        ("check", f"{hostile}.json"),
        ("metrics", hostile),
        ("rule", hostile),
        (hostile,),
    ]
    for words in calls:
        done = groupwise(*words)
        assert done.code in (2, 3)
        assert (raw(done.out), raw(done.err)) == ([], [])
        assert not [one for one in done.err.splitlines() if one.startswith("error: all is lost")]


@pytest.mark.parametrize("form", FINDINGS_FORMS.built_in)
def test_nothing_unseen_comes_out_of_findings(
    groupwise: Groupwise, write: Write, form: str
) -> None:
    for hostile in HOSTILE.values():
        truth = [[hostile, hostile], []]
        name = write("f.json", [{"id": hostile, "query": hostile, "ground_truth": truth}])
        done = groupwise("validate", name, "--format", form)
        assert (done.code, raw(done.out), raw(done.err)) == (1, [], [])
        assert "GT004" in done.out


@pytest.mark.parametrize("hostile", ["\x1b[31m", "[red]x[/red]", "\u202ea"])
def test_nothing_unseen_comes_out_of_an_update(
    groupwise: Groupwise, write: Write, hostile: str
) -> None:
    record = {"id": hostile, "ground_truth": [["a"]], "results": ["a"], "expected": {"recall": 0}}
    name = write(f"{hostile.replace('/', '')}.json", json.dumps([record], ensure_ascii=False))
    text = Path(name).read_text(encoding="utf-8")
    if "\x1b" not in hostile:
        assert hostile in text
    for words in (("check", name), ("check", "--update", name)):
        done = groupwise(*words)
        assert (raw(done.out), raw(done.err)) == ([], [])


def test_markup_is_shown_as_text(groupwise: Groupwise, write: Write) -> None:
    done = groupwise("evaluate", *pair(write, "[red]x[/red]"))
    assert "[red]x[/red]" in done.out


def test_cells_are_no_formulas(groupwise: Groupwise, write: Write) -> None:
    queries = ["=1+1", "+1+1", "-1+1", "@SUM(1)", " =1", "-5", "+1e3", "plain"]
    write("g.json", {query: [["a"]] for query in queries})
    write("r.json", {query: ["a"] for query in queries})
    done = groupwise("evaluate", "g.json", "r.json", "--format", "csv")
    cells = {row[1] for row in csv.reader(io.StringIO(done.out))}
    assert cells == {
        "query", "'=1+1", "'+1+1", "'-1+1", "'@SUM(1)", "' =1", "-5", "+1e3", "plain", "",
    }  # fmt: skip


def test_markdown_tables_keep_their_shape(groupwise: Groupwise, write: Write) -> None:
    done = groupwise("evaluate", *pair(write, HOSTILE["pipe"]), "--format", "markdown")
    warnings = [line for line in done.out.splitlines() if line.startswith("- **Warning:**")]
    assert warnings
    for line in warnings:
        unescaped = line.removeprefix("- **Warning:** ").replace("\\\\", "")
        for sign in "|`<[*":
            assert unescaped.count(sign) == unescaped.count(f"\\{sign}")
