"""Two processes for a long file: while one reads the first half, a scout sweeps the second.

The scout only tells clean stretches from others. What it could not tell to be clean is read by the
first process, in order, so that findings and their places are those of one reading.
"""

import os
import signal
import sys
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import orjson

from groupwise.evaluator.intake.bulk import Columns
from groupwise.evaluator.native.collector import uncollected
from groupwise.evaluator.reading.duplicate_keys import may_repeat_keys
from groupwise.evaluator.reading.jsonl import LONGEST_LINE, JsonLines, Stretch
from groupwise.evaluator.reading.source import GZIP
from groupwise.evaluator.validation.engine.sweep import sweep
from groupwise.evaluator.validation.engine.tally import Tally
from groupwise.schemas import Query

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

WORTH_IT = 1 << 25
"""Shorter files are read faster by one."""


@dataclass
class Scouted:
    """What a scout saw: clean records counted, and the stretches that need to be looked at.

    Lines are counted from the beginning of what it was sent to.
    """

    tally: Tally = field(default_factory=Tally)
    others: list[Stretch] = field(default_factory=list)


def half_of(records: Any) -> int | None:
    """Where the second half of a file begins, if it is worth a scout and one can be sent."""
    if not isinstance(records, JsonLines):
        return None
    path, size = records.source.path, records.source.size
    if not WORTH_IT <= size <= LONGEST_LINE or not _can_fork():
        return None
    with open(path, "rb") as file:  # noqa: PTH123  (a name as it was given)
        if file.read(2) == GZIP:
            return None
        file.seek(size // 2)
        file.readline()
        return file.tell()


def _can_fork() -> bool:
    """Whether a copy of this process is safe and cheap: hashes of both must be the same."""
    from multiprocessing import current_process  # noqa: PLC0415  (only long files need it)

    if not sys.platform.startswith("linux") or threading.active_count() > 1:
        return False
    if current_process().daemon:  # it may not have children
        return False
    return len(os.sched_getaffinity(0)) > 1


@contextmanager
def scout(path: str, start: int, k: int) -> "Iterator[Connection]":
    """Send a scout to the rest of a file; what it saw comes through the connection."""
    from multiprocessing import get_context  # noqa: PLC0415  (only long files need it)

    here, there = get_context("fork").Pipe(duplex=False)
    process = get_context("fork").Process(target=_scouted, args=(path, start, k, there))
    with warnings.catch_warnings():
        # Python 3.12 warns of threads that are not its own; the scout needs none of them.
        warnings.simplefilter("ignore", DeprecationWarning)
        process.start()
    there.close()
    try:
        yield here
    finally:
        here.close()
        process.kill()
        process.join()


def _scouted(path: str, start: int, k: int, report: "Connection") -> None:
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
    with uncollected():
        report.send(swept(path, start, k))
    report.close()
    os._exit(0)


def seen_by(connection: "Connection") -> Scouted | None:
    """What the scout saw; None if it did not come back."""
    try:
        found: Scouted = connection.recv()
    except (EOFError, OSError):
        return None
    return found


def swept(path: str, start: int, k: int) -> Scouted:
    """All clean records from a place of a file on, counted, and where the others are."""
    columns, seen = Columns(Query), Scouted()
    with open(path, "rb") as stream:  # noqa: PTH123  (a name as it was given)
        for place, lines in Stretch(start, 1 << 62, 0).blocks(stream):
            found = _clean(columns, lines, k)
            if found is None:
                seen.others.append(place)
            else:
                seen.tally.add_swept(found)
    return seen


def _clean(columns: Columns, lines: list[bytes], k: int) -> Any:
    try:
        values = list(map(orjson.loads, lines))
    except orjson.JSONDecodeError:
        return None
    found = sweep(columns, values, None, k)
    return None if found is None or may_repeat_keys(b"".join(lines), values) else found
