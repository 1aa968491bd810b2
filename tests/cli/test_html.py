"""Pages of HTML on the command line."""

import gzip
import json
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Groupwise, Write
from tests.paths import ROOT
from tests.reporting.html.pages import Page


@pytest.mark.parametrize("name", ["r.html", "r.HTM", "r.html.gz"])
def test_the_ending_picks_the_form(groupwise: Groupwise, fixture: str, name: str) -> None:
    assert groupwise("evaluate", fixture, "-o", name).code == 0
    data = Path(name).read_bytes()
    page = gzip.decompress(data) if name.endswith(".gz") else data
    assert page.startswith(b"<!doctype html>\n")
    assert page.endswith(b"</html>\n")


def test_a_pipe_has_the_same_page_but_for_its_name(groupwise: Groupwise, fixture: str) -> None:
    data = Path(fixture).read_bytes()
    piped = groupwise("evaluate", "-", "--format", "html", stdin=data)
    read = groupwise("evaluate", fixture, "--format", "html")
    assert (piped.code, read.code) == (0, 0)
    assert Page(piped.out).shape == Page(read.out).shape
    assert piped.out.replace("&lt;stdin&gt;", fixture) == read.out


@pytest.mark.parametrize("option", ["--worst", "--explain"])
def test_a_number_of_queries_in_full(groupwise: Groupwise, write: Write, option: str) -> None:
    truth = write("g.json", {f"q{n}": [["a"]] for n in range(5)})
    run = write("r.json", {f"q{n}": ["b"] for n in range(5)})
    page = Page(groupwise("evaluate", truth, run, "--format", "html", option, "2").out)
    assert len(page.find("tr", **{"class": "more"})) == 2


def test_what_was_asked_for_is_kept(groupwise: Groupwise, fixture: str) -> None:
    words = ("--confidence", "0.8", "--curve", "3", "-m", "recall", "--format", "html")
    assert "80 % interval" in Page(groupwise("evaluate", fixture, *words).out).text


def test_a_fixture_with_another_matcher_has_no_ceilings(groupwise: Groupwise, write: Write) -> None:
    content = {
        "matching": {"type": "normalised"},
        "queries": [{"id": "q", "ground_truth": [["A"]], "results": ["a"]}],
    }
    done = groupwise("evaluate", write("f.json", content), "-m", "recall", "--format", "html")
    assert done.code == 0
    assert "normalised" in Page(done.out).text
    assert "ceiling" not in Page(done.out).text


def test_queries_are_left_out_on_request(groupwise: Groupwise, fixture: str) -> None:
    page = Page(groupwise("evaluate", fixture, "--no-per-query", "--format", "html").out)
    assert not page.find("h2", id="queries")
    assert page.find("h2", id="scores")


def test_a_comparison_is_written_by_its_ending(groupwise: Groupwise, write: Write) -> None:
    write("g.json", {f"q{n}": [["a"]] for n in range(12)})
    runs = [write(f"{name}.json", {f"q{n}": [name] for n in range(12)}) for name in ("a", "b")]
    assert groupwise("compare", "g.json", *runs, "-m", "recall", "-o", "c.html").code == 0
    assert "a vs b on g.json" in Page(Path("c.html").read_text("utf-8")).text


@pytest.mark.parametrize("command", ["evaluate", "compare"])
def test_without_jinja2_nothing_is_read(
    groupwise: Groupwise, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.setitem(sys.modules, "jinja2", None)
    files = ["none.json"] if command == "evaluate" else ["g.json", "a.json", "b.json"]
    done = groupwise(command, *files, "-o", "r.html")
    assert done.code == 3
    assert done.err == (
        "error: html needs jinja2, which is not installed: pip install 'groupwise[html]'\n"
    )


def test_json_has_no_texts_of_pages(groupwise: Groupwise, fixture: str) -> None:
    report = json.loads(groupwise("evaluate", fixture, "--explain", "1", "--format", "json").out)
    assert not {"texts", "gold_texts"} & set(report["explanation"]["queries"]["q1"])


def test_pictures_are_small() -> None:
    pictures = list((ROOT / "docs" / "pictures").glob("*.png"))
    assert {"report.png", "report-queries.png"} <= {path.name for path in pictures}
    assert all(path.stat().st_size < 200_000 for path in pictures)
