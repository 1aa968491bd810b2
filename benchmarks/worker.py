"""One engine in its own process: `python -m benchmarks.worker ENGINE MEASURES FILE`.

It warms up with the first queries of the file. Each line of its input is a limit, which it answers
with the times of the two steps on the whole file. Every time is taken on objects read afresh from
the file, so that nothing (a string's hash, a built index) is left over from the round before.
Reading is not part of the time.
"""

import json
import os
import resource
import signal
import sys
from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TextIO

from benchmarks.clock import Span, megabytes, time_work
from benchmarks.engines import Engine, MissingPeerError, load
from benchmarks.measures import Measures
from benchmarks.workloads import Record, Results, Truths

Numbers = list[float]
_WARMING = 20
"""Queries of the untimed first call; ranx drops to one thread for good below 10."""


_QUICK = 1.0
"""Seconds: what takes less is timed again, without a limit."""


@dataclass(frozen=True)
class Answer:
    """The times of an engine for one workload, and the peak memory of its process."""

    build: Span
    evaluate: Span
    megabytes: float

    @property
    def total(self) -> Span:
        """Both steps."""
        return self.build.plus(self.evaluate)

    @property
    def numbers(self) -> Numbers:
        """As it is written and stored."""
        return [*self.build, *self.evaluate, self.megabytes]

    @classmethod
    def read(cls, numbers: Numbers) -> "Answer":
        """Read what was written."""
        build_cpu, build_wall, cpu, wall, peak = numbers
        return cls(Span(build_cpu, build_wall), Span(cpu, wall), peak)


def answer(engine: Engine, path: Path, limit: float) -> Answer:
    """Run the engine once on a file's records, and again if that was quick.

    The process ends by a signal once it has worked for longer than the limit, in seconds of
    processor time: on a busy machine, the clock would leave out engines that are fast enough. While
    this timer runs, the processor time of a process advances in steps of some milliseconds.
    """
    signal.setitimer(signal.ITIMER_PROF, limit)
    spans = _time_steps(engine, path)
    signal.setitimer(signal.ITIMER_PROF, 0)
    if sum(span.wall for span in spans) < _QUICK:
        spans = _time_steps(engine, path)
    peak = megabytes(resource.getrusage(resource.RUSAGE_SELF))
    return Answer(*spans, peak)


def _time_steps(engine: Engine, path: Path) -> tuple[Span, Span]:
    """Return the times of both steps, on objects that are read afresh."""
    truths, results = objects(path)
    build, inputs = time_work(lambda: engine.build(truths, results))
    evaluate, _ = time_work(lambda: engine.evaluate(inputs))
    return build, evaluate


def objects(path: Path, limit: int | None = None) -> tuple[Truths, Results]:
    """Read a file's records into two dicts of new strings."""
    loads: Callable[[bytes], Record] = __import__("orjson").loads
    with path.open("rb") as lines:
        records = [loads(line) for line in islice(lines, limit)]
    truths = {record["id"]: record["ground_truth"] for record in records}
    return truths, {record["id"]: record["results"] for record in records}


def main() -> None:
    """Report whether the engine is available; then answer line by line until the input ends."""
    replies = _own_stdout()
    path = Path(sys.argv[3])
    try:
        metrics, cutoffs = json.loads(sys.argv[2])
        engine = load(sys.argv[1], Measures(tuple(metrics), tuple(cutoffs)))
    except MissingPeerError as missing:
        print(json.dumps({"missing": str(missing)}), file=replies, flush=True)
        return
    engine.evaluate(engine.build(*objects(path, _WARMING)))
    print(json.dumps({}), file=replies, flush=True)
    for limit in sys.stdin:
        print(json.dumps(answer(engine, path, float(limit)).numbers), file=replies, flush=True)


def _own_stdout() -> TextIO:
    """Reserve stdout for the answers; what a peer prints goes elsewhere."""
    replies = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    return replies


if __name__ == "__main__":
    main()
