"""From Python objects, beside each peer."""

from collections.abc import Iterator

from benchmarks.acceptance.promise import Promise, at_least, skipped
from benchmarks.context import Context
from benchmarks.engines import ENGINES
from benchmarks.measurements import beside, total
from benchmarks.rounds import Answers, measure
from benchmarks.workloads import LARGE, QUICK, STANDARD, Workload

SMALL, MIDDLE = STANDARD[:2]
PEERS: dict[str, tuple[str, ...]] = {
    "pytrec_eval": ("pytrec",),
    "ranx at its best": ("ranx-dicts", "ranx-lists"),
    "ir_measures": ("ir-measures",),
    "AutoRAG": ("autorag",),
}
BOUNDS = {"pytrec_eval": 8.0, "ranx at its best": 12.0, "ir_measures": 40.0, "AutoRAG": 70.0}
SLOW = 20.0
"""Seconds: only answers that take longer are asked for in 3 rounds."""
SMALL_BOUNDS = {"pytrec_eval": 4.0}


def promise_objects(context: Context) -> Iterator[Promise]:
    """Yield how many times slower the peers are, their input built from the same objects."""
    sizes = QUICK[:2] if context.quick else (SMALL, MIDDLE, LARGE)
    for number, workload in enumerate(sizes):
        bounds = BOUNDS if number else SMALL_BOUNDS
        engines = [engine for peer in bounds for engine in PEERS[peer]]
        path = context.lines(workload)
        patient = context.plan._replace(slow=SLOW)
        found = measure(workload, path, patient, context.say, ["groupwise", *engines])
        yield from judge_objects(workload, found, bounds)


def judge_objects(
    workload: Workload, answers: Answers, bounds: dict[str, float]
) -> Iterator[Promise]:
    """Yield the promise for each peer; of several inputs, its fastest counts."""
    for peer, bound in bounds.items():
        what = f"objects {workload.name}: times slower, {peer}"
        inputs = [engine for engine in PEERS[peer] if engine in answers]
        if inputs:
            spreads = [beside(answers, engine, total) for engine in inputs]
            yield at_least(what, min(spreads), bound)
        else:
            labels = ", ".join(ENGINES[engine].label for engine in PEERS[peer])
            yield skipped(what, bound, f"not measured: {labels} not installed or too slow")
