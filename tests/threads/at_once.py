"""Eight threads that do the same at the same moment, as often taking turns as Python can."""

import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from threading import Barrier
from typing import Any, TypeVar

THREADS = 8
Value = TypeVar("Value")


@contextmanager
def turns(seconds: float = 1e-6) -> Iterator[None]:
    """Let threads take turns after so little time."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(seconds)
    try:
        yield
    finally:
        sys.setswitchinterval(before)


def at_once(work: Callable[[int], Value], threads: int = THREADS) -> list[Any]:
    """Return what each thread's call gives, or the error that it raises; all begin together."""
    start = Barrier(threads)

    def call(number: int) -> Any:
        start.wait(60)
        try:
            return work(number)
        except Exception as error:  # noqa: BLE001  (the caller looks at it)
            return error

    with turns(), ThreadPoolExecutor(threads) as pool:
        return list(pool.map(call, range(threads)))
