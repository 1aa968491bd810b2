"""Counts the instructions of processes, under valgrind."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from benchmarks.guard.work import REFERENCE

VALGRIND = ("valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null")
STEADY = {"PYTHONHASHSEED": "0", "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
"""Without these the counts of equal runs differ."""
SUMMARY = re.compile(r"I\s+refs:\s+([\d,]+)")


class CountingError(Exception):
    """Nothing can be counted here, or a counted process failed."""


class Task(NamedTuple):
    """A process to count: what it repeats, how often, and what is added to its environment."""

    work: str
    times: int
    environment: tuple[tuple[str, str], ...] = ()


def find_valgrind() -> None:
    """Check that valgrind is installed.

    Raises:
        CountingError: It is not.
    """
    if shutil.which(VALGRIND[0]) is None:
        raise CountingError("valgrind is not installed; on Debian: apt-get install valgrind")


def count_work(
    path: Path,
    times: int,
    names: Sequence[str],
    *,
    slowness: int = 1,
    environment: Mapping[str, str] | None = None,
) -> dict[str, float]:
    """Return the instructions of each piece of work over those of the reference.

    Args:
        path: The file to work on.
        times: How often a piece is repeated in its process.
        names: The pieces.
        slowness: Do every piece this many times where once is meant.
        environment: Variables added to the processes of all pieces but the reference.

    Raises:
        CountingError: A process failed.
    """
    added = tuple((environment or {}).items())
    nothing = {variables: Task(REFERENCE, 0, variables) for variables in ((), added)}
    tasks = {name: Task(name, slowness * times, added) for name in names}
    parse = Task(REFERENCE, times)
    counts = _count_all([*nothing.values(), parse, *tasks.values()], path)
    unit = counts[parse] - counts[nothing[()]]
    own = {name: counts[task] - counts[nothing[added]] for name, task in tasks.items()}
    return {name: count / unit for name, count in own.items()}


def _count_all(tasks: Sequence[Task], path: Path) -> dict[Task, int]:
    """Count each task once; as many at a time as there are processors."""
    _compile_modules(path)
    different = list(dict.fromkeys(tasks))
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        counts = pool.map(lambda task: _count(task, path), different)
        return dict(zip(different, counts, strict=True))


def _compile_modules(path: Path) -> None:
    """Run once uncounted, so that no counted process writes byte code."""
    subprocess.run(_command(Task(REFERENCE, 0), path), check=True)


def _count(task: Task, path: Path) -> int:
    return count_instructions(_command(task, path), task.work, dict(task.environment))


def count_instructions(
    words: Sequence[str], name: str, environment: Mapping[str, str] | None = None
) -> int:
    """Return the instructions of a command.

    Raises:
        CountingError: It failed; the message calls it by its name.
    """
    variables = {**os.environ, **STEADY, **(environment or {})}
    command = [*VALGRIND, *words]
    done = subprocess.run(command, env=variables, capture_output=True, text=True, check=False)
    found = SUMMARY.search(done.stderr)
    if done.returncode or not found:
        raise CountingError(f"{name} failed under valgrind:\n{done.stderr[-2000:]}")
    return int(found[1].replace(",", ""))


def _command(task: Task, path: Path) -> list[str]:
    words = [task.work, str(task.times), str(path)]
    return [sys.executable, "-m", "benchmarks.guard.work", *words]
