"""Several jobs report the same bytes as one, and the same problems, whatever is asked for."""

import gzip
import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groupwise import Evaluator, InputError, OptionError, evaluate
from tests.evaluate.test_partial import METRICS, POLICIES, VECTORS, Queries, queries
from tests.jobs import pretend_processes
from tests.strategies import CASES, FEWER, Case

EXTRAS: list[dict[str, Any]] = [
    {},
    {"curve": 3, "bands": True},
    {"by": ["kind", "groups"]},
    {"by": ["groups", "label"], "confidence": 0.95},
    {"by": ["kind"], "confidence": 0.9, "per_query": False},
    {"ceilings": True, "provenance": True},
    {"explain": 3},
    {"per_query": False},
    {"gates": ["recall >= 0.5", "mrr >= 0.9"]},
    {"ids": "text"},
]


def write_lines(path: Path, records: list[dict[str, Any]]) -> str:
    path.write_text("".join(f"{json.dumps(record)}\n" for record in records))
    return str(path)


def truth_records(truths: Queries) -> list[dict[str, Any]]:
    """The ground truths as records."""
    return [
        {"id": query, **(given if isinstance(given, dict) else {"ground_truth": given})}
        for query, given in truths.items()
    ]


def run_records(results: Queries) -> list[dict[str, Any]]:
    """The results as records."""
    return [{"id": query, "results": given} for query, given in results.items()]


def both_records(truths: Queries, results: Queries) -> list[dict[str, Any]]:
    """Records of the queries that have both."""
    return [
        {**record, "results": results[record["id"]]}
        for record in truth_records(truths)
        if record["id"] in results
    ]


def outcome(*files: Any, **options: Any) -> str:
    """The report, or the text of all problems."""
    try:
        return evaluate(*files, **options).to_json()
    except InputError as error:
        return f"{error.count} problems\n" + "\n".join(map(str, error.problems))


@FEWER
@given(
    cases=st.lists(CASES, min_size=2, max_size=10),
    source=st.randoms(use_true_random=False),
    size=st.sampled_from([1, 200, 600]),
    policies=POLICIES,
    extras=st.sampled_from(EXTRAS),
    profile=st.sampled_from(["autorag", "trec", "coverage"]),
    metrics=st.lists(st.sampled_from(METRICS), min_size=1, max_size=5, unique=True),
    form=st.sampled_from(["both", "same order", "another order"]),
)
def test_several_jobs_report_the_same_bytes(
    cases: list[Case],
    source: random.Random,
    size: int,
    policies: dict[str, Any],
    extras: dict[str, Any],
    profile: str,
    metrics: list[str],
    form: str,
) -> None:
    truths, results = queries(cases, source)
    options = {"metrics": metrics, "profile": profile, "vectors": VECTORS, **policies, **extras}
    with tempfile.TemporaryDirectory() as folder:
        files = write_form(Path(folder), truths, results, form, source)
        expected = outcome(*files, **options)
        with pretend_processes(size) as used:
            assert outcome(*files, jobs=3, **options) == expected
    assert used.parts > 1


def write_form(
    folder: Path, truths: Queries, results: Queries, form: str, source: random.Random
) -> list[str]:
    if form == "both":
        return [write_lines(folder / "both.jsonl", both_records(truths, results))]
    run = run_records(results)
    if form == "another order":
        source.shuffle(run)
    return [
        write_lines(folder / "truth.jsonl", truth_records(truths)),
        write_lines(folder / "run.jsonl", run),
    ]


BAD: list[tuple[str, dict[str, Any] | str]] = [
    ("invalid JSON", '{"id": "bad"'),
    ("repeated key", '{"id": "q3", "id": "bad"}'),
    ("blank id", {"id": "bad", "ground_truth": [["a"]], "results": [""]}),
    ("other kind", {"id": "bad", "ground_truth": [[1]], "results": [1]}),
    ("repeated query", {"id": "q1", "ground_truth": [["a"]], "results": ["a"]}),
    ("not an object", "7"),
    ("unknown field", {"id": "bad", "ground_truth": [["a"]], "results": ["a"], "odd": 1}),
    ("flat", {"id": "bad", "ground_truth": ["a"], "results": ["a"]}),
]


@pytest.mark.parametrize("size", [1, 150, 400])
@pytest.mark.parametrize("place", [0, 13, 19])
@pytest.mark.parametrize(("name", "bad"), BAD, ids=[name for name, _ in BAD])
def test_problems_are_those_of_one_job(
    name: str, bad: Any, place: int, size: int, tmp_path: Path
) -> None:
    lines = [
        json.dumps({"id": f"q{number}", "ground_truth": [["a", "b"]], "results": ["b", "x"]})
        for number in range(19)
    ]
    lines.insert(place, bad if isinstance(bad, str) else json.dumps(bad))
    path = tmp_path / "both.jsonl"
    path.write_text("\n".join([*lines, "", json.dumps({"id": "no results"})]))
    expected = outcome(path)
    assert "problems" in expected, name
    with pretend_processes(size):
        assert outcome(path, jobs=2) == expected


