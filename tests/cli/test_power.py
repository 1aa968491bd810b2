"""``groupwise power``, as it is typed."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Groupwise, Write
from tests.paths import RETRIEVERS

TRUTH, BM25, FUSION = (
    str(RETRIEVERS / f"{name}.jsonl") for name in ("ground_truth", "bm25", "fusion")
)


def test_two_runs_on_one_screen(groupwise: Groupwise) -> None:
    done = groupwise("power", TRUTH, BM25, FUSION, "-m", "recall", "-k", "5")
    assert (done.code, done.err) == (0, "")
    assert "bm25 and fusion, 250 queries" in done.out
    assert "you can see differences of" in done.out
    assert "fusion minus bm25 is" in done.out
    assert max(map(len, done.out.splitlines())) <= 100


def test_the_shape_of_the_contract(groupwise: Groupwise) -> None:
    done = groupwise("power", TRUTH, BM25, FUSION, "-m", "recall@5", "--difference", "0.02",
                     "--format", "json")  # fmt: skip
    found = json.loads(done.out)
    assert found["schema"] == "groupwise.power/1"
    assert {"n", "sd", "detectable", "queries_for"} <= set(found["metrics"]["recall@5"])
    assert list(found["metrics"]["recall@5"]["queries_for"]) == ["0.02"]
    assert found["targets"] == {"0.8": 16, "0.85": 22, "0.9": 35, "0.95": 73}


def test_a_plan_without_data(groupwise: Groupwise) -> None:
    done = groupwise("power", "--sd", "0.3", "--queries", "200", "--difference", "0.02,0.05")
    assert (done.code, done.err) == (0, "")
    assert "200 queries can show differences of 0.059" in done.out
    assert "you need 1,766 queries to see a difference of 0.02" in done.out
    only = groupwise("power", "--target", "0.9", "--target", "0.99", "--format", "json")
    assert json.loads(only.out)["targets"] == {"0.9": 35, "0.99": 381}


def test_runs_may_be_named(groupwise: Groupwise) -> None:
    done = groupwise("power", TRUTH, f"old={BM25}", f"new={FUSION}", "-m", "recall@5")
    assert "old minus new is" in done.out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "expected ground truth and one run or two, or --sd or --target"),
        ([TRUTH], "expected ground truth and one run or two"),
        ([TRUTH, BM25, FUSION, f"x={BM25}"], "groupwise compare takes many"),
        ([TRUTH, BM25, f"bm25={FUSION}"], "two runs are called"),
        ([TRUTH, BM25, TRUTH], "is the ground truth; it cannot be a run as well"),
        ([TRUTH, BM25, "--difference", "0"], "--difference: expected a number from 1e-06 on"),
        ([TRUTH, BM25, "--difference", "x"], "expected a number"),
        ([TRUTH, BM25, "--power", "80"], "--power: expected a number from 0.5 to below 1"),
        ([TRUTH, BM25, "--confidence", "1"], "--confidence: expected"),
        ([TRUTH, BM25, "--sd", "0.3"], "--sd and --queries are for planning"),
        (["--target", "1"], "--target: expected a number from 0 to below 1"),
        (["--target", "0.9", "--queries", "5"], "--queries needs --sd"),
        ([TRUTH, BM25, "-m", "first_hit"], "first_hit is a rank"),
        (["--sd", "0.3", "--format", "xml"], "no format 'xml'"),
        (["--sd", "0.3", "-m", "recall"], "--metrics: without ground truth and a run"),
        (["--sd", "0.3", "-k", "5"], "--cutoffs: without ground truth and a run"),
    ],
)
def test_a_usage_error_says_what_is_accepted(
    groupwise: Groupwise, words: list[str], message: str
) -> None:
    done = groupwise("power", *words)
    assert (done.code, done.out) == (2, "")
    assert message in done.err


def test_a_file_that_is_not_there_is_exit_3(groupwise: Groupwise) -> None:
    done = groupwise("power", TRUTH, "nowhere.jsonl")
    assert done.code == 3
    assert "nowhere.jsonl" in done.err


def test_the_suffix_of_a_file_chooses_the_form(groupwise: Groupwise, tmp_path: Path) -> None:
    target = tmp_path / "power.md"
    done = groupwise("power", TRUTH, BM25, "-m", "recall@5", "-o", str(target))
    assert (done.code, done.out) == (0, "")
    assert "| recall@5 | 250 |" in target.read_text("utf-8")
    assert groupwise("power", TRUTH, BM25, "-o", BM25).code == 2


def test_queries_without_results_are_said(groupwise: Groupwise, write: Write) -> None:
    truth = write("t.json", json.dumps({f"q{n}": [["a"]] for n in range(4)}))
    run = write("r.json", json.dumps({"q0": ["a"], "q1": ["x"]}))
    zero = groupwise("power", truth, run, "-m", "recall", "--format", "json")
    skip = groupwise("power", truth, run, "-m", "recall", "--missing", "skip", "--format", "json")
    assert json.loads(zero.out)["metrics"]["recall"]["n"] == 4
    assert json.loads(zero.out)["counts"]["r"]["missing"] == 2
    assert json.loads(skip.out)["metrics"]["recall"]["n"] == 2
    assert "without results" in groupwise("power", truth, run, "-m", "recall").out
