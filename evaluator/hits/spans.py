"""Spans: characters of a document, from a start to an end that is exclusive."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import compress
from typing import NamedTuple

from groupwise.evaluator.hits.arrays import BoolArray, IntArray, np


class Span(NamedTuple):
    """A half-open range of characters of a document; documents are compared as text."""

    document: str
    start: int
    end: int


class Union:
    """Characters that are covered by any of some ranges, of one document."""

    def __init__(self) -> None:
        self._starts: list[int] = []
        self._ends: list[int] = []
        self.size = 0

    def add(self, start: int, end: int) -> int:
        """Add a range, and return how many of its characters are new."""
        if start >= end:
            return 0
        first, last = bisect_left(self._ends, start), bisect_right(self._starts, end)
        start = min([start, *self._starts[first : first + 1]]) if first < last else start
        end = max([end, *self._ends[last - 1 : last]]) if first < last else end
        before = sum(self._ends[first:last]) - sum(self._starts[first:last])
        self._starts[first:last], self._ends[first:last] = [start], [end]
        self.size += end - start - before
        return end - start - before

    def find_gaps(self, start: int, end: int) -> list[tuple[int, int]]:
        """Return the parts of a range that are not covered."""
        first, last = bisect_right(self._ends, start), bisect_left(self._starts, end)
        lows = [start, *self._ends[first:last]]
        highs = [*self._starts[first:last], end]
        return [(low, high) for low, high in zip(lows, highs, strict=True) if low < high]

    def overlap(self, start: int, end: int) -> int:
        """Return how many characters of a range are covered."""
        first, last = bisect_right(self._ends, start), bisect_left(self._starts, end)
        pairs = zip(self._starts[first:last], self._ends[first:last], strict=True)
        return sum(min(end, high) - max(start, low) for low, high in pairs)


def unite(spans: Iterable[Span]) -> dict[str, Union]:
    """Return the characters that spans cover, by document."""
    unions: dict[str, Union] = {}
    for document, start, end in spans:
        unions.setdefault(document, Union()).add(start, end)
    return unions


@dataclass(frozen=True)
class Covered:
    """One row per result: its query and rank, its characters, and how many of them are new.

    ``found`` counts those new ones that are of the alternatives.
    """

    query: IntArray
    rank: IntArray
    size: IntArray
    new: IntArray
    found: IntArray


@dataclass(frozen=True)
class SpanTable:
    """The spans of some queries: of each result, and of each alternative listed, by its query.

    None stands for a span that is not known.
    """

    results: Sequence[Sequence[Span | None]]
    alternatives: Sequence[Span | None]
    query: IntArray

    def where(self, listed: BoolArray) -> "SpanTable":
        """Return the table of some of the alternatives."""
        chosen = tuple(compress(self.alternatives, listed.tolist()))
        return replace(self, alternatives=chosen, query=self.query[listed])

    @cached_property
    def known(self) -> IntArray:
        """How many results of each query, from the first on, have a span."""
        return np.array([_count_known(spans) for spans in self.results], np.int64)

    def is_known(self, length: IntArray) -> BoolArray:
        """Whether all alternatives of each query, and its first ``length`` results, have spans."""
        unknown = [span is None for span in self.alternatives]
        lacking = np.bincount(self.query[unknown], minlength=len(self.results))
        known: BoolArray = (self.known >= length) & (lacking == 0)
        return known

    @cached_property
    def wanted(self) -> IntArray:
        """How many characters the alternatives of each query have, each counted once."""
        sizes = [sum(union.size for union in unions.values()) for unions in self._wanted]
        return np.array(sizes, np.int64)

    @cached_property
    def _wanted(self) -> list[dict[str, Union]]:
        spans: list[list[Span]] = [[] for _ in self.results]
        for query, span in zip(self.query.tolist(), self.alternatives, strict=True):
            if span is not None:
                spans[query].append(span)
        return [*map(unite, spans)]

    @cached_property
    def covered(self) -> Covered:
        """What each result adds to those before it."""
        rows = [
            (query, *row)
            for query, spans in enumerate(self.results)
            for row in _cover(spans, self._wanted[query])
        ]
        return Covered(*np.array(rows, np.int64).reshape(-1, 5).T)


def _count_known(spans: Sequence[Span | None]) -> int:
    return spans.index(None) if None in spans else len(spans)


def _cover(
    spans: Sequence[Span | None], wanted: dict[str, Union]
) -> Iterable[tuple[int, int, int, int]]:
    """Yield rank, size, new characters and new characters of alternatives of each result."""
    seen: dict[str, Union] = {}
    for rank, span in enumerate(spans, 1):
        if span is not None:
            document, start, end = span
            union = seen.setdefault(document, Union())
            gaps = union.find_gaps(start, end)
            new = union.add(start, end)
            found = sum(wanted[document].overlap(*gap) for gap in gaps) if document in wanted else 0
            yield rank, end - start, new, found
