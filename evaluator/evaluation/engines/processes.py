"""Evaluation in several processes: each fills partials of some parts, which are merged here.

Where the parts do not say all that one process would, nothing is taken from them, and the caller
reads the whole input by itself: so what is wrong with it is told in the same words and order.
"""

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import closing
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

import numpy as np

from groupwise.evaluator.errors import ExtensionError, InputError, UnknownMetric
from groupwise.evaluator.evaluation.partial import Partial, Progress
from groupwise.evaluator.evaluation.plan import Plan
from groupwise.evaluator.evaluation.sources import add_rows, open_intake, read_warnings
from groupwise.evaluator.evaluation.truth_index import IndexJoin, TruthIndex
from groupwise.evaluator.intake.checking import Intake, Taken
from groupwise.evaluator.intake.kinds import Kinds
from groupwise.evaluator.intake.rows import Rows
from groupwise.evaluator.native.collector import paused_collector
from groupwise.evaluator.plugins.own import extension_in
from groupwise.evaluator.processes.jobs import choose_jobs, choose_limited_shares, choose_shares
from groupwise.evaluator.processes.pool import Work, run_in_order
from groupwise.evaluator.processes.sharing import SharedWork, run_shared
from groupwise.evaluator.processes.starting import Unshareable
from groupwise.evaluator.reading.limits import RECORD_BYTES, limiting_records
from groupwise.evaluator.reading.meter import METER, metering
from groupwise.evaluator.reading.ranges import CHANGED
from groupwise.evaluator.reading.records import Records
from groupwise.schemas.parts import BOTH, RESULTS

if TYPE_CHECKING:
    from groupwise.schemas import FixtureHead

Note = Callable[[Any], None]
Found = TypeVar("Found")
Parts = Iterable[tuple[int, Records]]
"""The parts of a file that a process takes, with their numbers."""


class Share(NamedTuple):
    """What a process found in its parts, and besides in each, by its number.

    ``is_seen`` marks the ground truths that have results.
    """

    partial: Partial
    taken: dict[int, Taken]
    is_seen: bytes = b""


class NeedsWhole(Exception):  # noqa: N818  (the whole input is read instead)
    """The parts do not say all that one process would."""


def add_both(plan: Plan, head: "FixtureHead", partial: Partial, records: Records) -> Intake | None:
    """Add records that hold both; return their intake, which has read nothing by itself.

    None: the partial is as before, and the records are to be read in one process.
    """
    intake = open_intake(partial, records, BOTH)
    work = BothWork(_strip(plan), head)

    def add() -> Intake:
        whole = plan._replace(progress=None).start(head)
        _merge_parts(plan, work, whole, intake)
        partial.merge(whole)
        return intake

    return attempt(add) if _pays(plan, records) else None


def add_pair(plan: Plan, partial: Partial, truths: Records, results: Records) -> list[str] | None:
    """Add ground truth and results; return the warnings of reading them.

    The ground truth is held in memory, and the results are cut. None: the partial is as before.
    """
    if not _pays(plan, results):
        return None
    index = attempt(lambda: TruthIndex(truths, plan._replace(progress=None).start()))
    return None if index is None else add_run(plan, index, partial, results)


def add_run(plan: Plan, truths: TruthIndex, partial: Partial, results: Records) -> list[str] | None:
    """Add the results of a run to a ground truth in memory; return the warnings of reading both.

    None: the partial is as before, and the results are to be read in one process.
    """
    intake = open_intake(partial, results, RESULTS)
    work = RunWork(_strip(plan), truths.rows, truths.row_of, truths.kinds)

    def add() -> list[str]:
        whole = plan._replace(progress=None).start()
        seen = _merge_parts(plan, work, whole, intake)
        whole.add_missing(truths.rows.only(np.flatnonzero(~seen[: len(truths.rows)]).tolist()))
        partial.merge(whole)
        return read_warnings(truths.intake, intake)

    return attempt(add) if _pays(plan, results) else None


