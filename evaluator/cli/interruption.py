"""Signals that stop the program: the first becomes an exception, so that work cleans up."""

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

NAMES = {signal.SIGINT: "interrupted", signal.SIGTERM: "terminated"}
IMPORTING = "<frozen importlib._bootstrap>"


class Interrupted(BaseException):
    """The system asked to stop; what is under way cleans up after itself."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


@contextmanager
def interruptible() -> Iterator[None]:
    """Turn the first signal into an exception; later ones do not disturb the clean-up."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.getsignal(number) for number in NAMES}
    heeded = [number for number, handler in before.items() if handler != signal.SIG_IGN]
    try:
        for number in heeded:
            signal.signal(number, _interrupt)
        yield
    finally:
        for number in heeded:
            signal.signal(number, before[number] or signal.SIG_DFL)


def interruption_before(error: BaseException) -> Interrupted | None:
    """Return the interruption whose clean-up, be it that of a library, failed with this error."""
    context = error.__context__
    while context is not None and not isinstance(context, Interrupted):
        context = context.__context__
    return context


def _interrupt(number: int, frame: FrameType | None) -> None:
    """Raise Interrupted; while a module is imported, as soon as that has ended.

    An exception in the middle of the import of a compiled module can crash the interpreter. Whoever
    asks a second time is not kept waiting.
    """
    if _is_importing(frame):
        _raise_after_import(number)
    else:
        _raise(number)


def _raise(number: int, _frame: FrameType | None = None) -> None:
    sys.setprofile(None)
    for name in NAMES:
        signal.signal(name, signal.SIG_IGN)
    raise Interrupted(number)


def _is_importing(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_code.co_filename == IMPORTING:
            return True
        frame = frame.f_back
    return False


def _raise_after_import(number: int) -> None:
    """Raise Interrupted when the outermost import returns."""

    def look(frame: FrameType, event: str, _value: Any) -> None:
        is_import = event == "return" and frame.f_code.co_filename == IMPORTING
        if is_import and not _is_importing(frame.f_back):
            _raise(number)

    for name in NAMES:
        if signal.getsignal(name) is _interrupt:
            signal.signal(name, _raise)
    sys.setprofile(look)
