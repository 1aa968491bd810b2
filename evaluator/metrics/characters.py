"""Characters of documents, from the spans of alternatives and results; the same in every profile.

Chunking papers report these: they say how much of the evidence was retrieved, and how much else.
"""

from typing import Literal

from groupwise.evaluator.hits import FloatArray, Hits
from groupwise.evaluator.hits.arrays import np
from groupwise.evaluator.hits.spans import SpanTable
from groupwise.evaluator.metrics.arithmetic import share
from groupwise.evaluator.metrics.registry import metric

NEEDS = "the span (document, start, end) of each alternative and result"
REFERENCE = "Smith & Troynikov 2024, Evaluating Chunking Strategies for Retrieval"
Overlap = Literal["once", "count"]


def _sum(hits: Hits, column: str) -> FloatArray:
    """Return the sum of a column over the first results of each query."""
    covered = _table(hits).covered
    kept = hits.reaches(covered.query, covered.rank)
    return hits.per_query(covered.query[kept], getattr(covered, column)[kept])


def _table(hits: Hits) -> SpanTable:
    if hits.spans is None:
        return SpanTable([[] for _ in range(hits.queries)], [], np.zeros(0, np.int64))
    return hits.spans


def _divide(hits: Hits, total: FloatArray) -> FloatArray:
    """Return the share that the characters found have in a total; NaN where a span is missing."""
    if hits.spans is None:
        return np.full(hits.queries, np.nan)
    return np.where(hits.spans.is_known(hits.length), share(_sum(hits, "found"), total), np.nan)


@metric(
    formula=r"\frac{|C_\mathrm{gold} \cap C_k|}{|C_\mathrm{gold}|}",
    reference=REFERENCE,
    examples={"a|b & c: a x b y": None},
    needs=NEEDS,
)
def span_recall(hits: Hits) -> FloatArray:
    """Share of the characters of all alternatives that the results cover."""
    return _divide(hits, _table(hits).wanted.astype(np.float64))


@metric(
    formula=r"\frac{|C_\mathrm{gold} \cap C_k|}{|C_k|}",
    reference=REFERENCE,
    examples={"a|b & c: a x b y": None},
    needs=NEEDS,
)
def span_precision(hits: Hits, *, overlap: Overlap = "once") -> FloatArray:
    """Share of the characters of the results that are of an alternative.

    Characters that results share are counted once; ``overlap=count`` counts them again, as
    chunking_evaluation does.
    """
    return _divide(hits, _count_read(hits, overlap))


@metric(
    formula=r"\frac{|C_\mathrm{gold} \cap C_k|}{|C_\mathrm{gold} \cup C_k|}",
    reference=REFERENCE,
    examples={"a|b & c: a x b y": None},
    needs=NEEDS,
)
def span_iou(hits: Hits, *, overlap: Overlap = "once") -> FloatArray:
    """Characters that are of an alternative and of a result, over those that are of either.

    Characters that results share are counted once; ``overlap=count`` counts them again, as
    chunking_evaluation does.
    """
    missed = _table(hits).wanted - _sum(hits, "found")
    return _divide(hits, _count_read(hits, overlap) + missed)


def _count_read(hits: Hits, overlap: Overlap) -> FloatArray:
    """Return the number of characters of the results."""
    return _sum(hits, "size" if overlap == "count" else "new")
