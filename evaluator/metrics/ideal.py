"""The ideal ranking of a grouped ground truth, and what it is worth after each result.

Where no document is in two groups it is the best alternative of each group, heaviest first. Where
documents are shared it is a problem of maximum coverage: solved exactly for few candidates, by
always taking the next best document for many.
"""

from collections.abc import Mapping
from typing import NamedTuple

from groupwise.evaluator.hits import BoolArray, FloatArray, Hits, IntArray, number_within
from groupwise.evaluator.hits.arrays import np
from groupwise.evaluator.metrics.arithmetic import exponential_gain
from groupwise.evaluator.metrics.candidates import Candidates, connect, find_candidates
from groupwise.evaluator.metrics.greedy import order_greedily
from groupwise.evaluator.metrics.search import PartSearch, SearchLimitError, Worth
from groupwise.evaluator.metrics.sequences import (
    Discount,
    Gains,
    combine,
    interleave,
    worth_by_place,
)

SHARED_CANDIDATES = 12


class Ideal(NamedTuple):
    """Gains of ideal rankings: a row per query and place, and for other queries running totals.

    ``searched`` are the queries that needed a search; ``totals`` holds their running totals one
    after another, up to ``end`` for each.
    """

    query: IntArray
    place: IntArray
    value: FloatArray
    searched: IntArray
    end: IntArray
    totals: FloatArray

    def worth(self, hits: Hits) -> FloatArray:
        """Return the sum of the values of each query, up to the cutoff."""
        kept = hits.reaches_ideal(self.place)
        worth = hits.per_query(self.query[kept], self.value[kept])
        if len(self.searched):
            places = np.diff(self.end, prepend=0)
            reached = np.minimum(places, hits.last) if isinstance(hits.last, int) else places
            worth[self.searched] = self.totals[self.end - places + reached - 1]
        return worth


def build_ideal(
    hits: Hits, query: IntArray, value: FloatArray, searched: Mapping[int, FloatArray],
    discount: Discount,
) -> Ideal:  # fmt: skip
    """Return an ideal from the gains of each query, best first, and the totals of others."""
    place = number_within(query, hits.queries)
    end = np.cumsum([len(totals) for totals in searched.values()], dtype=np.int64)
    totals = np.concatenate([*searched.values(), np.zeros(0)])
    numbers = np.array(list(searched), np.int64)
    worth = value * discount(place.astype(np.float64))
    return Ideal(query, place, worth, numbers, end, totals)


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
        hits.memo[key] = _find_ideal(hits, discount, graded=graded)
    found: Ideal = hits.memo[key]
    return found


def _find_ideal(hits: Hits, discount: Discount, *, graded: bool) -> Ideal:
    shared = shared_queries(hits)
    groups = hits.groups
    order = np.lexsort((-groups.weight, groups.query))
    order = order[~shared[groups.query[order]]]
    searched = np.flatnonzero(shared).tolist()
    gain = _gains_of_alternatives(hits, graded=graded) if searched else np.zeros(0)
    totals = {query: _search(hits, query, gain, discount) for query in searched}
    return build_ideal(hits, groups.query[order], groups.weight[order], totals, discount)


def _gains_of_alternatives(hits: Hits, *, graded: bool) -> FloatArray:
    """Return the gain of each listed alternative: 2^grade - 1 over the best of its group."""
    listed = hits.alternatives
    if not graded:
        return (listed.grade > 0).astype(np.float64)
    gain = exponential_gain(listed.grade)
    best = np.zeros(len(hits.groups.query))
    np.maximum.at(best, listed.group, gain)
    share: FloatArray = gain / best[listed.group]
    return share


def _search(hits: Hits, query: int, gain: FloatArray, discount: Discount) -> FloatArray:
    """Return what the ideal ranking of one query is worth after each number of documents."""
    candidates = find_candidates(hits, query, gain)
    try:
        sequences = _find_exactly(candidates, discount)
    except SearchLimitError:
        hits.greedy.add(query)
        sequences = [order_greedily(candidates.shared, candidates.own)]
    return worth_by_place(sequences, candidates.unit, discount)


def _find_exactly(candidates: Candidates, discount: Discount) -> list[Gains]:
    """Return the best sequences of gains.

    Raises:
        SearchLimitError: Too many documents are in several groups.
    """
    shared, own = candidates.shared, dict(candidates.own)
    if len(shared) > SHARED_CANDIDATES:
        raise SearchLimitError
    parts = [[shared[number] for number in part] for part in connect(shared)]
    searches = sorted((PartSearch(part, _pop_own(part, own)) for part in parts), key=len)
    found = [[tuple(sorted(own.values(), reverse=True))]]
    found += [search.find_best() for search in searches[:-1]]
    for largest in searches[-1:]:
        rest = combine(found)
        alone = len(rest) == 1
        worth = _weigh_beside(rest[0], len(largest), candidates.unit, discount) if alone else None
        found.append(largest.find_best(worth))
    return combine(found)


def _weigh_beside(rest: Gains, most: int, unit: int, discount: Discount) -> Worth:
    """Return a function that says what a part of a query is worth beside the rest."""
    places = len(rest) + most

    def weigh(gains: Gains) -> FloatArray:
        worth = worth_by_place([interleave(gains, rest)], unit, discount)
        return np.pad(worth, (0, places - len(worth)), "edge")

    return weigh


def _pop_own(part: list[dict[int, int]], own: dict[int, int]) -> dict[int, int]:
    """Return the own documents of the groups of a part, and leave the others."""
    groups = dict.fromkeys(group for gains in part for group in gains)
    return {group: own.pop(group) for group in groups if group in own}
