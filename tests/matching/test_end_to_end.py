"""A matcher of one's own, from input to report: objects, files, fixtures, retrievers, commands."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from groupwise import Evaluator, Fixture, check_fixture, evaluate, hit_vector
from groupwise.metrics import recall
from tests.matching import overlap

TRUTH = [
    [{"id": "a", "document": "d", "start": 0, "end": 100}],
    [
        {"id": "b", "document": "e", "start": 50, "end": 60},
        {"id": "c", "document": "e", "start": 0, "end": 9, "grade": 0},
        {"id": "f", "document": "d", "start": 900, "end": 1000},
    ],
]
RESULTS = [
    {"id": "r1", "document": "x", "start": 0, "end": 100, "score": 1.0},
    {"id": "r2", "document": "d", "start": 40, "end": 500, "score": 2.0},
    {"id": "r3", "document": "d", "start": 949, "end": 2000, "score": 3.0},
    {"id": "r4", "document": "e", "start": 0, "end": 9, "score": 4.0},
]
"""The second covers 60 of 100 characters of a, the third 51 of 100 of f, the fourth none of b."""
NAMES = ["recall", "mrr", "trec:mrr", "trec:ndcg", "coverage:recall@2"]
EXPECTED = {"recall": 1.0, "mrr": (1 / 2 + 1 / 3) / 2, "trec:mrr": 1 / 2, "coverage:recall@2": 0.5}


@pytest.fixture(params=["objects", "json", "jsonl"])
def sides(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Any, Any]:
    records = [{"id": "q", "ground_truth": TRUTH}, {"id": "plain", "ground_truth": [["z"]]}]
    run = [{"id": "q", "results": RESULTS}, {"id": "plain", "results": ["z"]}]
    if request.param == "objects":
        return records, run
    return tuple(written(tmp_path, value, request.param) for value in (records, run))  # type: ignore[return-value]


def written(folder: Path, records: list[Any], suffix: str) -> Path:
    path = folder / f"{next(iter(records[0].keys() - {'id'}))}.{suffix}"
    lines = "\n".join(map(json.dumps, records))
    path.write_text(lines if suffix == "jsonl" else json.dumps(records), "utf-8")
    return path


def test_spans_that_overlap_are_hits(sides: tuple[Any, Any]) -> None:
    report = evaluate(*sides, metrics=NAMES, matching="overlap")
    found = report.per_query["q"]
    assert {name: found[name] for name in EXPECTED} == pytest.approx(EXPECTED)
    assert report.per_query["plain"]["recall"] == 0.0


def test_options_decide(sides: tuple[Any, Any]) -> None:
    for threshold, share in ((0.5, 1.0), (0.55, 0.5), ("0.7", 0.0)):
        matching = {"type": "overlap", "threshold": threshold}
        report = evaluate(*sides, metrics="recall", matching=matching)
        assert report.per_query["q"]["recall"] == share


def test_ids_alone_decide_if_nothing_else_is_said(sides: tuple[Any, Any]) -> None:
    report = evaluate(*sides, metrics="recall")
    assert (report.per_query["q"]["recall"], report.per_query["plain"]["recall"]) == (0.0, 1.0)


def test_an_evaluator_keeps_the_references_of_its_ground_truth(sides: tuple[Any, Any]) -> None:
    evaluator = Evaluator(sides[0], metrics=NAMES, matching="overlap")
    for _ in range(2):
        report = evaluator.evaluate(sides[1])
        assert report == evaluate(*sides, metrics=NAMES, matching="overlap")


def test_a_fixture_names_its_matcher() -> None:
    queries = [{"id": "q", "ground_truth": TRUTH, "results": RESULTS}]
    fixture = {"queries": queries, "matching": {"type": "overlap", "threshold": 0.55}}
    assert evaluate(Fixture.model_validate(fixture), metrics="recall").scores["recall"] == 0.5


def test_a_fixture_in_a_file_is_checked_with_its_matcher(tmp_path: Path) -> None:
    queries = [{"id": "q", "ground_truth": TRUTH, "results": RESULTS}]
    fixture = {"queries": queries, "matching": "overlap", "expected": {"recall": 1.0}}
    path = tmp_path / "fixture.json"
    path.write_text(json.dumps(fixture), "utf-8")
    assert check_fixture(path).ok


def test_a_single_query_takes_a_matcher_too() -> None:
    assert hit_vector(TRUTH, RESULTS, matching="overlap") == [0, 1, 1, 0]
    assert recall(TRUTH, RESULTS, k=2, matching={"type": "overlap", "threshold": 0.1}) == 0.5
    assert recall(TRUTH, RESULTS) == 0.0


def test_a_retriever_is_judged_by_the_matcher() -> None:
    truth = [{"id": "q", "query": "?", "ground_truth": TRUTH}]
    report = evaluate(truth, retriever=lambda _: RESULTS, metrics="recall", matching="overlap")
    assert report.scores["recall"] == 1.0


def test_ties_are_bounded_by_what_the_matcher_finds() -> None:
    results = [{**result, "score": 1.0} for result in RESULTS[:2]]
    report = evaluate(
        {"q": TRUTH}, {"q": results}, profile="trec", metrics="mrr", matching="overlap",
        ties="report",
    )  # fmt: skip
    assert report.ties is not None
    assert (report.ties.bounds["mrr"].worst, report.ties.bounds["mrr"].best) == (0.5, 1.0)


def test_the_command_takes_it_from_a_plugin(tmp_path: Path) -> None:
    truth = written(tmp_path, [{"id": "q", "ground_truth": TRUTH}], "json")
    run = written(tmp_path, [{"id": "q", "results": RESULTS}], "json")
    command = [
        sys.executable, "-m", "groupwise", "evaluate", str(truth), str(run), "-m", "recall",
        "--plugin", str(overlap.__file__), "--match", "overlap", "--match-option", "threshold=0.55",
        "--format", "json",
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["scores"] == {"recall": 0.5}
