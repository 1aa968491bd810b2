"""The coverage profile: each group counts once, and a perfect ranking scores exactly 1.

With grades a group is met in part: an alternative gains 2^grade - 1 over the best of its group,
and a better one found later adds the difference. Repeats and further alternatives add nothing.
"""

import math

from groupwise.evaluator.hits import FloatArray, Hits, IntArray, MetResults, number_within
from groupwise.evaluator.hits.arrays import np
from groupwise.evaluator.metrics import bands
from groupwise.evaluator.metrics.arithmetic import (
    exponential_gain,
    harmonic_mean,
    over_best,
    share,
    sum_runs,
)
from groupwise.evaluator.metrics.ideal import ideal
from groupwise.evaluator.metrics.registry import metric
from groupwise.evaluator.metrics.sequences import Discount


def useful_results(hits: Hits) -> MetResults:
    """Return the results that add anything, in order; their grade is the weight added, V_i."""
    if hits.uncut is not None:
        useful = useful_results(hits.uncut)
        return useful.where(hits.reaches(useful.query, useful.rank))
    if useful_results not in hits.memo:
        hits.memo[useful_results] = _useful(hits)
    found: MetResults = hits.memo[useful_results]
    return found


def _useful(hits: Hits) -> MetResults:
    added = hits.groups.weight[hits.group] * _measure_added(hits)
    kept = added > 0
    return add_up(hits.query[kept], hits.rank[kept], added[kept])


def add_up(query: IntArray, rank: IntArray, gain: FloatArray) -> MetResults:
    """Return each result once, in order of rank, with the sum of its gains as its grade."""
    order = np.lexsort((gain, rank, query))
    query, rank = query[order], rank[order]
    begins = np.ones(len(order), np.bool_)
    begins[1:] = (query[1:] != query[:-1]) | (rank[1:] != rank[:-1])
    value = sum_runs(begins, gain[order])
    once = begins[begins]
    return MetResults(query[begins], rank[begins], value, once, once)


def hit_gains(hits: Hits) -> FloatArray:
    """Return the gain of each hit."""
    listed = hits.alternatives
    if (listed.grade == 1).all():
        return np.ones(len(hits.rank))
    best = np.zeros(len(hits.groups.query))
    np.maximum.at(best, listed.group, exponential_gain(listed.grade))
    gain: FloatArray = exponential_gain(hits.grade) / best[hits.group]
    return gain


def _measure_added(hits: Hits) -> FloatArray:
    """Return what each hit adds to the best gain of its group so far."""
    gain = hit_gains(hits)
    levels, level = np.unique(gain, return_inverse=True)
    # Levels are whole numbers, so that a running maximum over all groups at once stays exact.
    reached = np.maximum.accumulate(level + 1 + hits.group * (len(levels) + 1))
    best = np.concatenate([[0.0], levels])[reached - hits.group * (len(levels) + 1)]
    before = np.concatenate([[0.0], best[:-1]])[: len(best)]
    before[hits.is_first_of_group] = 0.0
    added: FloatArray = best - before
    return added


@metric(
    formula=r"\frac{1}{n_k}\sum_{i \le k} u_i",
    reference="useful results over all; u_i = 1 if result i meets a group that was not met",
    examples={"a|b & c: a x b y": 0.25, "a|b & c: a c": 1.0},
    aliases=("p",),
)
def precision(hits: Hits) -> FloatArray:
    """Share of the results that add anything."""
    return share(hits.per_query(useful_results(hits).query), hits.length)


@metric(
    formula=r"\frac{1}{W}\sum_{i \le k} V_i",
    reference="Zhai, Cohen & Lafferty 2003 (subtopic recall); strec of ndeval",
    examples={"a|b & c: a x b y": 0.5, "a|b & c: b c": 1.0},
    aliases=("r", "strecall", "strec"),
    bands=bands.RECALL,
)
def recall(hits: Hits) -> FloatArray:
    """Share of the groups that are met, by weight and as far as their grades go."""
    best = np.zeros(len(hits.groups.query))
    np.maximum.at(best, hits.group, hit_gains(hits))
    value = best * hits.groups.weight
    order = np.lexsort((value, hits.groups.query))
    return share(hits.per_query(hits.groups.query[order], value[order]), hits.total_weight)


@metric(
    formula=r"\frac{2 \cdot \mathrm{precision} \cdot \mathrm{recall}}"
    r"{\mathrm{precision} + \mathrm{recall}}",
    reference="harmonic mean",
    examples={"a|b & c: a x b y": 1 / 3, "a|b & c: a c": 1.0},
    bands=bands.F1,
)
def f1(hits: Hits) -> FloatArray:
    """Harmonic mean of precision and recall, 0 where both are 0."""
    return harmonic_mean(precision(hits), recall(hits))


def reciprocal(place: FloatArray) -> FloatArray:
    """Return 1 / place."""
    return 1 / place


def logarithmic(place: FloatArray) -> FloatArray:
    """Return 1 / log2(place + 1)."""
    discount: FloatArray = 1 / np.log2(place + 1)
    return discount


@metric(
    formula=r"\frac{\sum_g w_g / \mathrm{first}(g)}{\sum_g w_g / \mathrm{first}^*(g)}",
    reference="reciprocal rank of every group over that of the ideal ranking",
    examples={"a|b & c: a x b y": 2 / 3, "a|b & c: a c": 1.0},
    aliases=("rr",),
)
def mrr(hits: Hits) -> FloatArray:
    """How early the groups are met, over how early they can be."""
    met = hits.met
    first = add_up(hits.met_query, hits.first_rank[met], hits.groups.weight[met])
    return _over_ideal(hits, first, reciprocal, graded=False)


def _over_ideal(hits: Hits, results: MetResults, discount: Discount, *, graded: bool) -> FloatArray:
    """Return the discounted gain of the results over that of the ideal ranking."""
    gained = results.grade * discount(results.rank.astype(np.float64))
    best = ideal(hits, discount, graded=graded).worth(hits)
    return over_best(hits.per_query(results.query, gained), best, hits.group_count)


@metric(
    formula=r"\frac{1}{W}\sum_{i \le k} V_i\,\frac{u_1 + \dots + u_i}{i}",
    reference="average precision over groups, each paid once",
    examples={"a|b & c: a x b y": 0.5, "a|b & c: a x c": (1 + 2 / 3) / 2, "a|b & c: a c": 1.0},
    aliases=("ap",),
    bands=bands.MAP,
)
def map_(hits: Hits) -> FloatArray:
    """Mean over the groups, by weight, of the share of useful results where a group is met."""
    useful = useful_results(hits)
    precisions = number_within(useful.query, hits.queries) / useful.rank
    paid = hits.per_query(useful.query, useful.grade * precisions)
    return over_best(paid, hits.total_weight, hits.per_query(useful.query))


@metric(
    formula=r"\frac{\sum_{i \le k} V_i / \log_2(i + 1)}{\sum_{i \le k} V^*_i / \log_2(i + 1)}",
    reference="Clarke et al. 2008 with alpha = 1, weighted",
    examples={
        "a|b & c: a x b y": 1 / (1 + 1 / math.log2(3)),
        "a|b & c: a x c": 1.5 / (1 + 1 / math.log2(3)),
    },
    bands=bands.NDCG,
)
def ndcg(hits: Hits) -> FloatArray:
    """Discounted gain, counting each group once, over that of the ideal ranking."""
    return _over_ideal(hits, useful_results(hits), logarithmic, graded=True)
