"""Fixed costs: a start of the interpreter, an import, a help page, one query."""

from pathlib import Path

from benchmarks.clock import Span, Spread, spread
from benchmarks.processes import command, measure_process
from benchmarks.rounds import Say

BARE = "bare Python"
IMPORT, HELP = "`import groupwise`", "`groupwise --help`"
FIRST_NAME = "`from groupwise import evaluate`"
NUMPY, PYDANTIC = "`import numpy`", "`import pydantic`"

COMMANDS = {
    BARE: ("-c", "pass"),
    IMPORT: ("-c", "import groupwise"),
    FIRST_NAME: ("-c", "from groupwise import evaluate"),
    HELP: ("-m", "groupwise", "--help"),
    NUMPY: ("-c", "import numpy"),
    PYDANTIC: ("-c", "from pydantic import BaseModel"),
}

Starts = dict[str, list[Span]]


def measure(rounds: int, say: Say) -> Starts:
    """Start each command in turn, `rounds` times, after one start that warms the disk cache."""
    say(f"starts, {rounds} rounds")
    for words in COMMANDS.values():
        command(*words)
    runs = [{name: command(*words).span for name, words in COMMANDS.items()} for _ in range(rounds)]
    return {name: [run[name] for run in runs] for name in COMMANDS}


def over_bare(starts: Starts, name: str, clock: str = "cpu") -> Spread:
    """Return the milliseconds that a command adds to bare Python, per round."""
    pairs = zip(starts[name], starts[BARE], strict=True)
    return spread([(getattr(span, clock) - getattr(bare, clock)) * 1e3 for span, bare in pairs])


def one_query(path: Path, rounds: int, say: Say) -> list[Span]:
    """Time a call for the first query of a file and the six metrics, in a loop."""
    say(f"one query in a loop, {rounds} rounds")
    return [measure_process("one-query", path).span for _ in range(rounds)]


def microseconds(calls: list[Span], clock: str = "cpu") -> Spread:
    """Sum up the calls."""
    return spread([getattr(span, clock) * 1e6 for span in calls])
