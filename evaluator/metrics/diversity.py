"""Diversity of results, from a vector per document; the same in every profile."""

from typing import Annotated

from groupwise.evaluator.hits import Hits, Likeness
from groupwise.evaluator.hits.arrays import FloatArray, np
from groupwise.evaluator.metrics.arithmetic import share
from groupwise.evaluator.metrics.registry import metric
from groupwise.evaluator.plugins.parameters import Between

NEEDS = "a vector per result (vectors=…)"


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
    return np.where(likeness.known & (pairs > 0), 1 - alike, np.nan)


@metric(
    formula=r"\frac{\sum_{i \le k} \mathrm{grade}_i(\alpha + (1 - \alpha)\,\mathrm{novelty}_i)"
    r" / \log_2(i + 1)}{\text{the same for the relevant documents in greedy order}}",
    reference="called alpha-NDCG in some RAG code; it is not Clarke's",
    examples={"a|b & c: a x b y": None},
    needs=f"{NEEDS}, and one per relevant document",
)
def novelty_ndcg(hits: Hits, *, alpha: Annotated[float, Between(0, 1)] = 0.5) -> FloatArray:
    """Discounted gain, less for a result that is like one before it, over that of the ideal.

    The novelty of a result is 1 - its highest cosine to a result before it; 1 for the first.
    """
    likeness = _likeness(hits)
    if likeness is None:
        return _none(hits)
    met = hits.results
    query, rank = met.query[met.first], met.rank[met.first]
    gain = met.grade[met.first] * _worth(1 - likeness.nearest_of(query, rank), alpha)
    gained = hits.per_query(query, gain / np.log2(rank + 1))
    pairs = zip(likeness.relevant, _depths(hits), strict=True)
    ideal = np.array([_ideal(relevant, alpha, depth) for relevant, depth in pairs])
    return np.where(likeness.known & (ideal > 0), np.minimum(share(gained, ideal), 1.0), np.nan)


def _worth(novelty: FloatArray, alpha: float) -> FloatArray:
    return alpha + (1 - alpha) * novelty


def _depths(hits: Hits) -> list[int]:
    unlimited = np.full(hits.queries, np.iinfo(np.int64).max)
    return list(map(int, unlimited if hits.last is None else hits.depth))


def _ideal(relevant: tuple[FloatArray, FloatArray] | None, alpha: float, depth: int) -> float:
    """Return the discounted gain of the relevant documents, best next document first."""
    if relevant is None:
        return 0.0
    grades, cosines = relevant
    left, nearest, total = list(range(len(grades))), np.zeros(len(grades)), 0.0
    for place in range(1, min(len(grades), depth) + 1):
        gains = [grades[document] * _worth(1 - nearest[document], alpha) for document in left]
        chosen = left.pop(int(np.argmax(gains)))
        total += max(gains) / np.log2(place + 1)
        nearest = cosines[chosen] if place == 1 else np.maximum(nearest, cosines[chosen])
    return float(total)
