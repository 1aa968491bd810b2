"""How many records are read, for a person who watches."""

from collections.abc import Callable


class RecordCount:
    """Counts records, and tells how many there were so far."""

    def __init__(self, progress: Callable[[int], None] | None = None) -> None:
        self._progress = progress
        self._done = 0

    def add(self, records: int) -> None:
        """Count records."""
        self._done += records
        if self._progress is not None:
            self._progress(self._done)

    def begin_again(self) -> None:
        """Count from 0 on, for another reading."""
        self._done = 0
