"""Tasks in several processes; their results come back in the order of the tasks.

Each process has a pipe of its own, so that nothing is shared that a killed process could leave
locked: its end is seen as the end of its pipe. Processes do not outlive the caller: at the end of
its pipe, a process ends as well.
"""

from collections.abc import Callable, Generator, Iterator, Sequence
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from signal import Signals
from typing import Any, Protocol, TypeVar, cast

from groupwise.evaluator.errors import WorkerLost
from groupwise.evaluator.processes.starting import choose_method, hold_signals, pack, share_hashes
from groupwise.evaluator.processes.worker import FAILED, NOTE, serve

Task = TypeVar("Task")
Task_contra = TypeVar("Task_contra", contravariant=True)
Result = TypeVar("Result")
Result_co = TypeVar("Result_co", covariant=True)

AHEAD = 2
"""How many results for each process may wait for an earlier one."""
PATIENCE = 1.0
"""Seconds that a process has to end by itself."""


class Work(Protocol[Task_contra, Result_co]):
    """What is done with each task, in another process.

    ``note`` takes anything to tell the caller while the work is under way. A function, or an object
    that holds what all tasks need: it goes to each process once.
    """

    def __call__(self, task: Task_contra, note: Callable[[Any], None], /) -> Result_co:
        """Return the result of a task."""
        ...


def run_in_order(
    work: Work[Task, Result],
    tasks: Sequence[Task],
    jobs: int,
    note: Callable[[int, Any], None] | None = None,
) -> Generator[Result, None, None]:
    """Yield the result of each task, in order; the work is done in other processes.

    Where processes are forked, the work and its tasks need not be picklable; results always must
    be. Processes hash strings alike, so that hashes of different processes can be compared. If the
    iteration ends early, the processes are stopped.

    Args:
        work: What is done with a task.
        tasks: What there is to do.
        jobs: How many processes work at a time.
        note: Called with the number of a task and what its work notes on the way.

    Raises:
        WorkerLost: A process ended before its work was done.
        Unshareable: The work cannot be handed to another process.
        Exception: What the work raised for the first task that failed.
    """
    method = choose_method()
    packed = pack(work, tasks) if method == "spawn" else (work, tasks)
    workers: list[Worker] = []
    try:
        with hold_signals(), share_hashes(method):
            for _ in range(min(jobs, len(tasks))):
                workers.append(Worker(method, packed, [each.connection for each in workers]))
        yield from Queue(workers, len(tasks), note).results()
        for worker in workers:
            worker.dismiss()
    finally:
        for worker in workers:
            worker.stop()


class Worker:
    """A process at the other end of a pipe, and the number of the task that it works on."""

    def __init__(self, method: str, packed: Any, others: list[Connection]) -> None:
        context = get_context(method)
        self.connection, far = context.Pipe()
        inherited = [*others, self.connection] if method == "fork" else []
        process = context.Process(target=serve, args=(far, packed, inherited), daemon=True)  # type: ignore[attr-defined]
        self.process = cast("BaseProcess", process)
        self.task: int | None = None
        self.process.start()
        far.close()

    def hand(self, task: int) -> None:
        """Let the process work on a task."""
        self.task = task
        try:
            self.connection.send(task)
        except OSError:
            raise self._describe_loss() from None

    def receive(self) -> tuple[str, Any]:
        """Return the next message.

        Raises:
            WorkerLost: The process has ended.
        """
        try:
            return cast("tuple[str, Any]", self.connection.recv())
        except (EOFError, OSError):
            raise self._describe_loss() from None

    def _describe_loss(self) -> WorkerLost:
        """Return the error that says how the process ended."""
        self.process.join(PATIENCE)
        code = self.process.exitcode
        if code is None or code >= 0:
            return WorkerLost(f"a worker process ended early (exit code {code})")
        name = Signals(-code).name if -code in [*Signals] else f"signal {-code}"
        hint = "; if memory ran out, fewer jobs need less of it" if name == "SIGKILL" else ""
        return WorkerLost(f"a worker process was killed ({name}){hint}")

    def dismiss(self) -> None:
        """Let the process end by itself."""
        self.connection.close()
        self.process.join(PATIENCE)

    def stop(self) -> None:
        """End the process, whatever it does."""
        self.connection.close()
        if self.process.is_alive():
            self.process.kill()
        self.process.join()


class Queue:
    """Hands out the numbers of tasks, and puts their results in order."""

    def __init__(
        self, workers: list[Worker], count: int, note: Callable[[int, Any], None] | None
    ) -> None:
        self._workers = workers
        self._count = count
        self._note = note
        self._handed = 0
        self._yielded = 0
        self._outcomes: dict[int, tuple[str, Any]] = {}

    def results(self) -> Iterator[Any]:
        """Yield the results in the order of their tasks."""
        while self._yielded < self._count:
            self._hand_out()
            if self._yielded not in self._outcomes:
                self._take_messages()
                continue
            kind, value = self._outcomes.pop(self._yielded)
            if kind == FAILED:
                raise value
            self._yielded += 1
            self._hand_out()
            yield value

    def _hand_out(self) -> None:
        """Give each idle process a task, if not too many results wait already."""
        last = min(self._count, self._yielded + (1 + AHEAD) * len(self._workers))
        for worker in self._workers:
            if worker.task is None and self._handed < last:
                worker.hand(self._handed)
                self._handed += 1

    def _take_messages(self) -> None:
        """Wait for messages of the processes that work, and note them."""
        busy = {each.connection: each for each in self._workers if each.task is not None}
        for connection in wait(busy):
            worker = busy[cast("Connection", connection)]
            kind, value = worker.receive()
            assert worker.task is not None  # noqa: S101  (it is busy)
            if kind == NOTE:
                if self._note is not None:
                    self._note(worker.task, value)
            else:
                self._outcomes[worker.task] = kind, value
                worker.task = None
