"""When the next entry is due: so rarely that journaling takes a twentieth of the time at most."""

from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic

SHORTEST = 0.5
"""Seconds between two entries, at least."""
SHARE = 20
"""The work between two entries takes so many times as long as writing one."""


class Pace:
    """A clock that allows for what writing costs, on a slow disk as well."""

    def __init__(self) -> None:
        self._due = monotonic() + SHORTEST

    def is_due(self) -> bool:
        """Whether an entry is worth its cost."""
        return monotonic() >= self._due

    @contextmanager
    def measure(self) -> Iterator[None]:
        """Measure how long writing takes; the next entry is due after a multiple of it."""
        start = monotonic()
        yield
        end = monotonic()
        self._due = end + max(SHORTEST, SHARE * (end - start))
