"""Hits under construction: flat arrays that become the columns of ``Hits`` once per batch."""

from array import array
from bisect import bisect_right
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import accumulate, chain, count
from typing import Any, TypeAlias

import numpy as np

from groupwise.evaluator.hits import (
    Alternatives,
    BoolArray,
    FloatArray,
    Groups,
    Hits,
    IntArray,
    Unwanted,
    order_by,
)
from groupwise.evaluator.hits.arrays import are_all, repeat_value
from groupwise.evaluator.matching.truths import grades_of, groups_of, labels_of, weights_of
from groupwise.evaluator.native import Matched
from groupwise.schemas import PlainTruth, RichTruth, Truth

NO_ROWS = repeat_value(0, 0)
PLAIN_KINDS: tuple[set[type], ...] = ({str}, {int})
Column: TypeAlias = "array[int] | bytes"
Columns: TypeAlias = tuple[Column, Column, Column, Column, Column, int]
Fitting: TypeAlias = dict[int, IntArray]


class HitColumns:
    """Collects queries with their hits, in bulk.

    Alternatives are numbered across the batch, in the order in which ground truths list them.
    """

    def __init__(self, budgets: Sequence[int] = ()) -> None:
        """Count the results that fit into each of these budgets of tokens."""
        self.budgets = budgets
        self._clear()

    def _clear(self) -> None:
        self.alternatives = 0
        self._lengths = array("q")
        self._group_counts = array("q")
        self._sizes = array("q")
        self._weights = array("d")
        self._grades = array("d")
        self._labels: list[str | None] = []
        self._is_rich = False
        self._hit_ranks = array("q")
        self._hit_alternatives = array("q")
        self._again = bytearray()
        self._same = array("q")
        self._same_starts = array("q")
        self._same_counts = array("q")
        self._has_rivals = False
        self._is_sorted = True
        self._unwanted_query = array("q")
        self._unwanted_rank = array("q")
        self._unwanted_count = array("q")
        self._matched = (
            self._lengths, self._group_counts, self._sizes, self._hit_ranks, self._hit_alternatives
        )  # fmt: skip
        self._fitting = {budget: array("q") for budget in self.budgets}

    def __len__(self) -> int:
        return len(self._lengths)

    @property
    def hits(self) -> int:
        """The number of hits that were added."""
        return len(self._hit_ranks)

    def note_truths(self, truths: list[Truth]) -> list[PlainTruth]:
        """Note weights, grades and labels of the next queries, and return their groups."""
        if not self._is_rich and RichTruth not in set(map(type, truths)):
            return truths  # type: ignore[return-value]
        if not self._is_rich:
            self._weights.extend([1.0] * len(self._sizes))
            self._grades.extend([1.0] * self.alternatives)
            self._labels.extend([None] * len(self._sizes))
        self._is_rich = True
        self._weights.extend(chain.from_iterable(map(weights_of, truths)))
        self._grades.extend(chain.from_iterable(map(grades_of, truths)))
        self._labels.extend(chain.from_iterable(map(labels_of, truths)))
        return list(map(groups_of, truths))

    def note_tokens(self, tokens: Iterable[list[int] | None]) -> None:
        """Note how many results of the next queries fit into each budget."""
        for budget, fitting in self._fitting.items():
            fitting.extend(_count_fitting(counts, budget) for counts in tokens)

    def note_not_relevant(self, number: int, ranks: Iterable[int], count: int) -> None:
        """Note where a query has results judged not relevant, and how many such documents it has.

        ``number`` counts the queries of the batch from 0 on; numbers ascend.
        """
        self._unwanted_count.extend([0] * (number - len(self._unwanted_count)))
        self._unwanted_count.append(count)
        places = sorted(ranks)
        self._unwanted_query.extend([number] * len(places))
        self._unwanted_rank.extend(places)

    def note_documents(self, first: int, documents: Sequence[Hashable]) -> None:
        """Note which of the alternatives from number ``first`` on are the same document.

        If any are, the documents are numbered in order of their ids, for metrics that need an order
        which does not depend on the place in the file.
        """
        distinct = {*documents}
        if len(distinct) < len(documents):
            numbers = dict(zip(_sort(distinct), count(first), strict=False))
            self._same.extend(map(numbers.__getitem__, documents))
            self._same_starts.append(first)
            self._same_counts.append(len(documents))
            self._has_rivals = True

    def add_shape(self, length: int, groups: PlainTruth) -> list[int]:
        """Add a query by its number of results and its groups.

        Returns:
            The number of the first alternative of each group.
        """
        *starts, self.alternatives = accumulate(map(len, groups), initial=self.alternatives)
        self._lengths.append(length)
        self._group_counts.append(len(groups))
        self._sizes.extend(map(len, groups))
        self._has_rivals = True
        return starts

    def add_matched(self, matched: Matched) -> list[tuple[int, int]]:
        """Add queries in columns, whose alternatives are numbered from 0 on.

        Returns:
            The rows whose hits are still to be added, each with the number of its first
            alternative.
        """
        before, alternatives = self.alternatives, matched.alternatives
        if before:
            alternatives = (np.frombuffer(alternatives, np.int64) + before).tobytes()
        columns = matched.lengths, matched.groups, matched.sizes, matched.ranks, alternatives
        for own, new in zip(self._matched, columns, strict=True):
            own.frombytes(new)
        self.alternatives += matched.listed
        return [(row, first + before) for row, first in matched.left]

    def add_hits(self, ranks: Sequence[int], alternatives: Sequence[int]) -> None:
        """Add hits by their ranks and the numbers of their alternatives."""
        self._is_sorted = False
        self._hit_ranks.extend(ranks)
        self._hit_alternatives.extend(alternatives)

    def note_again(self, again: Iterable[bool]) -> None:
        """Note for each hit so far whether an earlier result of its query has the same id."""
        self._again.extend(again)

    def build(self) -> Hits:
        """Return the hits of all queries, and start a new batch."""
        fitting = {budget: _column(counts) for budget, counts in self._fitting.items()}
        is_uniform = not (self._is_rich or self._has_rivals or self._again)
        if is_uniform and self._is_sorted:
            columns = (*self._matched, self.alternatives)
            hits = build_uniform(columns, self._build_unwanted(), fitting)
        else:
            hits = self._build_any(fitting, is_uniform=is_uniform)
        self._clear()
        return hits

    def _build_any(self, fitting: dict[int, IntArray], *, is_uniform: bool) -> Hits:
        """Return the hits of queries of any kind, found in any order."""
        groups, alternatives = self._build_tables()
        rank, alternative = _column(self._hit_ranks), _column(self._hit_alternatives)
        order = None
        if self._has_rivals or not self._is_sorted:
            order = self._sort_hits(rank, alternative, alternatives)
        if order is not None:
            rank, alternative = rank.take(order), alternative.take(order)
        return Hits(
            rank=rank,
            group=alternatives.group.take(alternative),
            document=alternatives.document.take(alternative),
            grade=alternatives.grade.take(alternative),
            length=_column(self._lengths),
            groups=groups,
            alternatives=alternatives,
            unwanted=self._build_unwanted(),
            fitting=fitting,
            again=self._list_again(order) if self._again else None,
            is_uniform=is_uniform,
        )

    def _list_again(self, order: IntArray | None) -> BoolArray:
        again = np.frombuffer(self._again, np.bool_)
        return again if order is None else again.take(order)

    def _sort_hits(
        self, rank: IntArray, alternative: IntArray, alternatives: Alternatives
    ) -> IntArray | None:
        """Return the numbers of the hits that count, in order of group and rank; None: all are.

        If a result meets several alternatives of a group, the one with the best grade counts.
        """
        group = alternatives.group.take(alternative)
        order = None if self._is_sorted else order_by(group, rank, int(rank.max(initial=0)))
        if self._has_rivals:
            order = self._drop_rivals(order, group, rank, alternatives.grade.take(alternative))
        return order

    def _drop_rivals(
        self, order: IntArray | None, group: IntArray, rank: IntArray, grade: FloatArray
    ) -> IntArray | None:
        """Return the order without hits of one result and group, but for the best of each."""
        best = _find_changes(group, rank, order)
        if are_all(best):
            return order
        if not self._is_rich:
            return best.nonzero()[0] if order is None else order[best]
        order = np.lexsort((-grade, rank, group))
        return order[best]

    def _build_tables(self) -> tuple[Groups, Alternatives]:
        counts, sizes = _column(self._group_counts), _column(self._sizes)
        groups, alternatives = _build_uniform_tables(counts, sizes, self.alternatives)
        if self._same:
            alternatives = replace(alternatives, document=self._number_documents())
        if self._is_rich:
            label, labels = self._number_labels()
            weight, grade = np.array(self._weights), np.array(self._grades)
            groups = replace(groups, weight=weight, label=label, labels=labels)
            alternatives = replace(alternatives, grade=grade)
        return groups, alternatives

    def _number_labels(self) -> tuple[IntArray, tuple[str, ...]]:
        """Return the number of the label of each group, and all labels."""
        labels = tuple(sorted({label for label in self._labels if label is not None}))
        numbers = {label: number for number, label in enumerate(labels)}
        column = [numbers.get(label or "", -1) for label in self._labels]
        return np.array(column, np.int64), labels

    def _number_documents(self) -> IntArray:
        documents = np.arange(self.alternatives)
        counts = _column(self._same_counts)
        before = _column(self._same_starts) - (counts.cumsum() - counts)
        documents[np.arange(len(self._same)) + before.repeat(counts)] = _column(self._same)
        return documents

    def _build_unwanted(self) -> Unwanted:
        if not self._unwanted_count:
            return _want_all(len(self))
        self._unwanted_count.extend([0] * (len(self) - len(self._unwanted_count)))
        return Unwanted(
            _column(self._unwanted_query),
            _column(self._unwanted_rank),
            _column(self._unwanted_count),
        )


