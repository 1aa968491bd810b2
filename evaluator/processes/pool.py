"""Tasks in several processes; their results come back in the order of the tasks.

The caller may be one of them: between two results it works on a task as well, and looks after the
others meanwhile. Each of these has a pipe of its own, so that nothing is shared that a killed
process could leave locked: its end is seen as the end of its pipe. Processes do not outlive the
caller: at the end of its pipe, a process ends as well.
"""

from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from signal import Signals
from typing import Any, Protocol, TypeVar, cast

from groupwise.evaluator.errors import WorkerLost
from groupwise.evaluator.processes.leaving import wait_for_end
from groupwise.evaluator.processes.messages import receive_message
from groupwise.evaluator.processes.own_work import Note, OwnWork
from groupwise.evaluator.processes.starting import (
    Method,
    choose_method,
    hold_signals,
    pack,
    share_hashes,
)
from groupwise.evaluator.processes.worker import FAILED, NOTE, serve

Task = TypeVar("Task")
Task_contra = TypeVar("Task_contra", contravariant=True)
Result = TypeVar("Result")
Result_co = TypeVar("Result_co", covariant=True)

AHEAD = 2
"""How many results for each process may wait for an earlier one."""
QUEUED = 2
"""How many tasks a process has while there are many: the caller may be busy when it is done."""
FEW = 5
"""The last tasks for each process are not queued: whoever is done first gets the next one."""
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
    note: Note | None = None,
    *,
    joins: bool = False,
) -> Generator[Result, None, None]:
    """Yield the result of each task, in order; the work is done in several processes.

    Where processes are forked, the work and its tasks need not be picklable; results always must
    be. Processes hash strings alike, so that hashes of different processes can be compared. If the
    iteration ends early, the processes are stopped.

    Args:
        work: What is done with a task.
        tasks: What there is to do.
        jobs: How many processes work at a time.
        note: Called with the number of a task and what its work notes on the way.
        joins: Whether this process is one of them. It is not where others cannot be forked: they
            hash strings otherwise than this one.

    Raises:
        WorkerLost: A process ended before its work was done.
        Unshareable: The work cannot be handed to another process.
        Exception: What the work raised for the first task that failed.
    """
    method = choose_method()
    joins = joins and method == "fork" and len(tasks) > 0
    packed = pack(work, tasks) if method == "spawn" else (work, tasks)
    with start_workers(method, min(jobs, len(tasks)) - joins, serve, packed) as workers:
        yield from Queue(workers, work, tasks, note, joins=joins).results()


@contextmanager
def start_workers(
    method: Method, count: int, serve: Callable[..., None], packed: Any
) -> Iterator[list["Worker"]]:
    """Start processes that serve what is packed; wait for their end, or stop them on an error."""
    workers: list[Worker] = []
    try:
        with hold_signals(), share_hashes(method):
            for _ in range(count):
                workers.append(Worker(method, serve, packed, [each.connection for each in workers]))
        yield workers
        for worker in workers:
            wait_for_end(worker.join)
        workers = []
    finally:
        for worker in workers:
            worker.stop()


class Worker:
    """A process at the other end of a pipe, and the numbers of the tasks that it has."""

    def __init__(
        self, method: Method, serve: Callable[..., None], packed: Any, others: list[Connection]
    ) -> None:
        context = get_context(method)
        self.connection, far = context.Pipe()
        inherited = [*others, self.connection] if method == "fork" else []
        process = context.Process(target=serve, args=(far, packed, inherited), daemon=True)  # type: ignore[attr-defined]
        self.process = cast("BaseProcess", process)
        self.tasks: deque[int] = deque()
        self.process.start()
        far.close()

    def hand(self, task: int) -> None:
        """Let the process work on a task, after those that it has."""
        self.tasks.append(task)
        self.send(task)

    def send(self, number: int | None) -> None:
        """Send the number of a task; None: there is none left.

        Raises:
            WorkerLost: The process has ended.
        """
        try:
            self.connection.send(number)
        except OSError:
            raise self._describe_loss() from None

    def receive(self) -> tuple[str, Any]:
        """Return the next message.

        Raises:
            WorkerLost: The process has ended.
        """
        try:
            return cast("tuple[str, Any]", receive_message(self.connection))
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

    def join(self) -> None:
        """Wait for the end of a process that was dismissed; do not wait for long."""
        self.process.join(PATIENCE)
        self.stop()

    def stop(self) -> None:
        """End the process, whatever it does."""
        self.connection.close()
        if self.process.is_alive():
            self.process.kill()
        self.process.join()


class Queue:
    """Hands out the numbers of tasks, and puts their results in order."""

    def __init__(
        self,
        workers: list[Worker],
        work: Work[Any, Any],
        tasks: Sequence[Any],
        note: Note | None,
        *,
        joins: bool,
    ) -> None:
        self._workers = workers
        self._work = work
        self._tasks = tasks
        self._note = note
        self._processes = len(workers) + joins
        self._handed = 0
        self._yielded = 0
        self._outcomes: dict[int, tuple[str, Any]] = {}
        connections = [worker.connection for worker in workers]
        self._own = OwnWork(connections, self._attend, note) if joins else None

    def results(self) -> Iterator[Any]:
        """Yield the results in the order of their tasks."""
        while self._yielded < len(self._tasks):
            self._hand_out()
            if self._yielded not in self._outcomes:
                self._proceed()
                continue
            kind, value = self._outcomes.pop(self._yielded)
            if kind == FAILED:
                raise value
            self._yielded += 1
            self._hand_out()
            yield value

    def _proceed(self) -> None:
        """Take messages, if there are any; else do a task here, or wait for messages."""
        own = self._own if self._handed < self._limit else None
        if not self._take_messages(0 if own else None) and own:
            self._do_next_task(own)

    @property
    def _limit(self) -> int:
        """The number of tasks to hand out, as long as no more results are taken."""
        return min(len(self._tasks), self._yielded + (1 + AHEAD) * self._processes)

    def _hand_out(self) -> None:
        """Give tasks to processes, if not too many results wait already; dismiss the last ones.

        Each idle one gets a task first. While there are many, each gets the next one as well.
        """
        for depth in range(QUEUED):
            last = min(self._limit, len(self._tasks) - depth * FEW * self._processes)
            for worker in self._workers:
                if len(worker.tasks) == depth and self._handed < last:
                    worker.hand(self._handed)
                    self._handed += 1
        if self._handed == len(self._tasks):
            for worker in self._workers:
                if not worker.tasks and not worker.connection.closed:
                    self._dismiss(worker)

    def _dismiss(self, worker: Worker) -> None:
        if self._own is not None:
            self._own.forget(worker.connection)
        worker.dismiss()

    def _do_next_task(self, own: OwnWork) -> None:
        """Do the next task here."""
        number = self._handed
        self._handed += 1
        self._outcomes[number] = own.do(number, self._work, self._tasks[number])

    def _attend(self) -> None:
        """Take what other processes sent, and hand out more."""
        if self._take_messages(0):
            self._hand_out()

    def _take_messages(self, timeout: float | None) -> bool:
        """Wait for messages of the processes that work, and note them; return if there were any."""
        busy = {each.connection: each for each in self._workers if each.tasks}
        found = wait(busy, timeout) if busy else []
        for connection in found:
            worker = busy[cast("Connection", connection)]
            kind, value = worker.receive()
            if kind == NOTE:
                if self._note is not None:
                    self._note(worker.tasks[0], value)
            else:
                self._outcomes[worker.tasks.popleft()] = kind, value
        return bool(found)
