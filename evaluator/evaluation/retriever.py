"""Calls a live retriever for every query of a data set, several at a time.

A failure or a timeout affects one query only: it becomes an empty result with its reason. Every
call runs in its own daemon thread, so a hung call blocks no other, and ends with the program.
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
from groupwise.evaluator.text import cut
from groupwise.schemas import Id, Query, RunQuery
from groupwise.schemas.ids import ONE_KIND
from groupwise.schemas.shape import describe

MOST_HANGING = 64
"""After so many calls that hang, the remaining queries are not asked."""

LONGEST_WAIT = 0.2
Ask = Callable[[str], Any]
Progress = Callable[[int], None]


@dataclass(frozen=True)
class Retrieved:
    """The results of all queries, and the reasons of failures by query id."""

    results: list[RunQuery]
    failures: dict[str, str]


@dataclass(frozen=True)
class Calling:
    """How to call: the number of concurrent calls, and the timeout of each in seconds.

    ``timeout=None``: no timeout.
    """

    workers: int = 4
    timeout: float | None = 60.0
    ids: Literal["text"] | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.workers, int) or self.workers < 1:
            raise InputError(
                [Problem(f"workers: expected a whole number from 1 on, got {self.workers!r}")]
            )
        if self.timeout is not None and not self.timeout > 0:
            message = f"timeout: expected seconds above 0, or None; got {self.timeout!r}"
            raise InputError([Problem(message)])


def retrieve(
    queries: Sequence[Query], retriever: Any, calling: Calling, progress: Progress | None = None
) -> Retrieved:
    """Call the retriever for each query; the outcome does not depend on the order of answers.

    Args:
        queries: The queries, all with their text.
        retriever: A function of the text, also an async one, or an object with ``invoke`` or
            ``retrieve``.
        calling: Concurrency and timeout.
        progress: Called with the number of queries done, always in the calling thread.

    Raises:
        InputError: A query has no text, the retriever cannot be called, or its ids are of another
            kind than those of the ground truth.
    """
    ask = _find_function(retriever)
    _check_texts(queries)
    gold = next((a for query in queries for a in query.ground_truth.alternatives), None)
    outcomes: dict[int, RunQuery | str] = {}
    for number, outcome in _outcomes(queries, ask, calling, progress):
        outcomes[number] = outcome
        if gold and isinstance(outcome, RunQuery):
            _refuse_other_kind(gold.id, outcome)
    reasons = {queries[number].id: o for number, o in outcomes.items() if isinstance(o, str)}
    results = [_or_empty(query, outcomes[number]) for number, query in enumerate(queries)]
    return Retrieved(results, dict(sorted(reasons.items())))


def _find_function(retriever: Any) -> Ask:
    methods = [getattr(retriever, name, None) for name in ("invoke", "retrieve")]
    for found in (retriever, *methods):
        if callable(found):
            return cast("Ask", found)
    expected = "a function of the text, or an object with invoke or retrieve"
    raise InputError([Problem(f"retriever: expected {expected}; got {describe(retriever)}")])


def _check_texts(queries: Sequence[Query]) -> None:
    problems = Problems()
    for query in queries:
        if query.query is None or not query.query.strip():
            message = 'no text for the retriever; expected it in the field "query"'
            problems.add(Problem(message, query=query.id))
    problems.raise_if_any()


def _refuse_other_kind(gold: Id, found: RunQuery) -> None:
    """Raise after the first call if its ids can never match, rather than after the last one."""
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
    queries: Sequence[Query], ask: Ask, calling: Calling, progress: Progress | None
) -> Iterator[tuple[int, RunQuery | str]]:
    """Yield each query's number with its results, or with the reason why there are none."""
    with _open_loop() as loop:
        for done, (number, answer) in enumerate(_answers(queries, ask, calling, loop), 1):
            yield number, _read_answer(queries[number], answer, calling.ids)
            if progress:
                progress(done)


