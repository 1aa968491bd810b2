"""Time, memory and the spread of repeated measurements."""

import gc
import resource
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar

T = TypeVar("T")


class Span(NamedTuple):
    """The processor time and the wall time of some work, in seconds."""

    cpu: float
    wall: float

    def plus(self, other: "Span") -> "Span":
        """The time of both, one after the other."""
        return Span(self.cpu + other.cpu, self.wall + other.wall)


class Spread(NamedTuple):
    """The median of some rounds with the lowest and the highest of them."""

    median: float
    low: float
    high: float
    rounds: int

    def times(self, factor: float) -> "Spread":
        """The same rounds in another unit."""
        return Spread(self.median * factor, self.low * factor, self.high * factor, self.rounds)


def time_work(work: Callable[[], T]) -> tuple[Span, T]:
    """Time the work once, after a garbage collection."""
    gc.collect()
    wall, cpu = time.perf_counter(), time.process_time()
    outcome = work()
    span = Span(time.process_time() - cpu, time.perf_counter() - wall)
    return span, outcome


def spread(values: Sequence[float]) -> Spread:
    """Sum up the rounds of one measurement."""
    return Spread(statistics.median(values), min(values), max(values), len(values))


def ratio(above: Sequence[float], below: Sequence[float]) -> Spread:
    """Sum up the quotients of two measurements, round by round: neighbours share their noise."""
    return spread([a / b for a, b in zip(above, below, strict=True)])


def megabytes(usage: resource.struct_rusage) -> float:
    """Return the peak resident memory of a process; its unit depends on the system."""
    unit = 1 if sys.platform == "darwin" else 1024
    return usage.ru_maxrss * unit / 1e6
