"""Both sizes of a row, repeated, each in a process of its own with limits."""

import json
import subprocess
import sys
from typing import NamedTuple

from benchmarks.growth.rows import Row

STUCK = 900
"""Seconds by the clock, for what waits instead of working."""
FACTOR = 4
MOST_TIMES = 5
SOON = 0.2


class Run(NamedTuple):
    """The seconds of a command, its exit code and its peak of memory; infinite if not in time."""

    seconds: float
    code: int | None
    megabytes: float


TOO_LONG = Run(float("inf"), None, float("nan"))


class Growth(NamedTuple):
    """The best run with n and with four times n."""

    row: Row
    small: Run
    large: Run

    @property
    def times(self) -> float:
        """How many times as long the larger one takes."""
        return self.large.seconds / self.small.seconds

    @property
    def is_bounded(self) -> bool:
        """Whether both end as they should, and the larger one is soon done or grows little."""
        ended = {self.small.code, self.large.code} == {self.row.code}
        return ended and (self.large.seconds < SOON or self.times <= MOST_TIMES)


def measure(row: Row, rounds: int) -> Growth:
    """Measure a row: the best of some rounds for both sizes."""
    return Growth(row, _best(row, row.n, rounds), _best(row, FACTOR * row.n, rounds))


def _best(row: Row, n: int, rounds: int) -> Run:
    """Return the fastest run; one that was not in time is not repeated."""
    best = TOO_LONG
    for _ in range(rounds):
        found = run_once(row, n)
        best = min(best, found)
        if found is TOO_LONG:
            break
    return best


def run_once(row: Row, n: int) -> Run:
    """Run a row with n in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.growth.once", row.name, str(n)]
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, timeout=STUCK, check=True)
    except (subprocess.TimeoutExpired, subprocess.CalledProcessError):
        return TOO_LONG
    return Run(*json.loads(done.stdout))
