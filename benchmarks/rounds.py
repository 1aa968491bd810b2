"""From Python objects: every engine in turn, round by round, each in its own process."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from benchmarks.clock import Span
from benchmarks.engines import ENGINES, MissingPeerError
from benchmarks.worker import Answer
from benchmarks.workloads import Workload

Say = Callable[[str], None]
Answers = dict[str, list[Answer]]


class Worker:
    """The other end of `benchmarks.worker`."""

    def __init__(self, engine: str, process: "subprocess.Popen[str]") -> None:
        self.engine = engine
        self._process = process

    def greet(self) -> None:
        """Wait until the engine is imported.

        Raises:
            MissingPeerError: if it is not installed.
        """
        greeting = self._read()
        if "missing" in greeting:
            raise MissingPeerError(greeting["missing"])

    def ask(self, path: Path) -> Answer:
        """Evaluate a workload."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{path}\n")
        self._process.stdin.flush()
        reply = self._read()
        reply |= {step: Span(*reply[step]) for step in ("build", "evaluate")}
        return Answer(**reply)

    def _read(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"the process of {self.engine} died; its words are above")
        reply: dict[str, Any] = json.loads(line)
        return reply


@contextmanager
def worker(engine: str) -> Iterator[Worker]:
    """Start an engine's process; it ends with the block."""
    command = [sys.executable, "-m", "benchmarks.worker", engine]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as process:
        yield Worker(engine, process)


def measure(workload: Workload, path: Path, rounds: int, say: Say) -> Answers:
    """Run every engine that supports the workload in turn, `rounds` times."""
    answers: Answers = {}
    with ExitStack() as stack:
        names = [name for name, entry in ENGINES.items() if entry.takes(workload)]
        workers = [stack.enter_context(worker(name)) for name in names]
        present = [each for each in workers if _there(each, say)]
        for number in range(1, rounds + 1):
            say(f"{workload.name} from Python objects, round {number} of {rounds}")
            for each in present:
                answers.setdefault(each.engine, []).append(each.ask(path))
    return answers


def _there(each: Worker, say: Say) -> bool:
    try:
        each.greet()
    except MissingPeerError as missing:
        say(f"skipped: {missing}")
        return False
    return True
