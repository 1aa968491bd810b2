"""`python -m benchmarks.acceptance`: what the project promises, beside what it measures.

Every value is the median of interleaved rounds, in processor time unless it says otherwise. Exits
with 1 if a promise is not kept. `make bench-full` installs what is needed.
"""

import argparse
import sys
from pathlib import Path

from benchmarks.__main__ import DATA
from benchmarks.acceptance.promise import Promise, read_promises
from benchmarks.acceptance.topics import TOPICS, Topic
from benchmarks.context import Context
from benchmarks.machine import describe_setting
from benchmarks.store import RESULTS, Store

LIMIT = 600.0
"""Seconds an engine may take for one answer."""


def main() -> int:
    """Measure the chosen topics, print each promise, and keep them for the page."""
    options = _options()
    context = Context(options.data, options.rounds, LIMIT, full=True, quick=options.quick, say=_say)
    store = _open(options)
    promises: list[Promise] = []
    for name in options.only or TOPICS:
        found = _measure(store, name, TOPICS[name], context)
        print(*found, sep="\n", flush=True)
        promises += found
    return 0 if all(promise.is_kept for promise in promises) else 1


def _measure(store: Store, name: str, topic: Topic, context: Context) -> list[Promise]:
    return read_promises(store.keep(name, lambda: [[*promise] for promise in topic(context)]))


def _open(options: argparse.Namespace) -> Store:
    """Return a store with the topics that are not measured now."""
    path = options.results / "acceptance.json"
    store = Store.open(path, describe_setting(), options.rounds, resume=True)
    if not options.resume:
        for name in options.only or TOPICS:
            store.points.pop(name, None)
    return store


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.acceptance", description=__doc__)
    add = parser.add_argument
    add("--only", nargs="+", choices=TOPICS, metavar="TOPIC", help=f"of {', '.join(TOPICS)}")
    add("--rounds", type=int, default=7, metavar="N", help="default: 7")
    add("--quick", action="store_true", help="small data, to try the run itself")
    add("--resume", action="store_true", help="keep the topics that were already measured")
    add("--data", type=Path, default=DATA, metavar="FOLDER", help="default: build/benchmarks")
    add("--results", type=Path, default=RESULTS, metavar="FOLDER", help="where results are kept")
    return parser.parse_args()


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
