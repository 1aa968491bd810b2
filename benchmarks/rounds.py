"""From Python objects: every engine in turn, round by round, each in its own process."""

import json
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import Timer
from typing import Any, NamedTuple

from benchmarks.engines import ENGINES, MissingPeerError
from benchmarks.measures import STANDARD_MEASURES, Measures
from benchmarks.worker import Answer
from benchmarks.workloads import Workload

Say = Callable[[str], None]
Answers = dict[str, list[Answer]]
SMALL = 2_000_000
"""Up to so many results, the processes of all engines stay for all rounds; beyond it, each engine
gets a new process in every round, because together they would not fit into memory."""
SLOW = 2.0
"""An answer that takes more seconds than this is asked for in a few rounds only."""
SLOW_ROUNDS = 3
PATIENCE, STARTING = 20, 120
"""By the clock, an answer may take so many times its limit, and so many seconds for reading."""


class Late(Exception):  # noqa: N818 (nothing is wrong)
    """An engine did not answer in time."""


class Plan(NamedTuple):
    """How to measure.

    Attributes:
        rounds: The number of rounds.
        limit: The seconds of processor time that an answer may take.
        measures: What is computed.
        slow: The seconds from which on an answer is asked for in a few rounds only.
    """

    rounds: int
    limit: float = 600.0
    measures: Measures = STANDARD_MEASURES
    slow: float = SLOW


class Worker:
    """The other end of `benchmarks.worker`."""

    def __init__(self, engine: str, process: "subprocess.Popen[str]") -> None:
        self.engine = engine
        self._process = process

    def greet(self) -> None:
        """Wait until the engine is imported and warm.

        Raises:
            MissingPeerError: if it is not installed.
        """
        greeting = self._read()
        if "missing" in greeting:
            raise MissingPeerError(greeting["missing"])

    def ask(self, limit: float) -> Answer:
        """Evaluate the workload.

        Raises:
            Late: if it takes more processor time than the limit, or hangs; the process ends then.
        """
        assert self._process.stdin is not None
        self._process.stdin.write(f"{limit}\n")
        self._process.stdin.flush()
        timer = Timer(PATIENCE * limit + STARTING, self._process.kill)
        timer.start()
        try:
            return Answer.read(self._read())
        except RuntimeError as died:
            if self._process.wait() in (-signal.SIGPROF, -signal.SIGKILL):
                raise Late(self.engine) from died
            raise
        finally:
            timer.cancel()

    def _read(self) -> Any:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"the process of {self.engine} died; its words are above")
        return json.loads(line)


@contextmanager
def worker(engine: str, measures: Measures, path: Path) -> Iterator[Worker]:
    """Start an engine's process and warm it up for a file; it ends with the block.

    Raises:
        MissingPeerError: if it is not installed.
    """
    command = [sys.executable, "-m", "benchmarks.worker", engine, json.dumps(measures), str(path)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as process:
        started = Worker(engine, process)
        started.greet()
        yield started


def measure(
    workload: Workload, path: Path, plan: Plan, say: Say, engines: Sequence[str] = tuple(ENGINES)
) -> Answers:
    """Run every engine that supports the workload in turn; leave out those that take too long."""
    names = [name for name in engines if ENGINES[name].takes(workload)]
    answers: Answers = {}
    with ExitStack() as stack:
        ask = _asker(stack, path, plan, stay=workload.size <= SMALL)
        for number in range(1, plan.rounds + 1):
            say(f"{workload.name} from Python objects, round {number} of {plan.rounds}")
            for name in [name for name in names if not _is_done(answers.get(name, ()), plan)]:
                try:
                    answers.setdefault(name, []).append(ask(name))
                except (MissingPeerError, Late) as error:
                    names.remove(name)
                    answers.pop(name)
                    say(f"left out: {_explain(error, plan)}")
    return answers


def _asker(stack: ExitStack, path: Path, plan: Plan, *, stay: bool) -> Callable[[str], Answer]:
    """Return what asks an engine: a process that stays for all rounds, or a new one each time."""
    workers: dict[str, Worker] = {}

    def ask(name: str) -> Answer:
        if not stay:
            with worker(name, plan.measures, path) as passing:
                return passing.ask(plan.limit)
        if name not in workers:
            workers[name] = stack.enter_context(worker(name, plan.measures, path))
        return workers[name].ask(plan.limit)

    return ask


def _is_done(answers: Sequence[Answer], plan: Plan) -> bool:
    return len(answers) >= SLOW_ROUNDS and answers[-1].total.cpu > plan.slow


def _explain(error: Exception, plan: Plan) -> str:
    if isinstance(error, Late):
        return f"{error} takes more than {plan.limit:g} s of processor time"
    return str(error)
