"""Processes that have done their work end by themselves, while the caller goes on with its own.

To end, a process gives all its memory back, which takes some milliseconds. Who has more to do waits
for it afterwards.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

Wait = Callable[[], None]
LEAVING: ContextVar[list[Wait] | None] = ContextVar("groupwise-leaving", default=None)
"""What waits for the end of each process that leaves; None: this is waited for at once."""


@contextmanager
def waiting_at_end() -> Iterator[None]:
    """Wait for processes that leave meanwhile when this ends, not before."""
    leaving: list[Wait] = []
    token = LEAVING.set(leaving)
    try:
        yield
    finally:
        LEAVING.reset(token)
        for wait in leaving:
            wait()


def wait_for_end(wait: Wait) -> None:
    """Wait for the end of a process: now, or when whoever called has done the rest."""
    leaving = LEAVING.get()
    if leaving is None:
        wait()
    else:
        leaving.append(wait)
