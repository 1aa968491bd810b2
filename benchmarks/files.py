"""The section "From a file": to the report, compared with a parser that only parses."""

from benchmarks.context import Context
from benchmarks.processes import Usage, measure_process
from benchmarks.store import Store
from benchmarks.worker import Numbers
from benchmarks.workloads import Workload

FileUsage = dict[str, list[Usage]]

JSONL, ARRAY, WHOLE, LINES = "JSONL", "JSON array", "whole", "lines"


def measure_files(store: Store, context: Context) -> None:
    """Measure both ways in and both baselines on each workload."""
    for workload in context.workloads:
        store.keep(workload.name, _measure, workload, context)


def _measure(workload: Workload, context: Context) -> dict[str, list[Numbers]]:
    jsonl, array = context.lines(workload), context.array(workload)
    ways = {
        JSONL: ("report", jsonl),
        ARRAY: ("report", array),
        WHOLE: ("whole", array),
        LINES: ("lines", jsonl),
    }
    usage: FileUsage = {name: [] for name in ways}
    for number in range(1, context.rounds + 1):
        context.say(f"{workload.name} from a file, round {number} of {context.rounds}")
        for name, way in ways.items():
            usage[name].append(measure_process(*way))
    return write_usage(usage)


def write_usage(usage: FileUsage) -> dict[str, list[Numbers]]:
    """Return usage as it is stored."""
    return {name: [used.numbers for used in found] for name, found in usage.items()}


def read_usage(stored: dict[str, list[Numbers]]) -> FileUsage:
    """Return stored usage."""
    return {name: [Usage.read(numbers) for numbers in rows] for name, rows in stored.items()}
