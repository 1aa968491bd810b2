"""Results are kept and resumed, slow engines are left out, engines compute what they are told."""

import json
import platform
from pathlib import Path

import pytest

from benchmarks import rounds
from benchmarks.axes import AXES
from benchmarks.context import Context
from benchmarks.curves import LIMIT, measure_growth, select_fast
from benchmarks.engines import ENGINES, load
from benchmarks.machine import Setting, describe_setting
from benchmarks.measures import SERIES, Measures
from benchmarks.rounds import Plan, measure
from benchmarks.store import Store, format_json, read_store, round_times
from benchmarks.worker import Answer
from benchmarks.workloads import Workload, write_jsonl

HERE: Setting = {"machine": "a machine", "versions": "Python 3"}
ELSEWHERE: Setting = {"machine": "another machine", "versions": "Python 3"}
PEERS = {"pytrec": "pytrec_eval", "ir-measures": "ir_measures"}


def silent(_text: str) -> None:
    """Say nothing."""


def test_a_point_is_on_disk_as_soon_as_it_is_measured(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "part.json"
    store = Store.open(path, HERE, 7, resume=False)
    assert store.keep("first", lambda: [[0.1, 2]]) == [[0.1, 2]]
    assert read_store(path).points == {"first": [[0.1, 2]]}
    with pytest.raises(KeyboardInterrupt):
        store.keep("second", _interrupt)
    assert read_store(path).points == {"first": [[0.1, 2]]}


def _interrupt() -> None:
    raise KeyboardInterrupt


def test_a_resumed_run_measures_only_what_is_missing(tmp_path: Path) -> None:
    path = tmp_path / "part.json"
    Store.open(path, HERE, 7, resume=False).keep("first", lambda: 1)
    resumed = Store.open(path, HERE, 7, resume=True)
    assert resumed.keep("first", _interrupt) == 1
    assert resumed.keep("second", lambda a, b: a + b, 2, 3) == 5
    assert read_store(path).points == {"first": 1, "second": 5}


@pytest.mark.parametrize(("setting", "count"), [(ELSEWHERE, 7), (HERE, 3)])
def test_points_of_another_setting_are_not_mixed_in(
    setting: Setting, count: int, tmp_path: Path
) -> None:
    path = tmp_path / "part.json"
    Store.open(path, HERE, 7, resume=False).keep("first", lambda: 1)
    assert Store.open(path, setting, count, resume=True).points == {}


def test_stored_numbers_are_rounded_to_microseconds_and_read_back() -> None:
    value = {"a": {"b": [[0.12345678, 1], []]}, "none": {}, "text": "µ"}
    expected = {"a": {"b": [[0.123457, 1], []]}, "none": {}, "text": "µ"}
    assert json.loads(format_json(round_times(value))) == expected


def test_the_machine_is_described_without_its_name() -> None:
    setting = describe_setting()
    assert "processors" in setting["machine"]
    assert "CPython 3" in setting["versions"] or "PyPy" in setting["versions"]
    if len(platform.node()) > 3:
        assert platform.node() not in json.dumps(setting)
    assert str(Path.home()) not in json.dumps(setting)


def test_an_engine_that_would_be_too_slow_at_the_next_point_is_left_out() -> None:
    point = {"quick": [[0, 90, 1.0, 90, 50]], "slow": [[3.0, 3.0, 3.5, 3.5, 50]] * 3}
    assert select_fast(point, ("quick", "slow"), growth=10, limit=60) == ("quick",)
    assert select_fast(point, ("quick", "slow"), growth=9, limit=60) == ("quick", "slow")
    assert select_fast(point, ("late", "quick"), growth=1, limit=60) == ("quick",)


@pytest.mark.parametrize("stay", [True, False])
def test_an_engine_that_is_late_is_left_out(
    stay: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rounds, "SMALL", 1_000_000 if stay else 0)
    workload = Workload(3_000, 100)
    path = write_jsonl(workload, tmp_path)
    said: list[str] = []
    answers = measure(workload, path, Plan(2, limit=0.01), said.append, ["tutorial"])
    assert answers == {}
    assert [text for text in said if "left out" in text] == [
        "left out: tutorial takes more than 0.01 s of processor time"
    ]


def test_slow_engines_have_fewer_rounds(tmp_path: Path) -> None:
    workload = Workload(3, 5)
    path = write_jsonl(workload, tmp_path)
    found = measure(workload, path, Plan(4, slow=-1), silent, ["groupwise", "tutorial"])
    assert {name: len(answers) for name, answers in found.items()} == {
        "groupwise": 3,
        "tutorial": 3,
    }
    assert all(answer.megabytes > 5 for answers in found.values() for answer in answers)


def test_an_answer_is_written_and_read() -> None:
    answer = Answer.read([0.25, 1, 0.5, 2, 70])
    assert list(answer.total) == [0.75, 3]
    assert answer.numbers == [0.25, 1, 0.5, 2, 70]


@pytest.mark.parametrize("measures", SERIES.values(), ids=list(SERIES))
@pytest.mark.parametrize("name", ["tutorial", *PEERS])
def test_engines_compute_the_measures_they_are_told(name: str, measures: Measures) -> None:
    """With one relevant document per query, all definitions that an engine has coincide."""
    if name in PEERS:
        pytest.importorskip(PEERS[name], reason="the peer is in the extra 'peers'")
    records = [*Workload(8, 100, 1, 1).records()]
    truths = {record["id"]: record["ground_truth"] for record in records}
    results = {record["id"]: record["results"] for record in records}
    ours, theirs = (load(each, measures) for each in ("groupwise", name))
    here, there = (each.evaluate(each.build(truths, results)) for each in (ours, theirs))
    assert [*here] == measures.names
    known = [one for one in measures.names if ENGINES[name].numbers == 30 or one in there]
    assert known
    assert {one: there[one] for one in known} == pytest.approx({one: here[one] for one in known})


def test_growth_is_measured_and_resumed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchmarks.curves.SHOWN", ("groupwise", "tutorial"))
    monkeypatch.setattr("benchmarks.curves.AXES", {"depth": AXES["depth"]})
    context = Context(tmp_path, 1, 60.0, full=False, quick=True, say=silent)
    store = Store.open(tmp_path / "growth.json", HERE, 1, resume=False)
    measure_growth(store, context)
    assert [*store.points] == [LIMIT, "depth 10", "depth 40", "depth 10, file", "depth 40, file"]
    assert {*store.points["depth 40"]} == {"groupwise", "tutorial"}
    resumed = Store.open(tmp_path / "growth.json", HERE, 1, resume=True)
    said: list[str] = []
    measure_growth(resumed, Context(tmp_path, 1, 60.0, full=False, quick=True, say=said.append))
    assert (resumed.points, said) == (store.points, [])
