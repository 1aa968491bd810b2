"""How much of the files that are being read is done, for a person who watches.

Nothing is counted while reading: an open file knows where it stands, and is asked now and then.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import BinaryIO, NamedTuple

METER: "ContextVar[Meter | None]" = ContextVar("groupwise-meter", default=None)
"""What watches over the files that are opened; None: nothing does."""


class Stand(NamedTuple):
    """How far a file is: a function that says it, and the number of bytes in the file."""

    done: Callable[[], int]
    size: int


class Meter:
    """How many bytes of all files are read; a file that is opened again begins again.

    ``expected`` is the number of queries to come, where it is known and all files are read.
    ``listener`` is called now and then while files are read that hold no queries.
    """

    def __init__(self) -> None:
        self._files: dict[str, Stand] = {}
        self.expected = 0
        self.listener: Callable[[], None] | None = None

    @property
    def done(self) -> int:
        """The number of bytes read."""
        return sum(stand.done() for stand in self._files.values())

    @property
    def total(self) -> int:
        """The number of bytes in all files that were opened so far."""
        return sum(stand.size for stand in self._files.values())

    def note(self, name: str, done: int, size: int) -> None:
        """Note how far a file is that is read elsewhere."""
        self._files[name] = Stand(lambda: done, size)

    @contextmanager
    def watch(self, name: str, file: BinaryIO, start: int, size: int) -> Iterator[None]:
        """Watch a file while it is open, from a byte on."""
        self._files[name] = Stand(lambda: file.tell() - start, size)
        try:
            yield
        finally:
            self.note(name, min(size, file.tell() - start), size)


@contextmanager
def metering() -> Iterator[Meter]:
    """Yield a meter that watches over all files opened meanwhile."""
    meter = Meter()
    token = METER.set(meter)
    try:
        yield meter
    finally:
        METER.reset(token)


@contextmanager
def watch_file(name: str, file: BinaryIO, start: int, size: int) -> Iterator[None]:
    """Let the meter, if there is one, watch a file while it is open."""
    meter = METER.get()
    if meter is None:
        yield
        return
    with meter.watch(name, file, start, size):
        yield


def expect_queries(count: int) -> None:
    """Tell the meter, if there is one, how many queries are worked on from now on."""
    meter = METER.get()
    if meter is not None:
        meter.expected = count


def tell_reading() -> None:
    """Let the meter, if there is one, say that more was read."""
    meter = METER.get()
    if meter is not None and meter.listener is not None:
        meter.listener()
