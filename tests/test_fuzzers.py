"""The fuzzers fuzz: they can be repeated, they see failures, and a few files go through."""

import time
from pathlib import Path
from random import Random

import pytest

from fuzz import operations
from fuzz.limits import OverTime, limited_time
from fuzz.mutations.seeds import load_seeds
from fuzz.mutations.trees import mutate_tree, parse, write
from fuzz.walk import Calls
from fuzz.worker import mutant_of, try_file
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
