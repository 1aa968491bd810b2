"""Measures over hits: one number per measure and query."""

from collections.abc import Mapping, Sequence

from groupwise.evaluator.hits import FloatArray, Hits, Order
from groupwise.evaluator.hits.arrays import np
from groupwise.evaluator.metrics.names import Measure


def compute_scores(chosen: Sequence[Measure], ordered: Mapping[Order, Hits]) -> FloatArray:
    """The value of each measure (row) for each query (column)."""
    cuts = {(measure.order, measure.k) for measure in chosen}
    cut = {(order, k): ordered[order].at(k) for order, k in cuts}
    return np.array([measure.of(cut[measure.order, measure.k]) for measure in chosen])
