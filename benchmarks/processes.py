"""Runs other processes, one at a time, and measures them.

The measuring process stays small (it imports the standard library only and writes its data record
by record): on Linux the peak memory that is reported of a child is never below what its parent
had when the child was started.
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.clock import Span, megabytes


class Usage(NamedTuple):
    """What one process took."""

    span: Span
    megabytes: float

    @property
    def numbers(self) -> list[float]:
        """As it is written and stored."""
        return [*self.span, self.megabytes]

    @classmethod
    def read(cls, numbers: Sequence[float]) -> "Usage":
        """Read what was written."""
        cpu, wall, peak = numbers
        return cls(Span(cpu, wall), peak)


def measure_process(way: str, path: Path, names: Sequence[str] = ()) -> Usage:
    """Run `benchmarks.once`: the time of the work alone, the memory of its whole process.

    Args:
        way: What to do.
        path: The file to do it with.
        names: The metrics of a report, if not the standard ones.
    """
    command = [sys.executable, "-m", "benchmarks.once", way, str(path), *names]
    output = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout
    return Usage.read(json.loads(output))


def command(*words: str, good: tuple[int, ...] = (0,), python: str = sys.executable) -> Usage:
    """Run a Python command and return what its whole process used.

    Raises:
        RuntimeError: if it ended otherwise than with a good exit code.
    """
    started = time.perf_counter()
    with subprocess.Popen([python, *words], stdout=subprocess.DEVNULL) as process:
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - started
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in good:
        raise RuntimeError(f"exit {process.returncode}: python {' '.join(words)}")
    return Usage(Span(usage.ru_utime + usage.ru_stime, wall), megabytes(usage))
