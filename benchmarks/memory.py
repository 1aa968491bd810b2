"""Peak memory of the command line while ever more queries stream through it."""

from pathlib import Path

from benchmarks.processes import Usage, command
from benchmarks.rounds import Say
from benchmarks.workloads import Workload, write_jsonl

RESULTS = 5
_OPTIONS = ("--no-per-query", "--format", "json")


def flatness(counts: tuple[int, ...], folder: Path, say: Say) -> dict[int, Usage]:
    """Evaluate a file of each size through the command line."""
    return {count: _measure_stream(count, folder, say) for count in counts}


def _measure_stream(count: int, folder: Path, say: Say) -> Usage:
    say(f"{count:,} queries through the command line")
    path = write_jsonl(Workload(count, RESULTS), folder)
    try:
        return command("-m", "groupwise", "evaluate", str(path), *_OPTIONS)
    finally:
        path.unlink()
