"""The package ranx: numba over typed lists, in several threads.

`evaluate` takes plain dicts, Qrels and Run objects, or the typed lists it makes of either.
"""

import importlib
from typing import Any

from benchmarks.engines.flat import flatten, flatten_cut
from benchmarks.engines.registry import Engine, Scores
from benchmarks.workloads import NAMES, Results, Truths

Pair = tuple[Any, Any]


def from_dicts() -> Engine:
    """Plain dicts."""
    return Engine(flatten, _scorer())


def from_cut_dicts() -> Engine:
    """Plain dicts with only as many results as the deepest cutoff needs."""
    return Engine(flatten_cut, _scorer())


def from_lists() -> Engine:
    """The lists that `evaluate` itself makes of dicts, and accepts."""
    convert = importlib.import_module("ranx.meta.evaluate")

    def build(truths: Truths, results: Results) -> Pair:
        flat = flatten(truths, results)
        return convert.convert_qrels(flat.qrels), convert.convert_run(flat.run)

    return Engine(build, _scorer())


def from_objects() -> Engine:
    """Qrels and Run, as in its tutorial."""
    ranx = importlib.import_module("ranx")

    def build(truths: Truths, results: Results) -> Pair:
        flat = flatten(truths, results)
        return ranx.Qrels(flat.qrels), ranx.Run(flat.run)

    return Engine(build, _scorer())


def _scorer() -> Any:
    evaluate = importlib.import_module("ranx").evaluate

    def scores(pair: Pair) -> Scores:
        return {name: float(mean) for name, mean in evaluate(*pair, NAMES).items()}

    return scores
