"""Batches of a few records each, such as those between missing commas, joined to larger ones."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import accumulate, chain
from typing import Any

from groupwise.evaluator.errors import InputError
from groupwise.evaluator.reading.records import Batch, Reading
from groupwise.evaluator.reading.scan import Pointer

FEW_RECORDS = 16
"""Up to here, what follows takes longer for a batch than for its records."""
MOST_BATCHES = 256
"""How many are joined."""


class JoinedBatch(Batch):
    """The records of several batches, each with the place that it has in its own."""

    def __init__(self, parts: list[Batch]) -> None:
        self._parts = parts
        self._starts = [0, *accumulate(len(part.values) for part in parts)]
        self.values: list[Any] = [*chain.from_iterable(part.values for part in parts)]
        keys = [part.keys for part in parts if part.keys is not None]
        self.keys: list[str] | None = [*chain.from_iterable(keys)] if keys else None

    def place(self, number: int, pointer: Pointer) -> tuple[int, int]:
        """Return line and column of what the pointer leads to in a record."""
        part, own = self._find(number)
        return part.place(own, pointer)

    def root(self, number: int) -> Pointer:
        """Return the pointer from the whole document to a record."""
        part, own = self._find(number)
        return part.root(own)

    def trace(self, number: int, pointer: Pointer) -> Pointer:
        """Return the pointer in the source to something in a record."""
        part, own = self._find(number)
        return part.trace(own, pointer)

    def _find(self, number: int) -> tuple[Batch, int]:
        """Return the batch that a record comes from, and its number there."""
        part = bisect_right(self._starts, number) - 1
        return self._parts[part], number - self._starts[part]


class _Waiting:
    """Small batches that are joined with those that follow."""

    def __init__(self) -> None:
        self._batches: list[Batch] = []
        self._keys: set[str] = set()

    def __len__(self) -> int:
        return len(self._batches)

    def has_key_of(self, batch: Batch) -> bool:
        return not self._keys.isdisjoint(batch.keys or ())

    def add(self, batch: Batch) -> None:
        self._batches.append(batch)
        self._keys.update(batch.keys or ())

    def take_all(self) -> Batch:
        """Return the batches as one, and wait for others."""
        batches, self._batches, self._keys = self._batches, [], set()
        return batches[0] if len(batches) == 1 else JoinedBatch(batches)

    def flush(self, reading: Reading) -> Iterator[Batch]:
        """Yield what waits, if anything, as if what was found after it were not known yet."""
        if self._batches:
            with _hidden(reading):
                yield self.take_all()


def join_small(
    batches: Iterable[Batch], reading: Reading, may_join: Callable[[Batch], bool]
) -> Iterator[Batch]:
    """Yield the records of all batches; small ones that may be joined are, up to a fair size.

    What is described comes between the same records as before, and an error after all records.
    Keys that stand outside the records differ within a batch.
    """
    waiting = _Waiting()
    try:
        for batch in batches:
            is_small = may_join(batch) and len(batch.values) <= FEW_RECORDS
            if reading.problems or not is_small or waiting.has_key_of(batch):
                yield from waiting.flush(reading)
            if not is_small or reading.problems:
                yield batch
                continue
            waiting.add(batch)
            if len(waiting) >= MOST_BATCHES:
                yield waiting.take_all()
    except InputError:
        yield from waiting.flush(reading)
        raise
    yield from waiting.flush(reading)


@contextmanager
def _hidden(reading: Reading) -> Iterator[None]:
    """Hide the problems of a reading."""
    problems, counts = [*reading.problems], Counter(reading.counts)
    reading.problems.clear()
    reading.counts.clear()
    try:
        yield
    finally:
        reading.problems[:0] = problems
        reading.counts.update(counts)
