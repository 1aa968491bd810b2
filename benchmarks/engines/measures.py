"""ir_measures with its default providers; it has no F1 at a cutoff."""

import importlib

from benchmarks.engines.flat import Flat, flatten
from benchmarks.engines.registry import Engine, Scores
from benchmarks.workloads import CUTOFFS

_MEASURES = {"P": "precision", "R": "recall", "RR": "mrr", "AP": "map", "nDCG": "ndcg"}


def engine() -> Engine:
    """Compute the measures it has, at every cutoff."""
    package = importlib.import_module("ir_measures")
    measures = {
        getattr(package, theirs) @ k: f"{ours}@{k}"
        for theirs, ours in _MEASURES.items()
        for k in CUTOFFS
    }

    def scores(flat: Flat) -> Scores:
        means = package.calc_aggregate(list(measures), flat.qrels, flat.run)
        return {measures[measure]: float(mean) for measure, mean in means.items()}

    return Engine(flatten, scores)
