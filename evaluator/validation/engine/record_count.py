"""How many records are read, for a person who watches."""

from collections.abc import Callable


class RecordCount:
    """Counts records, and tells how many there were so far."""

    def __init__(self, progress: Callable[[int], None] | None = None) -> None:
        self._progress = progress
        self._done = 0

    @property
    def is_watched(self) -> bool:
        """Whether anybody wants to know."""
        return self._progress is not None

    def add(self, records: int) -> None:
        """Count records."""
        self._done += records
        if self._progress is not None:
            self._progress(self._done)

    def begin_again(self) -> None:
        """Count from 0 on, for another reading."""
        self._done = 0

    def follow(self) -> Callable[[int], None] | None:
        """Return what to call with the number of records read elsewhere; None if nobody watches."""
        progress, before = self._progress, self._done
        if progress is None:
            return None

        def note(records: int) -> None:
            self._done = before + records
            progress(self._done)

        return note
