"""How processes are started: forked where that is safe, else from the beginning."""

import os
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from multiprocessing import get_start_method
from multiprocessing.reduction import ForkingPickler
from pickle import PicklingError
from typing import Any, Literal, NamedTuple

from groupwise.evaluator.plugins.loading import list_loaded, load_plugin

HELD = (signal.SIGINT, signal.SIGTERM)
SEED = "PYTHONHASHSEED"
Method = Literal["fork", "spawn"]
UNPICKLABLE = (PicklingError, AttributeError, TypeError)
"""What pickling raises for what it cannot do."""
_starting = threading.Lock()


class Unshareable(TypeError):  # noqa: N818  (the caller does without)
    """Something cannot be handed to another process, or back, such as a function without a name."""


def choose_method() -> Method:
    """Return how to start processes.

    A forked process has at once all that the caller has, its plugins and metrics too. But forking
    is safe only on Linux, and only without other threads, which may hold locks.
    """
    chosen = get_start_method(allow_none=True) in (None, "fork")
    alone = threading.active_count() == 1
    return "fork" if chosen and alone and sys.platform == "linux" else "spawn"


class Packed(NamedTuple):
    """Work and its tasks as bytes, with the plugins to load before they are unpacked."""

    plugins: tuple[str, ...]
    data: bytes

    def unpack(self) -> tuple[Any, Sequence[Any]]:
        """Return the work and its tasks."""
        for plugin in self.plugins:
            load_plugin(plugin)
        work, tasks = ForkingPickler.loads(self.data)
        return work, tasks


def pack(work: Any, tasks: Sequence[Any]) -> Packed:
    """Return work and its tasks for a process that does not inherit them.

    Raises:
        Unshareable: They cannot be pickled.
    """
    try:
        data = bytes(ForkingPickler.dumps((work, tasks)))
    except UNPICKLABLE as error:
        raise Unshareable(str(error)) from None
    return Packed(tuple(list_loaded()), data)


@contextmanager
def hold_signals() -> Iterator[None]:
    """Hold back the signals that stop a program; processes that are started hold them back, too."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, HELD)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def share_hashes(method: Method) -> Iterator[None]:
    """Let processes that are started hash strings alike; forked ones do so anyway.

    The seed is handed over in the environment, which all threads share.
    """
    if method == "fork":
        yield
        return
    from secrets import randbelow  # noqa: PLC0415  (slow to load, and not needed to fork)

    with _starting:
        before = os.environ.get(SEED)
        if not (before or "").isdigit():
            os.environ[SEED] = str(randbelow(1 << 32))
        try:
            yield
        finally:
            _restore(before)


def _restore(seed: str | None) -> None:
    if seed is None:
        os.environ.pop(SEED, None)
    else:
        os.environ[SEED] = seed
