"""The package scikit-learn: labels and scores of every document, one call a query."""

import importlib
from statistics import fmean

from benchmarks.differences.model import CannotSayError, Case, Peer, Query
from benchmarks.differences.peers.flat import table


def _score(case: Case) -> float:
    return fmean(_of_query(query, case) for query in case.queries.values())


def _of_query(query: Query, case: Case) -> float:
    metrics = importlib.import_module("sklearn.metrics")
    grades, scores = table(query)
    if case.measure == "ndcg":
        return float(metrics.ndcg_score([grades], [scores], k=case.k))
    if case.measure == "map" and case.k is None:
        return float(metrics.average_precision_score(grades, scores))
    raise CannotSayError(case.metric)


PEERS = [Peer("scikit-learn", "scikit-learn", _score)]
