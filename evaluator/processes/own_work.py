"""The work of the caller itself, which takes what other processes send meanwhile."""

import select
from collections.abc import Callable, Iterable
from contextvars import copy_context
from multiprocessing.connection import Connection
from typing import Any

from groupwise.evaluator.processes.attention import ATTEND
from groupwise.evaluator.processes.worker import DONE, FAILED

Note = Callable[[int, Any], None]


class Abandoned(BaseException):
    """The work of this process is not wanted any more: something went wrong elsewhere."""


class OwnWork:
    """What this process does while others work.

    Args:
        connections: The pipes of the others.
        take: Takes what has arrived in them.
        note: Called with a number and what the work notes on the way.
    """

    def __init__(
        self, connections: Iterable[Connection], take: Callable[[], None], note: Note | None
    ) -> None:
        self._arrivals = select.poll()  # which tells at once, to one that asks all the time
        for connection in connections:
            self._arrivals.register(connection, select.POLLIN)
        self._take = take
        self._note = note

    def forget(self, connection: Connection) -> None:
        """Look after a process no more."""
        self._arrivals.unregister(connection)

    def do(self, number: int, work: Callable[..., Any], given: Any) -> tuple[str, Any]:
        """Return the outcome of work, and look after the other processes meanwhile.

        ``number`` is told with what the work notes. It runs in a context of its own, because it
        sets what is read by those it tells.
        """
        outside, here = copy_context(), copy_context()

        def attend() -> None:
            if self._arrivals.poll(0):
                outside.run(self._attend)

        def note(value: Any) -> None:
            attend()
            if self._note is not None:
                outside.run(self._note, number, value)

        here.run(ATTEND.set, attend)
        try:
            return DONE, here.run(work, given, note)
        except Abandoned as abandoned:
            raise abandoned.args[0] from None
        except Exception as error:  # noqa: BLE001  (it is raised in its turn)
            return FAILED, error

    def _attend(self) -> None:
        """Take what other processes sent.

        Raises:
            Abandoned: This failed, which the work under way must not take for an error of its own.
        """
        try:
            self._take()
        except Exception as error:  # noqa: BLE001  (raised when the work has ended)
            raise Abandoned(error) from None
