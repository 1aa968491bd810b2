"""ir_measures with its default providers; it has no F1 at a cutoff."""

import importlib

from benchmarks.engines.flat import Flat, flatten
from benchmarks.engines.registry import Engine, Scores
from benchmarks.measures import Measures

_MEASURES = {"precision": "P", "recall": "R", "mrr": "RR", "map": "AP", "ndcg": "nDCG"}


def engine(measures: Measures) -> Engine:
    """Compute the measures it has, at every cutoff."""
    package = importlib.import_module("ir_measures")
    ours = {
        getattr(package, _MEASURES[name]) @ k: f"{name}@{k}"
        for name in measures.metrics
        if name in _MEASURES
        for k in measures.cutoffs
    }

    def scores(flat: Flat) -> Scores:
        means = package.calc_aggregate(list(ours), flat.qrels, flat.run)
        return {ours[measure]: float(mean) for measure, mean in means.items()}

    return Engine(flatten, scores)
