"""Evaluation in several processes: each reads ranges of JSON Lines, and partials are merged here.

Where anything is wrong, the caller reads the whole input by itself, which lists all problems in
their order. So it does where other processes cannot help, as with a metric of this program alone.
"""

import os
import pickle
import signal
import sys
import threading
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing, contextmanager
from functools import cache
from multiprocessing import current_process, get_context, parent_process
from secrets import randbelow
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np

from groupwise.evaluator.errors import WorkerLost
from groupwise.evaluator.evaluation.partial import Partial
from groupwise.evaluator.evaluation.plan import NO_HEAD, Plan
from groupwise.evaluator.evaluation.sources import add_rows, open_intake, read_warnings
from groupwise.evaluator.evaluation.truth_index import TruthIndex
from groupwise.evaluator.intake.check import Intake, Taken
from groupwise.evaluator.plugins.loading import list_loaded, load_plugin
from groupwise.evaluator.reading.meter import METER
from groupwise.evaluator.reading.records import Records
from groupwise.schemas import FixtureQuery, RunQuery

if TYPE_CHECKING:
    from groupwise.schemas import FixtureHead

LEAST_BYTES = 1 << 24
"""What a part has at least: to read less takes no longer than to start a process."""
MOST_BYTES = 1 << 26
"""What a part has at most, so that what is found in it stays small."""
PARTS_PER_JOB = 4
"""So that processes finish together."""
PATIENCE = 1.0
"""Seconds that processes have to end by themselves, if they are not wanted any more."""
LOST = "a worker process was killed; if memory ran out, fewer jobs need less of it"
SEED = "PYTHONHASHSEED"
_starting = threading.Lock()


class Share(NamedTuple):
    """What a process found in a part; ``is_seen`` has a byte for each ground truth."""

    partial: Partial
    taken: Taken
    is_seen: bytes = b""


class Work(NamedTuple):
    """What is done with each part of a run, or of records that hold ground truth as well."""

    plan: Plan
    head: "FixtureHead" = NO_HEAD
    truths: TruthIndex | None = None

    def __call__(self, part: Records) -> Share:
        """Return what is found in a part.

        Raises:
            InputError: There are problems.
        """
        partial, is_seen = self.plan.start(self.head), b""
        if self.truths is None:
            intake = open_intake(partial, part, FixtureQuery)
            add_rows(partial, intake.rows())
        else:
            intake, join = self.truths.add_results(partial, part)
            is_seen = bytes(join.is_seen)
        partial.problems.raise_if_any()
        return Share(partial, intake.taken(), is_seen)


def add_both(plan: Plan, head: "FixtureHead", partial: Partial, records: Records) -> Intake | None:
    """Add records that hold both; return their intake, or None: one process is to read them."""
    intake = open_intake(partial, records, FixtureQuery)
    return None if _add_parts(plan, Work(plan, head), partial, intake) is None else intake


def add_pair(plan: Plan, partial: Partial, truths: Records, results: Records) -> list[str] | None:
    """Add ground truth, which is held in memory, and results; return the warnings of reading them.

    None: one process is to read them.
    """
    if len(_split(plan, results)) < 2:
        return None
    index = TruthIndex.read(truths, plan._replace(progress=None).start())
    return add_run(plan, index, partial, results)


def add_run(plan: Plan, truths: TruthIndex, partial: Partial, results: Records) -> list[str] | None:
    """Add a run to a ground truth in memory; return the warnings of reading both.

    None: one process is to read the run.
    """
    intake = open_intake(partial, results, RunQuery)
    seen = _add_parts(plan, Work(plan, truths=truths), partial, intake)
    if seen is None:
        return None
    partial.add_missing(truths.rows.only([row for row, found in enumerate(seen) if not found]))
    return [*truths.warnings, *read_warnings(intake)]


