"""Inputs of a megabyte, of every shape, through every target: `python -m fuzz large`.

None may take more than a second of processor time, or anything but a value or a refusal. What takes
longer is measured at a quarter of the size as well: about four times is linear.
"""

import argparse
import multiprocessing
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from fuzz.limits import limit_memory
from fuzz.shapes import list_shapes, spell_long
from fuzz.slice import find_outcome
from fuzz.targets import list_targets
from fuzz.targets.files import is_of_files
from fuzz.targets.target import Room, Target

IN_MEMORY = Path("/dev/shm")  # noqa: S108  (the folder made there is private)


class Trial(NamedTuple):
    """A shape that went through a target."""

    target: str
    shape: str
    seconds: float
    where: str = ""

    def __str__(self) -> str:
        return f"{self.target}: {self.shape}: {self.seconds:.2f} s {self.where[-1500:]}".rstrip()


def main(arguments: list[str]) -> int:
    """Try every shape; print the slowest, and those that take too long or fail."""
    options = _options(arguments)
    found: list[Trial] = []
    with tempfile.TemporaryDirectory(dir=IN_MEMORY if IN_MEMORY.is_dir() else None) as folder:
        targets = list_targets(Room(Path(folder)))
        for name, target in targets.items():
            if name.startswith(tuple((options.targets or "").split(","))) and name != "walk":
                found += _try_in_child(target, options.bytes)
                slowest = max(found, key=lambda trial: trial.seconds)
                print(f"{len(found):,} trials, slowest {slowest}"[:200], file=sys.stderr)
    return _summarise(found, options.seconds)


def _options(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m fuzz large", description=__doc__)
    parser.add_argument("--bytes", type=int, default=1_000_000, metavar="N")
    parser.add_argument("--seconds", type=float, default=1.0, metavar="S", help="the limit")
    parser.add_argument("--targets", metavar="NAME,…", help="some of them, by how names begin")
    return parser.parse_args(arguments)


def _try_in_child(target: Target, size: int) -> list[Trial]:
    """Try all shapes in a process of 2 GB of its own."""
    fork = multiprocessing.get_context("fork")
    receiver, sender = fork.Pipe(duplex=False)
    process = fork.Process(target=_work, args=(target, size, sender))
    process.start()
    sender.close()
    trials: list[Trial] = []
    try:
        while (trial := receiver.recv()) is not None:
            trials.append(trial)
    except EOFError:
        process.join()
        last = trials[-1].shape if trials else "the first shape"
        trials.append(Trial(target.name, f"after {last}", 0.0, f"ended with {process.exitcode}"))
    process.join()
    return trials


def _work(target: Target, size: int, sender: Any) -> None:
    limit_memory()
    find_outcome(target, b"{}")  # what is imported first is not the input's fault
    for trial in _try_all(target, size):
        sender.send(trial)
    sender.send(None)


def _try_all(target: Target, size: int) -> Iterator[Trial]:
    for shape, data in (list_shapes if is_of_files(target) else spell_long)(size):
        started = time.process_time()
        outcome = find_outcome(target, data)
        yield Trial(target.name, shape, time.process_time() - started, outcome.where)


def _summarise(trials: list[Trial], most: float) -> int:
    by_time = sorted(trials, key=lambda trial: -trial.seconds)
    bad = [trial for trial in by_time if trial.seconds > most or trial.where]
    for trial in bad or by_time[:5]:
        print(trial)
    print(f"{len(trials):,} trials, {len(bad)} over {most:g} s or failed")
    return 1 if bad else 0
