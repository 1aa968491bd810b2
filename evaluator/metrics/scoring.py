"""Measures over hits: one number per measure and query."""

from collections.abc import Mapping
from typing import TypeAlias

from groupwise.evaluator.hits import Cutoff, FloatArray, Hits, Order
from groupwise.evaluator.hits.arrays import np
from groupwise.evaluator.metrics.names import Measure

Measures: TypeAlias = tuple[Measure, ...]


def compute_scores(chosen: Measures, ordered: Mapping[Order, Hits]) -> FloatArray:
    """The value of each measure (row) for each query (column)."""
    cuts: dict[tuple[int, Cutoff | None], Hits] = {}
    rows = []
    for measure in chosen:
        hits = ordered[measure.order]
        cut = cuts.get((id(hits), measure.k))
        if cut is None:
            cut = cuts[id(hits), measure.k] = hits.at(measure.k)
        rows.append(measure.of(cut))
    return np.array(rows)