def _add_parts(plan: Plan, work: Work, partial: Partial, intake: Intake) -> bytes | None:
    """Add all parts of a source; return which ground truths are seen.

    None: the partial is as before, and one process is to read the source.
    """
    parts = _split(plan, intake.records)
    if len(parts) < 2:
        return None
    work = work._replace(plan=plan._replace(progress=None))
    try:
        whole, taken = work.plan.start(work.head), []
        seen = np.zeros(len(work.truths.rows) if work.truths else 0, np.uint8)
        with closing(run(work, parts, plan.jobs)) as shares:
            for share in shares:
                whole.merge(share.partial)
                taken.append(share.taken)
                seen |= np.frombuffer(share.is_seen, np.uint8)
                if meter := METER.get():
                    size = intake.records.size
                    meter.note(intake.records.name, size * len(taken) // len(parts), size)
                if plan.progress:
                    plan.progress(whole.counts["queries"])
        if intake.merge(taken):
            return None
        partial.merge(whole)
    except WorkerLost:
        raise
    except Exception:  # noqa: BLE001  (the one process that reads the whole says what is wrong)
        return None
    return seen.tobytes()


def _split(plan: Plan, records: Records) -> Sequence[Records]:
    """Return the parts of a source: one where more do not pay, or cannot be."""
    if plan.corpus is not None or records.positional or current_process().daemon:
        return [records]
    usual = records.size // (plan.jobs * PARTS_PER_JOB)
    return records.split(records.size // min(MOST_BYTES, max(LEAST_BYTES, usual)))


def run(work: Work, parts: Sequence[Records], jobs: int) -> Generator[Share, None, None]:
    """Yield what processes find in each part, in the order of the parts.

    A forked process has all that this one has, at once, but forking is safe only on Linux, and only
    without other threads. Elsewhere processes begin anew, and load the same plugins.

    Raises:
        WorkerLost: A process was killed.
    """
    is_forked = sys.platform == "linux" and threading.active_count() == 1
    given = (work, ()) if is_forked else (pickle.dumps(work), tuple(list_loaded()))
    context = get_context("fork" if is_forked else "spawn")
    pool = ProcessPoolExecutor(min(jobs, len(parts)), context, _start_worker, given)
    try:
        with _ready_to_start():
            found = pool.map(_work_on, parts)
        yield from found
        pool.shutdown()
    except BaseException as error:
        _stop(pool)
        if isinstance(error, BrokenProcessPool):
            raise WorkerLost(LOST) from None
        raise


def _stop(pool: ProcessPoolExecutor) -> None:
    """End the processes of a pool, which may end the parts that they work on if they are quick."""
    workers = [*(pool._processes or {}).values()]  # noqa: SLF001  (the pool cannot end them)
    pool.shutdown(wait=False, cancel_futures=True)
    deadline = monotonic() + PATIENCE
    for worker in workers:
        worker.join(max(0, deadline - monotonic()))
        worker.kill()


@contextmanager
def _ready_to_start() -> Iterator[None]:
    """Let processes that are started hash strings alike, and hold back signals until they begin.

    The seed of hashes is handed over in the environment, which all threads share.
    """
    hold = getattr(signal, "pthread_sigmask", lambda *_: ())
    with _starting:
        seed = os.environ.get(SEED)
        os.environ[SEED] = seed if (seed or "").isdigit() and seed else str(randbelow(1 << 32))
        held = hold(getattr(signal, "SIG_BLOCK", 0), (signal.SIGINT, signal.SIGTERM))
        try:
            yield
        finally:
            hold(getattr(signal, "SIG_SETMASK", 0), held)
            os.environ.pop(SEED)
            os.environ.update({} if seed is None else {SEED: seed})


def _start_worker(*given: Any) -> None:
    """Begin a process that leaves Ctrl-C to the caller, and does not outlive it."""
    global _given  # noqa: PLW0603  (how an initializer hands over what it is given)
    _given = given
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, (signal.SIGINT, signal.SIGTERM))
    threading.Thread(target=_end_with_caller, daemon=True).start()


def _end_with_caller() -> None:
    cast("Any", parent_process()).join()
    os._exit(1)


_given: tuple[Any, ...] = ()


@cache
def _load_work() -> Work:
    work, plugins = _given
    for plugin in plugins:
        load_plugin(plugin)
    return cast("Work", pickle.loads(work) if isinstance(work, bytes) else work)  # noqa: S301


def _work_on(part: Records) -> Share:
    return _load_work()(part)
