"""Tasks that processes take by themselves; each returns one result for all tasks that it took.

Where processes are forked, the caller is one of them, and looks after the others meanwhile. Nobody
waits for it: the numbers of tasks are in a pipe that all of them read. Processes that are not
forked ask the caller for each number, which does nothing else.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import chain
from multiprocessing.connection import Connection, wait
from typing import Any, Protocol, TypeVar, cast

from groupwise.evaluator.processes.numbers import pour_numbers, take_number
from groupwise.evaluator.processes.own_work import Note, OwnWork
from groupwise.evaluator.processes.pool import Worker, start_workers
from groupwise.evaluator.processes.starting import choose_method, pack
from groupwise.evaluator.processes.worker import FAILED, NEXT, NOTE, serve_share

Task = TypeVar("Task")
Task_contra = TypeVar("Task_contra", contravariant=True)
Result = TypeVar("Result")
Result_co = TypeVar("Result_co", covariant=True)

LEFT = 1
"""How many of the last tasks are left to the caller, while others send what they found."""


class SharedWork(Protocol[Task_contra, Result_co]):
    """What a process makes of the tasks that it takes, each with its number.

    ``note`` takes anything to tell the caller while the work is under way.
    """

    def __call__(
        self, tasks: Iterable[tuple[int, Task_contra]], note: Callable[[Any], None], /
    ) -> Result_co:
        """Return the result of all these tasks."""
        ...


def run_shared(
    work: SharedWork[Task, Result], tasks: Sequence[Task], jobs: int, note: Note | None = None
) -> list[Result]:
    """Return the result of each process, in no particular order.

    Where processes are forked, the work and its tasks need not be picklable; results must be.
    Which process takes which tasks depends on how fast each is. A process may take none.

    Args:
        work: What is done with the tasks.
        tasks: What there is to do.
        jobs: How many processes work at a time.
        note: Called with the number of a process and what its work notes on the way.

    Raises:
        WorkerLost: A process ended before its work was done.
        Unshareable: The work cannot be handed to another process.
        Exception: What the work raised in the first process that failed.
    """
    count = min(jobs, len(tasks))
    if choose_method() == "fork":
        return _share_with_forked(work, tasks, count, note)
    serve = partial(serve_share, is_watched=note is not None)
    with start_workers("spawn", count, serve, pack(work, tasks)) as workers:
        return Others(workers, note, range(len(tasks))).finish()


def _share_with_forked(
    work: SharedWork[Task, Result], tasks: Sequence[Task], count: int, note: Note | None
) -> list[Result]:
    shared = max(0, len(tasks) - LEFT)
    with pour_numbers(shared) as pipe:
        serve = partial(serve_share, is_watched=note is not None, numbers=pipe)
        numbers = chain(iter(partial(take_number, pipe), None), range(shared, len(tasks)))
        taken = ((number, tasks[number]) for number in numbers)
        with start_workers("fork", count - 1, serve, (work, tasks)) as workers:
            others = Others(workers, note)
            return [others.join(work, taken), *others.finish()]


class Others:
    """The other processes, as the caller sees them.

    ``numbers`` are those of the tasks that processes ask for.
    """

    def __init__(
        self, workers: list[Worker], note: Note | None, numbers: Iterable[int] = ()
    ) -> None:
        self._note = note
        self._numbers = iter(numbers)
        self._busy = {worker.connection: (n, worker) for n, worker in enumerate(workers, 1)}
        self._results: list[Any] = []
        self._own: OwnWork | None = None

    def join(self, work: SharedWork[Any, Result], tasks: Iterable[tuple[int, Any]]) -> Result:
        """Do a share of the work here, and look after the other processes meanwhile."""
        self._own = OwnWork(self._busy, lambda: self._take_messages(0), self._note)
        kind, value = self._own.do(0, work, tasks)
        if kind == FAILED:
            raise value
        return cast("Result", value)

    def finish(self) -> list[Any]:
        """Wait for the other processes, and return their results."""
        while self._busy:
            self._take_messages(None)
        return self._results

    def _take_messages(self, timeout: float | None) -> None:
        for connection in wait(self._busy, timeout):
            number, worker = self._busy[cast("Connection", connection)]
            kind, value = worker.receive()
            if kind == FAILED:
                raise value
            if kind == NEXT:
                worker.send(next(self._numbers, None))
            elif kind != NOTE:
                self._results.append(value)
                self._forget(worker.connection)
            elif self._note is not None:
                self._note(number, value)

    def _forget(self, connection: Connection) -> None:
        del self._busy[connection]
        if self._own is not None:
            self._own.forget(connection)
