"""The functions people copy out of tutorials: one metric, one cutoff and one query at a time.

They do not support groups: the relevant ids of a query are one flat set. They are written as they
are found, plainly and not for speed.
"""

import math
from collections.abc import Callable, Collection, Sequence

Metric = Callable[[Sequence[str], Collection[str], int], float]


def precision_at_k(retrieved: Sequence[str], relevant: Collection[str], k: int) -> float:
    """Share of the first k results that are relevant."""
    return sum(1 for doc in retrieved[:k] if doc in relevant) / k


def recall_at_k(retrieved: Sequence[str], relevant: Collection[str], k: int) -> float:
    """Share of the relevant documents that are among the first k results."""
    return sum(1 for doc in retrieved[:k] if doc in relevant) / len(relevant)


def f1_at_k(retrieved: Sequence[str], relevant: Collection[str], k: int) -> float:
    """Harmonic mean of the two above."""
    precision = precision_at_k(retrieved, relevant, k)
    recall = recall_at_k(retrieved, relevant, k)
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def reciprocal_rank(retrieved: Sequence[str], relevant: Collection[str], k: int) -> float:
    """One over the rank of the first relevant result."""
    for rank, doc in enumerate(retrieved[:k], start=1):
        if doc in relevant:
            return 1 / rank
    return 0.0


def average_precision(retrieved: Sequence[str], relevant: Collection[str], k: int) -> float:
    """Mean, over the relevant documents, of the precision at the rank of each."""
    hits, total = 0, 0.0
    for rank, doc in enumerate(retrieved[:k], start=1):
        if doc in relevant:
            hits += 1
            total += hits / rank
    return total / len(relevant)


def ndcg_at_k(retrieved: Sequence[str], relevant: Collection[str], k: int) -> float:
    """Discounted gain of the first k results over that of the best order."""
    gains = [1 if doc in relevant else 0 for doc in retrieved[:k]]
    dcg = sum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, start=1))
    best = sum(1 / math.log2(rank + 1) for rank in range(1, min(len(relevant), k) + 1))
    return dcg / best


METRICS: dict[str, Metric] = {
    "precision": precision_at_k,
    "recall": recall_at_k,
    "f1": f1_at_k,
    "mrr": reciprocal_rank,
    "map": average_precision,
    "ndcg": ndcg_at_k,
}
