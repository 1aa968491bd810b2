"""Measures over hits: one number per measure and query.

People score queries one by one, and most of these look alike: few groups, a hit or two near the
top. Equal hits have equal scores, so those of the last few thousand single queries are kept.
"""

from collections.abc import Mapping
from typing import Any, TypeAlias

from groupwise.evaluator.hits import FloatArray, Hits, Order
from groupwise.evaluator.hits.arrays import np
from groupwise.evaluator.metrics.names import Measure

Measures: TypeAlias = tuple[Measure, ...]
FEW = 8
MOST_KNOWN = 4096
MOST_CHOICES = 16
_known: dict[int, tuple[Measures, dict[tuple[bytes, ...], FloatArray]]] = {}
"""By the identity of the measures, which are kept with them: values by what they depend on."""


def compute_scores(chosen: Measures, ordered: Mapping[Order, Hits]) -> FloatArray:
    """The value of each measure (row) for each query (column)."""
    key = _find_key(chosen, ordered)
    if key is None:
        return _compute(chosen, ordered)
    known = _find_known(chosen)
    if key not in known:
        if len(known) >= MOST_KNOWN:
            known.clear()
        known[key] = _compute(chosen, ordered)
    return known[key].copy()


def _compute(chosen: Measures, ordered: Mapping[Order, Hits]) -> FloatArray:
    cuts = {(measure.order, measure.k) for measure in chosen}
    cut = {(order, k): ordered[order].at(k) for order, k in cuts}
    return np.array([measure.of(cut[measure.order, measure.k]) for measure in chosen])


def _find_known(chosen: Measures) -> dict[tuple[bytes, ...], FloatArray]:
    """Return what is known of the values of these measures."""
    if id(chosen) not in _known:
        if len(_known) >= MOST_CHOICES:
            _known.clear()
        _known[id(chosen)] = chosen, {}
    return _known[id(chosen)][1]


def _find_key(chosen: Measures, ordered: Mapping[Order, Hits]) -> tuple[bytes, ...] | None:
    """Return what the values of a few plain queries depend on; None if it may be more."""
    hits, *others = ordered.values()
    if others or len(hits.length) > FEW or not hits.is_uniform or hits.fitting:
        return None
    if hits.likeness or hits.spans or len(hits.unwanted.rank):
        return None
    if not all(measure.metric.is_built_in for measure in chosen):
        return None
    columns: tuple[Any, ...] = (
        hits.rank, hits.document, hits.length, hits.groups.query, hits.groups.size,
        hits.unwanted.count,
    )  # fmt: skip
    return tuple(column.tobytes() for column in columns)
