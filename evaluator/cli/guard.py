"""What can go wrong, and the exit code of each; no exception leaves the program as a traceback."""

import os
import signal
from collections.abc import Callable
from typing import TYPE_CHECKING

from groupwise.evaluator.cli import streams
from groupwise.evaluator.cli.interruption import NAMES, Interruption
from groupwise.evaluator.cli.usage import UsageError

if TYPE_CHECKING:
    from groupwise.evaluator.errors import InputError

DONE, FELL_SHORT, USAGE_ERROR, INVALID_INPUT, INTERNAL_ERROR = 0, 1, 2, 3, 4


def run_guarded(work: Callable[[], int]) -> int:
    """Return the exit code of the work, or of what went wrong, which is explained on stderr."""
    interruption = Interruption()
    try:
        with interruption.heed_signals():
            return work()
    except BaseException as error:  # noqa: BLE001  (the last line of defence)
        if interruption.number is not None:
            return _tell_interruption(interruption.number)
        return _explain_end(error)


def _explain_end(error: BaseException) -> int:
    """Explain why the work did not return."""
    if isinstance(error, KeyboardInterrupt):
        return _tell_interruption(signal.SIGINT)
    if isinstance(error, SystemExit):
        return error.code if isinstance(error.code, int) else DONE
    if isinstance(error, UsageError):
        streams.note(str(error), "error")
        streams.note(f"see: groupwise {error.command} --help".replace("  ", " "))
        return USAGE_ERROR
    return _explain(error)


def _tell_interruption(number: int) -> int:
    streams.note(NAMES[signal.Signals(number)])
    return 128 + number


def _explain(error: BaseException) -> int:
    from groupwise.evaluator import errors  # noqa: PLC0415

    codes = {
        errors.OptionError: USAGE_ERROR,
        errors.UnknownMetric: USAGE_ERROR,
        errors.PluginError: USAGE_ERROR,
        errors.ExtensionError: INVALID_INPUT,
        errors.OutputError: INTERNAL_ERROR,
        errors.WorkerLost: INTERNAL_ERROR,
    }
    for kind, code in codes.items():
        if isinstance(error, kind):
            streams.note(str(error), "error")
            return code
    if isinstance(error, errors.InputError):
        tell_problems(error)
        return INVALID_INPUT
    return _explain_unexpected(error)


def tell_problems(error: "InputError") -> None:
    """Show the first problems, and how many more there are."""
    from groupwise.evaluator.cli.data import spell_flags  # noqa: PLC0415

    for line in error.lines():
        streams.note(spell_flags(line).replace("\n", "\\n"), "error")


def _explain_unexpected(error: BaseException) -> int:
    """Explain an unexpected error: a bug in a plugin or in groupwise."""
    from groupwise.evaluator.plugins.loading import plugin_in  # noqa: PLC0415
    from groupwise.evaluator.plugins.own import extension_in  # noqa: PLC0415

    if isinstance(error, MemoryError):
        streams.note("out of memory", "error")
        return INTERNAL_ERROR
    what = f"{type(error).__name__}: {error}"
    extension = extension_in(error)
    known = [plugin_in(error.__traceback__), extension and f"the {extension}"]
    place = ": ".join(part for part in known if part)
    streams.note(f"{place or 'a bug in groupwise'}: {what}", "error")
    if os.environ.get("GROUPWISE_DEBUG"):
        import traceback  # noqa: PLC0415

        streams.note("".join(traceback.format_exception(error)))
    elif place:
        streams.note("this is an error in a plugin; GROUPWISE_DEBUG=1 shows where it came from")
    else:
        streams.note("please report it, with what GROUPWISE_DEBUG=1 shows when you run this again")
    return INVALID_INPUT if place else INTERNAL_ERROR
