"""Diversity of results, from a vector per document; the same in every profile."""

import math
from typing import Annotated

from groupwise.evaluator.hits import Hits, Likeness
from groupwise.evaluator.hits.arrays import FloatArray, np
from groupwise.evaluator.metrics.arithmetic import over_best, share
from groupwise.evaluator.metrics.registry import metric
from groupwise.evaluator.plugins.parameters import Between

NEEDS = "a vector per result (vectors=…)"
COSINE_ERRORS = 1e3
"""As many roundings may tell two computations of a gain from cosines apart."""

Share = Annotated[float, Between(0, 1)]


def _likeness(hits: Hits) -> Likeness | None:
    """Return the likeness of the results within the cutoff; None without vectors."""
    likeness = hits.likeness
    if likeness is None:
        return None
    return likeness.where(hits.reaches(likeness.query, likeness.rank))


def _none(hits: Hits) -> FloatArray:
    return np.full(hits.queries, np.nan)


@metric(
    formula=r"\frac{2}{n_k(n_k - 1)}\sum_{i < j \le k} (1 - \cos(r_i, r_j))",
    reference="intra-list diversity: Ziegler et al. 2005",
    examples={"a|b & c: a x b y": None},
    highest=2.0,
    needs=NEEDS,
)
def ild(hits: Hits) -> FloatArray:
    """Mean over pairs of results of 1 - cosine; none for fewer than two vectors."""
    likeness = _likeness(hits)
    if likeness is None:
        return _none(hits)
    pairs = hits.length * (hits.length - 1) / 2
    alike = share(hits.per_query(likeness.query, likeness.total), pairs)
    return np.where((likeness.known >= hits.length) & (pairs > 0), 1 - alike, np.nan)


@metric(
    formula=r"\sum_{i \le k} \mathrm{grade}_i(\alpha + (1 - \alpha)\,\mathrm{novelty}_i)"
    r" / \log_2(i + 1)",
    reference="the gain that novelty_ndcg divides by that of the ideal",
    examples={"a|b & c: a x b y": None},
    highest=math.inf,
    needs=NEEDS,
)
def novelty_dcg(hits: Hits, *, alpha: Share = 0.5) -> FloatArray:
    """Discounted gain, less for a result that is like one before it.

    The novelty of a result is 1 - its highest cosine to a result before it; 1 for the first.
    """
    likeness = _likeness(hits)
    if likeness is None:
        return _none(hits)
    met = hits.results
    query, rank = met.query[met.first], met.rank[met.first]
    gain = met.grade[met.first] * _worth(1 - likeness.nearest_of(query, rank), alpha)
    gained = hits.per_query(query, gain / np.log2(rank + 1))
    return np.where(likeness.known >= hits.length, gained, np.nan)


@metric(
    formula=r"\frac{\sum_{i \le k} \mathrm{grade}_i(\alpha + (1 - \alpha)\,\mathrm{novelty}_i)"
    r" / \log_2(i + 1)}{\text{the same for the relevant documents in greedy order}}",
    reference="called alpha-NDCG in some RAG code; it is not Clarke's",
    examples={"a|b & c: a x b y": None},
    needs=f"{NEEDS}, and one per relevant document",
)
def novelty_ndcg(hits: Hits, *, alpha: Share = 0.5) -> FloatArray:
    """Discounted gain, less for a result that is like one before it, over that of the ideal.

    The novelty of a result is 1 - its highest cosine to a result before it; 1 for the first. A
    query without results, or without groups, scores 0, with or without vectors.
    """
    gained, ideal = novelty_dcg(hits, alpha=alpha), _ideal_gains(hits, alpha)
    score = over_best(gained, ideal, np.full(hits.queries, COSINE_ERRORS))
    is_void = (hits.length == 0) | (hits.group_count == 0)
    return np.where(is_void, 0.0, np.where(ideal > 0, score, np.nan))


def _worth(novelty: FloatArray, alpha: float) -> FloatArray:
    return alpha + (1 - alpha) * novelty


def _ideal_gains(hits: Hits, alpha: float) -> FloatArray:
    """Return the gain of the ideal ranking of each query; 0 where a vector is missing."""
    gains = np.zeros(hits.queries)
    likeness = hits.likeness
    if likeness is None:
        return gains
    listed = hits.alternatives
    depth = hits.last if isinstance(hits.last, int) else len(listed.group)
    ends = hits.groups.query[listed.group].searchsorted(np.arange(hits.queries + 1)).tolist()
    for query, cosines in enumerate(likeness.relevant):
        rows = slice(ends[query], ends[query + 1])
        if hits.length[query]:
            grades = np.zeros(len(cosines))
            np.maximum.at(grades, likeness.alternative[rows], listed.grade[rows])
            relevant = grades > 0
            known = cosines[np.ix_(relevant, relevant)]
            if not np.isnan(known).any():
                gains[query] = _order_greedily(grades[relevant], known, alpha, depth)
    return gains


def _order_greedily(grades: FloatArray, cosines: FloatArray, alpha: float, depth: int) -> float:
    """Return the discounted gain of the relevant documents, best next document first."""
    left, nearest, total = grades.copy(), np.zeros(len(grades)), 0.0
    for place in range(1, min(int((grades > 0).sum()), depth) + 1):
        gains = left * _worth(1 - nearest, alpha)
        chosen = int(np.argmax(gains))
        total += gains[chosen] / np.log2(place + 1)
        left[chosen] = 0.0
        nearest = cosines[chosen] if place == 1 else np.maximum(nearest, cosines[chosen])
    return float(total)