class BothWork(NamedTuple):
    """Fills a partial from parts of records that hold both."""

    plan: Plan
    head: "FixtureHead"

    def __call__(self, parts: Parts, note: Note) -> Share:
        """Return what is found in some parts."""
        partial = self.plan._replace(progress=note).start(self.head)
        taken = {}
        for number, part in parts:
            intake = open_intake(partial, part, BOTH)
            _add_sound_rows(partial, intake.rows())
            taken[number] = intake.taken()
        partial.flush()
        return Share(partial, taken)


class RunWork(NamedTuple):
    """Fills a partial from parts of a run, beside the ground truth."""

    plan: Plan
    truths: Rows
    row_of: Mapping[str, int]
    kinds: Kinds

    def __call__(self, parts: Parts, note: Note) -> Share:
        """Return what is found in some parts."""
        partial = self.plan._replace(progress=note).start()
        partial.kinds.merge(self.kinds)
        taken, seen = {}, np.zeros(len(self.truths), np.uint8)
        for number, part in parts:
            intake = open_intake(partial, part, RESULTS)
            join = IndexJoin(self.truths, self.row_of, intake.rows())
            _add_sound_rows(partial, join.rows())
            partial.add_extra(join.extra)
            taken[number] = intake.taken()
            seen |= np.frombuffer(join.is_seen, np.uint8)
        partial.flush()
        return Share(partial, taken, np.packbits(seen).tobytes())


def _add_sound_rows(partial: Partial, parts: Iterable[Rows]) -> None:
    """Add rows as they come; the first problem ends this, as the whole is to be read then.

    Raises:
        NeedsWhole: There is a problem.
    """

    def watch() -> Iterator[Rows]:
        for rows in parts:
            _refuse_problems(partial)
            yield rows
            del rows

    add_rows(partial, watch())
    _refuse_problems(partial)


def _pays(plan: Plan, records: Records) -> bool:
    """Whether to start processes: not for little data, nor to have each read a corpus."""
    is_joined_by_id = not records.positional
    return plan.corpus is None and is_joined_by_id and choose_jobs(plan.jobs, records.size) > 1


def _strip(plan: Plan) -> Plan:
    """Return the plan without what only this process needs."""
    return plan._replace(progress=None, jobs=1)


def _merge_parts(
    plan: Plan, work: SharedWork[Records, Share], whole: Partial, intake: Intake
) -> Any:
    """Add all parts to a partial and an intake; return which ground truths have results.

    Raises:
        NeedsWhole: There is a problem, or a query id may be repeated.
    """
    taken: dict[int, Taken] = {}
    seen = np.zeros(0, np.uint8)
    for share in share_parts(work, intake.records, plan.jobs, plan.progress):
        whole.merge(share.partial)
        taken |= share.taken
        found = np.frombuffer(share.is_seen, np.uint8)
        seen = seen | found if len(seen) else found
    _refuse_problems(whole)
    if intake.merge(taken[number] for number in sorted(taken)):
        raise NeedsWhole
    return np.unpackbits(seen).astype(bool)


def share_parts(
    work: SharedWork[Records, Found], records: Records, jobs: int, progress: Progress | None
) -> list[Found]:
    """Return what each process finds in the parts that it takes; they note how far they are.

    Args:
        work: What is done with parts.
        records: What is cut into parts.
        jobs: How many processes are asked for.
        progress: Called with the number of queries done in all processes.

    Raises:
        NeedsWhole: The records cannot be cut.
    """
    jobs = choose_jobs(jobs, records.size)
    parts = records.split(choose_limited_shares(jobs, records.size))
    if len(parts) < 2:
        raise NeedsWhole
    is_watched = progress is not None or METER.get() is not None
    note = Progression(records, jobs, progress).note if is_watched else None
    limited = LimitedWork(work, RECORD_BYTES.get())
    return run_shared(MeteredShare(limited) if is_watched else limited, parts, jobs, note)


