"""The section "Fixed costs" of the page."""

from collections.abc import Iterator

from benchmarks import starts
from benchmarks.files import read_usage
from benchmarks.processes import Usage
from benchmarks.store import Store
from benchmarks.tables import format_spread, table

_FIXED = """\
## Fixed costs

Imports and commands, each a new process, beside a bare start of Python and beside a process that
imports the three libraries that groupwise needs:

{starts}

A loop over `evaluate` for one query with the six metrics, including checks:

{calls}
"""
_CLOCKS = ("cpu", "wall")


def show_fixed_costs(store: Store) -> str:
    """Return the section."""
    points = dict(store.points)
    measured = read_usage(points.pop("starts"))
    head = [
        "",
        "ms over bare Python",
        "the same, wall clock",
        "times importing the libraries",
        "peak MB",
    ]
    calls = table(["", "µs a call", "the same, wall clock"], _list_calls(points))
    return _FIXED.format(starts=table(head, _list_starts(measured)), calls=calls)


def _list_starts(measured: starts.Starts) -> Iterator[list[str]]:
    for name, usages in measured.items():
        if name != starts.BARE:
            clocks = (format_spread(starts.over_bare(measured, name, clock)) for clock in _CLOCKS)
            beside = format_spread(starts.over_libraries(measured, name))
            yield [name, *clocks, beside, f"{max(used.megabytes for used in usages):,.0f}"]


def _list_calls(points: dict[str, list[list[float]]]) -> Iterator[list[str]]:
    for name, rows in points.items():
        spans = [Usage.read(numbers).span for numbers in rows]
        yield [name, *(format_spread(starts.microseconds(spans, clock)) for clock in _CLOCKS)]
