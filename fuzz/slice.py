"""Some seconds of one target, in a process of its own.

The process holds the input that it is about to try in shared memory, so that a crash can be told
from the outside.
"""

import mmap
import multiprocessing
import re
import signal
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random
from types import FrameType
from typing import Any, NamedTuple, NoReturn

from fuzz.journal import MOST_KEPT, Figures, Journal
from fuzz.limits import OverTime, limit_memory
from fuzz.targets.target import Target

MOST_SECONDS = 1.0
"""Of processor time for an input; none is longer than a megabyte."""
LONGEST = 1 << 20
MOST_FINDINGS = 20
QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")
WORD = re.compile(r"\b[a-z]{2,12}\b")
MOST_WORDS = 4


class Slice(NamedTuple):
    """What to run: a target, a seed, seconds, and inputs that were kept."""

    target: Target
    seed: str
    seconds: float
    kept: list[bytes]


class Outcome(NamedTuple):
    """How an input ended: in words that many inputs share, and where, if it is a finding."""

    what: str
    where: str = ""
    is_value: bool = False


def find_outcome(target: Target, data: bytes) -> Outcome:
    """Call a target and return what came of it."""
    try:
        value = target.call(data)
    except target.refusals as error:
        return Outcome(_shorten(error))
    except (Exception, OverTime) as error:  # noqa: BLE001  (that is the point)
        return Outcome(f"{type(error).__name__}: {error}"[:300], traceback.format_exc(limit=-12))
    return Outcome(f"a value: {type(value).__name__}", is_value=True)


def _shorten(error: Exception) -> str:
    """Return what kind of refusal this is: its message without what comes from the input."""
    words = WORD.findall(QUOTED.sub("", str(error)[:300]))
    return f"{type(error).__name__}: {' '.join(words[:MOST_WORDS])}"


def run_slice(given: Slice, journal: Journal) -> Figures:
    """Run a target for some seconds in a new process; return the figures."""
    shared = mmap.mmap(-1, LONGEST + 8)
    fork = multiprocessing.get_context("fork")
    receiver, sender = fork.Pipe(duplex=False)
    process = fork.Process(target=_work, args=(given, journal, shared, sender))
    process.start()
    sender.close()
    try:
        figures: Figures = receiver.recv()
    except EOFError:
        process.join()
        size = int.from_bytes(shared[:8], "little")
        error = f"the process ended with {process.exitcode}"
        if size:  # else it made an input
            journal.note(given.target.name, error, error, shared[8 : 8 + size])
        return Figures(executions=1, findings=int(size > 0), slices=1)
    process.join()
    return figures


def _work(given: Slice, journal: Journal, shared: mmap.mmap, sender: Any) -> None:
    limit_memory()
    signal.signal(signal.SIGPROF, _raise)
    worker = _Worker(given, journal, shared)
    worker.run()
    sender.send(worker.figures)


def _raise(_number: int, _frame: FrameType | None) -> NoReturn:
    raise OverTime


@contextmanager
def _limited_time() -> Iterator[None]:
    signal.setitimer(signal.ITIMER_PROF, MOST_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


@dataclass
class _Worker:
    """Draws inputs, tries them, keeps those that ended as none before."""

    given: Slice
    journal: Journal
    shared: mmap.mmap
    figures: Figures = field(default_factory=lambda: Figures(slices=1))
    room: int = 0

    def run(self) -> None:
        target, draw = self.given.target, Random(self.given.seed)
        corpus = [*target.seeds(), *self.given.kept]
        seen = {self._try(data) for data in self.given.kept}
        self.room = MOST_KEPT - len(self.given.kept)
        end = time.process_time() + self.given.seconds
        while time.process_time() < end and self.figures.findings < MOST_FINDINGS:
            self.shared[:8] = bytes(8)
            data = target.mutate(draw, draw.choice(corpus), draw.choice(corpus))[:LONGEST]
            what = self._try(data)
            if what not in seen:
                seen.add(what)
                self._keep(corpus, what, data)
        self.figures.outcomes = len(seen)

    def _keep(self, corpus: list[bytes], what: str, data: bytes) -> None:
        if self.room > 0:
            self.room -= 1
            corpus += [data] * 3
            self.journal.keep(self.given.target.name, what, data)

    def _try(self, data: bytes) -> str:
        self.shared[: 8 + len(data)] = len(data).to_bytes(8, "little") + data
        started = time.process_time()
        with _limited_time():
            outcome = find_outcome(self.given.target, data)
        self._count(outcome, time.process_time() - started)
        if outcome.where:
            self.figures.findings += 1
            self.journal.note(self.given.target.name, outcome.what, outcome.where, data)
        return outcome.what

    def _count(self, outcome: Outcome, seconds: float) -> None:
        self.figures.executions += 1
        self.figures.values += outcome.is_value
        self.figures.seconds += seconds
        self.figures.slowest = max(self.figures.slowest, seconds)
