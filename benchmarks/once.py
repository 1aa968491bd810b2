"""One measurement in a process that does nothing else: `python -m benchmarks.once WAY FILE`.

It prints the time of the work and the peak of the process's memory. Imports, and a first call on
a file of one query, come before the clock starts.
"""

import importlib
import json
import resource
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from benchmarks.clock import megabytes, timed
from benchmarks.workloads import METRICS, NAMES, Workload, write_array, write_jsonl

Work = Callable[[], object]
_CALLS = 500


def report(path: Path) -> Work:
    """The whole of groupwise: read, check, match, score, with scores per query."""
    evaluate = importlib.import_module("groupwise").evaluate
    _first_calls(evaluate)
    return lambda: evaluate(path, metrics=NAMES)


def whole(path: Path) -> Work:
    """`orjson.loads` of all bytes, which are already read: the loading and nothing else."""
    loads = importlib.import_module("orjson").loads
    content = path.read_bytes()
    return lambda: loads(content)


def lines(path: Path) -> Work:
    """`orjson.loads` of line after line, each record thrown away."""
    loads = importlib.import_module("orjson").loads

    def work() -> None:
        with path.open("rb") as file:
            for line in file:
                loads(line)

    return work


def checked_lines(path: Path) -> Work:
    """The same as `lines`, each record checked for repeated keys before it is thrown away."""
    loads = importlib.import_module("orjson").loads
    module = importlib.import_module("groupwise.evaluator.formats.duplicate_keys")
    may_repeat_keys = module.may_repeat_keys

    def work() -> None:
        with path.open("rb") as file:
            for line in file:
                may_repeat_keys(line, loads(line))

    return work


def one_query(path: Path) -> Work:
    """Many calls for a single query, with the six metrics and no cutoff."""
    evaluate = importlib.import_module("groupwise").evaluate
    record = json.loads(path.open().readline())
    truths, results = {"q": record["ground_truth"]}, {"q": record["results"]}

    def work() -> None:
        for _ in range(_CALLS):
            evaluate(truths, results, metrics=METRICS)

    evaluate(truths, results, metrics=METRICS)
    return work


WAYS = {
    "report": report,
    "whole": whole,
    "lines": lines,
    "checked-lines": checked_lines,
    "one-query": one_query,
}
REPEATS = {"one-query": _CALLS}


def main() -> None:
    """Measure and print."""
    way, path = sys.argv[1], Path(sys.argv[2])
    span, kept = timed(WAYS[way](path))
    peak = megabytes(resource.getrusage(resource.RUSAGE_SELF))
    del kept
    repeats = REPEATS.get(way, 1)
    print(json.dumps([span.cpu / repeats, span.wall / repeats, peak]))


def _first_calls(evaluate: Callable[..., object]) -> None:
    """Have everything imported that is imported late."""
    with tempfile.TemporaryDirectory() as folder:
        jsonl = write_jsonl(Workload(1, 1), Path(folder))
        evaluate(jsonl, metrics=NAMES)
        evaluate(write_array(jsonl), metrics=NAMES)


if __name__ == "__main__":
    main()
