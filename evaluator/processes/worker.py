"""What runs in a process of the pool: the work on one task after another."""

import gc
import signal
import traceback
from collections.abc import Sequence
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.reduction import ForkingPickler
from typing import Any

from groupwise.evaluator.processes.starting import HELD, UNPICKLABLE, Packed, Unshareable

NOTE, DONE, FAILED = "note", "done", "failed"


class CallerGone(BaseException):
    """The caller has ended, or does not want the rest: so there is nothing left to do."""


def serve(connection: Connection, packed: Any, inherited: Sequence[Connection]) -> None:
    """Do the work on each task whose number comes through the pipe, until it is closed.

    Args:
        connection: The pipe.
        packed: The work and its tasks, packed if this process was not forked.
        inherited: Ends of other pipes, which would keep their processes from seeing their end.
    """
    _leave_signals_to_caller()
    gc.freeze()  # what was inherited is shared with the caller as long as nothing touches it
    for other in inherited:
        other.close()
    with suppress(CallerGone):
        Service(connection, packed).answer_all()


class Service:
    """Answers the numbers of tasks with their results."""

    def __init__(self, connection: Connection, packed: Any) -> None:
        self._connection = connection
        self._packed = packed

    def answer_all(self) -> None:
        """Answer until the caller is gone."""
        while True:
            self._send(self._answer(self._receive()))

    def _answer(self, number: int) -> Any:
        """Return the message with the result of a task, or with what went wrong."""
        try:
            if isinstance(self._packed, Packed):
                self._packed = self._packed.unpack()
            work, tasks = self._packed
            return _pack_result(work(tasks[number], self._note))
        except Exception as error:  # noqa: BLE001  (the caller raises it)
            return ForkingPickler.dumps((FAILED, _make_portable(error)))

    def _note(self, value: Any) -> None:
        self._send(ForkingPickler.dumps((NOTE, value)))

    def _receive(self) -> int:
        try:
            number: int = self._connection.recv()
        except (EOFError, OSError):
            raise CallerGone from None
        return number

    def _send(self, message: Any) -> None:
        try:
            self._connection.send_bytes(message)
        except OSError:
            raise CallerGone from None


def _pack_result(result: Any) -> Any:
    """Return the message with a result.

    Raises:
        Unshareable: It cannot be pickled.
    """
    try:
        return ForkingPickler.dumps((DONE, result))
    except UNPICKLABLE as error:
        raise Unshareable(f"a result cannot be pickled: {error}") from None


def _make_portable(error: Exception) -> Exception:
    """Return an error that can be sent; its traceback, which cannot, becomes a note."""
    error.add_note("".join(traceback.format_exception(error)))
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
