"""Promises are judged as they are written; the measured values are made up here."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.acceptance import __main__ as command
from benchmarks.acceptance.calls import METRICS, list_new_queries, list_queries
from benchmarks.acceptance.files import judge_jobs, measure_beside, promise_jobs
from benchmarks.acceptance.fixes import promise_fixes, write_fixable
from benchmarks.acceptance.growth import (
    judge_cost,
    judge_doubling,
    judge_evenness,
    list_lines,
    promise_growth,
)
from benchmarks.acceptance.objects import BOUNDS, judge_objects
from benchmarks.acceptance.promise import Promise, at_least, at_most, read_promises, skipped
from benchmarks.acceptance.single import BOUNDS as CALLS
from benchmarks.acceptance.single import find_python, promise_single
from benchmarks.acceptance.topics import TOPICS, list_topics
from benchmarks.clock import Spread
from benchmarks.context import Context
from benchmarks.processes import Usage
from benchmarks.worker import Answer
from benchmarks.workloads import Workload, write_jsonl
from groupwise import fix

CALLS_SCRIPT = Path(command.__file__).with_name("calls.py")


def silent(_text: str) -> None:
    """Say nothing."""


def answer(seconds: float) -> Answer:
    return Answer.read([0, 0, seconds, seconds, 50])


@pytest.mark.parametrize(
    ("promise", "is_kept"),
    [
        (at_most("x", Spread(0.9, 0.8, 1.0, 7), 0.9), True),
        (at_most("x", Spread(0.91, 0.8, 1.0, 7), 0.9), False),
        (at_least("x", Spread(8.0, 7.0, 9.0, 7), 8), True),
        (at_least("x", Spread(7.9, 7.0, 9.0, 7), 8), False),
        (skipped("x", 8, "no such option"), True),
    ],
)
def test_the_median_is_judged(promise: Promise, is_kept: bool) -> None:
    assert promise.is_kept == is_kept
    assert ("MISSED" in str(promise)) == (not is_kept)


def test_a_promise_is_stored_and_read() -> None:
    promise = at_least("x", Spread(8.0, 7.0, 9.0, 7), 8)
    assert read_promises(json.loads(json.dumps([[*promise]]))) == [promise]


def test_a_peer_counts_with_its_fastest_input() -> None:
    answers = {
        "groupwise": [answer(1), answer(2)],
        "pytrec": [answer(8), answer(18)],
        "ranx-dicts": [answer(20), answer(40)],
        "ranx-lists": [answer(11), answer(22)],
        "autorag": [answer(80)],
    }
    found = list(judge_objects(Workload(10, 10), answers, BOUNDS))
    assert [(promise.value, promise.verdict) for promise in found] == [
        (8.5, "kept"),
        (11, "MISSED"),
        (0, "skipped"),
        (80, "kept"),
    ]


def test_two_jobs_are_judged_by_the_clock_and_by_their_largest_process() -> None:
    usage = {
        "1": [Usage.read([1.0, 2.0, 60]), Usage.read([1.0, 4.0, 60])],
        "2": [Usage.read([5.0, 1.0, 70]), Usage.read([5.0, 2.4, 104])],
    }
    times, memory = judge_jobs("evaluate", usage)
    assert times.value == pytest.approx(0.55)
    assert (times.verdict, times.sign, times.is_kept) == ("shown", "", True)
    assert (memory.value, memory.high, memory.verdict) == (87, 104, "kept")


def test_ways_take_turns_in_one_process(tmp_path: Path) -> None:
    path = str(write_jsonl(Workload(20, 10), tmp_path))
    times = measure_beside(3, "lines", path, "report", path, "validate", path)
    assert [len(found) for found in times] == [3, 3, 3]
    assert all(span.cpu > 0 and span.wall > 0 for found in times for span in found)


def test_jobs_are_promised_of_calls_and_shown_of_commands(tmp_path: Path) -> None:
    context = Context(tmp_path, 1, 60.0, full=True, quick=True, say=silent)
    found = [(promise.verdict == "shown", promise.what) for promise in promise_jobs(context)]
    assert [is_shown for is_shown, _ in found] == [False, True, True, False] * 2
    judged = ("two jobs over one, wall clock", "peak MB of a process")
    assert all(is_shown != what.endswith(judged) for is_shown, what in found)


def test_fixes_are_measured_on_lines_that_need_them(tmp_path: Path) -> None:
    path = tmp_path / "data.jsonl"
    write_fixable(path, 3)
    fix(path)
    records = [json.loads(line) for line in path.read_text().splitlines()]
    assert [len(record["ground_truth"][0]) for record in records] == [20, 20, 20]
    context = Context(tmp_path / "scratch", 1, 60.0, full=True, quick=True, say=silent)
    peak, growth = promise_fixes(context)
    assert peak.value > 20
    assert growth.value > 0
    assert list((tmp_path / "scratch").iterdir()) == []


def test_costs_are_per_result_and_between_neighbours() -> None:
    workloads = {10: Workload(100, 10), 20: Workload(100, 20), 40: Workload(100, 40)}
    times = {10: [1.0, 2.0], 20: [1.8, 3.6], 40: [4.5, 9.0]}
    assert judge_cost(times, workloads).median == pytest.approx(4.5 / 1.8 / 2)
    assert judge_doubling(times, workloads).median == pytest.approx(2.5)


def test_evenness_is_the_highest_cost_over_the_lowest() -> None:
    workloads = {10: Workload(10, 5), 100: Workload(100, 5), 1000: Workload(1000, 5)}
    times = {10: [1.0], 100: [9.0], 1000: [120.0]}
    assert judge_evenness(times, workloads).median == pytest.approx(0.12 / 0.09)


def test_the_lines_are_those_that_are_promised() -> None:
    depths, queries, *shapes = list_lines(quick=False)
    assert [*depths.workloads] == [10, 30, 100, 300, 1_000]
    assert len({round(workload.size / 1e6) for workload in depths.workloads.values()}) == 1
    assert (min(queries.workloads), max(queries.workloads), queries.bound) == (10**4, 10**6, 1.25)
    assert [max(line.workloads) for line in shapes] == [32, 32, 64, 64]
    assert sum(line.workloads[2].shared for line in shapes) == 2


def test_growth_is_measured_on_small_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [line for line in list_lines(quick=True) if "per query" in line.what]
    monkeypatch.setattr("benchmarks.acceptance.growth.list_lines", lambda *, quick: lines)
    context = Context(tmp_path, 1, 60.0, full=True, quick=True, say=silent)
    (promise,) = promise_growth(context)
    assert promise.value >= 1
    assert list(tmp_path.iterdir()) == []


def test_calls_for_one_query_are_timed_without_this_folder() -> None:
    words = [sys.executable, "-P", str(CALLS_SCRIPT)]
    found = json.loads(subprocess.run(words, check=True, stdout=subprocess.PIPE).stdout)
    assert [*found] == [f"{call}{kind}" for call in CALLS for kind in ("", ", new hits")]
    assert all(microseconds > 0 for microseconds in found.values())
    assert len(METRICS) == 6


def test_every_call_has_a_query_of_its_own_with_two_hits() -> None:
    queries = list_queries(20, "seed")
    assert len({results[0] for _, results in queries}) == 20
    for groups, results in queries:
        assert len(results) == len({*results}) == 10
        assert [any(id_ in results for id_ in group) for group in groups] == [True, True]
        assert groups[1][0] is not results[-1]


def test_every_call_for_new_hits_has_a_shape_of_its_own() -> None:
    seen = set()
    for groups, results in list_new_queries(300, "seed"):
        ranks = [results.index(group[-1]) for group in (groups[0], groups[-1])]
        assert ranks[0] < 5 <= ranks[1] < len(results)
        seen.add((tuple(map(len, groups)), ranks[0]))
    assert len(seen) == 300


def test_calls_are_compared_with_a_checkout(tmp_path: Path) -> None:
    python = tmp_path / ".venv" / "bin" / "python"
    with pytest.raises(FileNotFoundError, match=r"has no \.venv/bin/python"):
        find_python(tmp_path)
    python.parent.mkdir(parents=True)
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    python.chmod(0o755)
    context = Context(tmp_path, 3, 60.0, full=True, quick=True, say=silent)
    found = list(promise_single(context, tmp_path))
    assert [promise.bound for promise in found] == [1 / 6, 1 / 6, 1 / 3, 1 / 3, 2 / 5, 2 / 5]
    assert all(0.2 < promise.value < 5 for promise in found)


def test_a_checkout_is_only_for_calls(tmp_path: Path) -> None:
    chosen = list_topics(["files", "one-query"], tmp_path)
    assert chosen["files"] is TOPICS["files"]
    assert chosen["one-query"] is not TOPICS["one-query"]


def test_the_command_keeps_topics_and_fails_for_a_broken_promise(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    values = {"files": 0.8, "memory": 120.0}
    topics = {
        name: lambda _context, name=name: [Promise(name, values[name], 0, 0, 100)]
        for name in values
    }
    monkeypatch.setattr(command, "list_topics", lambda names, _old: {n: topics[n] for n in names})
    words = ["acceptance", "--results", str(tmp_path), "--data", str(tmp_path), "--only"]
    monkeypatch.setattr(sys, "argv", [*words, "files"])
    assert command.main() == 0
    monkeypatch.setattr(sys, "argv", [*words, "memory"])
    assert command.main() == 1
    assert "MISSED  memory: 120 (0-0) ≤ 100" in capsys.readouterr().out
    stored = json.loads((tmp_path / "acceptance.json").read_text("utf-8"))
    assert [*stored["points"]] == ["files", "memory"]
