"""Results come back in order; a process that fails, dies or is not wanted any more ends well."""

import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from groupwise import InputError, WorkerLost
from groupwise.evaluator.errors import Problem
from groupwise.evaluator.plugins import loading
from groupwise.evaluator.processes.pool import run_in_order
from groupwise.evaluator.processes.starting import SEED, Unshareable, choose_method, share_hashes
from tests.jobs import start_by

Note = Callable[[Any], None]


@pytest.fixture(params=["fork", "spawn"])
def method(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Run a test with processes that are forked, and with others that are not."""
    chosen: str = request.param
    start_by(chosen, monkeypatch)
    return chosen


@pytest.fixture
def forked(monkeypatch: pytest.MonkeyPatch) -> None:
    start_by("fork", monkeypatch)


def square(number: int, note: Note) -> int:
    time.sleep(0.02 * (number % 3 == 0))
    note(number)
    return number * number


def fail_at_three(number: int, _note: Note) -> int:
    if number >= 3:
        raise InputError([Problem("bad", "file", number)], 7)
    return number


def die(number: int, _note: Note) -> int:
    if number == 2:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def leave(_number: int, _note: Note) -> int:
    os._exit(5)


def return_large(number: int, _note: Note) -> bytes:
    return bytes([number]) * 3_000_000


def hash_text(_number: int, _note: Note) -> tuple[int, int]:
    time.sleep(0.1)
    return os.getpid(), hash("a text")


def sleep_long(number: int, note: Note) -> int:
    note(os.getpid())
    if number:
        time.sleep(60)
    return os.getpid()


def raise_odd(_number: int, _note: Note) -> int:
    class OddError(Exception):
        pass

    raise OddError("cannot be pickled")


def return_function(_number: int, _note: Note) -> Any:
    return lambda: None


def is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def test_results_come_in_order(method: str) -> None:
    noted: list[tuple[int, int]] = []
    found = run_in_order(square, range(20), 3, lambda task, value: noted.append((task, value)))
    assert list(found) == [number * number for number in range(20)]
    assert sorted(noted) == [(number, number) for number in range(20)]


def test_no_tasks_start_no_processes(forked: None) -> None:
    assert list(run_in_order(square, [], 4)) == []


def test_results_larger_than_a_pipe(forked: None) -> None:
    assert [len(part) for part in run_in_order(return_large, range(6), 2)] == [3_000_000] * 6


def test_the_error_of_the_first_task_that_failed_is_raised(method: str) -> None:
    found: list[int] = []
    with pytest.raises(InputError, match="file:3: bad") as caught:
        found.extend(run_in_order(fail_at_three, range(20), 2))
    assert (caught.value.problems[0].line, caught.value.count) == (3, 7)


def test_an_error_that_cannot_be_pickled_is_told(forked: None) -> None:
    with pytest.raises(RuntimeError, match="OddError: cannot be pickled"):
        list(run_in_order(raise_odd, [0], 2))


def test_a_result_that_cannot_be_pickled_is_an_error_and_no_hang(forked: None) -> None:
    with pytest.raises(Unshareable, match="a result cannot be pickled"):
        list(run_in_order(return_function, [0], 2))


def test_a_killed_process_is_an_error_and_no_hang(method: str) -> None:
    with pytest.raises(WorkerLost, match=r"a worker process was killed \(SIGKILL\)"):
        list(run_in_order(die, range(20), 2))


def test_a_process_that_leaves_is_an_error_and_no_hang(forked: None) -> None:
    with pytest.raises(WorkerLost, match="exit code 5"):
        list(run_in_order(leave, range(3), 2))


def test_processes_that_are_not_wanted_any_more_are_stopped(method: str) -> None:
    processes: list[int] = []
    results = run_in_order(sleep_long, range(4), 2, lambda _, value: processes.append(value))
    first = next(results)
    results.close()
    assert not any(map(is_running, [first, *processes]))


def test_all_processes_hash_alike(method: str) -> None:
    before = os.environ.get(SEED)
    found = list(run_in_order(hash_text, range(6), 2))
    assert len({process for process, _ in found}) == 2
    assert len({value for _, value in found}) == 1
    assert os.environ.get(SEED) == before


@pytest.mark.parametrize("seed", ["random", "0", "77", None])
def test_a_seed_of_the_environment_stays(monkeypatch: pytest.MonkeyPatch, seed: str | None) -> None:
    monkeypatch.delenv(SEED, raising=False)
    if seed is not None:
        monkeypatch.setenv(SEED, seed)
    with share_hashes("spawn"):
        given = os.environ[SEED]
        assert given.isdigit()
        assert given == seed or seed in ("random", None)
    assert os.environ.get(SEED) == seed


def test_what_has_no_name_needs_forked_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    work = lambda number, note: number + 1  # noqa: E731
    start_by("fork", monkeypatch)
    assert list(run_in_order(work, [1, 2], 2)) == [2, 3]
    start_by("spawn", monkeypatch)
    with pytest.raises(Unshareable):
        list(run_in_order(work, [1, 2], 2))


def test_beside_other_threads_nothing_is_forked() -> None:
    release = threading.Event()
    thread = threading.Thread(target=release.wait)
    thread.start()
    try:
        assert choose_method() == "spawn"
    finally:
        release.set()
        thread.join()


def test_plugins_are_loaded_in_processes_that_are_not_forked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loading, "_loaded", {})
    start_by("spawn", monkeypatch)
    plugin = tmp_path / "own_plugin.py"
    plugin.write_text("LOADED = True\n")
    loading.load_plugin(str(plugin))
    assert list(run_in_order(see_plugin, [0, 1], 2)) == [True, True]


def see_plugin(_number: int, _note: Note) -> bool:
    return "groupwise_plugins.own_plugin" in sys.modules
