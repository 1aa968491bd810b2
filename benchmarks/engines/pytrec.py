"""pytrec_eval-terrier: trec_eval's C code behind dicts.

It has no F1 at a cutoff and no reciprocal rank at one: 22 numbers a query where others give 30.
"""

import importlib

from benchmarks.engines.flat import Flat, cut_flattener, flatten
from benchmarks.engines.registry import Engine, Scores
from benchmarks.measures import Measures

_PER_CUTOFF = {"precision": "P", "recall": "recall", "map": "map_cut", "ndcg": "ndcg_cut"}
_WHOLE = {"mrr": "recip_rank", "f1": "set_F"}


def engine(measures: Measures) -> Engine:
    """Pass every result."""
    return Engine(flatten, _Scorer(measures))


def cut_engine(measures: Measures) -> Engine:
    """Pass only as many results as the deepest cutoff needs."""
    return Engine(cut_flattener(measures), _Scorer(measures))


class _Scorer:
    def __init__(self, measures: Measures) -> None:
        self._ours = {
            f"{_PER_CUTOFF[name]}_{k}": f"{name}@{k}"
            for name in measures.metrics
            if name in _PER_CUTOFF
            for k in measures.cutoffs
        }
        self._names = {*self._ours, *(_WHOLE[name] for name in measures.metrics if name in _WHOLE)}
        self._package = importlib.import_module("pytrec_eval")

    def __call__(self, flat: Flat) -> Scores:
        evaluator = self._package.RelevanceEvaluator(flat.qrels, self._names)
        rows = list(evaluator.evaluate(flat.run).values())
        means = {name: sum([row[name] for row in rows]) / len(rows) for name in self._names}
        return {ours: means[theirs] for theirs, ours in self._ours.items()}
