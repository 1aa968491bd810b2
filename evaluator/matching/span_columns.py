"""The spans of results and alternatives, collected for the metrics that count characters."""

from itertools import chain

from groupwise.evaluator.hits.arrays import np
from groupwise.evaluator.hits.spans import Span, SpanTable
from groupwise.evaluator.intake.rows import Rows
from groupwise.evaluator.matching.query_matcher import alternatives_of, results_of
from groupwise.schemas.ids import text_of
from groupwise.schemas.reference import Reference


def span_of(reference: Reference) -> Span | None:
    """Return the span of a reference; None if it has none, or one whose end is before its start.

    A blank document is none: spans of different documents would look alike.
    """
    document, start, end = reference[2:]
    if document is None or start is None or end is None or end < start:
        return None
    name = text_of(document)
    return Span(name, start, end) if name.strip() else None


def _span_of_alternative(reference: Reference) -> Span | None:
    """Return the span of an alternative; None if it is unknown, or has no characters."""
    span = span_of(reference)
    return None if span is None or span.start == span.end else span


class SpanColumns:
    """Collects the spans of queries, of their first ``depth`` results; None: of all."""

    def __init__(self, depth: int | None = None) -> None:
        self.depth = depth
        self._clear()

    def _clear(self) -> None:
        self._results: list[list[Span | None]] = []
        self._alternatives: list[Span | None] = []
        self._counts: list[int] = []

    def add(self, rows: Rows) -> None:
        """Note the spans of some queries."""
        for row in range(len(rows)):
            listed = [*chain.from_iterable(alternatives_of(rows, row))]
            self._alternatives += map(_span_of_alternative, listed)
            self._counts.append(len(listed))
            self._results.append([*map(span_of, results_of(rows, row)[: self.depth])])

    def batch(self) -> SpanTable:
        """Return the spans of the queries added since the last batch."""
        query = np.arange(len(self._counts)).repeat(self._counts)
        table = SpanTable(self._results, self._alternatives, query)
        self._clear()
        return table
