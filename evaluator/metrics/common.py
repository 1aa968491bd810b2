"""Metrics that mean the same in every profile."""

from groupwise.evaluator.hits import FloatArray, Hits
from groupwise.evaluator.hits.arrays import np
from groupwise.evaluator.metrics.registry import metric


@metric(
    formula=r"[\exists g : \mathrm{first}(g) \le k]",
    reference="trec_eval 10 (success)",
    examples={"a|b & c: a x b y": 1.0, "a|b & c: x a": 1.0, "a|b & c: x y": 0.0},
    aliases=("hit", "success"),
)
def hit_rate(hits: Hits) -> FloatArray:
    """1 if any result meets any group, else 0."""
    return (hits.per_query(hits.query) > 0).astype(np.float64)


@metric(
    formula=r"[\forall g : \mathrm{first}(g) \le k]",
    reference="'full recall' of multi-hop retrieval: all evidence found",
    examples={"a|b & c: a x b y": 0.0, "a|b & c: c x b": 1.0},
    aliases=("full_recall",),
)
def complete(hits: Hits) -> FloatArray:
    """1 if every group is met, else 0."""
    return (~np.isnan(completion_rank(hits))).astype(np.float64)


@metric(
    formula=r"\min_g \mathrm{first}(g)",
    reference="the rank that MRR takes the reciprocal of",
    examples={"a|b & c: a x b y": 1.0, "a|b & c: x a": 2.0, "a: x": None},
    kind="rank",
)
def first_hit(hits: Hits) -> FloatArray:
    """Rank of the first result that meets any group; none if there is none."""
    ranks = np.full(hits.queries, np.inf)
    np.minimum.at(ranks, hits.query, hits.rank.astype(np.float64))
    return np.where(np.isinf(ranks), np.nan, ranks)


@metric(
    formula=r"\max_g \mathrm{first}(g)",
    reference="how many results must be read for all the evidence",
    examples={"a|b & c: c x b": 3.0, "a|b & c: a x b y": None},
    kind="rank",
)
def completion_rank(hits: Hits) -> FloatArray:
    """Rank at which the last group is met; none if a group is not met."""
    met = hits.met
    ranks = np.zeros(hits.queries)
    np.maximum.at(ranks, hits.met_query, hits.first_rank[met].astype(np.float64))
    all_met = hits.per_query(hits.met_query) == hits.per_query(hits.groups.query)
    return np.where(all_met & (ranks > 0), ranks, np.nan)
