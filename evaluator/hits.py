"""Hits: which result meets which group at which rank, for many queries at once, in columns.

Everything after matching sees hits and never an id. Rows of a table are numbered across the batch:
a group knows its query, a listed alternative and a hit know their group. ``document`` numbers the
distinct gold documents, so that a repeated result or a document of two groups can be told.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from groupwise.evaluator.arrays import BoolArray, FloatArray, IntArray, np

__all__ = [
    "Alternatives",
    "BestListed",
    "BoolArray",
    "FloatArray",
    "Groups",
    "Hits",
    "IntArray",
    "MetResults",
    "number_within",
]


Column = TypeVar("Column")


class once(Generic[Column]):  # noqa: N801  (used like property)
    """A property that is worked out when first asked for; unlike cached_property without a lock."""

    def __init__(self, function: Callable[[Any], Column]) -> None:
        self.function = function
        self.__doc__ = function.__doc__

    def __get__(self, instance: Any, _owner: type | None = None) -> Column:
        value = self.function(instance)
        instance.__dict__[self.function.__name__] = value
        return value


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

    def at(self, k: int) -> "MetResults":
        """Those among the first k results."""
        kept = self.rank <= k
        return MetResults(self.query[kept], self.rank[kept], self.grade[kept], self.first[kept])


@dataclass(frozen=True)
class BestListed:
    """One row per listed alternative: its query, its place there from 1 on, and its grade."""

    query: IntArray
    place: IntArray
    grade: FloatArray


@dataclass(frozen=True)
class Hits:
    """The hits of a batch of queries, in order of group and rank.

    ``length`` is the number of results of each query. All arrays are to be left unchanged.
    What is sorted is sorted once, for the whole rankings; a cut only leaves rows out.
    """

    rank: IntArray
    group: IntArray
    document: IntArray
    grade: FloatArray
    length: IntArray
    groups: Groups
    alternatives: Alternatives
    cutoff: int | None = None
    uncut: "Hits | None" = None
    memo: dict[Callable[..., FloatArray], FloatArray] = field(default_factory=dict, init=False)

    def at(self, k: int | None) -> "Hits":
        """The hits among the first k results: the one place where a cutoff exists."""
        if k is None:
            return self
        kept = self.rank <= k
        return Hits(
            rank=self.rank[kept],
            group=self.group[kept],
            document=self.document[kept],
            grade=self.grade[kept],
            length=np.minimum(self.length, k),
            groups=self.groups,
            alternatives=self.alternatives,
            cutoff=k,
            uncut=self,
        )

    @property
    def queries(self) -> int:
        """The number of queries."""
        return len(self.length)

    @once
    def query(self) -> IntArray:
        """The query of each hit."""
        return self.groups.query[self.group]

    @once
    def is_first_of_group(self) -> BoolArray:
        """Whether a hit is the first of its group."""
        first = np.ones(len(self.group), np.bool_)
        np.not_equal(self.group[1:], self.group[:-1], out=first[1:])
        return first

    @once
    def first_rank(self) -> IntArray:
        """The first rank at which each group is met; 0 for a group that is not."""
        ranks = np.zeros(len(self.groups.query), np.int64)
        ranks[self.group[self.is_first_of_group]] = self.rank[self.is_first_of_group]
        return ranks

    @once
    def met(self) -> IntArray:
        """The groups that are met, in order of query, weight and first rank.

        The order does not depend on the order in which groups are given; so sums taken in it are
        the same to the last bit whatever that order was. It is the order in which the weight of
        all groups is summed, so that rounding never takes a part above the whole.
        """
        if self.uncut is not None and self.cutoff is not None:
            met = self.uncut.met
            return met[self.uncut.first_rank[met] <= self.cutoff]
        group = self.group[self.is_first_of_group]
        keys = (self.first_rank[group], self.groups.weight[group], self.groups.query[group])
        order: IntArray = np.lexsort(keys)
        return group[order]

    @once
    def met_query(self) -> IntArray:
        """The query of each group that is met."""
        return self.groups.query[self.met]

    @once
    def total_weight(self) -> FloatArray:
        """The weight of all groups of each query."""
        if self.uncut is not None:
            return self.uncut.total_weight
        order = np.lexsort((self.groups.weight, self.groups.query))
        return self.per_query(self.groups.query[order], self.groups.weight[order])

    @once
    def results(self) -> MetResults:
        """The results that meet any group."""
        if self.uncut is not None and self.cutoff is not None:
            return self.uncut.results.at(self.cutoff)
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

    @once
    def best_listed(self) -> BestListed:
        """The listed alternatives, best grade first within each query."""
        if self.uncut is not None:
            return self.uncut.best_listed
        query = self.groups.query[self.alternatives.group]
        order = np.lexsort((-self.alternatives.grade, query))
        query = query[order]
        return BestListed(query, number_within(query, self.queries), self.alternatives.grade[order])

    @property
    def repeating_queries(self) -> int:
        """The number of queries whose results hold a relevant document more than once."""
        if self.results.first.all():
            return 0
        return len(np.unique(self.results.query[~self.results.first]))

    def per_query(self, query: IntArray, values: FloatArray | None = None) -> FloatArray:
        """The sum of the values, or the number of rows, of each query."""
        return np.bincount(query, values, minlength=self.queries).astype(np.float64, copy=False)

    def vector(self) -> list[int]:
        """The plain hit vector of the first query: 1 where a result meets any group."""
        ranks = self.results.rank[self.results.query == 0]
        vector = np.zeros(int(self.length[0]), np.int64)
        vector[ranks - 1] = 1
        return [int(hit) for hit in vector]


def number_within(column: IntArray, kinds: int) -> IntArray:
    """1, 2, 3 … anew for each run of equal numbers in a sorted column; all are below ``kinds``."""
    count = np.bincount(column, minlength=kinds)
    numbers: IntArray = np.arange(1, len(column) + 1) - (np.cumsum(count) - count)[column]
    return numbers
