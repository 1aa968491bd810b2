"""From a file to the report, compared with a parser that only parses."""

from pathlib import Path

from benchmarks.processes import Usage, measure_process
from benchmarks.rounds import Say
from benchmarks.workloads import Workload

FileUsage = dict[str, list[Usage]]

JSONL, ARRAY, WHOLE, LINES, KEYS = "JSONL", "JSON array", "whole", "lines", "duplicate keys"


def measure(workload: Workload, jsonl: Path, array: Path, rounds: int, say: Say) -> FileUsage:
    """Measure our two paths, the two baselines and the key check in turn, `rounds` times."""
    ways = {
        JSONL: ("report", jsonl),
        ARRAY: ("report", array),
        WHOLE: ("whole", array),
        LINES: ("lines", jsonl),
        KEYS: ("duplicate-keys", jsonl),
    }
    usage: FileUsage = {name: [] for name in ways}
    for number in range(1, rounds + 1):
        say(f"{workload.name} from a file, round {number} of {rounds}")
        for name, way in ways.items():
            usage[name].append(measure_process(*way))
    return usage
