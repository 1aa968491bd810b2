"""The package torchmetrics: one row per document, with its score, its label and its query."""

import importlib

from benchmarks.differences.model import Case, Peer
from benchmarks.differences.peers.flat import name_of, table

_NAMES = {"precision": "RetrievalPrecision", "recall": "RetrievalRecall", "mrr": "RetrievalMRR",
          "map": "RetrievalMAP", "ndcg": "RetrievalNormalizedDCG",
          "hit_rate": "RetrievalHitRate"}  # fmt: skip


def _score(case: Case) -> float:
    retrieval = importlib.import_module("torchmetrics.retrieval")
    torch = importlib.import_module("torch")
    metric = getattr(retrieval, name_of(_NAMES, case.measure))(top_k=case.k)
    for number, query in enumerate(case.queries.values()):
        grades, scores = table(query)
        metric.update(
            torch.tensor(scores, dtype=torch.float64),
            torch.tensor(grades),
            indexes=torch.full((len(grades),), number),
        )
    return float(metric.compute())


PEERS = [Peer("torchmetrics", "torchmetrics", _score)]