def _answers(
    queries: Sequence[Query], ask: Ask, calling: Calling, loop: "Loop"
) -> Iterator[tuple[int, Any]]:
    if calling.workers == 1 and calling.timeout is None:
        # Some retrievers must be called from the thread that created them.
        return ((number, _call(ask, q, loop, Exception)) for number, q in enumerate(queries))
    return Calls(queries, ask, calling, loop).answers()


@dataclass(frozen=True)
class Failure:
    """Why a call returned nothing."""

    reason: str


def _call(ask: Ask, query: Query, loop: "Loop", caught: type[BaseException]) -> Any:
    try:
        answer = ask(query.query or "")
        return loop.result(answer) if inspect.isawaitable(answer) else answer
    except caught as error:
        return Failure(_reason(error))


def _reason(error: BaseException) -> str:
    text = str(error).strip().partition("\n")[0]
    return cut(f"{type(error).__name__}: {text}" if text else type(error).__name__, 300)


def _read_answer(query: Query, answer: Any, ids: str | None) -> RunQuery | str:
    """Return the results in an answer, or why there are none."""
    if isinstance(answer, Failure):
        return answer.reason
    try:
        return run_query(query.id, answer, ids=ids)
    except NoResults as error:
        return str(error)
    except Exception as error:  # noqa: BLE001  (attributes of documents may raise anything)
        return _reason(error)


class Calls:
    """Concurrent calls, each with a deadline."""

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
        """Yield each query's number and what its call returned, in the order in which calls end."""
        while self._next < len(self._queries) or self._deadlines:
            self._start()
            yield from self._wait()
            yield from self._give_up()

    def _start(self) -> None:
        room = self._calling.workers - len(self._deadlines)
        while room > 0 and self._next < len(self._queries) and not self._is_stuck():
            self._deadlines[self._next] = monotonic() + (self._calling.timeout or float("inf"))
            Thread(target=self._call, args=(self._next,), daemon=True).start()
            self._next += 1
            room -= 1

    def _call(self, number: int) -> None:
        # Even SystemExit must reach the thread that waits.
        answer = _call(self._ask, self._queries[number], self._loop, BaseException)
        self._done.put((number, answer))

    def _is_stuck(self) -> bool:
        return len(self._hanging) >= MOST_HANGING

    def _wait(self) -> Iterator[tuple[int, Any]]:
        """Wait for a call to end, or until the next deadline."""
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

    def _give_up(self) -> Iterator[tuple[int, Any]]:
        now = monotonic()
        for number in [n for n, deadline in self._deadlines.items() if deadline <= now]:
            del self._deadlines[number]
            self._hanging.add(number)
            yield number, Failure(f"timeout: no answer within {self._calling.timeout:g} seconds")
        if self._is_stuck() and not self._deadlines:
            reason = f"not asked: {len(self._hanging)} earlier calls hang"
            while self._next < len(self._queries):
                yield self._next, Failure(reason)
                self._next += 1


class Loop:
    """An event loop for all async calls, in its own thread, started when first needed."""

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: Thread | None = None
        self._lock = Lock()

    def result(self, awaitable: Any) -> Any:
        """Wait for the result of an async call, in the thread that made it."""
        return asyncio.run_coroutine_threadsafe(_wait_for(awaitable), self._start()).result()

    def _start(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                self._thread = Thread(target=_run, args=(self._loop,), daemon=True)
                self._thread.start()
            return self._loop

    def stop(self) -> None:
        """Cancel what is still running, and wait briefly for it to end."""
        if self._loop is not None and self._thread is not None:
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join(LONGEST_WAIT)


def _run(loop: asyncio.AbstractEventLoop) -> None:
    loop.run_forever()
    loop.run_until_complete(_cancel_all())
    loop.close()


async def _cancel_all() -> None:
    tasks = asyncio.all_tasks() - {asyncio.current_task()}
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def _wait_for(awaitable: Any) -> Any:
    return await awaitable


@contextmanager
def _open_loop() -> Iterator[Loop]:
    loop = Loop()
    try:
        yield loop
    finally:
        loop.stop()
