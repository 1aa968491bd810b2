"""`python -m benchmarks.guard [--update] [--slow WAY]`: fails if the hot path costs much more.

It counts instructions under valgrind: of `evaluate` on 1,000 queries of 100 results from Python
objects and from JSONL, each over those of `orjson.loads` of the same lines in the
same run. Counts hardly depend on the machine, nor on what else it does.
"""

import argparse
import sys
import tempfile
from pathlib import Path

from benchmarks.guard.counting import CountingError, count_work, find_valgrind
from benchmarks.guard.verdict import Verdict, judge, record
from benchmarks.workloads import Workload, write_jsonl

WORKLOAD = Workload(1_000, 100)
WORK = ("objects", "jsonl", "validate")
TIMES = 2
PURE = {"GROUPWISE_PURE": "1"}


def main() -> int:
    """Count, then judge or record."""
    options = _options()
    try:
        find_valgrind()
        verdicts = _judge(options)
    except CountingError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    print(*verdicts, sep="\n")
    return 0 if all(verdict.is_kept for verdict in verdicts) else 1


def _judge(options: argparse.Namespace) -> list[Verdict]:
    ratios = _count(options.slow)
    if options.update:
        record(ratios)
    return judge(ratios)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.guard", description=__doc__)
    chosen = parser.add_mutually_exclusive_group()
    chosen.add_argument("--update", action="store_true", help="record the ratios of this run")
    chosen.add_argument(
        "--slow",
        choices=("twice", "pure"),
        help="slow it down on purpose, to see it fail: do all work twice, or without compiled code",
    )
    return parser.parse_args()


def _count(slow: str | None) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder:
        path = write_jsonl(WORKLOAD, Path(folder))
        slowness = 2 if slow == "twice" else 1
        environment = PURE if slow == "pure" else {}
        return count_work(path, TIMES, WORK, slowness=slowness, environment=environment)


if __name__ == "__main__":
    sys.exit(main())