def build_uniform(
    columns: Columns, unwanted: Unwanted | None = None, fitting: Fitting | None = None
) -> Hits:
    """Return hits in order of group and rank, where all weights and grades are 1.

    Args:
        columns: The number of results and of groups of each query, the size of each group, rank and
            alternative of each hit, the number of alternatives. No two are the same document.
        unwanted: The results judged not relevant; None: there are none.
        fitting: How many results of each query fit into each budget.
    """
    lengths, counts, sizes, rank, alternative = map(_column, columns[:5])
    groups, alternatives = _build_uniform_tables(counts, sizes, columns[5])
    return Hits(
        rank, alternatives.group.take(alternative), alternative, repeat_value(1.0, len(rank)),
        lengths, groups, alternatives, unwanted or _want_all(len(lengths)), fitting or {},
        is_uniform=True,
    )  # fmt: skip


@lru_cache(maxsize=16)
def _want_all(queries: int) -> Unwanted:
    """Return that no results of so many queries are judged not relevant."""
    return Unwanted(NO_ROWS, NO_ROWS, repeat_value(0, queries))


def _build_uniform_tables(
    counts: IntArray, sizes: IntArray, listed: int
) -> tuple[Groups, Alternatives]:
    """Return groups of weight 1, and alternatives of grade 1 which are different documents."""
    is_one = len(counts) == 1
    query = repeat_value(0, len(sizes)) if is_one else np.arange(len(counts)).repeat(counts)
    group = np.arange(len(sizes)).repeat(sizes)
    weight, label = repeat_value(1.0, len(sizes)), repeat_value(-1, len(sizes))
    groups = Groups(query, weight, sizes, label)
    return groups, Alternatives(group, np.arange(listed), repeat_value(1.0, listed))


def _count_fitting(tokens: list[int] | None, budget: int) -> int:
    """Return how many results, from the first on, fit into the budget together."""
    return bisect_right(list(accumulate(tokens or ())), budget)


def _sort(documents: set[Any]) -> list[Any]:
    """Return the documents in order; keys other than strings or numbers by how they are written."""
    kinds = {*map(type, documents)}
    return sorted(documents, key=None if kinds in PLAIN_KINDS else repr)


def _find_changes(group: IntArray, rank: IntArray, order: IntArray | None) -> BoolArray:
    """Return which rows, in this order, differ from the one before by group or rank."""
    if order is not None:
        group, rank = group.take(order), rank.take(order)
    changes = np.ones(len(rank), np.bool_)
    np.not_equal(group[1:], group[:-1], out=changes[1:])
    changes[1:] |= rank[1:] != rank[:-1]
    return changes


def _column(values: "array[int] | bytes") -> IntArray:
    return np.frombuffer(values, np.int64) if values else NO_ROWS
