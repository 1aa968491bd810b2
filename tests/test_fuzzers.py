"""The fuzzers fuzz: they can be repeated, they see failures, and a few files go through."""

import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any, BinaryIO

import pytest

from fuzz import operations
from fuzz.journal import Journal
from fuzz.limits import OverTime, limited_time
from fuzz.mutations.seeds import load_seeds
from fuzz.mutations.trees import mutate_tree, parse, write
from fuzz.slice import Slice, find_outcome, run_slice
from fuzz.targets import list_targets
from fuzz.targets.target import Room, Target
from fuzz.walk import Calls
from fuzz.worker import mutant_of, try_file
from groupwise import Format, InputError, add_format
from groupwise.evaluator.errors import Problem
from groupwise.evaluator.formats.registry import list_formats
from groupwise.evaluator.native.loader import COMPILED

SEEDS = load_seeds()


def test_a_number_is_always_the_same_file() -> None:
    for number in range(40):
        first, again = (mutant_of("seed", number, SEEDS) for _ in range(2))
        assert first[0] == again[0]
        assert first[1].getstate() == again[1].getstate()


def test_a_seed_is_hardly_ever_left_as_it_is() -> None:
    mutants = [mutant_of("seed", number, SEEDS)[0] for number in range(100)]
    assert sum(mutant.data == mutant.seed.data for mutant in mutants) < 20


def test_some_files_go_through(tmp_path: Path) -> None:
    trials = [try_file("suite", number, SEEDS, tmp_path) for number in range(60)]
    assert [failure for trial in trials for failure in trial.failures] == []
    assert sum(trial.values for trial in trials) > 60
    assert list(tmp_path.iterdir()) == []


def test_a_failure_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_draw: Random, _path: Path) -> None:
        raise KeyError("a bug")

    monkeypatch.setitem(operations.OPERATIONS, "read", fail)
    (failure,) = try_file("suite", 0, SEEDS, tmp_path).failures
    assert (failure["operation"], failure["error"]) == ("read", "KeyError: 'a bug'")


def test_what_takes_too_long_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fuzz.limits.MOST_SECONDS", 0.05)
    with pytest.raises(OverTime), limited_time():
        _work_for(seconds=10)


def _work_for(seconds: float) -> None:
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


def test_keys_can_be_repeated() -> None:
    value = parse(b'{"a": 1, "a": [2, {"b": null}]}')
    assert write(value, ascii_only=True) == '{"a": 1, "a": [2, {"b": null}]}'
    draw = Random("keys")  # noqa: S311  (nothing is secret)
    texts = {write(mutate_tree(draw, value, None), ascii_only=True) for _ in range(30)}
    assert len(texts) > 10


@pytest.mark.skipif(not COMPILED, reason="the compiled part was not built")
def test_the_walk_is_called() -> None:
    calls = Calls("suite")
    for _ in range(3_000):
        calls.make()


@pytest.fixture
def room(tmp_path: Path) -> Room:
    return Room(tmp_path / "room")


def test_a_new_format_is_a_target(room: Room) -> None:
    def parse(stream: BinaryIO) -> Iterator[dict[str, Any]]:
        yield {"id": "q", "ground_truth": [stream.read().decode().split()]}

    add_format(Format("words-of-a-test", parse=parse, suffixes=(".words",)))
    targets = list_targets(room)
    assert {f"read:{name}" for name in list_formats()} <= targets.keys()
    assert find_outcome(targets["read:words-of-a-test"], b"a b").is_value


def test_every_target_takes_its_seeds(room: Room) -> None:
    for target in list_targets(room).values():
        seeds = list(target.seeds())
        assert seeds, target.name
        for data in seeds[:2]:
            assert not find_outcome(target, data).where, target.name


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda _: 1 // 0, "ZeroDivisionError"),
        (lambda _: _work_for(seconds=10), "OverTime"),
        (lambda _: os.kill(os.getpid(), signal.SIGKILL), "the process ended with -9"),
    ],
)
def test_what_goes_wrong_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: Callable[[bytes], object], said: str
) -> None:
    monkeypatch.setattr("fuzz.slice.MOST_SECONDS", 0.05)
    monkeypatch.setattr("fuzz.slice.MOST_FINDINGS", 1)
    journal = Journal(tmp_path)
    figures = run_slice(Slice(Target("bad", call, lambda: [b"a"]), "seed", 1.0, []), journal)
    (finding,) = journal.findings()
    assert figures.findings == 1
    assert said in finding["error"]
    assert Path(finding["file"]).exists()


def test_inputs_that_end_as_none_before_are_kept(tmp_path: Path) -> None:
    def call(data: bytes) -> None:
        raise InputError([Problem("much too long" if len(data) > 3 else "too short by far")])

    journal = Journal(tmp_path)
    target = Target("lengths", call, lambda: [b"abcd"])
    figures = run_slice(Slice(target, "seed", 0.2, []), journal)
    journal.add("lengths", figures)
    assert (figures.findings, figures.outcomes) == (0, 2)
    assert sorted(len(data) > 3 for data in Journal(tmp_path).kept("lengths")) == [False, True]
    assert Journal(tmp_path).figures("lengths").executions == figures.executions
