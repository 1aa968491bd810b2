"""Fixed costs: imports, a whole command, bad records."""

import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from benchmarks.acceptance.promise import Promise, at_most, shown
from benchmarks.bad_records import DEPTH, Files, check, measure_further, score
from benchmarks.clock import spread
from benchmarks.context import Context
from benchmarks.growth.growth import FACTOR, run_once
from benchmarks.growth.rows import ROWS
from benchmarks.guard.counting import CountingError, count_instructions, find_valgrind
from benchmarks.installed import install
from benchmarks.processes import command
from benchmarks.starts import (
    FIRST_NAME,
    LIBRARIES,
    SMALL_JSONL,
    Starts,
    Words,
    list_commands,
    over_libraries,
)

START_BOUND = 1.5
BAD_BOUND = 20.0
BAD_KINDS = ("empty group", "null result", "malformed", "repeated key", "repeated key, id")
BAD_ROWS = ("bad-lines", "bad-evaluate", "bad-validate")


def promise_starts(context: Context) -> Iterator[Promise]:
    """Yield whole processes of an installed copy over one that imports the libraries."""
    context.say("installing a copy")
    python = install(context.data / "installed")
    commands = list_commands(context.data)
    chosen = {name: commands[name] for name in (LIBRARIES, FIRST_NAME, SMALL_JSONL)}
    starts = _measure_starts(chosen, python, context)
    counts = _count_starts(chosen, python, context)
    for name in (FIRST_NAME, SMALL_JSONL):
        what = f"process of {name} over that of {LIBRARIES}"
        yield at_most(what, over_libraries(starts, name), START_BOUND)
        if counts:
            yield shown(f"{what}, instructions", spread([counts[name] / counts[LIBRARIES]]))


def _measure_starts(chosen: Mapping[str, Words], python: str, context: Context) -> Starts:
    """Start each command in turn, after one start that compiles modules and warms the disk."""
    rounds = max(3, 3 * context.rounds)
    context.say(f"starts, {rounds} rounds")
    for words in chosen.values():
        command(*words, python=python)
    runs = [
        {name: command(*words, python=python) for name, words in chosen.items()}
        for _ in range(rounds)
    ]
    return {name: [run[name] for run in runs] for name in chosen}


def _count_starts(chosen: Mapping[str, Words], python: str, context: Context) -> dict[str, int]:
    """Return the instructions of each command; of none if valgrind is not installed."""
    try:
        find_valgrind()
    except CountingError:
        return {}
    context.say("starts under valgrind")
    return {name: count_instructions([python, *words], name) for name, words in chosen.items()}


def promise_bad_records(context: Context) -> Iterator[Promise]:
    """Yield what each further bad record costs."""
    for name in BAD_ROWS:
        row = ROWS[name]
        n = row.n // 20 if context.quick else row.n
        context.say(f"{row.what}, {context.rounds} rounds")
        costs = [
            (run_once(row, FACTOR * n).seconds - run_once(row, n).seconds) / ((FACTOR - 1) * n)
            for _ in range(context.rounds)
        ]
        what = f"{row.what}: µs for each further one"
        yield at_most(what, spread([cost * 1e6 for cost in costs]), BAD_BOUND)
    context.data.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=context.data) as folder:
        for depth in (DEPTH, 100):
            yield from _show_one_in_ten(context, Path(folder), depth)


def _show_one_in_ten(context: Context, folder: Path, depth: int) -> Iterator[Promise]:
    """Yield what each further bad record costs where the others are good, which are deducted."""
    number = 200 if context.quick else 2_000
    for kind in BAD_KINDS:
        files = Files(folder, kind, number, depth)
        for name, way in (("evaluate", score), ("validate", check)):
            what = f"`{name}` lines of {depth} results, one in ten bad ({kind})"
            context.say(f"{what}, {context.rounds} rounds")
            costs = measure_further(way, files, 10, context.rounds)
            yield shown(f"{what}: µs for each further one", spread(costs))
