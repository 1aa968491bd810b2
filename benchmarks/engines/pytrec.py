"""pytrec_eval-terrier: trec_eval's C code behind dicts.

It has no F1 at a cutoff and no reciprocal rank at one: 22 numbers a query where others give 30.
"""

import importlib

from benchmarks.engines.flat import Flat, flatten, flatten_cut
from benchmarks.engines.registry import Engine, Scores
from benchmarks.workloads import CUTOFFS

_PER_CUTOFF = {"P": "precision", "recall": "recall", "map_cut": "map", "ndcg_cut": "ndcg"}
_OURS = {f"{theirs}_{k}": f"{ours}@{k}" for theirs, ours in _PER_CUTOFF.items() for k in CUTOFFS}
_OTHERS = ("recip_rank", "set_F")


def engine() -> Engine:
    """Pass every result."""
    return Engine(flatten, _scores)


def cut_engine() -> Engine:
    """Pass only as many results as the deepest cutoff needs."""
    return Engine(flatten_cut, _scores)


def _scores(flat: Flat) -> Scores:
    measures = {*_OURS, *_OTHERS}
    evaluator = importlib.import_module("pytrec_eval").RelevanceEvaluator(flat.qrels, measures)
    rows = list(evaluator.evaluate(flat.run).values())
    means = {name: sum([row[name] for row in rows]) / len(rows) for name in measures}
    return {ours: means[theirs] for theirs, ours in _OURS.items()}
