"""The guard sees a path that has become twice as slow, and nothing less than that."""

import shutil
from pathlib import Path

import pytest

from benchmarks.guard.counting import CountingError, count_work
from benchmarks.guard.verdict import RECORDED, Verdict, judge, record
from benchmarks.guard.work import REFERENCE, list_work
from benchmarks.workloads import Workload, write_jsonl

NEEDS_VALGRIND = pytest.mark.skipif(
    shutil.which("valgrind") is None, reason="needs valgrind: apt-get install valgrind"
)


@pytest.mark.parametrize("recorded", [0.1, 1.0, 7.3])
def test_twice_the_cost_fails_and_a_third_more_does_not(recorded: float) -> None:
    assert not Verdict("objects", 2 * recorded, recorded).is_kept
    assert Verdict("objects", 1.33 * recorded, recorded).is_kept


@pytest.mark.parametrize("factor", [1.0, 0.8, 0.6, 0.4])
def test_twice_the_cost_of_a_faster_path_fails_or_the_record_is_stale(factor: float) -> None:
    faster = Verdict("objects", factor, 1.0)
    assert faster.is_kept
    assert faster.is_stale or not Verdict("objects", 2 * factor, 1.0).is_kept


def test_ratios_are_recorded_and_judged(tmp_path: Path) -> None:
    path = tmp_path / "recorded.json"
    record({"objects": 0.70449}, path)
    (verdict,) = judge({"objects": 1.5}, path)
    assert (verdict.recorded, verdict.is_kept) == (0.7, False)
    assert "SLOWER objects: 1.50 times" in str(verdict)
    with pytest.raises(CountingError, match="no ratio is recorded for jsonl"):
        judge({"jsonl": 1.0}, path)


def test_every_piece_of_work_runs_and_is_recorded(tmp_path: Path) -> None:
    pieces = list_work(write_jsonl(Workload(3, 12), tmp_path))
    for work in pieces.values():
        work()
    ratios = {name: 0.0 for name in pieces if name != REFERENCE}
    assert {verdict.work for verdict in judge(ratios, RECORDED)} == {*ratios}


@NEEDS_VALGRIND
@pytest.mark.slow
@pytest.mark.timeout(600)
def test_counted_instructions_double_when_the_work_does(tmp_path: Path) -> None:
    path = write_jsonl(Workload(40, 100), tmp_path)
    once, twice = (count_work(path, 3, ["objects"], slowness=slowness) for slowness in (1, 2))
    assert twice["objects"] == pytest.approx(2 * once["objects"], rel=0.1)
