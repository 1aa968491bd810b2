"""The trec profile: groups are flattened, every alternative is a relevant document.

Equals trec_eval 10. The relevance of a document is its best grade over all groups; ``rel`` is the
least grade that counts as relevant. A repeated result counts at its first place only.
"""

import math
from itertools import pairwise
from typing import Annotated, Literal

from groupwise.evaluator.hits import FloatArray, Hits, IntArray, number_within
from groupwise.evaluator.hits.arrays import np
from groupwise.evaluator.metrics import bands
from groupwise.evaluator.metrics.arithmetic import exponential_gain, harmonic_mean, share
from groupwise.evaluator.metrics.registry import metric
from groupwise.evaluator.plugins.parameters import Between

TREC_EVAL = "NIST trec_eval 10"
Level = Annotated[float, Between(0, 1000)]
Chance = Annotated[float, Between(0, 1)]


def _relevant(hits: Hits, rel: float) -> tuple[IntArray, IntArray]:
    """Return query and rank of each relevant result, in order."""
    met = hits.results
    kept = met.first & (met.grade >= rel)
    return met.query[kept], met.rank[kept]


def _count_relevant(hits: Hits, rel: float) -> FloatArray:
    """Return the number of relevant results of each query."""
    return hits.per_query(_relevant(hits, rel)[0])


def _all_relevant(hits: Hits, rel: float) -> FloatArray:
    """Return the number of relevant documents of each query, R."""
    return hits.per_query(hits.documents.query[hits.documents.grade >= rel])


@metric(
    formula=r"\frac{|\{i \le k : \mathrm{rel}_i\}|}{k}",
    reference=f"{TREC_EVAL} (P)",
    examples={"a|b & c: a x b y": 0.5, "a: a a": 0.5, "a: a": 1.0},
    aliases=("p",),
)
def precision(hits: Hits, *, rel: Level = 0.0) -> FloatArray:
    """Relevant results over k itself, also where fewer were retrieved; without k, over all."""
    return share(_count_relevant(hits, rel), hits.depth)


@metric(
    formula=r"\frac{|\{i \le k : \mathrm{rel}_i\}|}{R}",
    reference=f"{TREC_EVAL} (recall)",
    examples={"a|b & c: a x b y": 2 / 3, "a: x a": 1.0},
    aliases=("r",),
    bands=bands.RECALL,
)
def recall(hits: Hits, *, rel: Level = 0.0) -> FloatArray:
    """Share of the relevant documents that are found."""
    return share(_count_relevant(hits, rel), _all_relevant(hits, rel))


@metric(
    formula=r"\frac{2 \cdot \mathrm{precision} \cdot \mathrm{recall}}"
    r"{\mathrm{precision} + \mathrm{recall}}",
    reference=f"{TREC_EVAL} (set_F)",
    examples={"a|b & c: a x b y": 4 / 7, "a: a": 1.0},
    aliases=("set_f",),
    bands=bands.F1,
)
def f1(hits: Hits, *, rel: Level = 0.0) -> FloatArray:
    """Harmonic mean of precision and recall, 0 where both are 0."""
    return harmonic_mean(precision(hits, rel=rel), recall(hits, rel=rel))


@metric(
    formula=r"\frac{1}{\min\{i \le k : \mathrm{rel}_i\}}",
    reference=f"{TREC_EVAL} (recip_rank)",
    examples={"a|b & c: a x b y": 1.0, "a|b & c: x a": 0.5, "a: x": 0.0},
    aliases=("rr", "recip_rank"),
    bands=bands.MRR,
)
def mrr(hits: Hits, *, rel: Level = 0.0) -> FloatArray:
    """1 / the rank of the first relevant result, 0 if there is none."""
    query, rank = _relevant(hits, rel)
    first = number_within(query, hits.queries) == 1
    return hits.per_query(query[first], share(np.ones(int(first.sum())), rank[first]))


@metric(
    formula=r"\frac{1}{R}\sum_{i \le k,\ \mathrm{rel}_i} \mathrm{precision}@i",
    reference=f"{TREC_EVAL} (map, map_cut)",
    examples={"a|b & c: a x b y": (1 + 2 / 3) / 3, "a & b: a b": 1.0},
    aliases=("ap",),
    bands=bands.MAP,
)
def map_(hits: Hits, *, rel: Level = 0.0) -> FloatArray:
    """Mean, over all relevant documents, of the precision at the rank where each is found."""
    query, rank = _relevant(hits, rel)
    precisions = number_within(query, hits.queries) / rank
    return share(hits.per_query(query, precisions), _all_relevant(hits, rel))


