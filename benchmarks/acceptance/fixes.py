"""Fixes in a stream: memory that does not grow with the file."""

import json
from collections.abc import Iterator
from pathlib import Path

from benchmarks.acceptance.promise import Promise, at_most
from benchmarks.clock import Spread, spread
from benchmarks.context import Context
from benchmarks.processes import command
from benchmarks.workloads import complete

FACTOR = 4
FLAT = 1.25
MEGABYTES_BOUND = 100.0


def promise_fixes(context: Context) -> Iterator[Promise]:
    """Yield the peak memory of `validate --fix`, and how it grows; every record needs a fix."""
    count = 500 if context.quick else 50_000
    small, large = (_measure(context, count * factor) for factor in (1, FACTOR))
    name = f"validate --fix, {FACTOR * count:,} lines with a fix each"
    yield at_most(f"{name}, peak MB", large, MEGABYTES_BOUND)
    growth = spread([large.median / small.median])
    yield at_most(f"{name}, peak memory over that of {count:,}", growth, FLAT)


def _measure(context: Context, count: int) -> Spread:
    context.say(f"validate --fix, {count:,} lines")
    path = context.data / "fixes.jsonl"
    peaks = []
    for _ in range(min(context.rounds, 3)):
        write_fixable(path, count)
        peaks.append(command("-m", "groupwise", "validate", "--fix", str(path)).megabytes)
    path.unlink()
    return spread(peaks)


def write_fixable(path: Path, count: int) -> None:
    """Write records whose group lists an id twice."""
    with complete(path) as file:
        for number in range(count):
            listed = [f"document-{number}-{place}" for place in range(20)]
            groups = [[*listed, listed[0]]]
            file.write(json.dumps({"id": f"query-{number}", "ground_truth": groups}) + "\n")
