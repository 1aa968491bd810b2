"""Calls a live retriever for every query of a data set, several at a time.

A failure or a timeout affects one query only: it becomes an empty result with its reason. Every
call runs in its own daemon thread, so a hung call blocks no other, and ends with the program.
"""

import asyncio
import inspect
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from numbers import Real
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from time import monotonic
from typing import Any, Literal, NamedTuple, cast

from groupwise.evaluator.errors import InputError, Problem, Problems
from groupwise.evaluator.intake.retriever_output import NoResults, run_query
from groupwise.evaluator.text import cut, quote
from groupwise.schemas import Id, Query, RunQuery
from groupwise.schemas.ids import ONE_KIND
from groupwise.schemas.values import describe

MOST_HANGING = 64
"""After this many hung calls, the remaining queries are skipped."""

LONGEST_WAIT = 0.2
FOREVER = float("inf")
LONGEST = 1e12
"""Seconds; a longer timeout is none."""
Ask = Callable[[str], Any]
Progress = Callable[[int], None]
Outcome = RunQuery | str
"""The results of a query, or the reason why there are none."""


@dataclass(frozen=True)
class CallOptions:
    """How to call: the number of concurrent calls, and the timeout of each in seconds.

    ``timeout=None``: no timeout.
    """

    workers: int = 4
    timeout: float | None = 60.0
    ids: Literal["text"] | None = None

    def __post_init__(self) -> None:
        problems = Problems()
        if not isinstance(self.workers, int) or self.workers < 1:
            expected = "expected a whole number from 1 on"
            problems.add(Problem(f"workers: {expected}, got {quote(self.workers)}"))
        if self.timeout is not None and not _is_duration(self.timeout):
            expected = "expected seconds above 0, or None"
            problems.add(Problem(f"timeout: {expected}; got {quote(self.timeout)}"))
        problems.raise_if_any()


def _is_duration(value: Any) -> bool:
    """Whether this is a number of seconds that can be added to a time."""
    return isinstance(value, Real) and 0 < value <= FOREVER  # type: ignore[operator]


def retrieve(
    queries: Sequence[Query],
    retriever: Any,
    options: CallOptions,
    progress: Progress | None = None,
) -> list[Outcome]:
    """Call the retriever for each query; return the outcomes in the order of the queries.

    Args:
        queries: The queries, all with their text.
        retriever: A function of the text, also an async one, or an object with ``invoke`` or
            ``retrieve``.
        options: Concurrency and timeout.
        progress: Called with the number of queries done, always in the calling thread.

    Raises:
        InputError: A query has no text, the retriever cannot be called, or its ids are of another
            kind than those of the ground truth.
    """
    function = _find_function(retriever)
    _check_texts(queries)
    gold = next((a for query in queries for a in query.ground_truth.alternatives), None)
    outcomes: dict[int, Outcome] = {}
    with closing(Loop()) as loop:
        for number, outcome in Calls(queries, function, options, loop).outcomes():
            outcomes[number] = outcome
            if gold and isinstance(outcome, RunQuery):
                _refuse_other_kind(gold.id, outcome)
            if progress:
                progress(len(outcomes))
    return [outcomes[number] for number in range(len(queries))]


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


def _describe_failure(error: BaseException) -> str:
    text = str(error).strip().partition("\n")[0]
    return cut(f"{type(error).__name__}: {text}" if text else type(error).__name__, 300)


class Ended(NamedTuple):
    """A call that has ended: the number of its query, its outcome, and when it ended."""

    number: int
    outcome: Outcome
    time: float


