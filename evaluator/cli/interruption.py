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


class Interruption:
    """The signal that stopped the program, if one did.

    It is known here even if a library turns the exception into one of its own.
    """

    def __init__(self) -> None:
        self.number: int | None = None

    @contextmanager
    def heed_signals(self) -> Iterator[None]:
        """Turn the first signal into an exception; later ones do not disturb the clean-up."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {number: signal.getsignal(number) for number in NAMES}
        heeded = [number for number, handler in before.items() if handler != signal.SIG_IGN]
        try:
            for number in heeded:
                signal.signal(number, self._interrupt)
            yield
        finally:
            for number in heeded:
                signal.signal(number, before[number] or signal.SIG_DFL)

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        """Raise Interrupted; while a module is imported, as soon as that has ended.

        An exception in the middle of the import of a compiled module can crash the interpreter.
        Whoever asks a second time is not kept waiting.
        """
        if _is_importing(frame):
            self._raise_after_import(number)
        else:
            self._raise(number)

    def _raise(self, number: int, _frame: FrameType | None = None) -> None:
        self.number = number
        sys.setprofile(None)
        for name in NAMES:
            signal.signal(name, signal.SIG_IGN)
        raise Interrupted(number)

    def _raise_after_import(self, number: int) -> None:
        """Raise Interrupted when the outermost import returns."""

        def look(frame: FrameType, event: str, _value: Any) -> None:
            is_import = event == "return" and frame.f_code.co_filename == IMPORTING
            if is_import and not _is_importing(frame.f_back):
                self._raise(number)

        for name in NAMES:
            if signal.getsignal(name) == self._interrupt:
                signal.signal(name, self._raise)
        sys.setprofile(look)


def _is_importing(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_code.co_filename == IMPORTING:
            return True
        frame = frame.f_back
    return False
