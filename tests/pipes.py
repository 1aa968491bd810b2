"""Named pipes that give their data once: whoever opens one again is counted, and gets nothing."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread


class Feeder:
    """Writes data to a pipe for its first reader.

    As soon as a reader is there, another pipe takes the name, so that no reader is mistaken for the
    next one.
    """

    def __init__(self, path: Path, data: bytes) -> None:
        self.readers = 0
        self._path = path
        self._data = data
        self._is_over = False
        self._lay_pipe()
        self._thread = Thread(target=self._feed)
        self._thread.start()

    def _lay_pipe(self) -> None:
        new = self._path.with_name(f".{self._path.name}.new")
        os.mkfifo(new)
        new.replace(self._path)

    def _feed(self) -> None:
        while True:
            descriptor = os.open(self._path, os.O_WRONLY)  # waits for a reader
            if self._is_over:
                os.close(descriptor)
                return
            self._lay_pipe()
            self.readers += 1
            with os.fdopen(descriptor, "wb") as pipe:
                pipe.write(self._data if self.readers == 1 else b"")

    def end(self) -> None:
        """Remove the pipe."""
        self._is_over = True
        reader = os.open(self._path, os.O_RDONLY | os.O_NONBLOCK)
        self._thread.join()
        os.close(reader)
        self._path.unlink()


@contextmanager
def feeding(path: Path, data: bytes) -> Iterator[Feeder]:
    """Put a pipe with this data in the place of a file."""
    feeder = Feeder(path, data)
    try:
        yield feeder
    finally:
        feeder.end()
