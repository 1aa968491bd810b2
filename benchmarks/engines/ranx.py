"""The package ranx: numba over typed lists, in several threads.

`evaluate` takes plain dicts, Qrels and Run objects, or the typed lists it makes of either.
"""

import importlib
from typing import Any

from benchmarks.engines.flat import cut_flattener, flatten
from benchmarks.engines.registry import Engine, Scores
from benchmarks.measures import Measures
from benchmarks.workloads import Results, Truths

Pair = tuple[Any, Any]


def from_dicts(measures: Measures) -> Engine:
    """Plain dicts."""
    return Engine(flatten, _scorer(measures))


def from_cut_dicts(measures: Measures) -> Engine:
    """Plain dicts with only as many results as the deepest cutoff needs."""
    return Engine(cut_flattener(measures), _scorer(measures))


def from_lists(measures: Measures) -> Engine:
    """The lists that `evaluate` itself makes of dicts, and accepts."""
    convert = importlib.import_module("ranx.meta.evaluate")

    def build(truths: Truths, results: Results) -> Pair:
        flat = flatten(truths, results)
        return convert.convert_qrels(flat.qrels), convert.convert_run(flat.run)

    return Engine(build, _scorer(measures))


def from_objects(measures: Measures) -> Engine:
    """Qrels and Run, as in its tutorial."""
    ranx = importlib.import_module("ranx")

    def build(truths: Truths, results: Results) -> Pair:
        flat = flatten(truths, results)
        return ranx.Qrels(flat.qrels), ranx.Run(flat.run)

    return Engine(build, _scorer(measures))


def _scorer(measures: Measures) -> Any:
    evaluate = importlib.import_module("ranx").evaluate
    names = measures.names

    def scores(pair: Pair) -> Scores:
        found = evaluate(*pair, names)
        means = found if isinstance(found, dict) else {names[0]: found}
        return {name: float(mean) for name, mean in means.items()}

    return scores
