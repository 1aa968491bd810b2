"""The page of limits, from their declarations."""

from groupwise.evaluator.reading.limits import LIMITS, Limit

HEAD = """\
# Limits

Data sets and runs come from anywhere, so what a file may hold is bounded: in memory, in time, and
in the length of messages. The limits are far beyond what data sets have. Whoever meets one gets a
message that says which, and how it is raised.

Sizes are written as bytes, or with `K`, `M`, `G` or `T`: `--max-bytes 64G`,
`File(path, max_bytes=64 << 30)`.
A variable of the environment holds for the library as well as for commands, and for the processes
that they start; the option of a command and what is said of a file take precedence over it.
One that is no size is a usage error. Files are read in blocks of up to 1 MiB, so a limit for
records that is smaller than this is not exact.
"""
HEADINGS = [
    "| limit | default | of what | beyond it | option | argument | variable |",
    "|---|---|---|---|---|---|---|",
]
TAIL = """
What has no option cannot be raised. Nothing that groupwise reads is nested 64 levels deep, and
the parsers beneath it have limits of their own, not far beyond. Problems after the first thousand
are counted; `groupwise validate` lists as many as `--max-findings` asks for.

A plain file that is read record by record has no limit of its own: memory holds a block of it at
a time. The scores of each query, and what is needed to find repeated ids, grow with the number of
queries; `--no-per-query` leaves out the first, and the second moves to a temporary file. What
these limits protect against is in [SECURITY.md](../../SECURITY.md).
"""


def limits_page() -> str:
    """All limits with their defaults, and how each is raised."""
    return "\n".join([HEAD, *HEADINGS, *map(_row, LIMITS), TAIL])


def _row(limit: Limit) -> str:
    names = (limit.flag, limit.argument, limit.variable)
    ways = " | ".join(f"`{name}`" if name else "" for name in names)
    return f"| {limit.name} | {limit.shown} | {limit.applies} | {limit.exceeded} | {ways} |"
