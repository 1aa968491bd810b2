"""The ideal ranking of a grouped ground truth, and what it is worth after each result.

Where no document is in two groups it is the best alternative of each group, heaviest first. Where
documents are shared it is a problem of maximum coverage: solved exactly for few candidates, by
always taking the next best document for many.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from groupwise.evaluator.hits import BoolArray, FloatArray, Hits, IntArray, number_within
from groupwise.evaluator.hits.arrays import np
from groupwise.evaluator.metrics.arithmetic import exponential_gain
from groupwise.evaluator.metrics.search import CoverageHill, Discount, climb, exact

SHARED_CANDIDATES = 12
CANDIDATES = 16


@dataclass(frozen=True)
class Ideal:
    """Gains of the ideal ranking: one row per query and place."""

    query: IntArray
    place: IntArray
    value: FloatArray

    def worth(self, hits: Hits) -> FloatArray:
        """Return the sum of the values of each query, up to the cutoff."""
        kept = hits.reaches(self.query, self.place)
        return hits.per_query(self.query[kept], self.value[kept])

    def with_searched(self, values: Mapping[int, FloatArray]) -> "Ideal":
        """Return the ranking with the values of queries that needed a search."""
        sizes = [len(column) for column in values.values()]
        return Ideal(
            np.concatenate([self.query, np.repeat(np.array(list(values), np.int64), sizes)]),
            np.concatenate([self.place, *(np.arange(1, size + 1) for size in sizes)]),
            np.concatenate([self.value, *values.values()]),
        )


def gains_of_alternatives(hits: Hits) -> FloatArray:
    """Return the gain of each listed alternative: 2^grade - 1 over the best of its group."""
    listed = hits.alternatives
    gain = exponential_gain(listed.grade)
    best = np.zeros(len(hits.groups.query))
    np.maximum.at(best, listed.group, gain)
    share: FloatArray = gain / best[listed.group]
    return share


def distinct_pairs(hits: Hits) -> tuple[IntArray, IntArray]:
    """Return group and document of the alternatives, each pair once, in order of group."""
    listed = hits.alternatives
    if (listed.document == np.arange(len(listed.document))).all():
        return listed.group, listed.document
    documents = int(listed.document.max(initial=0)) + 1
    pairs = np.unique(listed.group * documents + listed.document)
    return pairs // documents, pairs % documents


def shared_queries(hits: Hits) -> BoolArray:
    """Return which queries have a document in two groups."""
    group, document = distinct_pairs(hits)
    times = np.bincount(document, minlength=1)
    shared = np.zeros(hits.queries, np.bool_)
    shared[hits.groups.query[group[times[document] > 1]]] = True
    return shared


def ideal(hits: Hits, discount: Discount, *, graded: bool) -> Ideal:
    """Return the ideal ranking; ungraded, any alternative meets its group in full."""
    if hits.uncut is not None:
        return ideal(hits.uncut, discount, graded=graded)
    key = (ideal, discount, graded)
    if key not in hits.memo:
        hits.memo[key] = _ideal(hits, discount, graded=graded)
    found: Ideal = hits.memo[key]
    return found


def _ideal(hits: Hits, discount: Discount, *, graded: bool) -> Ideal:
    shared = shared_queries(hits)
    groups = hits.groups
    order = np.lexsort((-groups.weight, groups.query))
    order = order[~shared[groups.query[order]]]
    query = groups.query[order]
    place = number_within(query, hits.queries)
    plain = Ideal(query, place, groups.weight[order] * discount(place.astype(np.float64)))
    return _with_shared(hits, plain, np.flatnonzero(shared), discount, graded=graded)


def _with_shared(
    hits: Hits, plain: Ideal, shared: IntArray, discount: Discount, *, graded: bool
) -> Ideal:
    """Return the ranking with the queries that need a search."""
    if not len(shared):
        return plain
    gain = gains_of_alternatives(hits) if graded else np.ones(len(hits.alternatives.grade))
    found = [_search_ideal(hits, int(query), gain, discount) for query in shared]
    hits.memo["greedy"] = max(hits.greedy_queries, sum(not exact for _, exact in found))
    return plain.with_searched(
        {int(query): values for query, (values, _) in zip(shared, found, strict=True)}
    )


def _search_ideal(
    hits: Hits, query: int, gain: FloatArray, discount: Discount
) -> tuple[FloatArray, bool]:
    """Return the values of one query, place by place, and whether they are exact."""
    matrix = _drop_dominated(_matrix(hits, query, gain))
    weight = hits.groups.weight[hits.groups.query == query]
    shared = (matrix > 0).sum(axis=1) > 1
    touched = (matrix[shared] > 0).any(axis=0)
    candidates = matrix[(matrix[:, touched] > 0).any(axis=1)][:, touched]
    few = int(shared.sum()) <= SHARED_CANDIDATES and len(candidates) <= CANDIDATES
    if few:
        best = exact(candidates, weight[touched], weight[~touched], discount)
    else:
        best = climb(CoverageHill(matrix, weight), len(matrix), discount)
    return np.diff(best, prepend=0.0), few


def _matrix(hits: Hits, query: int, gain: FloatArray) -> FloatArray:
    """Return the gain of each document (row) in each group (column) of a query."""
    first, last = np.searchsorted(hits.groups.query, [query, query + 1])
    listed = hits.alternatives
    rows = np.flatnonzero((listed.group >= first) & (listed.group < last))
    documents, row = np.unique(listed.document[rows], return_inverse=True)
    matrix = np.zeros((len(documents), last - first))
    np.maximum.at(matrix, (row, listed.group[rows] - first), gain[rows])
    return matrix


def _drop_dominated(matrix: FloatArray) -> FloatArray:
    """Return the documents that no other one can replace in every group."""
    matrix = np.unique(matrix, axis=0)
    beaten = [
        any(bool((other >= row).all()) for place, other in enumerate(matrix) if place != number)
        for number, row in enumerate(matrix)
    ]
    kept: FloatArray = matrix[~np.array(beaten)]
    return kept
