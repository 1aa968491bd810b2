"""The autorag profile: group-aware metrics as AutoRAG 0.3.27 computes them, value for value.

Weights and grades generalise them; with all of them 1 the arithmetic is AutoRAG's own, quirks
included. Each quirk is shown with its value in docs/explanation/differences-from-autorag.md.
"""

import math

from groupwise.evaluator.hits import FloatArray, Hits
from groupwise.evaluator.hits.arrays import np
from groupwise.evaluator.metrics import bands
from groupwise.evaluator.metrics.arithmetic import (
    discount,
    gain_over_rank,
    harmonic_mean,
    ideal_gain,
    share,
)
from groupwise.evaluator.metrics.registry import metric

AUTORAG = "AutoRAG 0.3.27, autorag/evaluation/metric/retrieval.py"


@metric(
    formula=r"\frac{|\{r_i : i \le k,\ r_i \text{ meets a group}\}|}{n_k}",
    reference=AUTORAG,
    examples={"a|b & c: a x b y": 0.5, "a: a a": 0.5, "a: x": 0.0},
    aliases=("p",),
)
def precision(hits: Hits) -> FloatArray:
    """Share of the results that meet any group; a repeated result counts once."""
    return share(hits.per_query(hits.results.new_query), hits.length)


@metric(
    formula=r"\frac{1}{W}\sum_g w_g\,[\mathrm{first}(g) \le k]",
    reference=f"{AUTORAG}; Zhai, Cohen & Lafferty 2003 (subtopic recall)",
    examples={"a|b & c: a x b y": 0.5, "a|b & c: b c": 1.0},
    aliases=("r",),
    bands=bands.RECALL,
)
def recall(hits: Hits) -> FloatArray:
    """Share of the groups that are met, by weight."""
    return share(hits.per_query(hits.met_query, hits.met_weight), hits.total_weight)


@metric(
    formula=r"\frac{2 \cdot \mathrm{precision} \cdot \mathrm{recall}}"
    r"{\mathrm{precision} + \mathrm{recall}}",
    reference=AUTORAG,
    examples={"a|b & c: a x b y": 0.5, "a|b & c: a": 2 / 3},
    bands=bands.F1,
)
def f1(hits: Hits) -> FloatArray:
    """Harmonic mean of precision and recall, 0 where both are 0."""
    return harmonic_mean(precision(hits), recall(hits))


@metric(
    formula=r"\frac{1}{W}\sum_g w_g \frac{1}{\mathrm{first}(g)}",
    reference=AUTORAG,
    examples={"a|b & c: a x b y": 0.5, "a|b & c: a c": 0.75},
    aliases=("rr",),
)
def mrr(hits: Hits) -> FloatArray:
    """Mean over the groups, by weight, of 1 / the rank at which a group is first met."""
    reciprocal = hits.met_weight / hits.met_rank
    return share(hits.per_query(hits.met_query, reciprocal), hits.total_weight)


@metric(
    formula=r"\frac{1}{W}\sum_g w_g\,\mathrm{AP}_g,\quad "
    r"\mathrm{AP}_g = \frac{1}{m_g}\sum_{j=1}^{m_g}\frac{j}{\mathrm{rank}_j(g)}",
    reference=AUTORAG,
    examples={"a|b & c: a x b y": 5 / 12, "a|b & c: a c": 0.75, "a|b & c: a c x b": 0.625},
    aliases=("ap",),
)
def map_(hits: Hits) -> FloatArray:
    """Mean over the groups, by weight, of average precision.

    A group's average precision is divided by its hits found, m_g, not by its size.
    """
    weighted = _average_precision(hits).take(hits.met) * hits.met_weight
    summed = hits.per_query(hits.met_query, hits.sort_within(hits.met_query, weighted))
    return share(summed, hits.total_weight)


def _average_precision(hits: Hits) -> FloatArray:
    """Return the average precision of each group; 0 for a group that is not met."""
    found = np.bincount(hits.group, minlength=len(hits.groups.query))
    precisions = hits.place_in_group / hits.rank
    total = np.bincount(hits.group, precisions, minlength=len(hits.groups.query))
    return share(total, found)


@metric(
    formula=r"\frac{\sum_{i \le k} (2^{\mathrm{grade}_i} - 1) / \log_2(i + 1)}"
    r"{\sum_{i \le \min(S, n_k)} (2^{\mathrm{grade}^*_i} - 1) / \log_2(i + 1)}",
    reference=AUTORAG,
    examples={
        "a|b & c: a x b y": 1.5 / (1 + 1 / math.log2(3) + 0.5),
        "a & b & c: a": 1.0,
        "a: a a": 1 + 1 / math.log2(3),
    },
    highest=math.inf,
)
def ndcg(hits: Hits) -> FloatArray:
    """Discounted gain of all hits over that of the best grades listed, as many as results.

    S is the number of alternatives listed, repeats included, so the ideal ranking holds all
    alternatives of a group. A repeated result gains again: values above 1 are possible. Different
    results that meet one alternative, by text or span, gain once.
    """
    met = hits.results
    if met.first is not met.is_new:
        met = met.where(met.first | ~met.is_new)
    gain = discount(met.rank) if hits.is_uniform else gain_over_rank(met.grade, met.rank)
    return share(hits.per_query(met.query, gain), ideal_gain(hits))
