"""Hits: which result meets which group at which rank, for many queries at once, in columns.

Everything after matching sees hits and never an id. Rows of a table are numbered across the batch:
a group knows its query, a listed alternative and a hit know their group. ``document`` numbers the
distinct gold documents, so that a repeated result or a document of two groups can be told.
"""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]


@dataclass(frozen=True)
class Groups:
    """One row per group: the query it belongs to, its weight, how many alternatives it lists."""

    query: IntArray
    weight: FloatArray
    size: IntArray


@dataclass(frozen=True)
class Alternatives:
    """One row per listed alternative: its group, the document it names, its grade."""

    group: IntArray
    document: IntArray
    grade: FloatArray


@dataclass(frozen=True)
class MetResults:
    """One row per result that meets any group, in order of query and rank, with its best grade.

    ``first`` tells that no earlier result of the query is the same document.
    """

    query: IntArray
    rank: IntArray
    grade: FloatArray
    first: BoolArray


@dataclass(frozen=True)
class Hits:
    """The hits of a batch of queries, in order of group and rank.

    ``length`` is the number of results of each query. All arrays are to be left unchanged.
    """

    rank: IntArray
    group: IntArray
    document: IntArray
    grade: FloatArray
    length: IntArray
    groups: Groups
    alternatives: Alternatives

    def at(self, k: int | None) -> "Hits":
        """The hits among the first k results: the one place where a cutoff exists."""
        if k is None:
            return self
        kept = self.rank <= k
        return replace(
            self,
            rank=self.rank[kept],
            group=self.group[kept],
            document=self.document[kept],
            grade=self.grade[kept],
            length=np.minimum(self.length, k),
        )

    @property
    def queries(self) -> int:
        """The number of queries."""
        return len(self.length)

    @cached_property
    def query(self) -> IntArray:
        """The query of each hit."""
        return self.groups.query[self.group]

    @cached_property
    def is_first_of_group(self) -> BoolArray:
        """Whether a hit is the first of its group."""
        first = np.ones(len(self.group), np.bool_)
        np.not_equal(self.group[1:], self.group[:-1], out=first[1:])
        return first

    @cached_property
    def met(self) -> IntArray:
        """The groups that are met, in order of query, first rank and weight.

        The order does not depend on the order in which groups are given; so sums taken in it are
        the same to the last bit whatever that order was.
        """
        group, rank = self.group[self.is_first_of_group], self.first_rank
        weight = self.groups.weight[group]
        order: IntArray = np.lexsort((weight, rank[group], self.groups.query[group]))
        return group[order]

    @cached_property
    def first_rank(self) -> IntArray:
        """The first rank at which each group is met; 0 for a group that is not."""
        ranks = np.zeros(len(self.groups.query), np.int64)
        ranks[self.group[self.is_first_of_group]] = self.rank[self.is_first_of_group]
        return ranks

    @cached_property
    def total_weight(self) -> FloatArray:
        """The weight of all groups of each query."""
        order = np.lexsort((self.groups.weight, self.groups.query))
        return self.per_query(self.groups.query[order], self.groups.weight[order])

    @cached_property
    def results(self) -> MetResults:
        """The results that meet any group."""
        order = np.lexsort((self.grade, self.rank, self.query))
        query, rank = self.query[order], self.rank[order]
        best = np.ones(len(order), np.bool_)
        best[:-1] = (query[1:] != query[:-1]) | (rank[1:] != rank[:-1])
        kept = order[best]
        return MetResults(self.query[kept], self.rank[kept], self.grade[kept], self._first(kept))

    def _first(self, hits: IntArray) -> BoolArray:
        _, first_places = np.unique(self.document[hits], return_index=True)
        first = np.zeros(len(hits), np.bool_)
        first[first_places] = True
        return first

    def per_query(self, query: IntArray, values: FloatArray | None = None) -> FloatArray:
        """The sum of the values, or the number of rows, of each query."""
        return np.bincount(query, values, minlength=self.queries).astype(np.float64, copy=False)

    def vector(self) -> list[int]:
        """The plain hit vector of the first query: 1 where a result meets any group."""
        ranks = self.results.rank[self.results.query == 0]
        vector = np.zeros(int(self.length[0]), np.int64)
        vector[ranks - 1] = 1
        return [int(hit) for hit in vector]