class Calls:
    """Concurrent calls, each with a deadline."""

    def __init__(
        self, queries: Sequence[Query], function: Ask, options: CallOptions, loop: "Loop"
    ) -> None:
        self._queries = queries
        self._function = function
        self._options = options
        self._loop = loop
        self._done: SimpleQueue[Ended] = SimpleQueue()
        self._deadlines: dict[int, float] = {}
        self._hanging: set[int] = set()
        self._next = 0

    def outcomes(self) -> Iterator[tuple[int, Outcome]]:
        """Yield each query's number and outcome, in the order in which calls end."""
        if self._options.workers == 1 and self._options.timeout is None:
            # Some retrievers must be called from the thread that created them.
            for number in range(len(self._queries)):
                yield number, self._call(number, FOREVER, Exception)
            return
        while self._next < len(self._queries) or self._deadlines:
            self._start()
            yield from self._wait()
            yield from self._give_up()

    def _start(self) -> None:
        room = self._options.workers - len(self._deadlines)
        while room > 0 and self._next < len(self._queries) and not self._is_stuck():
            deadline = monotonic() + min(self._options.timeout or FOREVER, LONGEST)
            self._deadlines[self._next] = deadline
            Thread(target=self._run, args=(self._next, deadline), daemon=True).start()
            self._next += 1
            room -= 1

    def _run(self, number: int, deadline: float) -> None:
        # Even SystemExit must reach the thread that waits.
        outcome = self._call(number, deadline, BaseException)
        self._done.put(Ended(number, outcome, monotonic()))

    def _call(self, number: int, deadline: float, caught: type[BaseException]) -> Outcome:
        query = self._queries[number]
        try:
            found = self._take_answer(self._function(query.query or ""), deadline)
            return run_query(query.id, found, ids=self._options.ids)
        except NoResults as error:
            return str(error)
        except caught as error:
            return _describe_failure(error)

    def _take_answer(self, answer: Any, deadline: float) -> Any:
        """Return what a call returned, when it is there; a generator is run to its end."""
        if inspect.isawaitable(answer):
            answer = self._loop.result(answer)
        if hasattr(answer, "__aiter__"):
            return self._loop.result(_collect(answer))
        return [*_until(deadline, answer)] if isinstance(answer, Iterator) else answer

    def _is_stuck(self) -> bool:
        return len(self._hanging) >= MOST_HANGING

    def _wait(self) -> Iterator[tuple[int, Outcome]]:
        """Wait for a call to end, or until the next deadline; yield all that have ended.

        Whether a call ended in time does not depend on when it is looked at: a progress callback
        may take longer than the call.
        """
        first = min(self._deadlines.values(), default=0.0)
        wait = min(LONGEST_WAIT, max(0.0, first - monotonic()))
        while ended := self._take_ended(wait):
            wait = 0.0
            self._hanging.discard(ended.number)
            deadline = self._deadlines.pop(ended.number, None)
            if deadline is not None:
                is_late = ended.time > deadline
                yield ended.number, self._describe_timeout() if is_late else ended.outcome

    def _take_ended(self, wait: float) -> "Ended | None":
        try:
            return self._done.get(timeout=wait)
        except Empty:
            return None

    def _describe_timeout(self) -> str:
        seconds = self._options.timeout
        return f"timeout: no answer within {seconds:g} second{'' if seconds == 1 else 's'}"

    def _give_up(self) -> Iterator[tuple[int, Outcome]]:
        now = monotonic()
        for number in [n for n, deadline in self._deadlines.items() if deadline <= now]:
            del self._deadlines[number]
            self._hanging.add(number)
            yield number, self._describe_timeout()
        if self._is_stuck() and not self._deadlines:
            reason = f"not asked: {len(self._hanging)} earlier calls hang"
            while self._next < len(self._queries):
                yield self._next, reason
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
                runner = asyncio.Runner(loop_factory=asyncio.new_event_loop)
                self._loop = runner.get_loop()
                self._thread = Thread(target=_run, args=(runner,), daemon=True)
                self._thread.start()
            return self._loop

    def close(self) -> None:
        """Cancel what is still running, and wait briefly for it to end."""
        if self._loop is not None and self._thread is not None:
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join(LONGEST_WAIT)


def _run(runner: asyncio.Runner) -> None:
    with runner:
        runner.get_loop().run_forever()


def _until(deadline: float, answer: Iterator[Any]) -> Iterator[Any]:
    """Yield what a generator yields; nobody waits for it any more after the deadline."""
    for result in answer:
        if monotonic() > deadline:
            raise TimeoutError
        yield result


async def _collect(answer: Any) -> list[Any]:
    return [result async for result in answer]


async def _wait_for(awaitable: Any) -> Any:
    return await awaitable
