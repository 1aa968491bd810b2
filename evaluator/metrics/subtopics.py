"""Diversity metrics of the coverage profile, groups as subtopics, as NIST's ndeval 4.5 has them.

They are unweighted and ungraded. A group counts again for further hits, less each time, so the
ideal ranking repeats groups. It is found by always taking the next best document.
"""

import math
from collections import defaultdict
from functools import lru_cache
from typing import Annotated

from groupwise.evaluator.hits import FloatArray, Hits, IntArray, MetResults, number_within
from groupwise.evaluator.hits.arrays import np
from groupwise.evaluator.metrics.arithmetic import over_best, share
from groupwise.evaluator.metrics.coverage import add_up, logarithmic, reciprocal
from groupwise.evaluator.metrics.ideal import Ideal, build_ideal, distinct_pairs, shared_queries
from groupwise.evaluator.metrics.novelty import UNIT, find_sequences
from groupwise.evaluator.metrics.registry import metric
from groupwise.evaluator.metrics.sequences import Discount, worth_by_place
from groupwise.evaluator.metrics.series import sum_upto
from groupwise.evaluator.plugins.parameters import Between

NDEVAL = "NIST ndeval 4.5"
NRBP_DEPTH = 20
Chance = Annotated[float, Between(0, 1)]


def _drop_repeats(hits: Hits) -> tuple[IntArray, IntArray]:
    """Return group and rank of each hit, in this order, without repeated results."""
    if not hits.repeating_queries:
        return hits.group, hits.rank
    documents = int(hits.document.max(initial=0)) + 1
    _, first = np.unique(hits.group * documents + hits.document, return_index=True)
    first.sort()
    return hits.group[first], hits.rank[first]


def _novelty(hits: Hits, alpha: float) -> MetResults:
    """Return the results that meet any group, with the novelty-discounted gain, a_i."""
    group, rank = _drop_repeats(hits)
    gain = np.power(1 - alpha, number_within(group, len(hits.groups.query)) - 1.0)
    return add_up(hits.groups.query[group], rank, gain)


def _sum_gains(hits: Hits, alpha: float, discount: Discount) -> FloatArray:
    novel = _novelty(hits, alpha)
    return hits.per_query(novel.query, novel.grade * discount(novel.rank.astype(np.float64)))


def _bound_gains(hits: Hits, alpha: float, discount: Discount) -> FloatArray:
    """Return the gain of documents that each meet every group."""

    def gain(place: FloatArray) -> FloatArray:
        gained: FloatArray = np.power(1 - alpha, place - 1) * discount(place)
        return gained

    return sum_upto(gain, hits.depth) * hits.group_count


def _ideal(hits: Hits, alpha: float, discount: Discount) -> Ideal:
    """Return the discounted gains of the ideal ranking."""
    if hits.uncut is not None:
        return _ideal(hits.uncut, alpha, discount)
    key = (_ideal, alpha, discount)
    if key not in hits.memo:
        hits.memo[key] = _compute_ideal(hits, alpha, discount)
    found: Ideal = hits.memo[key]
    return found


def _compute_ideal(hits: Hits, alpha: float, discount: Discount) -> Ideal:
    group, document = distinct_pairs(hits)
    shared = shared_queries(hits)
    plain = ~shared[hits.groups.query[group]]
    query = hits.groups.query[group[plain]]
    before = number_within(group[plain], len(hits.groups.query)) - 1.0
    gain = np.power(1 - alpha, before)
    order = np.lexsort((-gain, query))
    searched = {
        int(number): _search(hits, int(number), group, document, alpha, discount)
        for number in np.flatnonzero(shared)
    }
    return build_ideal(hits, query[order], gain[order], searched, discount)


def _search(
    hits: Hits, query: int, group: IntArray, document: IntArray, alpha: float, discount: Discount
) -> FloatArray:
    """Return what the ideal ranking of one query is worth after each number of documents."""
    first, last = hits.groups.query.searchsorted([query, query + 1])
    rows = slice(*group.searchsorted([first, last]))
    groups: dict[int, list[int]] = defaultdict(list)
    for number, met in zip(document[rows].tolist(), group[rows].tolist(), strict=True):
        groups[number].append(met)
    documents = (tuple(groups[number]) for number in sorted(groups))
    return worth_by_place(find_sequences(documents, alpha), UNIT, discount)


def _normalise(hits: Hits, alpha: float, discount: Discount) -> FloatArray:
    gained = _sum_gains(hits, alpha, discount)
    best = _ideal(hits, alpha, discount).worth(hits)
    listed = hits.per_query(hits.groups.query[hits.alternatives.group])
    return over_best(gained, best, listed)


@metric(
    formula=r"\frac{\sum_{i \le k} a_i / \log_2(i + 1)}{\sum_{i \le k} a^*_i / \log_2(i + 1)}",
    reference=f"Clarke et al. 2008; {NDEVAL} (alpha-nDCG)",
    examples={"a|b & c: a x b y": 1.25 / (1.25 + 1 / math.log2(3)), "a|b & c: a c b": 1.0},
)
def alpha_ndcg(hits: Hits, *, alpha: Chance = 0.5) -> FloatArray:
    """Novelty-discounted cumulative gain over that of the ideal ranking."""
    return _normalise(hits, alpha, logarithmic)


