"""A live retriever, asked for every query of a data set, some at a time.

Whatever happens in a call stays with its query: a failure or a time-out is an empty result with its
reason. Every call has a thread of its own, so that one that hangs holds up nobody; it is left
behind, and ends with the program at the latest.
"""

import asyncio
import inspect
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from time import monotonic
from typing import Any, Literal, cast

from groupwise.evaluator.errors import InputError, Problem, Problems
from groupwise.evaluator.intake.retriever_output import NoResults, run_query
from groupwise.schemas import Id, Query, RunQuery
from groupwise.schemas.ids import ONE_KIND
from groupwise.schemas.shape import describe, shortened

MOST_HANGING = 64
"""So many calls that hang are left behind; with more, no further query is asked."""

LONGEST_WAIT = 0.2
Ask = Callable[[str], Any]
Tell = Callable[[int], None]


@dataclass(frozen=True)
class Retrieved:
    """The results of all queries, and for those that have none, why."""

    results: list[RunQuery]
    failures: dict[str, str]


@dataclass(frozen=True)
class Calling:
    """How to call: how many at a time, and how many seconds each may take."""

    workers: int = 4
    timeout: float | None = 60.0
    ids: Literal["text"] | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.workers, int) or self.workers < 1:
            raise InputError([Problem(f"workers={self.workers!r}: it is a whole number from 1 on")])
        if self.timeout is not None and not self.timeout > 0:
            message = f"timeout={self.timeout!r}: it is a number of seconds above 0, or None"
            raise InputError([Problem(message)])


def retrieve(
    queries: Sequence[Query], retriever: Any, calling: Calling, tell: Tell | None = None
) -> Retrieved:
    """Ask the retriever for each query; the outcome does not depend on who answers first.

    Args:
        queries: The queries, all with their text.
        retriever: A function of the text, also an async one, or an object with ``invoke`` or
            ``retrieve``.
        calling: How many calls at a time, and how long one may take.
        tell: Called with the number of queries done, always in the calling thread.

    Raises:
        InputError: A query has no text, the retriever cannot be called, or its ids are of another
            kind than those of the ground truth.
    """
    ask = _callable(retriever)
    _refuse_textless(queries)
    gold = next((one for query in queries for one in query.ground_truth.alternatives), None)
    outcomes: dict[int, RunQuery | str] = {}
    for number, outcome in _outcomes(queries, ask, calling, tell):
        outcomes[number] = outcome
        if gold and isinstance(outcome, RunQuery):
            _refuse_other_kind(gold.id, outcome)
    reasons = {queries[number].id: one for number, one in outcomes.items() if isinstance(one, str)}
    results = [_or_empty(query, outcomes[number]) for number, query in enumerate(queries)]
    return Retrieved(results, dict(sorted(reasons.items())))


def _callable(retriever: Any) -> Ask:
    methods = [getattr(retriever, name, None) for name in ("invoke", "retrieve")]
    for found in (retriever, *methods):
        if callable(found):
            return cast("Ask", found)
    message = f"{describe(retriever)} is no retriever: a function of the text, or an object with "
    raise InputError([Problem(f"{message}invoke or retrieve")])


def _refuse_textless(queries: Sequence[Query]) -> None:
    problems = Problems()
    for one in queries:
        if one.query is None or not one.query.strip():
            message = 'no text for the retriever; the record should have it in "query"'
            problems.add(Problem(message, query=one.id))
    problems.raise_if_any()


def _refuse_other_kind(gold: Id, found: RunQuery) -> None:
    """Ids that can never meet are better told after the first call than after the last one."""
    first = next(iter(found.ids()), gold)
    if type(first) is not type(gold):
        message = (
            f"the retriever returns {describe(first)}, the ground truth has {describe(gold)}; "
            f"{ONE_KIND}"
        )
        raise InputError([Problem(message, query=found.id)])


def _or_empty(query: Query, outcome: RunQuery | str) -> RunQuery:
    return outcome if isinstance(outcome, RunQuery) else RunQuery(id=query.id, results=())


def _outcomes(
    queries: Sequence[Query], ask: Ask, calling: Calling, tell: Tell | None
) -> Iterator[tuple[int, RunQuery | str]]:
    """Each query's number with its results, or with the reason why there are none."""
    with _loop() as loop:
        for done, (number, answer) in enumerate(_answers(queries, ask, calling, loop), 1):
            yield number, _checked(queries[number], answer, calling.ids)
            if tell:
                tell(done)


def _answers(
    queries: Sequence[Query], ask: Ask, calling: Calling, loop: "Loop"
) -> Iterator[tuple[int, Any]]:
    if calling.workers == 1 and calling.timeout is None:
        # Some retrievers want to stay in the thread they began in, and nothing is against it.
        return ((number, _called(ask, one, loop, Exception)) for number, one in enumerate(queries))
    return Calls(queries, ask, calling, loop).answers()