@metric(
    formula=r"\frac{\sum_{i \le k} \mathrm{gain}_i / \log_2(i + 1)}"
    r"{\sum_{i \le k} \mathrm{gain}^*_i / \log_2(i + 1)}",
    reference=f"{TREC_EVAL} (ndcg, ndcg_cut); exponential gain: Burges et al. 2005",
    examples={
        "a|b & c: a x b y": 1.5 / (1 + 1 / math.log2(3) + 0.5),
        "a & b: x a b": (1 / math.log2(3) + 0.5) / (1 + 1 / math.log2(3)),
    },
    bands=bands.NDCG,
)
def ndcg(hits: Hits, *, gain: Literal["linear", "exponential"] = "linear") -> FloatArray:
    """Discounted gain over that of the best k documents of all that are judged, at any level.

    ``gain`` is ``linear`` (the grade) or ``exponential`` (2^grade - 1).
    """
    met, listed = hits.results, hits.documents
    gained = _discount(met.grade[met.first], met.rank[met.first], gain)
    best = hits.reaches_ideal(listed.place)
    ideal = _discount(listed.grade[best], listed.place[best], gain)
    return share(
        hits.per_query(met.query[met.first], gained), hits.per_query(listed.query[best], ideal)
    )


GAINS = {"linear": lambda grade: grade, "exponential": exponential_gain}


def _discount(grade: FloatArray, rank: IntArray, gain: str) -> FloatArray:
    gained: FloatArray = GAINS[gain](grade) / np.log2(rank + 1)
    return gained


@metric(
    formula=r"[\exists i \le k : \mathrm{rel}_i]",
    reference=f"{TREC_EVAL} (success)",
    examples={"a|b & c: a x b y": 1.0, "a: x": 0.0},
    aliases=("hit", "success"),
)
def hit_rate(hits: Hits, *, rel: Level = 0.0) -> FloatArray:
    """1 if any result is relevant, else 0."""
    return (_count_relevant(hits, rel) > 0).astype(np.float64)


@metric(
    formula=r"\frac{|\{i \le R : \mathrm{rel}_i\}|}{R}",
    reference=f"{TREC_EVAL} (Rprec)",
    examples={"a|b & c: a x b y": 2 / 3, "a & b: a x b": 0.5},
    aliases=("rprec",),
)
def r_precision(hits: Hits, *, rel: Level = 0.0) -> FloatArray:
    """Precision among as many results as there are relevant documents."""
    relevant = _all_relevant(hits, rel)
    query, rank = _relevant(hits, rel)
    return share(hits.per_query(query[rank <= relevant[query]]), relevant)


@metric(
    formula=r"\frac{1}{R}\sum_{\mathrm{rel}_i}"
    r"\left(1 - \frac{\min(n_i, R)}{\min(R, N)}\right)",
    reference=f"{TREC_EVAL} (bpref); Buckley & Voorhees 2004",
    examples={"a|b & c: a x b y": 2 / 3, "a & b: x a": 0.5},
)
def bpref(hits: Hits, *, rel: Level = 0.0) -> FloatArray:
    """Binary preference: how rarely a result judged not relevant comes before a relevant one.

    n_i counts the judged non-relevant results before rank i, N all judged non-relevant documents.
    """
    relevant = _all_relevant(hits, rel)
    query, rank = _relevant(hits, rel)
    before = _judged_against_before(hits, rel, query, rank)
    bound = np.minimum(relevant, _all_judged_against(hits, rel))[query]
    lost = share(np.minimum(before, relevant[query]), bound)
    return share(hits.per_query(query, 1 - lost), relevant)


def _all_judged_against(hits: Hits, rel: float) -> FloatArray:
    below = hits.per_query(hits.documents.query[hits.documents.grade < rel])
    return below + hits.unwanted.count


def _judged_against(hits: Hits, rel: float) -> tuple[IntArray, IntArray]:
    """Return query and rank of the results judged not relevant."""
    met = hits.results
    below = met.first & (met.grade < rel)
    query = np.concatenate([met.query[below], hits.unwanted.query])
    rank = np.concatenate([met.rank[below], hits.unwanted.rank])
    return query, rank


