"""The showcase: its parts, and a run of the whole, which gives the page of the documentation."""

import json
from itertools import pairwise
from pathlib import Path

import pytest

from groupwise import Dataset
from tests.paths import ROOT

for module in ("bm25s", "sklearn", "jinja2"):
    pytest.importorskip(module, reason="needs pip install -e '.[showcase]'")

# ruff: noqa: E402  (the retrievers may not be installed)
from showcase.chunks import CHUNKINGS, SPANS, Chunking, cut_document, read_documents
from showcase.console import Console, UnexpectedExit
from showcase.data import cripple
from showcase.findings import Findings
from showcase.retrievers import rank
from showcase.story import tell


@pytest.mark.parametrize("length", [0, 1, 9, 10, 11, 17, 18, 100])
def test_chunks_hold_every_character_and_overlap_as_they_should(length: int) -> None:
    text = "".join(chr(ord("a") + number % 26) for number in range(length))
    chunks = [*cut_document("d", text, Chunking(10, 3))]
    assert all(text[chunk.start : chunk.end] == chunk.text for chunk in chunks)
    assert chunks[0].start == 0
    assert chunks[-1].end == length
    assert all(first.end - second.start == 3 for first, second in pairwise(chunks))
    assert [chunk for chunk in chunks[:-1] if chunk.end >= length] == []
    assert len({chunk.id for chunk in chunks}) == len(chunks)


def test_the_spans_of_the_questions_are_places_of_the_documents() -> None:
    documents = read_documents()
    references = [
        alternative
        for query in Dataset.load(SPANS / "questions_df.csv")
        for group in query.ground_truth.groups
        for alternative in group.alternatives
    ]
    assert len(references) == 790
    for reference in references:
        place = documents[str(reference.document)][reference.start : reference.end]
        assert place == reference.text


def test_equal_scores_are_ordered_by_id_and_nothing_is_no_result() -> None:
    found = rank([0.5, 0.0, 0.50000000001, 2.0], ["b", "x", "a", "c"])
    assert [result["id"] for result in found] == ["c", "a", "b"]
    assert [result["score"] for result in found] == [2.0, 0.5, 0.5]


def test_a_crippled_run_has_lost_first_results_only(tmp_path: Path) -> None:
    run = [{"id": name, "results": [{"id": "a"}, {"id": "b"}]} for name in ("q1", "q2")]
    source, target = tmp_path / "run.jsonl", tmp_path / "crippled.jsonl"
    source.write_text("".join(json.dumps(record) + "\n" for record in run))
    cripple(source, target, {"q2"})
    found = [json.loads(line)["results"] for line in target.read_text().splitlines()]
    assert found == [[{"id": "a"}, {"id": "b"}], [{"id": "b"}]]
    cripple(source, target)
    found = [json.loads(line)["results"] for line in target.read_text().splitlines()]
    assert found == [[{"id": "b"}], [{"id": "b"}]]


def test_a_command_that_does_not_end_as_the_page_says_stops_the_run(tmp_path: Path) -> None:
    console = Console(tmp_path, say=lambda _: None)
    with pytest.raises(UnexpectedExit, match="exit 2 in place of 1: groupwise evaluate"):
        console.run("groupwise evaluate", status=1)
    assert console.run("echo a; echo b; echo c", first=2).splitlines()[2:5] == ["a", "b", "…"]


def test_findings_say_who_wins() -> None:
    entry = {"mean": 0.5, "better_than": []}
    runs = {
        "x": {"r": {"mean": 0.75, "better_than": ["y"]}, "t": entry},
        "y": {"r": entry, "t": {"mean": 0.9, "better_than": ["x"]}},
    }
    findings = Findings({"runs": runs, "metrics": {"r": {"pairs": 1, "significant": 1}}})
    assert findings.mean("x", "r") == "0.7500"
    assert findings.differs("y", "x", "r")
    assert findings.flips("x", "y", "r", "t")
    assert not findings.flips("y", "x", "r", "t")


def test_a_run_gives_the_page_to_the_last_digit(tmp_path: Path) -> None:
    said: list[str] = []
    page = tell(tmp_path, say=said.append)
    assert page == (ROOT / "docs" / "showcase.md").read_text("utf-8")
    assert "8. Keep it so\n" in said
    for name in ("report.html", "comparison.html"):
        assert (tmp_path / name).read_text("utf-8").startswith("<!doctype html>")
    assert {*CHUNKINGS} == {"small", "large"}
