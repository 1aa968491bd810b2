"""Fixtures as regression tests: a fresh run against what a fixture expects."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from groupwise import InputError, Run, check_fixture
from tests.cli.conftest import GROUND_TRUTH, RESULTS, Groupwise, Write
from tests.paths import EXAMPLES

BETTER = ["test-3", "test-1"]
WORSE = ["pred-1", "pred-2", "test-1"]


def fixture_of(expected: Any, **more: Any) -> dict[str, Any]:
    query = {"id": "q1", "ground_truth": GROUND_TRUTH, "results": RESULTS}
    return {"queries": [query], "expected": expected, **more}


def test_a_fresh_run_is_scored_instead_of_the_own_results(
    groupwise: Groupwise, write: Write
) -> None:
    name = write("f.json", fixture_of({"recall": 0.5}))
    assert groupwise("check", name, "--run", write("a.json", {"q1": RESULTS})).code == 0
    done = groupwise("check", name, "--run", write("b.json", {"q1": BETTER}))
    assert (done.code, done.err) == (1, "")
    assert "mean, recall: expected 0.5, found 1.0" in done.out


BY_FORMAT = {
    "run.jsonl": '{"id": "q1", "results": ["test-3", "test-1"]}\n',
    "scored.jsonl": '{"id": "q1", "results": ["test-3", "test-1"], "scores": [2, 1]}\n',
    "run.json": '{"q1": ["test-3", "test-1"]}',
    "run.trec": "q1 Q0 test-3 1 2.0 t\nq1 Q0 test-1 2 1.0 t\n",
    "run.csv": "query_id,doc_id,score\nq1,test-3,2\nq1,test-1,1\n",
    "autorag.jsonl": '{"qid": "q1", "retrieved_ids": ["test-3", "test-1"]}\n',
}


@pytest.mark.parametrize("run", BY_FORMAT)
def test_a_run_of_any_format(groupwise: Groupwise, write: Write, run: str) -> None:
    name = write("f.json", fixture_of({"recall": 1, "mrr": 0.75}))
    done = groupwise("check", name, "--run", write(run, BY_FORMAT[run]))
    assert (done.code, done.out) == (0, "ok      f.json: 2 expectations met\n"), done.err


def test_a_run_on_standard_input_and_with_a_map(groupwise: Groupwise, write: Write) -> None:
    name = write("f.json", fixture_of({"recall": 1}))
    assert groupwise("check", name, "--run", "-", stdin=BY_FORMAT["run.jsonl"].encode()).code == 0
    docs = [{"key": "test-3"}, {"key": "test-2"}]
    odd = write("odd.jsonl", json.dumps({"case": {"no": "q1"}, "docs": docs}))
    words = ("check", name, "--run", odd)
    assert groupwise(*words).code == 3
    assert groupwise(*words, "--map", "id=case.no,results=docs.*.key").code == 0
    trec = write("run.trec", BY_FORMAT["run.trec"])
    assert groupwise("check", name, "--run", trec, "--from", "trec-run").code == 0


def test_the_own_results_are_what_a_run_is_compared_with(
    groupwise: Groupwise, write: Write
) -> None:
    name = write("f.json", fixture_of({"mrr": "no_worse", "recall": "no_worse"}))
    done = groupwise("check", name)
    told = "2 expectations met; 2 are no_worse, which only a fresh run (--run) can fail"
    assert (done.code, done.out) == (0, f"ok      f.json: {told}\n")
    assert groupwise("check", name, "--run", write("same.json", {"q1": RESULTS})).code == 0
    assert groupwise("check", name, "--run", write("better.json", {"q1": BETTER})).code == 0
    done = groupwise("check", name, "--run", write("worse.json", {"q1": WORSE}))
    assert done.code == 1
    assert "mean, mrr: expected no worse than 0.5, found 0.16666666666666666" in done.out


def test_missing_and_extra_queries_follow_the_policies_and_are_told(
    groupwise: Groupwise, write: Write
) -> None:
    queries = [{"id": q, "ground_truth": [["a"]], "results": ["a"]} for q in ("q1", "q2")]
    run = write("run.json", {"q2": ["a"], "q9": ["a"]})
    name = write("f.json", {"queries": queries, "expected": {"recall": ">= 0.5"}})
    done = groupwise("check", name, "--run", run)
    assert done.code == 0
    assert "warning: f.json: 1 query without results, scored 0: 'q1'" in done.err
    assert "warning: f.json: 1 query in the results only, ignored: 'q9'" in done.err
    for policy in ({"missing": "error"}, {"extra": "error"}):
        strict = {"queries": queries, "expected": {"recall": 1}, "policies": policy}
        assert groupwise("check", write("g.json", strict), "--run", run).code == 3
    done = groupwise("check", name, "--run", write("other.json", {"x": ["a"]}))
    assert (done.code, done.out) == (3, "")
    assert "f.json" in done.err


def test_a_run_with_ties_in_the_trec_profile(groupwise: Groupwise, write: Write) -> None:
    """Of two documents with one score, the larger id comes first, whatever the order given."""
    query = {"id": "q", "ground_truth": [["b"]], "results": ["a", "b"]}
    expected = {"first_hit": 1, "mrr": "no_worse"}
    content = {"profile": "trec", "queries": [query | {"expected": expected}]}
    name = write("f.json", content)
    run = '{"id": "q", "results": ["a", "b"], "scores": [1, 1]}'
    assert groupwise("check", name, "--run", write("run.jsonl", run)).code == 0
    kept = write("g.json", content | {"policies": {"ties": "input"}})
    assert groupwise("check", kept, "--run", "run.jsonl").code == 1


def test_matching_and_budgets_of_the_fixture_hold_for_the_run(
    groupwise: Groupwise, write: Write
) -> None:
    query = {"id": "q", "ground_truth": [["b"]],
             "results": [{"id": "a", "tokens": 9}, {"id": "b", "tokens": 2}]}  # fmt: skip
    name = write("f.json", {"queries": [query], "expected": {"recall@10t": "no_worse"}})
    fits = '{"id": "q", "results": [{"id": "a", "tokens": 8}, {"id": "b", "tokens": 2}]}'
    assert groupwise("check", name, "--run", write("fits.jsonl", fits)).code == 0
    done = groupwise("check", name, "--run", write("none.json", {"q": ["b"]}))
    assert done.code == 3
    assert "a budget of tokens needs the tokens of every result" in done.err


def test_what_is_no_run_is_an_error_that_says_so(groupwise: Groupwise, write: Write) -> None:
    name = write("f.json", fixture_of({"recall": 0.5}))
    truth = write("truth.jsonl", '{"id": "q1", "ground_truth": [["a"]]}')
    done = groupwise("check", name, "--run", truth)
    assert done.code == 3
    assert "truth.jsonl: expected results, got ground truth" in done.err
    for content in ("", "{", '{"q1": [["a"]]}'):
        assert groupwise("check", name, "--run", write("bad.json", content)).code == 3
    assert groupwise("check", name, "--run", "nowhere.json").code == 3
    done = groupwise("check", name, "--run", write("numbers.json", {"q1": [1, 2]}))
    assert done.code == 3
    assert "ids of both kinds" in done.err


@pytest.mark.parametrize(
    "words",
    [
        ["f.json", "f.json", "--run", "run.json"],
        [".", "--run", "run.json"],
        [".", "--run", "-"],
        ["f.json", "--run", "run.json", "--update"],
        ["f.json", "--dry-run"],
        ["f.json", "--from", "jsonl"],
        ["f.json", "--map", "id=x"],
        ["f.json", "--run", "run.json", "--from", "nonsense"],
        ["f.json", "--run", "run.json", "--from", "trec-qrels"],
        ["f.json", "--run", "run.json", "--from", "json", "--from", "jsonl"],
        ["f.json", "--run", "run.json", "--map", "auto", "--map", "id=x"],
        ["-", "--run", "run.json"],
        ["f.json", "--update", "--format", "github"],
        ["f.json", "--format", "yaml"],
        ["f.json", "-o", "f.json", "--format", "junit"],
        ["f.json", "--run", "run.json", "-o", "run.json", "--format", "junit"],
    ],
)
def test_what_does_not_go_together_is_a_usage_error(
    groupwise: Groupwise, write: Write, words: list[str]
) -> None:
    write("f.json", fixture_of({"recall": 0.5}))
    write("run.json", {"q1": RESULTS})
    done = groupwise("check", *words)
    assert (done.code, done.out) == (2, "")


def test_a_folder_of_runs_by_the_names_of_the_fixtures(groupwise: Groupwise, write: Write) -> None:
    write("tests/a.json", fixture_of({"recall": "no_worse"}))
    write("tests/deep/b.json.txt", "not looked at")
    write("tests/deep/b.json", fixture_of({"recall": ">= 0.5"}))
    write("runs/a.jsonl", json.dumps({"id": "q1", "results": BETTER}))
    write("runs/deep/b.trec", "q1 Q0 none 1 1.0 t\n")
    done = groupwise("check", "tests", "--run", "runs")
    assert (done.code, done.out.splitlines()) == (1, [
        "ok      tests/a.json: 1 expectation met",
        "failed  tests/deep/b.json: 1 of 1 expectation not met",
        "  mean, recall: expected >= 0.5, found 0.0",
        "2 files: 1 ok, 1 failed",
    ])  # fmt: skip
    assert groupwise("check", "tests/a.json", "tests/deep/b.json", "--run", "runs").code == 3
    write("runs/a.csv", "query_id,doc_id\n")
    done = groupwise("check", "tests/a.json", "--run", "runs")
    assert (done.code, done.err) == (
        3, "error: tests/a.json: expected one run runs/a.*, got 2: a.csv, a.jsonl\n",
    )  # fmt: skip
    Path("empty").mkdir()
    os.mkfifo("empty/a.json")
    done = groupwise("check", "tests/a.json", "--run", "empty")
    assert (done.code, done.err) == (
        3, "error: tests/a.json: no run for this fixture: expected empty/a.*\n",
    )  # fmt: skip


def test_a_broken_fixture_in_a_folder_does_not_stop_the_others(
    groupwise: Groupwise, write: Write
) -> None:
    write("tests/a.json", fixture_of({"recall": ">= 0.5"}))
    write("tests/b.json", fixture_of({"recall": ">= half"}))
    write("tests/c.json", fixture_of({"recall": "> 0.5"}))
    done = groupwise("check", "tests")
    assert done.code == 3
    assert "tests/b.json:1:" in done.err
    assert "got the string '>= half'" in done.err
    assert done.out.endswith("3 files: 1 ok, 1 failed, 1 error\n")


def test_the_shipped_example_does_not_fail_for_an_improvement(
    groupwise: Groupwise, write: Write
) -> None:
    example = str(EXAMPLES / "regression.json")
    fresh = EXAMPLES / "regression" / "run.jsonl"
    assert groupwise("check", example, "--run", str(fresh)).code == 0
    records = [json.loads(line) for line in fresh.read_text("utf-8").splitlines()]
    worse = {record["id"]: record["results"] for record in records}
    worse["refund-abroad"] = ["kb-3", "policy-2"]
    done = groupwise("check", example, "--run", write("worse.json", worse))
    assert done.code == 0, "recall is what it was, and mrr is better on the whole"
    worse["opening-hours"] = ["kb-3", "site-1"]
    done = groupwise("check", example, "--run", write("worse.json", worse))
    assert done.code == 1
    assert "query 'opening-hours', first_hit: expected 1.0, found 2.0" in done.out


RUNS: dict[str, Any] = {
    "by id": {"q1": BETTER},
    "records": [{"id": "q1", "results": BETTER}],
    "a list in order": [BETTER],
    "a run": Run.model_validate([{"id": "q1", "results": BETTER}]),
    "with scores": {"q1": {"results": BETTER, "scores": [2, 1]}},
}


@pytest.mark.parametrize("run", RUNS.values(), ids=RUNS)
def test_the_library_takes_any_results(write: Write, run: Any) -> None:
    check = check_fixture(write("f.json", fixture_of({"recall": 1, "mrr": "no_worse"})), run=run)
    assert check.ok, str(check)
    assert (check.run, check.checked) == ("results", 2)


def test_the_library_refuses_an_update_from_a_run(write: Write) -> None:
    path = write("f.json", fixture_of({"recall": 1}))
    with pytest.raises(InputError, match="update writes the scores of the fixture's own results"):
        check_fixture(path, run={"q1": BETTER}, update=True)
    with pytest.raises(InputError, match="1 query and 2 results; a list is paired"):
        check_fixture(path, run=[BETTER, BETTER])
