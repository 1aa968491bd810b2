"""What runs in a process of the pool: the work on one task after another."""

import gc
import select
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.reduction import ForkingPickler
from typing import Any

from groupwise.evaluator.processes.attention import ATTEND
from groupwise.evaluator.processes.messages import Message, pack_message
from groupwise.evaluator.processes.numbers import take_number
from groupwise.evaluator.processes.starting import HELD, UNPICKLABLE, Packed, Unshareable

NOTE, NEXT, DONE, FAILED = "note", "next", "done", "failed"


class CallerGone(BaseException):
    """The caller has ended, or does not want the rest: so there is nothing left to do."""


def serve(connection: Connection, packed: Any, inherited: Sequence[Connection]) -> None:
    """Do the work on each task whose number comes through the pipe, until it is closed.

    Args:
        connection: The pipe.
        packed: The work and its tasks, packed if this process was not forked.
        inherited: Ends of other pipes, which would keep their processes from seeing their end.
    """
    _settle(inherited)
    with suppress(CallerGone):
        Service(connection, packed).answer_all()


def serve_share(
    connection: Connection,
    packed: Any,
    inherited: Sequence[Connection],
    *,
    is_watched: bool,
    numbers: int | None = None,
) -> None:
    """Do the work on the tasks that this process takes, and send its one result.

    Args:
        connection: The pipe to the caller.
        packed: The work and its tasks, packed if this process was not forked.
        inherited: Ends of other pipes, which would keep their processes from seeing their end.
        is_watched: Whether the caller wants to know what is noted on the way.
        numbers: The pipe with the numbers of tasks; None: the caller is asked for each.
    """
    _settle(inherited)
    with suppress(CallerGone):
        ShareService(connection, packed, numbers, is_watched=is_watched).answer()


def _settle(inherited: Sequence[Connection]) -> None:
    """Make a process that was forked one of its own."""
    _leave_signals_to_caller()
    gc.freeze()  # what was inherited is shared with the caller as long as nothing touches it
    for other in inherited:
        other.close()


class Service:
    """Answers the numbers of tasks with their results."""

    def __init__(self, connection: Connection, packed: Any) -> None:
        self._connection = connection
        self._packed = packed

    def answer_all(self) -> None:
        """Answer until the caller is gone."""
        while True:
            self._send(self._answer(self._receive()))

    def _answer(self, number: int) -> Message:
        """Return the message with the result of a task, or with what went wrong."""
        return self._attempt(lambda work, tasks: work(tasks[number], self._note))

    def _attempt(self, do: Callable[[Any, Any], Any]) -> Message:
        """Return the message with what is made of the work and its tasks, or what went wrong."""
        try:
            if isinstance(self._packed, Packed):
                self._packed = self._packed.unpack()
            return _pack_result(do(*self._packed))
        except Exception as error:  # noqa: BLE001  (the caller raises it)
            return pack_message((FAILED, _make_portable(error)))

    def _note(self, value: Any) -> None:
        self._send(pack_message((NOTE, value)))

    def _receive(self) -> Any:
        try:
            return self._connection.recv()
        except (EOFError, OSError):
            raise CallerGone from None

    def _send(self, message: Message) -> None:
        try:
            message.send(self._connection)
        except OSError:
            raise CallerGone from None


class ShareService(Service):
    """Takes tasks as long as there are any, and answers with the one result of all of them."""

    def __init__(
        self, connection: Connection, packed: Any, numbers: int | None, *, is_watched: bool
    ) -> None:
        super().__init__(connection, packed)
        self._numbers = numbers
        self._is_watched = is_watched
        self._watch_caller = self._open_watch()

    def answer(self) -> None:
        """Send the result; work ends early if the caller is gone."""
        ATTEND.set(self._watch_caller)
        self._send(self._attempt(lambda work, tasks: work(self._take(tasks), self._note)))

    def _note(self, value: Any) -> None:
        if self._is_watched:
            super()._note(value)
        else:
            self._watch_caller()

    def _take(self, tasks: Sequence[Any]) -> Iterator[tuple[int, Any]]:
        while (number := self._take_number()) is not None:
            yield number, tasks[number]

    def _take_number(self) -> int | None:
        if self._numbers is not None:
            return take_number(self._numbers)
        self._send(pack_message((NEXT, None)))
        number: int | None = self._receive()
        return number

    def _open_watch(self) -> Callable[[], None]:
        """Return what raises CallerGone at the end of the pipe: nothing is sent unasked."""
        if not hasattr(select, "poll"):
            return lambda: None
        arrivals = select.poll()
        arrivals.register(self._connection, select.POLLIN)

        def watch() -> None:
            if arrivals.poll(0):
                raise CallerGone

        return watch


def _pack_result(result: Any) -> Message:
    """Return the message with a result.

    Raises:
        Unshareable: It cannot be pickled.
    """
    try:
        return pack_message((DONE, result))
    except UNPICKLABLE as error:
        raise Unshareable(f"a result cannot be pickled: {error}") from None


def _make_portable(error: Exception) -> Exception:
    """Return an error that can be sent; its traceback, which cannot, becomes a note."""
    from traceback import format_exception  # noqa: PLC0415  (rarely needed)

    error.add_note("".join(format_exception(error)))
    try:
        ForkingPickler.loads(ForkingPickler.dumps(error))
    except Exception:  # noqa: BLE001  (whatever its class does)
        portable = RuntimeError(f"{type(error).__name__}: {error}")
        for note in error.__notes__:
            portable.add_note(note)
        return portable
    return error


def _leave_signals_to_caller() -> None:
    """Ignore Ctrl-C, which all processes of a terminal get: the caller stops this one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, HELD)
