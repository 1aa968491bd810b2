"""Limits of memory and time for a process that does what files say."""

import resource
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn

MOST_BYTES = 2 << 30
MOST_SECONDS = 5
MOST_WAITING = 120
"""Seconds by the clock, for what waits instead of working."""


class OverTime(BaseException):
    """Something takes too long; not an Exception, so that nothing handles it by mistake."""


def limit_memory() -> None:
    """Limit the address space of this process, as `ulimit -v` does."""
    resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


@contextmanager
def limited_time() -> Iterator[None]:
    """Raise OverTime after some seconds of processor time: a busy machine is nobody's fault."""
    before = {number: signal.signal(number, _raise) for number in (signal.SIGPROF, signal.SIGALRM)}
    signal.setitimer(signal.ITIMER_PROF, MOST_SECONDS)
    signal.setitimer(signal.ITIMER_REAL, MOST_WAITING)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)
        for number, handler in before.items():
            signal.signal(number, handler)


def _raise(_number: int, _frame: FrameType | None) -> NoReturn:
    raise OverTime
