"""What can go wrong, and the exit code of each; nothing leaves as a traceback."""

import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING

from groupwise.evaluator.cli import streams
from groupwise.evaluator.cli.usage import Usage

if TYPE_CHECKING:
    from groupwise.evaluator.errors import InputError

SHOWN_PROBLEMS = 20
DONE, FELL_SHORT, WRONG_CALL, UNSOUND_INPUT, OUR_BUG = 0, 1, 2, 3, 4
NAMES = {signal.SIGINT: "interrupted", signal.SIGTERM: "terminated"}


class Interrupted(BaseException):
    """The system asked to stop; what is under way cleans up after itself."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


def guarded(work: Callable[[], int]) -> int:
    """The exit code of the work, or of what went wrong."""
    try:
        with _interruptible():
            return work()
    except Interrupted as error:
        streams.note(NAMES[signal.Signals(error.number)])
        return 128 + error.number
    except KeyboardInterrupt:
        streams.note("interrupted")
        return 128 + signal.SIGINT
    except SystemExit as error:
        return error.code if isinstance(error.code, int) else DONE
    except Usage as error:
        streams.note(str(error), "error")
        streams.note(f"see: groupwise {error.command} --help".replace("  ", " "))
        return WRONG_CALL
    except Exception as error:  # noqa: BLE001  (the last line of defence)
        return _explained(error)


@contextmanager
def _interruptible() -> Iterator[None]:
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


def _interrupt(number: int, _frame: FrameType | None) -> None:
    for one in NAMES:
        signal.signal(one, signal.SIG_IGN)
    raise Interrupted(number)


def _explained(error: Exception) -> int:
    from groupwise.evaluator.errors import InputError, OutputError, UnknownMetric  # noqa: PLC0415

    if isinstance(error, InputError):
        tell_problems(error)
        return UNSOUND_INPUT
    if isinstance(error, UnknownMetric | OutputError):
        streams.note(str(error), "error")
        return WRONG_CALL if isinstance(error, UnknownMetric) else OUR_BUG
    if isinstance(error, MemoryError):
        streams.note("out of memory", "error")
        return OUR_BUG
    return _bug(error)


def tell_problems(error: "InputError") -> None:
    """Show each problem on a line of its own, whatever its text holds."""
    shown = error.problems[:SHOWN_PROBLEMS]
    for problem in shown:
        streams.note(str(problem).replace("\n", "\\n"), "error")
    if error.count > len(shown):
        streams.note(f"… and {error.count - len(shown):,} more problems")


def _bug(error: Exception) -> int:
    streams.note(f"a bug of groupwise: {type(error).__name__}: {error}", "error")
    if os.environ.get("GROUPWISE_DEBUG"):
        import traceback  # noqa: PLC0415

        streams.note("".join(traceback.format_exception(error)))
    else:
        streams.note("please report it, with what GROUPWISE_DEBUG=1 shows when you run this again")
    return OUR_BUG
