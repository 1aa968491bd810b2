"""Hits: which result meets which group at which rank, for many queries at once, in columns.

Everything after matching sees hits and never an id. Rows of a table are numbered across the batch:
a group knows its query, a listed alternative and a hit know their group. ``document`` numbers the
distinct relevant documents, which identifies repeated results and documents of two groups.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeAlias, TypeVar

from groupwise.evaluator.hits.arrays import (
    FEW,
    BoolArray,
    FloatArray,
    IntArray,
    are_all,
    find_largest,
    np,
    repeat_value,
)

if TYPE_CHECKING:
    from groupwise.evaluator.hits.spans import SpanTable

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
    "order_by",
]


Column = TypeVar("Column")
Array = TypeVar("Array", IntArray, FloatArray)
PAIR = 2
MOST_SIZES = 8


class once(Generic[Column]):  # noqa: N801  (used like property)
    """A property that is computed when first read; unlike cached_property, without a lock."""

    def __init__(self, function: Callable[[Any], Column]) -> None:
        self.function = function
        self.name = function.__name__
        self.__doc__ = function.__doc__

    def __get__(self, instance: Any, _owner: type | None = None) -> Column:
        if instance is None:
            return self  # type: ignore[return-value]
        value = instance.__dict__[self.name] = self.function(instance)
        return value


@dataclass(frozen=True)
class Groups:
    """One row per group: its query, its weight, how many alternatives it lists, its label.

    Labels are numbers, places in ``labels``; -1 stands for none.
    """

    query: IntArray
    weight: FloatArray
    size: IntArray
    label: IntArray
    labels: tuple[str, ...] = ()

    def labelled(self, label: str) -> BoolArray:
        """Return which groups have this label; case does not matter."""
        wanted = [n for n, known in enumerate(self.labels) if known.lower() == label.lower()]
        chosen: BoolArray = np.isin(self.label, wanted)
        return chosen

    def where(self, kept: BoolArray) -> "Groups":
        """Return some of the groups."""
        return Groups(
            self.query[kept], self.weight[kept], self.size[kept], self.label[kept], self.labels
        )


@dataclass(frozen=True)
class Alternatives:
    """One row per listed alternative: its group, the document it names, its grade."""

    group: IntArray
    document: IntArray
    grade: FloatArray


@dataclass(frozen=True)
class MetResults:
    """One row per result that meets any group, in order of query and rank, with its best grade.

    ``first``: whether no earlier result of the query is the same document. ``is_new``: whether none
    has the same id, which differs where several results can be found for one document.
    """

    query: IntArray
    rank: IntArray
    grade: FloatArray
    first: BoolArray
    is_new: BoolArray

    def where(self, kept: BoolArray) -> "MetResults":
        """Return some of the results."""
        rows = kept.nonzero()[0]
        first = self.first.take(rows)
        is_new = first if self.is_new is self.first else self.is_new.take(rows)
        columns = self.query.take(rows), self.rank.take(rows), self.grade.take(rows)
        return MetResults(*columns, first, is_new)

    @property
    def new_query(self) -> IntArray:
        """The query of each result that is new."""
        return self.query if are_all(self.is_new) else self.query[self.is_new]


@dataclass(frozen=True)
class BestListed:
    """One row per listed alternative: its query, its place there from 1 on, and its grade."""

    query: IntArray
    place: IntArray
    grade: FloatArray


@dataclass(frozen=True)
class Unwanted:
    """Results that are judged not relevant, each at its first place, and how many a query has.

    ``count`` is the number of such documents of each query, found or not.
    """

    query: IntArray
    rank: IntArray
    count: IntArray

    def where(self, kept: BoolArray) -> "Unwanted":
        """Return some of the results; the number of documents stays."""
        return Unwanted(self.query[kept], self.rank[kept], self.count)


@dataclass(frozen=True)
class Likeness:
    """One row per result: the sum of its cosines to earlier results, and the highest of them.

    ``known``: how many results of a query, from the first on, have a vector. ``relevant``: the
    cosines of a query's relevant documents, in order of id; NaN where a vector is missing.
    ``alternative``: the row that each listed alternative has there.
    """

    query: IntArray
    rank: IntArray
    total: FloatArray
    nearest: FloatArray
    known: IntArray
    relevant: tuple[FloatArray, ...]
    alternative: IntArray

    def where(self, kept: BoolArray) -> "Likeness":
        """Return some of the results."""
        rows = self.query[kept], self.rank[kept], self.total[kept], self.nearest[kept]
        return Likeness(*rows, self.known, self.relevant, self.alternative)

    def lacks_vectors(self, length: IntArray) -> BoolArray:
        """Whether one of the first results of each query has no vector, or a relevant document."""
        unknown = np.array([np.isnan(cosines).any() for cosines in self.relevant], np.bool_)
        lacking: BoolArray = (self.known < length) | (unknown & (length > 1))
        return lacking

    def nearest_of(self, query: IntArray, rank: IntArray) -> FloatArray:
        """Return the highest cosine of these results; 0 for the first, and where it is unknown."""
        deepest = int(self.rank.max(initial=0)) + 1
        place = np.searchsorted(self.query * deepest + self.rank, query * deepest + rank)
        found = (rank <= self.known[query]) & (rank > 1)
        nearest = np.zeros(len(query))
        nearest[found] = self.nearest[place[found]]
        return nearest


@dataclass(frozen=True)
class Budget:
    """A cutoff by tokens: results are kept while their running token count fits."""

    tokens: int

    def __str__(self) -> str:
        return f"{self.tokens}t"


Cutoff: TypeAlias = int | Budget
Order: TypeAlias = Literal["given", "score"]
"""Whether results count in the order in which they are given, or in that of their scores."""


@dataclass(frozen=True)
class Hits:
    """The hits of a batch of queries, in order of group and rank.

    A hit is a result that meets a group; one that meets two groups is two hits. Ranks count from 1,
    queries, groups and documents from 0. All arrays are to be left unchanged.
    What is sorted is sorted once, for the whole rankings; a cut only leaves rows out.

    Attributes:
        rank: The rank of each hit.
        group: The group that each hit meets, a row of ``groups``.
        document: The document of each hit; the same number means the same document.
        grade: The grade of each hit.
        length: The number of results of each query.
        groups: One row per group: ``query``, ``weight``, ``size`` (how many alternatives), label.
        alternatives: One row per alternative listed: ``group``, ``document``, ``grade``.
        unwanted: The results judged not relevant: ``query``, ``rank``; ``count`` per query.
        fitting: For each budget of tokens, how many results of each query fit into it.
        likeness: How alike results are, if there are vectors and a metric needs them.
        spans: What results and alternatives are of their documents, if a metric needs it.
        again: Whether an earlier result has the id of each hit; None: the same as its document.
        is_uniform: Whether all weights and grades are 1, and no document is listed twice.
        last: The cutoff, if there is one.
        uncut: The hits before they were cut.
        kept: Which of them these are; None: all.
        greedy: The queries, so far, whose ideal ranking was needed and is not exact.
    """

    rank: IntArray
    group: IntArray
    document: IntArray
    grade: FloatArray
    length: IntArray
    groups: Groups
    alternatives: Alternatives
    unwanted: Unwanted
    fitting: Mapping[int, IntArray] = field(default_factory=dict)
    likeness: Likeness | None = None
    spans: "SpanTable | None" = None
    again: BoolArray | None = None
    is_uniform: bool = False
    last: int | IntArray | None = None
    uncut: "Hits | None" = None
    kept: IntArray | None = None
    greedy: set[int] = field(default_factory=set)
    memo: dict[Any, Any] = field(default_factory=dict, init=False)

    def at(self, cutoff: Cutoff | None) -> "Hits":
        """Return the hits among the first results: the one place where a cutoff exists.

        ``fitting`` holds for each budget how many results of each query fit into it.
        """
        if cutoff is None:
            return self
        return self.cut(self.fitting[cutoff.tokens] if isinstance(cutoff, Budget) else cutoff)

    def cut(self, last: int | IntArray) -> "Hits":
        """Return the hits up to a last rank, for all queries or for each."""
        if isinstance(last, int) and self.deepest <= last:
            return self._keep_all(last)
        kept = self._within(last, self.query, self.rank).nonzero()[0]
        return Hits(
            rank=self.rank.take(kept),
            group=self.group.take(kept),
            document=self.document.take(kept),
            grade=self.grade.take(kept),
            length=np.minimum(self.length, last),
            groups=self.groups,
            alternatives=self.alternatives,
            unwanted=self._cut_unwanted(last),
            fitting=self.fitting,
            likeness=self.likeness,
            spans=self.spans,
            again=None if self.again is None else self.again.take(kept),
            is_uniform=self.is_uniform,
            last=last,
            uncut=self,
            kept=kept,
            greedy=self.greedy,
        )

    def _keep_all(self, last: int) -> "Hits":
        """Return these hits, cut at a rank that leaves none out."""
        return Hits(
            self.rank, self.group, self.document, self.grade, np.minimum(self.length, last),
            self.groups, self.alternatives, self._cut_unwanted(last), self.fitting, self.likeness,
            self.spans, self.again, self.is_uniform, last, self, greedy=self.greedy,
        )  # fmt: skip

    @once
    def deepest(self) -> int:
        """The last rank of any hit; 0 if there is none."""
        return find_largest(self.rank)

    def _cut_unwanted(self, last: int | IntArray) -> Unwanted:
        unwanted = self.unwanted
        if not len(unwanted.rank):
            return unwanted
        return unwanted.where(self._within(last, unwanted.query, unwanted.rank))

    @staticmethod
    def _within(last: int | IntArray, query: IntArray, place: IntArray) -> BoolArray:
        kept: BoolArray = place <= (last if isinstance(last, int) else last[query])
        return kept

    def reaches(self, query: IntArray, place: IntArray) -> BoolArray:
        """Whether these places of these queries are within the cutoff."""
        if self.last is None:
            return np.ones(len(place), np.bool_)
        return self._within(self.last, query, place)

    def reaches_ideal(self, place: IntArray) -> BoolArray:
        """Whether these places of an ideal ranking are within the cutoff.

        A budget of tokens does not cut it: the length of documents not retrieved is unknown.
        """
        if not isinstance(self.last, int):
            return np.ones(len(place), np.bool_)
        kept: BoolArray = place <= self.last
        return kept

    def labelled(self, label: str) -> "Hits":
        """Return the hits of the groups with this label, as if there were no others."""
        if ("labelled", label) not in self.memo:
            self.memo["labelled", label] = self._labelled(label)
        found: Hits = self.memo["labelled", label]
        return found

    def _labelled(self, label: str) -> "Hits":
        if self.uncut is not None:
            return self.uncut.labelled(label).cut(self.last)  # type: ignore[arg-type]
        chosen = self.groups.labelled(label)
        renumbered = np.cumsum(chosen) - 1
        listed, hits = chosen[self.alternatives.group], chosen[self.group]
        likeness = self.likeness
        return replace(
            self,
            rank=self.rank[hits],
            group=renumbered[self.group[hits]],
            document=self.document[hits],
            grade=self.grade[hits],
            again=None if self.again is None else self.again[hits],
            groups=self.groups.where(chosen),
            alternatives=Alternatives(
                renumbered[self.alternatives.group[listed]],
                self.alternatives.document[listed],
                self.alternatives.grade[listed],
            ),
            likeness=likeness and replace(likeness, alternative=likeness.alternative[listed]),
            spans=self.spans and self.spans.where(listed),
        )

    @property
    def queries(self) -> int:
        """The number of queries."""
        return len(self.length)

    @once
    def query(self) -> IntArray:
        """The query of each hit."""
        return self.groups.query.take(self.group)

    @once
    def is_first_of_group(self) -> BoolArray:
        """Whether a hit is the first of its group."""
        first = np.empty(len(self.group), np.bool_)
        first[:1] = True
        np.not_equal(self.group[1:], self.group[:-1], out=first[1:])
        return first

    @once
    def first_rank(self) -> IntArray:
        """The first rank at which each group is met; 0 for a group that is not."""
        if self.uncut is not None:
            first = self.uncut.first_rank
            if self.kept is None:
                return first
            return np.where(self.reaches(self.groups.query, first), first, 0)
        ranks = np.zeros(len(self.groups.query), np.int64)
        rows = self.is_first_of_group.nonzero()[0]
        ranks[self.group.take(rows)] = self.rank.take(rows)
        return ranks

    @once
    def place_in_group(self) -> IntArray:
        """The number of each hit among those of its group, from 1 on."""
        if self.uncut is not None:
            places = self.uncut.place_in_group
            return places if self.kept is None else places.take(self.kept)
        if self._are_all_first:
            ones: IntArray = repeat_value(1, len(self.group))
            return ones
        return number_within(self.group, len(self.groups.query))

    @once
    def met(self) -> IntArray:
        """The groups that are met, in order of query, weight and first rank.

        The order does not depend on the order in which groups are given; so sums taken in it are
        the same to the last bit whatever that order was. It is the order in which the weight of
        all groups is summed, so that rounding never takes a part above the whole.
        """
        if self.uncut is not None:
            return self._cut_met(self.uncut.met)
        return self.group.take(self._met_hits)

    @once
    def _met_hits(self) -> IntArray:
        """The first hits of the groups that are met, in the order of ``met``."""
        if self.is_uniform and self._are_all_first:
            return self._by_rank
        first, query, rank = self._first_hits, self._first_query, self.rank.take(self._first_hits)
        if self.is_uniform:
            return first.take(order_by(query, rank, self.deepest))
        weight = self.groups.weight.take(self.group.take(first))
        return first.take(np.lexsort((rank, weight, query)))

    @once
    def _are_all_first(self) -> bool:
        """Whether no group has two hits."""
        if len(self.group) < FEW:
            return _are_distinct(self.group)
        return are_all(self.is_first_of_group)

    @once
    def _first_hits(self) -> IntArray:
        """The first hit of each group that is met."""
        return self.is_first_of_group.nonzero()[0]

    @once
    def _first_query(self) -> IntArray:
        """The query of each group that is met; they ascend, whatever the order within a query."""
        return self.query if self._are_all_first else self.query.take(self._first_hits)

    @once
    def _by_rank(self) -> IntArray:
        """The hits in order of query and rank; those of one rank stay as they are."""
        if len(self.length) == 1:
            return self.rank.argsort(kind="stable")
        return order_by(self.query, self.rank, self.deepest)

    def _cut_met(self, column: Array) -> Array:
        """Return what a column of the groups met at all has for those met within the cutoff."""
        return column if self.kept is None else column.take(self._met_rows)

    @once
    def _met_rows(self) -> IntArray:
        """The places, among the groups met at all, of those met within the cutoff."""
        assert self.uncut is not None  # noqa: S101  (the callers have looked)
        kept = self.reaches(self.uncut.met_query, self.uncut.met_rank)
        return kept.nonzero()[0]

    @once
    def met_query(self) -> IntArray:
        """The query of each group that is met."""
        if self.uncut is not None:
            return self._cut_met(self.uncut.met_query)
        return self._first_query

    @once
    def met_rank(self) -> IntArray:
        """The first rank of each group that is met."""
        if self.uncut is not None:
            return self._cut_met(self.uncut.met_rank)
        return self.rank.take(self._met_hits)

    @once
    def met_weight(self) -> FloatArray:
        """The weight of each group that is met."""
        if self.uncut is not None:
            return self._cut_met(self.uncut.met_weight)
        if self.is_uniform:
            return self.groups.weight[: len(self.met_query)]
        return self.groups.weight.take(self.met)

    @once
    def group_count(self) -> FloatArray:
        """The number of groups of each query."""
        if self.uncut is not None:
            return self.uncut.group_count
        return self.per_query(self.groups.query)

    @once
    def total_weight(self) -> FloatArray:
        """The weight of all groups of each query."""
        if self.uncut is not None:
            return self.uncut.total_weight
        if self.is_uniform:
            return self.group_count
        order = np.lexsort((self.groups.weight, self.groups.query))
        return self.per_query(self.groups.query[order], self.groups.weight[order])

    @once
    def results(self) -> MetResults:
        """The results that meet any group."""
        if self.uncut is not None:
            found = self.uncut.results
            if self.kept is None:
                return found
            return found.where(self.reaches(found.query, found.rank))
        if self.is_uniform:
            return self._list_uniform_results()
        if self.again is None and len(self.rank) > int(self.length.sum()):
            return self._list_results(self._find_best_hits())
        order = np.lexsort((self.grade, self.rank, self.query))
        query, rank = self.query[order], self.rank[order]
        best = np.empty(len(order), np.bool_)
        best[-1:] = True
        best[:-1] = (query[1:] != query[:-1]) | (rank[1:] != rank[:-1])
        kept = order[best]
        if self.again is not None and len(kept) < len(order):
            return self._assign(kept, order, np.cumsum(best) - best)
        return self._list_results(kept)

    def _list_results(self, kept: IntArray) -> MetResults:
        """Return the results whose best hits are these."""
        first = self._first(kept)
        is_new = first if self.again is None else ~self.again[kept]
        return MetResults(self.query[kept], self.rank[kept], self.grade[kept], first, is_new)

    def _find_best_hits(self) -> IntArray:
        """Return the best hit of each result that has any, where results have many.

        The last of equal ones, as sorting all of them would have it, which takes longer.
        """
        ends = self.length.cumsum()
        cell = (ends - self.length).take(self.query) + self.rank - 1
        hits = np.arange(len(cell))
        if self.grade.min() < self.grade.max():
            hits = self.grade.argsort(kind="stable")
            cell = cell.take(hits)
        best = np.full(int(ends[-1]), -1)
        best[cell] = hits  # of a cell that occurs again, the last one counts
        return best[best >= 0]

    def _list_uniform_results(self) -> MetResults:
        """Return the results where each is one hit, and all have one grade."""
        first = self._first(self._by_rank)
        rank, query, grade = self.rank.take(self._by_rank), self.query.copy(), self.grade.copy()
        return MetResults(query, rank, grade, first, first)

    def _assign(self, kept: IntArray, order: IntArray, result: IntArray) -> MetResults:
        """Return the results where any meets several documents; each counts as one.

        Args:
            kept: The best hit of each result.
            order: All hits, in order of query and rank.
            result: The number of the result of each.
        """
        from groupwise.evaluator.hits.assignment import Assignment  # noqa: PLC0415  (rarely needed)

        assert self.again is not None  # noqa: S101  (the caller has looked)
        met: list[list[tuple[int, float]]] = [[] for _ in kept]
        pairs = zip(self.document[order].tolist(), self.grade[order].tolist(), strict=True)
        for number, pair in zip(result.tolist(), pairs, strict=True):
            met[number].append(pair)
        query, grade = self.query[kept], self.grade[kept].copy()
        first = np.zeros(len(kept), np.bool_)
        assignment = Assignment()
        for number, documents in enumerate(met):
            if number == 0 or query[number] != query[number - 1]:
                assignment = Assignment()
            added = assignment.add(documents[::-1])
            if added is not None:
                first[number], grade[number] = True, added
        return MetResults(query, self.rank[kept], grade, first, ~self.again[kept])

    def _first(self, hits: IntArray) -> BoolArray:
        if self._are_distinct or _are_distinct(documents := self.document[hits]):
            distinct: BoolArray = repeat_value(value=True, length=len(hits))
            return distinct
        _, first_places = np.unique(documents, return_index=True)
        first = np.zeros(len(hits), np.bool_)
        first[first_places] = True
        return first

    @once
    def _are_distinct(self) -> bool:
        """Whether all hits are of different documents."""
        return _are_distinct(self.document)

    @once
    def listed_count(self) -> IntArray:
        """The number of alternatives that each query lists, repeats included."""
        if self.uncut is not None:
            return self.uncut.listed_count
        return np.bincount(self.groups.query[self.alternatives.group], minlength=self.queries)

    @once
    def best_listed(self) -> BestListed:
        """The listed alternatives, best grade first within each query."""
        if self.uncut is not None:
            return self.uncut.best_listed
        query = self.groups.query[self.alternatives.group]
        if self.is_uniform:
            return BestListed(query, number_within(query, self.queries), self.alternatives.grade)
        order = np.lexsort((-self.alternatives.grade, query))
        query = query[order]
        return BestListed(query, number_within(query, self.queries), self.alternatives.grade[order])

    @once
    def documents(self) -> BestListed:
        """The distinct documents of each query, best grade first, each with its best grade."""
        if self.uncut is not None:
            return self.uncut.documents
        if self.is_uniform:
            return self.best_listed
        listed = self.alternatives
        order = np.lexsort((-listed.grade, listed.document))
        document = listed.document[order]
        best = order[np.concatenate([[True], document[1:] != document[:-1]])[: len(order)]]
        query = self.groups.query[listed.group[best]]
        by_grade = np.lexsort((-listed.grade[best], query))
        query = query[by_grade]
        place = number_within(query, self.queries)
        return BestListed(query, place, listed.grade[best][by_grade])

    @property
    def depth(self) -> IntArray:
        """The number of results looked at: the cutoff itself, or all there are."""
        return np.full(self.queries, self.last) if isinstance(self.last, int) else self.length

    @property
    def repeating_queries(self) -> int:
        """The number of queries whose results hold a relevant document more than once."""
        first = self.results.first
        if np.count_nonzero(first) == len(first):
            return 0
        return len(np.unique(self.results.query[~first]))

    @property
    def queries_with_repeats(self) -> int:
        """The number of queries that have a relevant result more than once, by its id."""
        if self.again is None and self._are_distinct:
            return 0
        results = self.results
        if results.is_new is results.first:
            return self.repeating_queries
        return len(np.unique(results.query[~results.is_new]))

    def per_query(self, query: IntArray, values: FloatArray | None = None) -> FloatArray:
        """Return the sum of the values, or the number of rows, of each query."""
        # Of no rows, sums are whole numbers, too.
        return np.bincount(query, values, len(self.length)).astype(np.float64, copy=False)

    def sort_within(self, query: IntArray, values: FloatArray) -> FloatArray:
        """Return values, whose queries ascend, in ascending order within each query.

        Sums of values in this order depend on the values alone. A sum of two always does: such
        values stay where they are.
        """
        if len(values) <= PAIR:
            return values
        count = np.bincount(query)
        largest = find_largest(count)
        if largest <= PAIR:
            return values
        ordered = values.copy()
        if largest <= MOST_SIZES:
            _sort_by_size(ordered, count, largest)
        else:
            many = (count.take(query) > PAIR).nonzero()[0]
            ordered[many] = values[many[np.lexsort((values[many], query[many]))]]
        return ordered

    def vector(self) -> list[int]:
        """Return the hit vector of the first query: 1 where a result meets any group."""
        ranks = self.results.rank[self.results.query == 0]
        vector = np.zeros(int(self.length[0]), np.int64)
        vector[ranks - 1] = 1
        return [int(hit) for hit in vector]


def order_by(query: IntArray, rank: IntArray, deepest: int) -> IntArray:
    """Return the order of rows by query and rank, none deeper; equal ones stay as they are."""
    order: IntArray = (query * (deepest + 1) + rank).argsort(kind="stable")
    return order


def _sort_by_size(values: FloatArray, count: IntArray, largest: int) -> None:
    """Sort runs of values, so many in each; those of one size at once, as rows of a table."""
    starts = count.cumsum() - count
    for size in range(PAIR + 1, largest + 1):
        begins = starts[count == size]
        if len(begins):
            places = begins[:, None] + np.arange(size)
            values[places] = np.sort(values[places], axis=1)


def _are_distinct(documents: IntArray) -> bool:
    """Whether no document occurs twice."""
    if len(documents) < FEW:
        return len({*documents.tolist()}) == len(documents)
    return find_largest(np.bincount(documents)) <= 1


def number_within(column: IntArray, kinds: int) -> IntArray:
    """Return 1, 2, 3 … for each run of equal numbers in a sorted column, all below ``kinds``."""
    count = np.bincount(column, minlength=kinds)
    numbers: IntArray = np.arange(1, len(column) + 1) - (count.cumsum() - count)[column]
    return numbers
