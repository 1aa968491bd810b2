"""Characters of documents, from the spans of alternatives and results; the same in every profile.

Chunking papers report these: they say how much of the evidence was retrieved, and how much else.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal

from groupwise.evaluator.hits import FloatArray, Hits, IntArray
from groupwise.evaluator.hits.arrays import np
from groupwise.evaluator.metrics.arithmetic import share
from groupwise.evaluator.metrics.registry import metric

if TYPE_CHECKING:
    from groupwise.evaluator.hits.spans import Covered, SpanTable

NEEDS = "the span (document, start, end) of each alternative and result"
REFERENCE = "Smith & Troynikov 2024, Evaluating Chunking Strategies for Retrieval"
Overlap = Literal["once", "count"]


def _divide(hits: Hits, count_total: Callable[["SpanTable"], FloatArray | IntArray]) -> FloatArray:
    """Return the share that the characters found have in a total; NaN where a span is missing."""
    table = hits.spans
    if table is None:
        return np.full(hits.queries, np.nan)
    found = _sum(hits, table.covered, "found")
    return np.where(table.is_known(hits.length), share(found, count_total(table)), np.nan)


def _sum(hits: Hits, covered: "Covered", column: str) -> FloatArray:
    """Return the sum of a column over the first results of each query."""
    kept = hits.reaches(covered.query, covered.rank)
    return hits.per_query(covered.query[kept], getattr(covered, column)[kept])


def _count_read(hits: Hits, table: "SpanTable", overlap: Overlap) -> FloatArray:
    """Return the number of characters of the results."""
    return _sum(hits, table.covered, "size" if overlap == "count" else "new")


@metric(
    formula=r"\frac{|C_\mathrm{gold} \cap C_k|}{|C_\mathrm{gold}|}",
    reference=REFERENCE,
    examples={"a|b & c: a x b y": None},
    needs=NEEDS,
)
def span_recall(hits: Hits) -> FloatArray:
    """Share of the characters of all alternatives that the results cover."""
    return _divide(hits, lambda table: table.wanted)


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
    return _divide(hits, lambda table: _count_read(hits, table, overlap))


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

    def count_either(table: "SpanTable") -> FloatArray:
        missed: FloatArray = table.wanted - _sum(hits, table.covered, "found")
        return _count_read(hits, table, overlap) + missed

    return _divide(hits, count_either)
