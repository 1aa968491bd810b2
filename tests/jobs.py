"""Parts of a few bytes, read as if in other processes, so that small files are cut, too."""

import pickle
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from contextvars import copy_context
from typing import Any
from unittest.mock import patch

import pytest

from groupwise import InputError
from groupwise.evaluator.evaluation.engines import processes
from groupwise.evaluator.processes import jobs, pool, sharing
from groupwise.evaluator.processes.pool import run_in_order
from groupwise.evaluator.processes.sharing import run_shared


class Pool:
    """Does the work of a pool in this process.

    What goes there and back is pickled; what the caller would do is not.
    """

    def __init__(self) -> None:
        self.tasks = 0

    def run_in_order(
        self,
        work: Any,
        tasks: Sequence[Any],
        _jobs: int,
        note: Callable[[int, Any], None] | None = None,
        *,
        joins: bool = False,
    ) -> Iterator[Any]:
        """Yield the result of each task; every third one is done by the caller, if it joins."""
        sent, parts = through_pickle((work, tasks))
        for number, part in enumerate(parts):
            self.tasks += 1
            if joins and number % 3 == 1:
                yield _do(work, tasks[number], number, note)
            else:
                yield through_pickle(_do(sent, part, number, note))

    def run_shared(
        self,
        work: Any,
        tasks: Sequence[Any],
        jobs: int,
        note: Callable[[int, Any], None] | None = None,
    ) -> list[Any]:
        """Return the result of each process, that of the caller last; they take tasks in turns."""
        sent, parts = through_pickle((work, tasks))
        found = [_do(work, self._deal(tasks, jobs, 0), 0, note)]
        for process in range(1, jobs):
            given = self._deal(parts, jobs, process)
            found.insert(0, through_pickle(_do(sent, given, process, note)))
        return found

    def _deal(self, tasks: Sequence[Any], jobs: int, process: int) -> Iterator[tuple[int, Any]]:
        for number in range(process, len(tasks), jobs):
            self.tasks += 1
            yield number, tasks[number]


def _do(work: Any, part: Any, number: int, note: Callable[[int, Any], None] | None) -> Any:
    """Do the work; what it sets in its context is not seen by whom it tells."""
    caller = copy_context()
    return copy_context().run(work, part, lambda value: note and caller.run(note, number, value))


def through_pickle(value: Any) -> Any:
    """Return what arrives in another process."""
    return pickle.loads(pickle.dumps(value))  # noqa: S301  (written here)


class PartCount:
    """How many parts have come back from processes: none of a file that was read in one piece."""

    def __init__(self) -> None:
        self.parts = 0

    def run_shared(self, work: Any, tasks: Sequence[Any], *options: Any) -> list[Any]:
        """Return the result of each process, and count the tasks, also if one has a problem."""
        try:
            found = run_shared(work, tasks, *options)
        except (InputError, processes.NeedsWhole):
            self.parts += len(tasks)
            raise
        self.parts += len(tasks)
        return found

    def run_in_order(self, *given: Any, **options: Any) -> Generator[Any, None, None]:
        """Yield the result of each task, and count it."""
        with closing(run_in_order(*given, **options)) as found:
            for result in found:
                self.parts += 1
                yield result


@contextmanager
def small_parts(size: int) -> Iterator[PartCount]:
    """Cut files into parts of about so many bytes, however small they are; count the parts.

    Whatever does not fit together is read in one process without a word. So a test of several
    asserts that there were parts, and that these were taken: ``refuse_whole``.
    """
    count = PartCount()
    with (
        patch.object(jobs, "LEAST_BYTES", 1),
        patch.object(jobs, "PART_BYTES", size),
        patch.object(processes, "run_in_order", count.run_in_order),
        patch.object(processes, "run_shared", count.run_shared),
    ):
        yield count


def start_by(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let processes be started by a method, whatever else is possible."""
    for module in (pool, sharing):
        monkeypatch.setattr(module, "choose_method", lambda: method)


def work_long(note: Callable[[Any], None]) -> None:
    """Work for a minute, unless something that happens elsewhere ends it."""
    for _ in range(6000):
        time.sleep(0.01)
        try:
            note(0)
        except Exception as error:
            raise AssertionError("the work takes what happened elsewhere for its own") from error


@contextmanager
def refuse_whole() -> Iterator[None]:
    """Let what would be read in one process, because parts do not say all, be an error."""
    with patch.object(processes, "attempt", lambda add: add()):
        yield


@contextmanager
def pretend_processes(engine: str, size: int) -> Iterator[Pool]:
    """Let an engine cut files into parts of so many bytes, and read them in this process."""
    pretended = Pool()
    with ExitStack() as stack:
        stack.enter_context(small_parts(size))
        stack.enter_context(patch(f"{engine}.run_in_order", pretended.run_in_order))
        stack.enter_context(patch(f"{engine}.run_shared", pretended.run_shared))
        yield pretended