def test_repeated_and_unknown_queries_of_a_run(tmp_path: Path) -> None:
    truths = truth_records({f"q{number}": [["a"]] for number in range(20)})
    run = run_records({f"q{number}": ["a"] for number in range(5, 25)})
    truth = write_lines(tmp_path / "truth.jsonl", truths)
    for name, records in {
        "extra": run,
        "repeated": [*run, run[3]],
        "repeated extra": [*run, run[-1]],
        "other kind": [*run, {"id": "q1", "results": [7]}],
    }.items():
        file = write_lines(tmp_path / "run.jsonl", records)
        for policies in ({}, {"extra": "error"}, {"missing": "error"}):
            expected = outcome(truth, file, **policies)
            with pretend_processes(100):
                assert outcome(truth, file, jobs=2, **policies) == expected, name


def test_warnings_about_lists_are_added_up(tmp_path: Path) -> None:
    records = [
        {"id": f"q{number}", "ground_truth": ["a", "b", "a"], "results": ["a"]}
        for number in range(9)
    ]
    path = tmp_path / "both.jsonl"
    write_lines(path, records)
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    one = evaluate(path, flat="all")
    assert any("9 flat lists repeat ids" in warning for warning in one.warnings)
    assert any("byte order mark" in warning for warning in one.warnings)
    with pretend_processes(100) as used:
        assert evaluate(path, flat="all", jobs=4).to_json() == one.to_json()
    assert used.parts > 1


def test_progress_counts_all_queries_and_never_falls(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "both.jsonl", PLAIN)
    seen: list[int] = []
    with pretend_processes(200) as used:
        evaluate(path, jobs=2, progress=seen.append)
    assert used.parts > 1
    assert seen == sorted(seen)
    assert seen[-1] == len(PLAIN)


PLAIN: list[dict[str, Any]] = [
    {"id": f"q{number}", "ground_truth": [["a", f"d{number}"], ["c"]], "results": ["x", "a", "y"]}
    for number in range(200)
]


def test_an_evaluator_scores_each_run_with_several_jobs(tmp_path: Path) -> None:
    truths = [{"id": one["id"], "ground_truth": one["ground_truth"]} for one in PLAIN]
    truth = write_lines(tmp_path / "truth.jsonl", truths)
    with pretend_processes(500) as used:
        evaluator = Evaluator(truth, jobs=2)
        for results in (["a"], ["c", "a"]):
            run = write_lines(
                tmp_path / "run.jsonl", run_records({one["id"]: results for one in PLAIN})
            )
            assert evaluator.evaluate(run).to_json() == evaluate(truth, run).to_json()
    assert used.parts > 2


def test_what_cannot_be_cut_is_read_in_one_process(tmp_path: Path) -> None:
    packed = tmp_path / "both.jsonl.gz"
    packed.write_bytes(gzip.compress("".join(f"{json.dumps(one)}\n" for one in PLAIN).encode()))
    document = tmp_path / "both.json"
    document.write_text(json.dumps(PLAIN))
    truths = {one["id"]: one["ground_truth"] for one in PLAIN}
    results = {one["id"]: one["results"] for one in PLAIN}
    with pretend_processes(100) as used:
        for files in ([packed], [document], [truths, results]):
            assert evaluate(*files, jobs=2).to_json() == evaluate(*files).to_json()
    assert not used.parts


@pytest.mark.parametrize("jobs", [0, -1, 1.5, "2", None, True, 257])
def test_jobs_are_a_number_from_1_on(jobs: Any) -> None:
    with pytest.raises(OptionError, match="jobs: expected a whole number from 1 to 256"):
        evaluate({"q": [["a"]]}, {"q": ["a"]}, jobs=jobs)


REAL = """
import json, os, sys, threading
from groupwise import Evaluator, evaluate, metric
from groupwise.evaluator.evaluation import parallel

@metric
def process(hits):
    "The number of the process that scores."
    return hits.per_query(hits.met_query) * 0 + os.getpid()

if __name__ == "__main__":
    parallel.LEAST_BYTES = parallel.MOST_BYTES = 2000
    if sys.argv[1] == "spawn":
        threading.Thread(target=threading.Event().wait, daemon=True).start()
    files, names = sys.argv[2:], ["recall", "process"]
    report = evaluate(*files, metrics=names, jobs=2)
    one = evaluate(*files, metrics=names)
    numbers = {score["process"] for score in report.per_query.values()}
    assert os.getpid() not in numbers and 1 <= len(numbers) <= 2
    assert report.scores["recall"] == one.scores["recall"]
    lines = open(files[0]).read().splitlines()
    open(files[0], "a").write(lines[0])
    outcomes = []
    for jobs in (1, 2):
        try:
            evaluate(*files, jobs=jobs)
        except ValueError as error:
            outcomes.append(str(error))
    assert outcomes[0] == outcomes[1] and "repeated" in outcomes[0], outcomes
"""


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_real_processes_score_the_parts(method: str, tmp_path: Path) -> None:
    both = write_lines(tmp_path / "both.jsonl", PLAIN)
    script = tmp_path / "script.py"
    script.write_text(REAL)
    words = [sys.executable, str(script), method, both]
    done = subprocess.run(words, check=False, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
