"""Groupwise through its public function, from plain dicts."""

import importlib

from benchmarks.engines.registry import Engine, Scores
from benchmarks.measures import Measures
from benchmarks.workloads import Results, Truths

Objects = tuple[Truths, Results]


def engine(measures: Measures) -> Engine:
    """There is nothing to build: the objects are passed as they are."""
    evaluate = importlib.import_module("groupwise").evaluate
    names = measures.names

    def scores(objects: Objects) -> Scores:
        report = evaluate(*objects, metrics=names)
        return {name: report.scores[name] for name in names}

    return Engine(lambda truths, results: (truths, results), scores)
