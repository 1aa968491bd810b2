"""The page about a run, docs/explanation/growth.md, written from the measurements alone."""

from collections.abc import Iterable
from math import isinf

from benchmarks.growth.growth import FACTOR, MOST_TIMES, SOON, Growth, Run
from benchmarks.growth.once import MOST_SECONDS
from benchmarks.machine import versions
from benchmarks.tables import table

_PAGE = """\
# Growth

<!-- Written by `make growth`; edit benchmarks/growth/page.py, not this file. -->

How the time of a command grows on bad data, and on small data made to be slow. Each row is run with
n and with {factor}n; the larger one should take at most {most} times as long, or less than {soon}
seconds in all. Time in proportion to n·log n is a little more than {factor} times as long.

{versions}

Each measurement is a process of its own, with a limit of {timeout} seconds and 4 GB of address
space; the best of {rounds} is shown. The time is the processor time of the command, without the
start of Python and imports. Seconds depend on the machine.

The sizes matter too. Once tables of ids no longer fit into the processor's caches, four times as
many take 5 to 6 times as long, though each is still looked up once. So beyond the sizes of the
table: n alternatives and n hits, 5.1 times from 32,000 to 128,000 and 5.3 times from there to
512,000; n groups and n hits, 6.1 and 5.2 times. A single record with n fixes took 4.4 to 6.0 times
as long in different runs.

{table}
"""


def page(found: list[Growth], rounds: int) -> str:
    """Return the page."""
    return _PAGE.format(
        factor=FACTOR,
        most=MOST_TIMES,
        soon=SOON,
        timeout=MOST_SECONDS,
        rounds=rounds,
        versions=versions(),
        table=growth_table(found),
    )


def growth_table(found: Iterable[Growth]) -> str:
    """Return the table: seconds with n and 4n, their quotient, memory."""
    head = ["", "n", "s with n", f"s with {FACTOR}n", "times", "MB with 4n", ""]
    return table(head, map(_cells, found))


def _cells(growth: Growth) -> list[str]:
    return [
        growth.row.what,
        f"{growth.row.n:,}",
        _seconds(growth.small),
        _seconds(growth.large),
        _times(growth),
        "" if growth.large.code is None else f"{growth.large.megabytes:,.0f}",
        verdict(growth),
    ]


def verdict(growth: Growth) -> str:
    """Return what to think of a row: nothing if it is as it should be."""
    if growth.is_bounded:
        return ""
    codes = {growth.small.code, growth.large.code} - {growth.row.code, None}
    return f"exit {codes.pop()}, expected {growth.row.code}" if codes else "**grows too fast**"


def _seconds(run: Run) -> str:
    return f"> {MOST_SECONDS}" if isinf(run.seconds) else f"{run.seconds:.2f}"


def _times(growth: Growth) -> str:
    if growth.large.seconds < SOON:
        return "soon"
    return "" if isinf(growth.large.seconds) else f"{growth.times:.1f}"