@dataclass(frozen=True)
class Failure:
    """A call that gave nothing, and why."""

    reason: str


def _called(ask: Ask, query: Query, loop: "Loop", caught: type[BaseException]) -> Any:
    try:
        answer = ask(query.query or "")
        return loop.result(answer) if inspect.isawaitable(answer) else answer
    except caught as error:
        return Failure(_reason(error))


def _reason(error: BaseException) -> str:
    text = str(error).strip().partition("\n")[0]
    return shortened(f"{type(error).__name__}: {text}" if text else type(error).__name__, 300)


def _checked(query: Query, answer: Any, ids: str | None) -> RunQuery | str:
    """The results in an answer, or why there are none."""
    if isinstance(answer, Failure):
        return answer.reason
    try:
        return run_query(query.id, answer, ids=ids)
    except NoResults as error:
        return str(error)
    except Exception as error:  # noqa: BLE001  (documents may do anything when they are looked at)
        return _reason(error)


class Calls:
    """Calls under way: so many at a time, each with a deadline."""

    def __init__(self, queries: Sequence[Query], ask: Ask, calling: Calling, loop: "Loop") -> None:
        self._queries = queries
        self._ask = ask
        self._calling = calling
        self._loop = loop
        self._done: SimpleQueue[tuple[int, Any]] = SimpleQueue()
        self._deadlines: dict[int, float] = {}
        self._hanging: set[int] = set()
        self._next = 0

    def answers(self) -> Iterator[tuple[int, Any]]:
        """Each query's number with what its call gave, in the order in which calls end."""
        while self._next < len(self._queries) or self._deadlines:
            self._start()
            yield from self._ended()
            yield from self._given_up()

    def _start(self) -> None:
        room = self._calling.workers - len(self._deadlines)
        while room > 0 and self._next < len(self._queries) and not self._is_stuck():
            self._deadlines[self._next] = monotonic() + (self._calling.timeout or float("inf"))
            Thread(target=self._call, args=(self._next,), daemon=True).start()
            self._next += 1
            room -= 1

    def _call(self, number: int) -> None:
        # Whatever it raises, even to leave the program: the thread that waits must hear of it.
        answer = _called(self._ask, self._queries[number], self._loop, BaseException)
        self._done.put((number, answer))

    def _is_stuck(self) -> bool:
        return len(self._hanging) >= MOST_HANGING

    def _ended(self) -> Iterator[tuple[int, Any]]:
        """Wait for a call to end, or for a deadline to come near."""
        first = min(self._deadlines.values(), default=0.0)
        try:
            number, answer = self._done.get(
                timeout=min(LONGEST_WAIT, max(0.0, first - monotonic()))
            )
        except Empty:
            return
        self._hanging.discard(number)
        if self._deadlines.pop(number, None) is not None:
            yield number, answer

    def _given_up(self) -> Iterator[tuple[int, Any]]:
        now = monotonic()
        for number in [one for one, deadline in self._deadlines.items() if deadline <= now]:
            del self._deadlines[number]
            self._hanging.add(number)
            yield number, Failure(f"time-out: no answer within {self._calling.timeout:g} seconds")
        if self._is_stuck() and not self._deadlines:
            reason = f"not asked: {len(self._hanging)} earlier calls hang"
            while self._next < len(self._queries):
                yield self._next, Failure(reason)
                self._next += 1


class Loop:
    """One event loop for all async calls, in a thread of its own, started when needed."""

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: Thread | None = None
        self._lock = Lock()

    def result(self, awaitable: Any) -> Any:
        """Wait for an async call, in the thread that made it."""
        return asyncio.run_coroutine_threadsafe(_awaited(awaitable), self._started()).result()

    def _started(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                self._thread = Thread(target=_run, args=(self._loop,), daemon=True)
                self._thread.start()
            return self._loop

    def stop(self) -> None:
        """Let go of what still waits, and wait a little for it to end."""
        if self._loop is not None and self._thread is not None:
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join(LONGEST_WAIT)


def _run(loop: asyncio.AbstractEventLoop) -> None:
    loop.run_forever()
    loop.run_until_complete(_let_go())
    loop.close()


async def _let_go() -> None:
    left = asyncio.all_tasks() - {asyncio.current_task()}
    for task in left:
        task.cancel()
    await asyncio.gather(*left, return_exceptions=True)


async def _awaited(awaitable: Any) -> Any:
    return await awaitable


@contextmanager
def _loop() -> Iterator[Loop]:
    loop = Loop()
    try:
        yield loop
    finally:
        loop.stop()
