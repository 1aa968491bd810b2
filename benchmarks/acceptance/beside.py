"""Several ways with a file in turn, in one process: `python -m benchmarks.acceptance.beside`.

Its arguments are the number of rounds and pairs of a way of `benchmarks.once` and a file. It prints
the processor time and the wall time of each way in each round, after a round that is not timed. In
one process, both sides have the same allocator and the same caches.
"""

import json
import sys
from pathlib import Path

from benchmarks.clock import time_work
from benchmarks.once import WAYS


def main() -> None:
    """Measure and print."""
    rounds, *words = sys.argv[1:]
    works = [WAYS[way](Path(path)) for way, path in zip(words[::2], words[1::2], strict=True)]
    for work in works:
        work()
    times = [[time_work(work)[0] for work in works] for _ in range(int(rounds))]
    print(json.dumps(times))


if __name__ == "__main__":
    main()
