"""Pause the cyclic garbage collector while records stream.

Records hold no cycles: they are freed as soon as they are dropped.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

from groupwise.evaluator.native.allocator import keep_freed_memory


class _Pauses:
    """Pauses of all threads: the first disables the collector, the last enables it again."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._count = 0
        self._was_on = False

    def begin(self) -> None:
        with self._lock:
            if not self._count:
                self._was_on = gc.isenabled()
                gc.disable()
            self._count += 1

    def end(self) -> None:
        with self._lock:
            self._count -= 1
            if not self._count and self._was_on:
                gc.enable()


PAUSES = _Pauses()


@contextmanager
def paused_collector() -> Iterator[None]:
    """Disable the collector, and enable it again if it was on; freed memory is kept for reuse."""
    keep_freed_memory()
    PAUSES.begin()
    try:
        yield
    finally:
        PAUSES.end()
