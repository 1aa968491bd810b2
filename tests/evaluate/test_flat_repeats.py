"""With ``flat="all"`` an id is one group, however often a list has it, and the report says so.

In each case the ground truth is A, A, B and the result is A: 1 of 2 groups is met, not 2 of 3.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from groupwise import Evaluator, File, Report, convert, evaluate, metrics, read, validate

IDS, FOUND = ["A", "A", "B"], ["A"]
SAID = "1 flat list repeats ids; each id is one group, 1 group less"


def check(report: Report) -> None:
    assert report.scores == {"recall": 0.5}
    assert [warning.partition(": ")[2] for warning in report.warnings] == [SAID]


def write(path: Path, *records: Any) -> Path:
    path.write_text("".join(f"{json.dumps(record)}\n" for record in records))
    return path


@pytest.mark.parametrize(
    "truth",
    [
        {"q": IDS},
        [{"id": "q", "ground_truth": IDS}],
        [{"qid": "q", "retrieval_gt": tuple(IDS)}],
        {"q": {"ground_truth": IDS, "query": "?"}},
    ],
)
def test_objects(truth: Any) -> None:
    check(evaluate(truth, {"q": FOUND}, metrics="recall", flat="all"))


def test_arrays() -> None:
    np = pytest.importorskip("numpy")
    check(evaluate({"q": np.array(IDS)}, {"q": FOUND}, metrics="recall", flat="all"))


def test_an_evaluator() -> None:
    check(Evaluator({"q": IDS}, metrics="recall", flat="all").evaluate({"q": FOUND}))


def test_a_retriever() -> None:
    truth = [{"id": "q", "query": "?", "ground_truth": IDS}]
    check(evaluate(truth, retriever=lambda _query: FOUND, metrics="recall", flat="all"))


def test_frames() -> None:
    pandas = pytest.importorskip("pandas")
    truth = pandas.DataFrame({"id": ["q"], "ground_truth": [IDS]})
    run = pandas.DataFrame({"id": ["q"], "results": [FOUND]})
    check(evaluate(truth, run, metrics="recall", flat="all"))


@pytest.mark.parametrize("name", ["truth.json", "truth.jsonl"])
def test_files(name: str, tmp_path: Path) -> None:
    truth = write(tmp_path / name, {"id": "q", "ground_truth": IDS})
    run = write(tmp_path / "run.jsonl", {"id": "q", "results": FOUND})
    check(evaluate(truth, run, metrics="recall", flat="all"))


def test_a_fixture(tmp_path: Path) -> None:
    record = {"id": "q", "ground_truth": IDS, "results": FOUND}
    fixture = {"policies": {"flat": "all"}, "queries": [record]}
    check(evaluate(write(tmp_path / "fixture.json", fixture), metrics="recall"))


def test_parquet(tmp_path: Path) -> None:
    pa, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    table = pa.table({"qid": ["q"], "retrieval_gt": [IDS]})
    parquet.write_table(table, tmp_path / "qa.parquet")
    check(evaluate(tmp_path / "qa.parquet", {"q": FOUND}, metrics="recall", flat="all"))


HUB = {"id": "q", "question": "?", "supporting_facts": {"title": IDS, "sent_id": [0, 1, 0]}}


def test_titles_of_supporting_facts_by_their_path(tmp_path: Path) -> None:
    truth = write(tmp_path / "hotpot.jsonl", HUB)
    run = write(tmp_path / "run.jsonl", {"id": "q", "results": FOUND})
    fields = {"ground_truth": "supporting_facts.title"}
    check(evaluate(File(truth, map=fields), File(run, map=fields), metrics="recall", flat="all"))


def test_titles_of_supporting_facts_in_their_format(tmp_path: Path) -> None:
    truth = write(tmp_path / "hotpot.jsonl", {**HUB, "context": {}})
    run = write(tmp_path / "run.jsonl", {"id": "q", "results": FOUND})
    assert evaluate(truth, run, metrics="recall").scores == {"recall": 0.5}


def test_a_conversion(tmp_path: Path) -> None:
    truth = write(tmp_path / "truth.jsonl", {"id": "q", "ground_truth": IDS})
    done = convert(truth, tmp_path / "groups.jsonl", flat="all")
    assert [warning.partition(": ")[2] for warning in done.warnings] == [SAID]
    (query,) = read(tmp_path / "groups.jsonl", role="ground_truth")
    assert query.ground_truth.truth() == [["A"], ["B"]]


def test_one_query() -> None:
    assert metrics.recall(IDS, FOUND, flat="all") == 0.5


def test_ids_that_are_the_same_as_text() -> None:
    truth = {"q": [1, "1", 2]}
    check(evaluate(truth, {"q": ["1"]}, metrics="recall", flat="all", ids="text"))


def test_lists_and_groups_are_counted() -> None:
    truth = {"q": ["A", "A", "A"], "r": IDS, "s": ["A", "B"], "t": [["A"], ["A"]]}
    report = evaluate(truth, dict.fromkeys(truth, FOUND), metrics="recall", flat="all")
    assert report.warnings == (
        "ground_truth: 2 flat lists repeat ids; each id is one group, 3 groups less",
    )
    assert {query: dict(scores) for query, scores in report.per_query.items()} == {
        "q": {"recall": 1.0}, "r": {"recall": 0.5}, "s": {"recall": 0.5}, "t": {"recall": 1.0},
    }  # fmt: skip


def test_one_group_of_all_has_nothing_to_fold() -> None:
    report = evaluate({"q": IDS}, {"q": FOUND}, metrics="recall", flat="any")
    assert (report.scores, report.warnings) == ({"recall": 1.0}, ())


def test_validation_names_the_repeat_and_counts_the_group_once(tmp_path: Path) -> None:
    path = write(tmp_path / "truth.jsonl", {"id": "q", "ground_truth": IDS})
    found = validate(path, flat="all")
    assert [(finding.code, finding.pointer) for finding in found.findings] == [
        ("GT007", "/ground_truth/1")
    ]
