"""The section "Memory": peak memory of the command line while ever more queries stream."""

from benchmarks.context import Context
from benchmarks.processes import command
from benchmarks.store import Store
from benchmarks.worker import Numbers
from benchmarks.workloads import Workload

RESULTS = 5
STREAMS = (100_000, 300_000, 1_000_000)
QUICK_STREAMS = (10_000, 30_000)
MEANS_ONLY = ("--no-per-query", "--format", "json")
"""Options with which memory does not grow with the queries."""


def measure_memory(store: Store, context: Context) -> None:
    """Evaluate a file of each size through the command line."""
    for count in QUICK_STREAMS if context.quick else STREAMS:
        store.keep(str(count), _measure_stream, count, context)


def _measure_stream(count: int, context: Context) -> Numbers:
    context.say(f"{count:,} queries through the command line")
    path = context.lines(Workload(count, RESULTS))
    try:
        return command("-m", "groupwise", "evaluate", str(path), *MEANS_ONLY).numbers
    finally:
        path.unlink()
