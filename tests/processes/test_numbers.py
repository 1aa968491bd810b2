"""Each number of a task is taken by one process, however many take them."""

import os
from collections import Counter

import pytest

from groupwise.evaluator.processes.numbers import (
    MOST_NUMBERS,
    NUMBER_BYTES,
    pour_numbers,
    take_number,
)


@pytest.mark.parametrize("count", [0, 1, 7, MOST_NUMBERS])
def test_numbers_are_taken_in_order(count: int) -> None:
    with pour_numbers(count) as pipe:
        assert [*iter(lambda: take_number(pipe), None)] == [*range(count)]
        assert take_number(pipe) is None


def test_numbers_fit_into_the_smallest_pipe() -> None:
    assert os.pathconf("/", "PC_PIPE_BUF") >= MOST_NUMBERS * NUMBER_BYTES


def test_more_numbers_are_refused_and_do_not_hang() -> None:
    with (
        pytest.raises(ValueError, match=f"{MOST_NUMBERS + 1} tasks are too many"),
        pour_numbers(MOST_NUMBERS + 1),
    ):
        pass


def test_the_pipe_is_closed_at_the_end() -> None:
    with pour_numbers(3) as pipe:
        pass
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(pipe)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="not allowed: needs fork")
def test_no_number_is_taken_twice_or_lost() -> None:
    answers, answer = os.pipe()
    with pour_numbers(MOST_NUMBERS) as pipe:
        children = [os.fork() for _ in range(1)]
        taken = [*iter(lambda: take_number(pipe), None)]
        if not children[0]:
            os.write(answer, b"".join(number.to_bytes(2, "big") for number in taken))
            os._exit(0)
        os.close(answer)
        with os.fdopen(answers, "rb") as file:
            sent = file.read()
        os.waitpid(children[0], 0)
    others = [int.from_bytes(sent[at : at + 2], "big") for at in range(0, len(sent), 2)]
    assert Counter([*taken, *others]) == Counter(range(MOST_NUMBERS))