def _judged_against_before(hits: Hits, rel: float, query: IntArray, rank: IntArray) -> FloatArray:
    """Return how many results judged not relevant come before each of these results."""
    against_query, against_rank = _judged_against(hits, rel)
    deepest = int(max(hits.length.max(initial=0), 1)) + 1
    against = np.sort(against_query * deepest + against_rank)
    upto = np.searchsorted(against, query * deepest + rank)
    start = np.searchsorted(against, query * deepest)
    return (upto - start).astype(np.float64)


@metric(
    formula=r"(1 - p)\sum_{i \le k} \mathrm{rel}_i\,p^{i-1}",
    reference="Moffat & Zobel 2008; ir_measures RBP(rel=1)",
    examples={"a|b & c: a x b y": 0.2 * (1 + 0.8**2), "a: x a": 0.16},
)
def rbp(hits: Hits, *, p: Chance = 0.8, rel: Level = 0.0) -> FloatArray:
    """Rank-biased precision: what a reader gains who goes on to the next result with chance p."""
    query, rank = _relevant(hits, rel)
    return hits.per_query(query, (1 - p) * np.power(p, rank - 1.0))


@metric(
    formula=r"p^{n_k} + (1 - p)\sum_{i \le k,\ i \text{ unjudged}} p^{i-1}",
    reference="Moffat & Zobel 2008 (residual)",
    examples={"a|b & c: a x b y": 1 - 0.2 * (1 + 0.8**2), "a: x a": 0.84},
)
def rbp_residual(hits: Hits, *, p: Chance = 0.8) -> FloatArray:
    """How much rbp could still grow if everything unjudged and unseen were relevant.

    A query without results has 0, as in trec_eval: it scores 0 whatever its judgements. Where all
    results are judged, trec_eval's rbp_resid is 0; here, the share of what is unseen remains.
    """
    met = hits.results
    seen_query = np.concatenate([met.query[met.first], hits.unwanted.query])
    seen_rank = np.concatenate([met.rank[met.first], hits.unwanted.rank])
    judged = hits.per_query(seen_query, (1 - p) * np.power(p, seen_rank - 1.0))
    return np.where(hits.length > 0, np.maximum(1 - judged, 0), 0.0)


@metric(
    formula=r"\sum_{i \le k} \frac{R_i}{i}\prod_{j < i}(1 - R_j),\quad "
    r"R_i = \frac{2^{\mathrm{grade}_i} - 1}{2^{\mathrm{highest}}}",
    reference="Chapelle et al. 2009; gdeval (ir_measures ERR)",
    examples={"a|b & c: a x b y": 1 / 16 + 15 / 256 / 3, "a: x a": 1 / 32},
)
def err(hits: Hits, *, highest: Annotated[float, Between(1, 1000)] = 4.0) -> FloatArray:
    """Expected reciprocal rank of the result that satisfies; ``highest`` is the top grade."""
    met = hits.results
    query, rank = met.query[met.first], met.rank[met.first]
    satisfied = exponential_gain(np.minimum(met.grade[met.first], highest)) / 2**highest
    unsatisfied = _products_before(query, 1 - satisfied, hits.queries)
    return hits.per_query(query, satisfied * unsatisfied / rank)


def _products_before(query: IntArray, factors: FloatArray, queries: int) -> FloatArray:
    """Return for each row the product of the factors of its query before it."""
    place = number_within(query, queries)
    products = np.ones(len(factors))
    by_place = np.argsort(place, kind="stable")
    ends = np.bincount(place).cumsum()
    for start, end in pairwise(ends[1:]):
        rows = by_place[start:end]
        products[rows] = products[rows - 1] * factors[rows - 1]
    return products


@metric(
    formula=r"\frac{|\{i \le k : i \text{ judged}\}|}{n_k}",
    reference="ir_measures (Judged)",
    examples={"a|b & c: a x b y": 0.5, "a: a": 1.0},
)
def judged(hits: Hits) -> FloatArray:
    """Share of the results that are judged, relevant or not."""
    met = hits.results
    return share(
        hits.per_query(met.query[met.first]) + hits.per_query(hits.unwanted.query), hits.length
    )