@metric(
    formula=r"\frac{\sum_{i \le k} a_i / \log_2(i + 1)}{\sum_{i \le k} b_i / \log_2(i + 1)}",
    reference=f"{NDEVAL} (alpha-DCG)",
    examples={
        "a|b & c: a x b y": 1.25 / (2.25 + 1 / math.log2(3) + 0.25 / math.log2(5)),
        "a & b: a": 0.5,
    },
)
def alpha_dcg(hits: Hits, *, alpha: Chance = 0.5) -> FloatArray:
    """Novelty-discounted cumulative gain over that of documents that meet every group."""
    return share(_sum_gains(hits, alpha, logarithmic), _bound_gains(hits, alpha, logarithmic))


@metric(
    formula=r"\frac{\sum_{i \le k} a_i / i}{\sum_{i \le k} b_i / i}",
    reference=f"{NDEVAL} (ERR-IA); Chapelle et al. 2011",
    examples={"a|b & c: a x b y": 7 / 6 / (2 + 0.5 + 1 / 6 + 1 / 16), "a & b: a": 0.5},
)
def err_ia(hits: Hits, *, alpha: Chance = 0.5) -> FloatArray:
    """Intent-aware expected reciprocal rank, over that of documents that meet every group."""
    return share(_sum_gains(hits, alpha, reciprocal), _bound_gains(hits, alpha, reciprocal))


@metric(
    formula=r"\frac{\sum_{i \le k} a_i / i}{\sum_{i \le k} a^*_i / i}",
    reference=f"{NDEVAL} (nERR-IA)",
    examples={"a|b & c: a x b y": 0.7, "a|b & c: a c b": 1.0},
)
def nerr_ia(hits: Hits, *, alpha: Chance = 0.5) -> FloatArray:
    """Intent-aware expected reciprocal rank over that of the ideal ranking."""
    return _normalise(hits, alpha, reciprocal)


@metric(
    formula=r"\frac{1}{kG}\sum_{i \le k} |\{g : r_i \text{ meets } g\}|",
    reference=f"{NDEVAL} (P-IA); Agrawal et al. 2009",
    examples={"a|b & c: a x b y": 0.25, "a & b: a b": 0.5},
)
def p_ia(hits: Hits) -> FloatArray:
    """Mean over the groups of precision, each group by itself."""
    met, _ = _drop_repeats(hits)
    groups = hits.groups.query
    return share(hits.per_query(groups[met]), hits.depth * hits.per_query(groups))


@metric(
    formula=r"\frac{1}{G}\sum_g \frac{1}{|g|}\sum_{j} \frac{j}{\mathrm{rank}_j(g)}",
    reference=f"{NDEVAL} (MAP-IA)",
    examples={"a|b & c: a x b y": 5 / 12, "a & b: a b": 0.75},
)
def map_ia(hits: Hits) -> FloatArray:
    """Mean over the groups of average precision, divided by all alternatives of a group."""
    group, _ = distinct_pairs(hits)
    sizes = np.bincount(group, minlength=len(hits.groups.query))
    met, rank = _drop_repeats(hits)
    precisions = number_within(met, len(sizes)) / rank
    average = share(np.bincount(met, precisions, minlength=len(sizes)), sizes)
    order = np.lexsort((average, hits.groups.query))
    total = hits.per_query(hits.groups.query[order], average[order])
    return share(total, hits.group_count)


@metric(
    formula=r"\frac{1 - (1 - \alpha)\beta}{G}\sum_{i \le 20} a_i\,\beta^{i-1}",
    reference=f"{NDEVAL} (NRBP); Clarke et al. 2009",
    examples={"a|b & c: a x b y": 0.375 * 1.125, "a: a": 0.75},
)
def nrbp(hits: Hits, *, alpha: Chance = 0.5, beta: Chance = 0.5) -> FloatArray:
    """Novelty- and rank-biased precision, over the first 20 results."""
    novel = _novelty(hits.at(NRBP_DEPTH), alpha)
    total = hits.per_query(novel.query, novel.grade * beta ** (novel.rank - 1.0))
    return share((1 - (1 - alpha) * beta) * total, hits.group_count)


@metric(
    formula=r"\frac{\sum_{i \le 20} a_i\,\beta^{i-1}}{\sum_{i \le 20} a^*_i\,\beta^{i-1}}",
    reference=f"{NDEVAL} (nNRBP)",
    examples={"a|b & c: a x b y": 1.125 / 1.625, "a|b & c: a c b": 1.0},
)
def nnrbp(hits: Hits, *, alpha: Chance = 0.5, beta: Chance = 0.5) -> FloatArray:
    """Novelty- and rank-biased precision over that of the ideal ranking."""
    return _normalise(hits.at(NRBP_DEPTH), alpha, _discount_by(beta))


@lru_cache(maxsize=16)
def _discount_by(beta: float) -> Discount:
    return lambda place: beta ** (place - 1)
