"""Limits on what a file may hold: one declaration each, for code, messages and the reference page.

Data comes from anywhere. Each limit bounds memory or time, and is far beyond what data sets have.
Some can be raised: by an option of a command, an argument of the library, or a variable of the
environment, which processes inherit.
"""

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import NamedTuple

from groupwise.evaluator.errors import KEPT_PROBLEMS, SHOWN_PROBLEMS, OptionError, Problem

SIZE = re.compile(r"(\d{1,15})([KMGT]?)(i?B)?", re.IGNORECASE)
POWERS = {"": 0, "K": 10, "M": 20, "G": 30, "T": 40}
UNITS = (("GiB", 30), ("MiB", 20), ("KiB", 10))
RECORD_BYTES: ContextVar[int | None] = ContextVar("groupwise-record-bytes", default=None)
"""What a record may have in the call that runs; None: as the environment says."""


class Limit(NamedTuple):
    """A limit, and how it is raised; nothing is named where it cannot be.

    Attributes:
        name: Its name on the reference page.
        default: The number.
        unit: What is counted; ``bytes`` are shown as MiB and GiB.
        applies: What it is a limit of.
        exceeded: What happens beyond it.
        flag: The option of commands that changes it.
        argument: The argument of functions that changes it.
        variable: The variable of the environment that changes it.
    """

    name: str
    default: int
    unit: str
    applies: str
    exceeded: str = "refused (IO010)"
    flag: str | None = None
    argument: str | None = None
    variable: str | None = None

    @property
    def shown(self) -> str:
        """The default for people."""
        if self.unit == "bytes":
            return show_size(self.default)
        return f"{self.default:,} {self.unit}".strip()

    def read(self) -> int:
        """Return the limit that is in force outside calls: that of the environment, or the default.

        Raises:
            OptionError: The variable does not hold a size.
        """
        given = os.environ.get(self.variable or "")
        if not given:
            return self.default
        try:
            return parse_size(given)
        except ValueError as error:
            raise OptionError([Problem(f"{self.variable}: {error}")]) from None


def parse_size(text: str) -> int:
    """Return a number of bytes that is written as one, or with K, M, G or T.

    Raises:
        ValueError: It is written otherwise, or 0.

    >>> parse_size("4G"), parse_size("512")
    (4294967296, 512)
    """
    match = SIZE.fullmatch(text.strip())
    if match is None or not int(match[1]):
        raise ValueError(f"expected a number of bytes, such as 4G or 4294967296, got {text!r}")
    return int(match[1]) << POWERS[match[2].upper()]


def show_size(size: int) -> str:
    """Return a number of bytes for people.

    >>> show_size(1 << 28), show_size(1000)
    ('256 MiB', '1,000 bytes')
    """
    for unit, power in UNITS:
        if size >= 1 << power and not size % (1 << power):
            return f"{size >> power:,} {unit}"
    return f"{size:,} bytes"


DECOMPRESSED = Limit(
    "decompressed data", 1 << 34, "bytes",
    "what gzip or parquet decompresses to, and a pipe, which is copied to be read again",
    flag="--max-bytes", argument="max_bytes",
)  # fmt: skip
SUSPECT = Limit(
    "suspicious growth", 200, "times",
    "what decompresses to more than 64 MiB, relative to what it was; "
    "a limit that is given takes its place",
    flag="--max-bytes", argument="max_bytes",
)  # fmt: skip
EDITED = Limit(
    "edited files", 1 << 30, "bytes",
    "a file that `check --update`, `suggest --apply` or `fingerprint` rewrites, a JSON document "
    "that `validate --fix` does, and what `validate --diff` compares: it is held in memory; JSON "
    "Lines are fixed line by line, whatever their length",
    flag="--max-bytes", argument="max_bytes",
)  # fmt: skip
ITEM_BYTES, ROW_BYTES = 50, 400
"""What a value in a record, and a row of the long form, count as at least: their memory."""
RECORD = Limit(
    "records", 1 << 28, "bytes",
    "a line, a row, a cell, a record of JSON, and a JSON document that must be read whole; a value "
    f"in a list counts as {ITEM_BYTES} bytes at least, a row of the long form, where many make a "
    f"record, as {ROW_BYTES}",
    flag="--max-record-bytes", argument="max_record_bytes", variable="GROUPWISE_MAX_RECORD_BYTES",
)  # fmt: skip
CELLS = Limit("cells", 4_000_000, "cells", "a row of CSV or TSV")
LEVELS = Limit("nesting", 64, "levels", "JSON, and JSON within tables", "refused (IO007)")
FINDINGS = Limit(
    "findings", 1_000, "per rule", "`validate`; the text for people shows 20 of each rule",
    "counted, not listed", "--max-findings", "max_findings",
)  # fmt: skip
PROBLEMS = Limit("problems", KEPT_PROBLEMS, "kept", "`InputError.problems`", "counted, not kept")
SHOWN = Limit(
    "problems shown", SHOWN_PROBLEMS, "lines", "the text of an `InputError`", "counted, not shown"
)
GATE = Limit("gates", 1_000, "characters", "a gate such as `recall@5 >= 0.8`", "refused")
HITS = Limit(
    "hits", 100_000, "per query",
    "a result that meets a group is a hit; more than one for each result and each alternative are "
    "found where repeated results meet groups that share their id",
    "refused",
)  # fmt: skip
LIMITS = (
    DECOMPRESSED, SUSPECT, EDITED, RECORD, CELLS, LEVELS, FINDINGS, PROBLEMS, SHOWN, GATE, HITS,
)  # fmt: skip


@contextmanager
def limiting_records(size: int | None) -> Iterator[None]:
    """Let records have so many bytes meanwhile; None: as many as before."""
    token = RECORD_BYTES.set(RECORD_BYTES.get() if size is None else size)
    try:
        yield
    finally:
        RECORD_BYTES.reset(token)


def find_record_limit() -> int:
    """Return how many bytes a record may have: as the call says, or else the environment.

    Raises:
        OptionError: The variable of the environment does not hold a size.
    """
    asked = RECORD_BYTES.get()
    return RECORD.read() if asked is None else asked


def has_many_values(text: str | bytes) -> bool:
    """Whether JSON text may have more values than a record may have."""
    most = find_record_limit() // ITEM_BYTES
    return len(text) > most and text.count("," if isinstance(text, str) else b",") > most  # type: ignore[arg-type]


def describe_large(what: str, beside: str = "") -> str:
    """Return a message for something that is larger than a record may be."""
    limit = find_record_limit()
    how = f"raise the limit with File(…, {RECORD.argument}=…)"
    return f"{what} of more than {show_size(limit)}{beside}; {how}"
