"""Groupwise through its public function, from plain dicts."""

import importlib

from benchmarks.engines.registry import Engine, Scores
from benchmarks.workloads import NAMES, Results, Truths

Objects = tuple[Truths, Results]


def engine() -> Engine:
    """There is nothing to build: the objects are passed as they are."""
    evaluate = importlib.import_module("groupwise").evaluate

    def scores(objects: Objects) -> Scores:
        report = evaluate(*objects, metrics=NAMES)
        return {name: report.scores[name] for name in NAMES}

    return Engine(lambda truths, results: (truths, results), scores)
