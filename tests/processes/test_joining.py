"""The caller works on tasks as well: what it does there is as if another process had done it."""

import json
import os
import signal
import time
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from multiprocessing import active_children
from pathlib import Path
from typing import Any

import pytest

from groupwise import InputError, WorkerLost, evaluate, validate
from groupwise.evaluator.errors import Problem
from groupwise.evaluator.processes.attention import ATTEND, pay_attention
from groupwise.evaluator.processes.leaving import waiting_at_end
from groupwise.evaluator.processes.pool import AHEAD, run_in_order
from tests.jobs import small_parts, start_by, work_long

Note = Callable[[Any], None]
CALLER = os.getpid()
SET_BY_WORK: ContextVar[str] = ContextVar("set-by-work", default="by the caller")


@pytest.fixture(autouse=True)
def forked(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    start_by("fork", monkeypatch)
    yield
    assert not active_children()


def is_here() -> bool:
    return os.getpid() == CALLER


def tell_process(_number: int, note: Note) -> int:
    time.sleep(0.02)
    note("under way")
    return os.getpid()


def square(number: int, note: Note) -> int:
    SET_BY_WORK.set("by the work")
    note(number)
    return number * number


def return_large(number: int, _note: Note) -> bytes:
    """Be slow in the caller, so that large results of others wait for it."""
    for _ in range(20 * is_here()):
        time.sleep(0.002)
        pay_attention()
    return bytes([number]) * 3_000_000


def fail_here(number: int, _note: Note) -> int:
    time.sleep(0.01)
    if is_here():
        raise InputError([Problem("bad", "file", number)])
    return number


def fail_elsewhere(number: int, _note: Note) -> int:
    time.sleep(0.01)
    if not is_here():
        raise ZeroDivisionError(number)
    return number


def die_elsewhere(_number: int, note: Note) -> None:
    """Work for a minute here; the other process is killed at once."""
    if not is_here():
        os.kill(os.getpid(), signal.SIGKILL)
    work_long(note)


def interrupt_here(_number: int, _note: Note) -> None:
    if is_here():
        raise KeyboardInterrupt
    time.sleep(60)


@pytest.mark.parametrize("jobs", [1, 2, 3, 7])
@pytest.mark.parametrize("count", [0, 1, 2, 5, 40])
def test_results_come_in_order(jobs: int, count: int) -> None:
    noted: list[tuple[int, int]] = []
    tasks = range(count)
    found = run_in_order(square, tasks, jobs, lambda *told: noted.append(told), joins=True)
    assert [*found] == [number * number for number in tasks]
    assert sorted(noted) == [(number, number) for number in tasks]


@pytest.mark.parametrize("jobs", [2, 3])
def test_the_caller_is_one_of_the_processes(jobs: int) -> None:
    found = {*run_in_order(tell_process, range(30), jobs, joins=True)}
    assert CALLER in found
    assert len(found) == jobs


def test_without_joining_the_caller_does_not_work() -> None:
    found = {*run_in_order(tell_process, range(9), 2)}
    assert CALLER not in found
    assert len(found) == 2


def test_processes_that_are_not_forked_hash_otherwise_so_the_caller_only_waits(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    start_by("spawn", monkeypatch)
    assert CALLER not in {*run_in_order(tell_process, range(4), 2, joins=True)}


def test_what_the_work_sets_is_not_seen_by_whom_it_tells() -> None:
    seen: list[str] = []

    def note(_task: int, _value: Any) -> None:
        assert ATTEND.get() is None
        seen.append(SET_BY_WORK.get())

    list(run_in_order(square, range(20), 2, note, joins=True))
    assert {*seen} == {"by the caller"}
    assert SET_BY_WORK.get() == "by the caller"


def test_large_results_are_taken_while_the_caller_works() -> None:
    found = run_in_order(return_large, range(12), 3, joins=True)
    assert [(len(part), part[0]) for part in found] == [(3_000_000, n) for n in range(12)]


@pytest.mark.parametrize(
    ("work", "error"), [(fail_here, InputError), (fail_elsewhere, ZeroDivisionError)]
)
def test_an_error_of_either_is_raised(work: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        list(run_in_order(work, range(20), 2, joins=True))


def test_the_error_of_the_first_task_that_failed_is_raised() -> None:
    def fail(number: int, _note: Note) -> int:
        time.sleep(0.02 * (number == 3))
        if number >= 3:
            raise ValueError(number)
        return number

    found: list[int] = []
    with pytest.raises(ValueError, match="3") as caught:
        found.extend(run_in_order(fail, range(20), 3, joins=True))
    assert caught.value.args == (3,)
    assert found == [0, 1, 2]


def test_a_killed_process_ends_the_work_of_the_caller_as_well() -> None:
    with pytest.raises(WorkerLost, match="SIGKILL"):
        list(run_in_order(die_elsewhere, range(4), 2, joins=True))


def test_an_error_of_whom_the_others_tell_ends_the_work_of_the_caller() -> None:
    def refuse(task: int, _value: Any) -> None:
        raise LookupError(task)

    with pytest.raises(LookupError):
        list(run_in_order(square, range(20), 2, refuse, joins=True))


def test_ctrl_c_ends_all_at_once() -> None:
    with pytest.raises(KeyboardInterrupt):
        list(run_in_order(interrupt_here, range(4), 3, joins=True))


def test_processes_that_are_not_wanted_any_more_are_stopped() -> None:
    results = run_in_order(tell_process, range(50), 3, joins=True)
    next(results)
    results.close()
    assert not active_children()


def test_no_more_results_wait_than_are_allowed() -> None:
    """As long as the first task is not done, work goes only so far ahead of it."""
    begun: list[int] = []

    def work(number: int, note: Note) -> int:
        note(number)
        for _ in range(100 * (number == 0)):
            time.sleep(0.005)
            pay_attention()
        return number

    results = run_in_order(work, range(60), 2, lambda _, number: begun.append(number), joins=True)
    assert next(results) == 0
    assert max(begun) <= (1 + AHEAD) * 2
    assert [*results] == [*range(1, 60)]
    assert sorted(begun) == [*range(60)]


@pytest.fixture
def list_unwaited() -> Callable[[], list[str]]:
    """Return what lists processes started in a test that run, or were not waited for."""
    children = Path(f"/proc/self/task/{os.getpid()}/children")
    if not children.exists():
        pytest.skip("not allowed: needs /proc")
    before = {*children.read_text().split()}
    return lambda: [each for each in children.read_text().split() if each not in before]


def test_processes_that_leave_are_waited_for_at_the_end_and_not_before(
    list_unwaited: Callable[[], list[str]],
) -> None:
    with waiting_at_end():
        with waiting_at_end():
            assert len([*run_in_order(square, range(9), 3, joins=True)]) == 9
            assert len(list_unwaited()) == 2
        assert not list_unwaited()
    assert len([*run_in_order(square, range(9), 3, joins=True)]) == 9
    assert not list_unwaited()


def test_processes_that_leave_are_waited_for_after_an_error_as_well(
    list_unwaited: Callable[[], list[str]],
) -> None:
    def fail() -> None:
        with waiting_at_end():
            list(run_in_order(square, range(9), 3, joins=True))
            raise LookupError

    with pytest.raises(LookupError):
        fail()
    assert not list_unwaited()


@pytest.mark.parametrize("call", [evaluate, validate])
def test_no_process_is_left_after_a_call(
    tmp_path: Path, call: Any, list_unwaited: Callable[[], list[str]]
) -> None:
    path = tmp_path / "both.jsonl"
    record = {"ground_truth": [["a"], ["b", "c"]], "results": ["x", "b"]}
    path.write_text("".join(f"{json.dumps({'id': f'q{n}', **record})}\n" for n in range(200)))
    with small_parts(2000):
        call(path, jobs=3)
    assert not list_unwaited()
