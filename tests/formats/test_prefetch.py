"""Steps done ahead: in order, only so many, with what they raise, and none left when it ends."""

import threading
from collections.abc import Callable
from contextlib import closing
from itertools import count
from time import monotonic, sleep

import pytest

from groupwise.evaluator.reading.prefetch import STEPS, prefetch


def steps_to(end: int, done: list[int]) -> Callable[[], int | None]:
    """A step that counts and notes what it gave; it ends before the given number."""
    numbers = count()

    def step() -> int | None:
        number = next(numbers)
        done.append(number)
        return number if number < end else None

    return step


def until(condition: Callable[[], bool]) -> None:
    """Wait for another thread, but not for ever."""
    end = monotonic() + 10
    while not condition() and monotonic() < end:
        sleep(0.001)


@pytest.mark.parametrize("number", [0, 1, STEPS, 5 * STEPS])
def test_all_items_come_in_their_order(number: int) -> None:
    assert list(prefetch(steps_to(number, []))) == list(range(number))


def test_some_steps_are_done_ahead_and_no_more() -> None:
    done: list[int] = []
    items = prefetch(steps_to(100, done))
    assert done == []
    next(items)
    until(lambda: len(done) > STEPS)
    sleep(0.02)
    assert len(done) == STEPS + 1
    items.close()


def test_steps_are_done_in_another_thread() -> None:
    with closing(prefetch(threading.current_thread)) as threads:
        assert next(threads) is not threading.current_thread()


def test_what_a_step_raises_comes_in_its_place() -> None:
    numbers = iter([1, 2, "three", 4])

    def step() -> int:
        return 1 + next(numbers)  # type: ignore[operator]

    items = prefetch(step)
    assert [next(items), next(items)] == [2, 3]
    with pytest.raises(TypeError):
        next(items)
    assert list(items) == []


def test_an_early_end_leaves_no_thread_and_begins_no_step() -> None:
    done: list[int] = []
    before = threading.active_count()
    items = prefetch(steps_to(1000, done))
    next(items)
    items.close()
    number = len(done)
    assert threading.active_count() == before
    sleep(0.02)
    assert len(done) == number <= STEPS + 1