def run_parts(
    work: Work[Records, Found],
    records: Records,
    jobs: int,
    progress: Progress | None,
    most: int | None = None,
) -> Generator[Found, None, None]:
    """Yield what processes find in each part, in order; they note how many queries are done.

    Args:
        work: What is done with a part.
        records: What is cut into parts.
        jobs: How many processes are asked for.
        progress: Called with the number of queries done in all parts.
        most: How many bytes a part has at most, if parts are to be small.

    Raises:
        NeedsWhole: The records cannot be cut.
    """
    jobs = choose_jobs(jobs, records.size)
    parts = records.split(choose_shares(jobs, records.size, most))
    if len(parts) < 2:
        raise NeedsWhole
    note = Progression(records, len(parts), progress).note
    metered = MeteredWork(LimitedWork(work, RECORD_BYTES.get()))
    with closing(run_in_order(metered, parts, jobs, note, joins=True)) as found:
        yield from found


class LimitedWork(NamedTuple, Generic[Found]):
    """Work in a process that may not inherit what the call says of the length of records."""

    work: Callable[[Any, Note], Found]
    record_bytes: int | None

    def __call__(self, given: Any, note: Note) -> Found:
        """Return what is found."""
        with limiting_records(self.record_bytes):
            return self.work(given, note)


class MeteredWork(NamedTuple, Generic[Found]):
    """Work that notes how many bytes are read, beside the number of queries."""

    work: Work[Records, Found]

    def __call__(self, part: Records, note: Note) -> Found:
        """Return what is found in a part."""
        with metering() as meter:
            return self.work(part, lambda queries: note((queries, meter.done)))


class MeteredShare(NamedTuple, Generic[Found]):
    """Work on several parts that notes how many bytes of all of them are read."""

    work: SharedWork[Records, Found]

    def __call__(self, parts: Parts, note: Note) -> Found:
        """Return what is found in some parts."""
        before = 0
        with metering() as meter:

            def watch() -> Iterator[tuple[int, Records]]:
                nonlocal before
                for each in parts:
                    yield each
                    before += meter.take_done()

            return self.work(watch(), lambda queries: note((queries, before + meter.done)))


class Progression:
    """How far all parts are, told to who called and to the meter, if there is one.

    Parts that one process takes count as one.
    """

    def __init__(self, records: Records, parts: int, progress: Progress | None) -> None:
        self._records = records
        self._queries = [0] * parts
        self._bytes = [0] * parts
        self._progress = progress

    def note(self, part: int, done: tuple[int, int]) -> None:
        """Note the queries and bytes of a part that are done."""
        self._queries[part], self._bytes[part] = done
        if (meter := METER.get()) is not None:
            meter.note(self._records.name, sum(self._bytes), self._records.size)
        if self._progress is not None:
            self._progress(sum(self._queries))


def _refuse_problems(partial: Partial) -> None:
    """Raise if there are problems: that the file changed, or that the whole is to be read."""
    problems = partial.problems
    changed = [problem for problem in problems.kept if problem.message == CHANGED]
    if changed:
        raise InputError(changed[:1])
    if problems.count:
        raise NeedsWhole


def attempt(add: Callable[[], Any]) -> Any:
    """Return what a function returns; None if one process is to read the whole input.

    It does so where something cannot be shared with other processes, such as a metric that was
    declared in this one only, and where the input or something of the user's own is at fault, which
    it says in the order of the whole, and with a traceback. Any other error is a bug of ours.
    """
    try:
        with paused_collector():
            return add()
    except (NeedsWhole, Unshareable, UnknownMetric, ExtensionError):
        return None
    except Exception as error:
        is_input = isinstance(error, InputError) and error.problems[0].message != CHANGED
        if is_input or extension_in(error):
            return None
        raise
