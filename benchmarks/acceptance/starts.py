"""Fixed costs: imports, a whole command, bad records."""

from collections.abc import Iterator

from benchmarks.acceptance.promise import Promise, at_most
from benchmarks.clock import spread
from benchmarks.context import Context
from benchmarks.growth.growth import FACTOR, run_once
from benchmarks.growth.rows import ROWS
from benchmarks.processes import Usage, command
from benchmarks.starts import FIRST_NAME, LIBRARIES, SMALL_JSONL, list_commands, over_libraries

START_BOUND = 1.5
BAD_BOUND = 20.0
BAD_ROWS = ("bad-lines", "bad-evaluate", "bad-validate")


def promise_starts(context: Context) -> Iterator[Promise]:
    """Yield whole processes over one that imports the libraries."""
    commands = list_commands(context.data)
    chosen = {name: commands[name] for name in (LIBRARIES, FIRST_NAME, SMALL_JSONL)}
    rounds = max(3, 3 * context.rounds)
    context.say(f"starts, {rounds} rounds")
    starts: dict[str, list[Usage]] = {name: [command(*chosen[name])][:0] for name in chosen}
    for _ in range(rounds):
        for name, words in chosen.items():
            starts[name].append(command(*words))
    for name in (FIRST_NAME, SMALL_JSONL):
        found = over_libraries(starts, name)
        yield at_most(f"process of {name} over that of {LIBRARIES}", found, START_BOUND)


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
