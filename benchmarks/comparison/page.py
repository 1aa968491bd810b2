"""The page about a run, docs/explanation/performance-of-comparisons.md, from the measurements."""

from collections.abc import Iterator, Mapping, Sequence
from statistics import median
from typing import NamedTuple

from benchmarks.clock import Spread, ratio
from benchmarks.comparison.data import NAMES, RESULTS, Size
from benchmarks.machine import versions
from benchmarks.processes import Usage
from benchmarks.tables import format_spread, table

LARGE = Size(20, 10_000, len(NAMES), 10_000)
FEW = Size(3, 10_000, 1, 1_000)
SMALL = Size(4, 1_000, len(NAMES), 10_000)
QUICK = Size(4, 500, 2, 200)
MOST_SECONDS, MOST_MEGABYTES = 60, 1000


class Duel(NamedTuple):
    """The same work done by groupwise and by ranx, or by groupwise alone."""

    what: str
    ours: str
    theirs: str | None
    size: Size
    same: bool = True
    """Whether both compute the same test."""
    least: float = 5
    """How many times as long ranx should take."""


DUELS = (
    Duel("compare, paired t", "compare-t", "compare-ranx-student", LARGE, least=2),
    Duel("compare, randomisation", "compare", "compare-ranx-fisher", FEW),
    Duel("compare, Tukey", "compare-tukey", "compare-ranx-tukey", FEW, same=False),
    Duel("paired t alone", "test-t", "test-ranx-student", LARGE),
    Duel("randomisation alone", "test-randomisation", "test-ranx-fisher", FEW),
    Duel("Tukey alone", "test-tukey", "test-ranx-tukey", FEW, same=False),
    Duel("compare, randomisation", "compare", None, LARGE),
    Duel("randomisation alone", "test-randomisation", None, LARGE),
    Duel("intervals of all runs and pairs alone", "intervals", None, LARGE),
    Duel("randomised Tukey alone", "test-tukey", None, SMALL),
)

Measured = Mapping[tuple[str, Size], Sequence[Usage]]

_PAGE = """\
# Performance of comparisons

<!-- Written by `make bench-compare`; edit benchmarks/comparison/page.py, not this file. -->

How fast groupwise compares runs, beside ranx's `compare` on the same runs, in one run, on one
machine. Compare the ratios rather than the seconds: they depend on the machine less.

{versions}

Each measurement is a process of its own. Number of rounds, in each of which all of them run in
sequence: {rounds}. Seconds are processor time, summed over all threads, the median; ratios have the
lowest and highest round in brackets. Imports and a first small comparison, in which ranx compiles
its code, come before the clock starts.

- *compare* is all of it, from Python objects: evaluation of {results} results per query by
  {metrics} metrics (or by the first of them), means, p-values, wins and losses. groupwise reads
  plain dicts, and also computes the BCa intervals of all runs and pairs, effect sizes and
  detectable differences. ranx gets its own objects, built before the clock starts.
- *alone* is the test by itself, of given values.
- ranx tests each pair twice, (a, b) and (b, a). Its randomisation test of the large size would take
  hours; so the two are compared with 3 runs, one metric and 1,000 permutations.
- Tukey is another test in ranx: that of independent groups, by formula, which ignores that the
  queries are the same ([statistics](statistics.md#corrections)). groupwise draws permutations. The
  times are shown, but they are not for the same thing.

{table}

Without ranx, with {permutations:,} permutations; the work of randomised Tukey grows with the square
of the number of runs:

{alone}
"""


def page(measured: Measured, rounds: int) -> str:
    """Return the page."""
    duels = [duel for duel in DUELS if duel.theirs and _is_measured(duel, measured)]
    alone = [duel for duel in DUELS if not duel.theirs and _is_measured(duel, measured)]
    return _PAGE.format(
        versions=versions(),
        rounds=rounds,
        results=RESULTS,
        metrics=len(NAMES),
        permutations=LARGE.permutations,
        table=table(
            ["", "size", "groupwise, s", "ranx, s", "times slower", "groupwise, MB", "ranx, MB"],
            [_list_cells(duel, measured) for duel in duels],
        ),
        alone=table(
            ["", "size", "processor time, s", "wall time, s", "MB"],
            [_list_own_cells(duel, measured[duel.ours, duel.size]) for duel in alone],
        ),
    )


def _is_measured(duel: Duel, measured: Measured) -> bool:
    return all((way, duel.size) in measured for way in (duel.ours, duel.theirs) if way)


def _list_cells(duel: Duel, measured: Measured) -> list[str]:
    ours, theirs = measured[duel.ours, duel.size], measured[duel.theirs or "", duel.size]
    (our_seconds, our_memory), (their_seconds, their_memory) = _show(ours), _show(theirs)
    times = _divide(theirs, ours)
    shown = format_spread(times) if duel.same else "another test"
    return [
        duel.what, str(duel.size), our_seconds, their_seconds, shown, our_memory, their_memory,
    ]  # fmt: skip


def _list_own_cells(duel: Duel, usages: Sequence[Usage]) -> list[str]:
    seconds, memory = _show(usages)
    wall = median(use.span.wall for use in usages)
    return [duel.what, str(duel.size), seconds, f"{wall:.3g}", memory]


def _divide(theirs: Sequence[Usage], ours: Sequence[Usage]) -> Spread:
    return ratio([use.span.cpu for use in theirs], [use.span.cpu for use in ours])


def _show(usages: Sequence[Usage]) -> tuple[str, str]:
    seconds = median(use.span.cpu for use in usages)
    return f"{seconds:.3g}", f"{max(use.megabytes for use in usages):,.0f}"


def judge(measured: Measured) -> Iterator[str]:
    """Yield what falls short: the ratio to ranx, and time and memory of the large size."""
    for duel in DUELS:
        if not _is_measured(duel, measured):
            continue
        ours = measured[duel.ours, duel.size]
        if duel.theirs and duel.same:
            theirs = measured[duel.theirs, duel.size]
            times = _divide(theirs, ours)
            if times.median < duel.least:
                yield f"{duel.what}: ranx takes {times.median:.1f} times as long, not {duel.least}"
        if duel.ours == "compare" and duel.size == LARGE:
            yield from _judge_large(ours)


def _judge_large(usages: Sequence[Usage]) -> Iterator[str]:
    seconds = min(use.span.wall for use in usages)
    memory = max(use.megabytes for use in usages)
    if seconds > MOST_SECONDS:
        yield f"compare, {LARGE}: {seconds:.0f} s, more than {MOST_SECONDS}"
    if memory > MOST_MEGABYTES:
        yield f"compare, {LARGE}: {memory:.0f} MB, more than {MOST_MEGABYTES}"
