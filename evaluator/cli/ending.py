"""The end of the program: the system frees what is left, all at once."""

import atexit
import os
import sys
import threading
from typing import Any, NoReturn

TOOLS = 6
"""So many tools can watch a program."""


def end_program(code: int) -> NoReturn:
    """End the program with an exit code, as soon as nothing is left to do or to write.

    The interpreter would take all modules apart, one object after the other, before it ends.
    """
    if _is_alone():
        atexit._run_exitfuncs()  # noqa: SLF001  (the interpreter does this next, but more as well)
        if _flush():
            os._exit(code)
    sys.exit(code)


def _is_alone() -> bool:
    """Whether nobody watches: no other thread, no profiler or debugger, nobody at a prompt."""
    return threading.active_count() == 1 and not any(_list_tools()) and not sys.flags.inspect


def _list_tools() -> list[object]:
    """Return what watches the program; profilers register by a number from Python 3.12 on."""
    tools: list[object] = [sys.gettrace(), sys.getprofile()]
    monitoring: Any = getattr(sys, "monitoring", None)
    if monitoring is not None:
        tools.extend(map(monitoring.get_tool, range(TOOLS)))
    return tools


def _flush() -> bool:
    """Write what is left; the interpreter says what cannot be written, and exits with its code."""
    try:
        for stream in filter(None, (sys.stdout, sys.stderr)):
            stream.flush()
    except (OSError, ValueError):
        return False
    return True
