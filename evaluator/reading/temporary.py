"""Names of temporary files, and the removal of those that a killed process left behind.

A name says which process writes the file, and on which machine: process numbers mean nothing on
another one. A file of a process that has ended is stale, and so is any that is a day old.
"""

import os
import platform
import re
import stat
import time
from contextlib import suppress
from functools import cache
from pathlib import Path

PATTERN = re.compile(r"\.groupwise-([0-9a-f]{8})-([0-9]{1,10})-[0-9a-f]{16}\.tmp")
DAY = 86_400.0


def choose_name() -> str:
    """Return a name for a temporary file of this process."""
    return f".groupwise-{_identify_machine()}-{os.getpid()}-{os.urandom(8).hex()}.tmp"


@cache
def _identify_machine() -> str:
    """Return a short hash of the machine, and of the container within it."""
    space = ""
    with suppress(OSError):
        space = os.readlink("/proc/self/ns/pid")  # noqa: PTH115  (not a path)
    from hashlib import sha256  # noqa: PLC0415  (rarely needed)

    return sha256(f"{platform.node()} {space}".encode()).hexdigest()[:8]


def remove_stale(folder: Path) -> None:
    """Remove our temporary files that nothing writes any more; what fails is left for later."""
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            match = PATTERN.fullmatch(entry.name)
            if match and _is_stale(entry.stat(follow_symlinks=False), match[1], int(match[2])):
                with suppress(OSError):
                    Path(entry.path).unlink()


def _is_stale(status: os.stat_result, machine: str, process: int) -> bool:
    if not stat.S_ISREG(status.st_mode) or not _is_own(status):
        return False
    if machine == _identify_machine() and not _is_running(process):
        return True
    return time.time() - status.st_mtime > DAY


def _is_own(status: os.stat_result) -> bool:
    return not hasattr(os, "geteuid") or status.st_uid == os.geteuid()


def _is_running(process: int) -> bool:
    """Whether a process is running; on systems that cannot say without harm, it is."""
    if os.name != "posix":
        return True
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        return True
    return True
