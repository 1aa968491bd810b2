"""Processes take tasks by themselves; all tasks are done once, and what fails ends all of them."""

import os
import signal
import time
from collections.abc import Callable, Iterable, Iterator
from contextvars import ContextVar
from itertools import chain
from multiprocessing import active_children, parent_process
from typing import Any

import numpy as np
import pytest

from groupwise import InputError, WorkerLost
from groupwise.evaluator.errors import Problem
from groupwise.evaluator.processes.attention import ATTEND, pay_attention
from groupwise.evaluator.processes.sharing import run_shared
from groupwise.evaluator.processes.starting import Unshareable
from tests.jobs import start_by, work_long

Note = Callable[[Any], None]
Tasks = Iterable[tuple[int, Any]]
CALLER = os.getpid()
SET_BY_WORK: ContextVar[str] = ContextVar("set-by-shared-work", default="by the caller")


@pytest.fixture(params=["fork", "spawn"])
def method(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Run a test with processes that are forked, and with others that are not."""
    start_by(request.param, monkeypatch)
    yield request.param
    assert not active_children()


@pytest.fixture
def forked(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    start_by("fork", monkeypatch)
    yield
    assert not active_children()


def is_here() -> bool:
    return os.getpid() == CALLER


def collect(tasks: Tasks, note: Note) -> tuple[int, list[tuple[int, Any]]]:
    """Return what was taken, slowly enough for others to take some."""
    SET_BY_WORK.set("by the work")
    taken = []
    for each in tasks:
        time.sleep(0.005)
        taken.append(each)
        note(len(taken))
    return os.getpid(), taken


def hash_text(tasks: Tasks, _note: Note) -> tuple[int, int]:
    return len([*tasks]), hash("a text")


def return_large(tasks: Tasks, _note: Note) -> list[tuple[int, Any]]:
    return [(number, np.full(3_000_000, task, np.uint8)) for number, task in tasks]


def fail_at_three(tasks: Tasks, _note: Note) -> None:
    for number, _ in tasks:
        if number == 3:
            raise InputError([Problem("bad", "file", number)], 7)


def fail_elsewhere(tasks: Tasks, note: Note) -> None:
    """Fail in another process; work for a minute here."""
    if not is_here():
        raise ZeroDivisionError(len([*tasks]))
    work_long(note)


def die_elsewhere(tasks: Tasks, note: Note) -> None:
    """Work for a minute here; the other process is killed with a task in hand."""
    next(iter(tasks))
    if not is_here():
        os.kill(os.getpid(), signal.SIGKILL)
    work_long(note)


def leave(_tasks: Tasks, _note: Note) -> None:
    os._exit(5)


def interrupt_here(tasks: Tasks, _note: Note) -> None:
    if is_here():
        raise KeyboardInterrupt
    time.sleep(60)


def return_function(tasks: Tasks, _note: Note) -> Any:
    return len([*tasks]), lambda: None


@pytest.mark.parametrize("jobs", [1, 2, 3, 7])
@pytest.mark.parametrize("count", [1, 2, 5, 40])
def test_each_task_is_done_once(forked: None, jobs: int, count: int) -> None:
    tasks = [f"task {number}" for number in range(count)]
    found = run_shared(collect, tasks, jobs)
    assert len(found) == min(jobs, count)
    done = [each for _, taken in found for each in taken]
    assert sorted(done) == [*enumerate(tasks)]


def test_each_task_is_done_once_by_either_method(method: str) -> None:
    found = run_shared(collect, range(30), 3)
    assert len(found) == 3
    assert (CALLER in {process for process, _ in found}) is (method == "fork")
    assert sorted(each for _, taken in found for each in taken) == [*enumerate(range(30))]


def test_several_processes_take_tasks(forked: None) -> None:
    found = dict(run_shared(collect, range(60), 3))
    assert len([*filter(None, found.values())]) > 1


def test_each_process_takes_tasks_in_their_order(method: str) -> None:
    for _, taken in run_shared(collect, range(30), 3):
        assert taken == sorted(taken)


def test_the_last_task_is_left_to_the_caller(forked: None) -> None:
    found = dict(run_shared(collect, range(12), 3))
    assert found[CALLER][-1] == (11, 11)


def test_what_processes_note_is_told_with_their_number(method: str) -> None:
    noted: list[tuple[int, int]] = []
    found = run_shared(collect, range(30), 3, lambda *told: noted.append(told))
    last = dict(noted)
    assert sorted(last.values()) == sorted(len(taken) for _, taken in found if taken)
    assert set(last) <= ({0, 1, 2} if method == "fork" else {1, 2, 3})
    assert len(noted) == 30


def test_what_the_work_sets_is_not_seen_by_whom_it_tells(forked: None) -> None:
    seen: list[str] = []

    def note(_process: int, _value: Any) -> None:
        assert ATTEND.get() is None
        seen.append(SET_BY_WORK.get())

    run_shared(collect, range(20), 2, note)
    assert {*seen} == {"by the caller"}
    assert SET_BY_WORK.get() == "by the caller"


def test_all_processes_hash_alike(method: str) -> None:
    found = run_shared(hash_text, range(9), 3)
    assert sum(count for count, _ in found) == 9
    assert len({value for _, value in found}) == 1


def test_large_results_arrive(method: str) -> None:
    found = [each for result in run_shared(return_large, range(6), 3) for each in result]
    assert sorted((number, len(array), int(array[-1])) for number, array in found) == [
        (number, 3_000_000, number) for number in range(6)
    ]


def test_an_error_is_raised(method: str) -> None:
    with pytest.raises(InputError, match="file:3: bad") as caught:
        run_shared(fail_at_three, range(20), 3)
    assert caught.value.count == 7


def test_an_error_elsewhere_ends_the_work_of_the_caller(forked: None) -> None:
    with pytest.raises(ZeroDivisionError):
        run_shared(fail_elsewhere, range(20), 2)


def test_a_killed_process_ends_the_work_of_the_caller(forked: None) -> None:
    with pytest.raises(WorkerLost, match="SIGKILL"):
        run_shared(die_elsewhere, range(20), 2)


def test_a_process_that_leaves_is_an_error_and_no_hang(monkeypatch: pytest.MonkeyPatch) -> None:
    start_by("spawn", monkeypatch)
    with pytest.raises(WorkerLost, match="exit code 5"):
        run_shared(leave, range(3), 2)


def test_an_error_of_whom_the_others_tell_ends_the_work(method: str) -> None:
    def refuse(process: int, _value: Any) -> None:
        raise LookupError(process)

    with pytest.raises(LookupError):
        run_shared(collect, range(20), 2, refuse)


def test_ctrl_c_ends_all_at_once(forked: None) -> None:
    with pytest.raises(KeyboardInterrupt):
        run_shared(interrupt_here, range(4), 3)


def test_a_result_that_cannot_be_pickled_is_an_error_and_no_hang(method: str) -> None:
    with pytest.raises(Unshareable, match="a result cannot be pickled"):
        run_shared(return_function, range(9), 3)


def test_what_has_no_name_needs_forked_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    work = lambda tasks, note: [*tasks]  # noqa: E731
    start_by("fork", monkeypatch)
    assert sorted(chain.from_iterable(run_shared(work, "ab", 2))) == [(0, "a"), (1, "b")]
    start_by("spawn", monkeypatch)
    with pytest.raises(Unshareable):
        run_shared(work, "ab", 2)


def test_a_process_whose_caller_is_gone_does_not_go_on(forked: None) -> None:
    """The caller of a caller is killed; the process it had started ends between two blocks."""
    reader, writer = os.pipe()
    middle = os.fork()
    if not middle:
        os.close(reader)
        run_shared(lambda tasks, note: _tell_and_wait(writer), range(9), 2)
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as told:
        assert told.read(1) == b"x"
        os.kill(middle, signal.SIGKILL)
        os.waitpid(middle, 0)
        before = time.monotonic()
        assert told.read() == b""  # both ends are closed: no process is left
    assert time.monotonic() - before < 20


def _tell_and_wait(pipe: int) -> None:
    """Say that another process works, which pays attention for a minute."""
    for turn in range(6000):
        if turn == 10 and parent_process() is not None:
            os.write(pipe, b"x")
        time.sleep(0.01)
        pay_attention()
