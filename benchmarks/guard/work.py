"""One piece of work in its own process: `python -m benchmarks.guard.work WORK TIMES FILE`.

Every process imports and warms up all pieces, whichever it then repeats. So the instructions of a
process that repeats nothing, taken from those of another, leave the repeated work alone.
"""

import gc
import sys
from collections.abc import Callable
from pathlib import Path

import orjson

from benchmarks.measures import NAMES
from benchmarks.worker import objects
from groupwise import evaluate, validate

Work = Callable[[], object]

REFERENCE = "parse"
"""The work that others are measured in: it is compiled code that no change of ours touches."""


def list_work(path: Path) -> dict[str, Work]:
    """Return the pieces of work on a file by name."""
    truths, results = objects(path)
    return {
        REFERENCE: lambda: parse_lines(path),
        "objects": lambda: evaluate(truths, results, metrics=NAMES),
        "jsonl": lambda: evaluate(path, metrics=NAMES),
        "validate": lambda: validate(path),
    }


def parse_lines(path: Path) -> None:
    """Parse line by line and drop the records."""
    with path.open("rb") as lines:
        for line in lines:
            orjson.loads(line)


def main() -> None:
    """Warm up, then repeat one piece of work."""
    name, times, path = sys.argv[1], int(sys.argv[2]), Path(sys.argv[3])
    pieces = list_work(path)
    for work in pieces.values():
        work()
    gc.collect()
    for _ in range(times):
        pieces[name]()


if __name__ == "__main__":
    main()
