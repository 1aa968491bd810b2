"""How much of the files that are being read is done, for a person who watches.

Nothing is counted while reading: an open file knows where it stands, and is asked now and then.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import BinaryIO

METER: "ContextVar[Meter | None]" = ContextVar("groupwise-meter", default=None)
"""What watches over the files that are opened; None: nothing does."""


class Meter:
    """How many bytes of all files are read; a file that is opened again begins again.

    ``expected`` is the number of queries to come, where it is known and all files are read.
    ``listener`` is called now and then while files are read that hold no queries.
    """

    def __init__(self) -> None:
        self._files: dict[str, tuple[Callable[[], int], int]] = {}
        self.expected = 0
        self.listener: Callable[[], None] = lambda: None

    @property
    def done(self) -> int:
        """The number of bytes read."""
        return sum(tell() for tell, _ in self._files.values())

    @property
    def total(self) -> int:
        """The number of bytes in all files that were opened so far."""
        return sum(size for _, size in self._files.values())

    def note(self, name: str, done: int, size: int) -> None:
        """Note how far a file is that is read elsewhere."""
        self._files[name] = (lambda: done), size

    def watch(self, name: str, file: BinaryIO) -> Iterator[BinaryIO]:
        """Yield a file, and watch it until it is closed."""
        size = os.fstat(file.fileno()).st_size
        self._files[name] = file.tell, size
        try:
            yield file
        finally:
            self.note(name, file.tell(), size)


@contextmanager
def metering() -> Iterator[Meter]:
    """Yield a meter that watches over all files opened meanwhile."""
    meter = Meter()
    token = METER.set(meter)
    try:
        yield meter
    finally:
        METER.reset(token)
