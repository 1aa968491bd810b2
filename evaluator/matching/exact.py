"""Exact ids: a result meets every group that lists its id.

Few ids are gold and many are retrieved, so each ranking is walked once, by the compiled walk where
there is one, and only its hits are looked at in Python. Rows are gathered in flat arrays, which
become columns once per batch.
"""

from array import array
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import accumulate, chain, compress
from operator import itemgetter

import numpy as np

from groupwise.evaluator.hits import Alternatives, Groups, Hits, IntArray, Unwanted
from groupwise.evaluator.intake.rows import Rankings, Rows
from groupwise.evaluator.native.fallback import Matched
from groupwise.evaluator.native.loader import walk
from groupwise.evaluator.reading.packed_ids import TextLists
from groupwise.schemas import Id, RichTruth, Truth

RANKS = range(1, 1 << 62)


class Matcher:
    """Gathers queries into a batch of hits."""

    def __init__(self, depth: int | None = None, budgets: Sequence[int] = ()) -> None:
        """Look at the first ``depth`` results (None: all); note how many fit into each budget."""
        self.depth = depth
        self.budgets = budgets
        self._clear()

    def _clear(self) -> None:
        self._lengths = array("q")
        self._group_counts = array("q")
        self._sizes = array("q")
        self._weights = array("d")
        self._grades = array("d")
        self._labels: list[str | None] = []
        self._rich = False
        self._listed = 0
        self._hit_ranks = array("q")
        self._hit_alternatives = array("q")
        self._same: dict[int, int] = {}
        self._unwanted_query = array("q")
        self._unwanted_rank = array("q")
        self._unwanted_count = array("q")
        self._walked = (
            self._lengths, self._group_counts, self._sizes, self._hit_ranks, self._hit_alternatives
        )  # fmt: skip
        self._fitting = {budget: array("q") for budget in self.budgets}

    def __len__(self) -> int:
        return len(self._lengths)

    def add(self, rows: Rows) -> None:
        """Match the results of some queries with their ground truths.

        Nothing of what is given is kept, so that a stream can let go of its records.
        """
        truths, rankings = rows.truths, rows.results
        for budget, fitting in self._fitting.items():
            fitting.extend(_fitting(tokens, budget) for tokens in rows.tokens)
        if self.depth is not None:
            rankings = _cut(rankings, self.depth)
        if self._rich or RichTruth in set(map(type, truths)):
            self._note_values(truths)
            truths = list(map(_groups_of, truths))
        if any(rows.not_relevant):
            self._match_unwanted(truths, rankings, rows.not_relevant)
        self._match(truths, rankings)  # type: ignore[arg-type]

    def _note_values(self, truths: list[Truth]) -> None:
        """Note weights and grades; all those before the first rich ground truth are 1."""
        if not self._rich:
            self._weights.extend([1.0] * len(self._sizes))
            self._grades.extend([1.0] * self._listed)
            self._labels.extend([None] * len(self._sizes))
        self._rich = True
        self._weights.extend(chain.from_iterable(map(_weights_of, truths)))
        self._grades.extend(chain.from_iterable(map(_grades_of, truths)))
        self._labels.extend(chain.from_iterable(map(_labels_of, truths)))

    def _match(self, truths: list[list[list[Id]]], rankings: Rankings) -> None:
        *columns, self._listed, left = _walked(truths, rankings, self._listed)
        for own, new in zip(self._walked, columns, strict=True):
            own.frombytes(new)
        for row, first in left:
            self._match_one(first, truths[row], rankings[row])

    def _match_one(self, first: int, groups: list[list[Id]], ranking: list[Id]) -> None:
        """The hits of one query, whose alternatives are numbered from ``first`` on."""
        ids = groups[0] if len(groups) == 1 else [one for group in groups for one in group]
        gold = {*ids}
        ranks = [*compress(RANKS, map(gold.__contains__, ranking))]
        if len(gold) != len(ids):
            self._add_shared(first, ids, ranking, ranks)
        elif ranks:
            self._hit_ranks.extend(ranks)
            self._hit_alternatives.extend([first + ids.index(ranking[rank - 1]) for rank in ranks])

    def _add_shared(self, first: int, ids: list[Id], ranking: list[Id], ranks: list[int]) -> None:
        """The hits of a ground truth that lists an id more than once."""
        self._same |= {first + place: first + ids.index(one) for place, one in enumerate(ids)}
        for rank in ranks:
            places = [first + place for place, one in enumerate(ids) if one == ranking[rank - 1]]
            self._hit_ranks.extend([rank] * len(places))
            self._hit_alternatives.extend(places)

    def _match_unwanted(
        self, truths: list[Truth], rankings: Rankings, not_relevant: list[list[Id]]
    ) -> None:
        first = len(self)
        self._unwanted_count.extend([0] * (first - len(self._unwanted_count)))
        for place, (truth, ranking) in enumerate(zip(truths, rankings, strict=True)):
            unwanted = set(not_relevant[place]).difference(chain.from_iterable(truth))
            found = [ranking.index(one) + 1 for one in unwanted.intersection(ranking)]
            self._unwanted_count.append(len(unwanted))
            self._unwanted_query.extend([first + place] * len(found))
            self._unwanted_rank.extend(sorted(found))

    def _unwanted(self) -> Unwanted:
        self._unwanted_count.extend([0] * (len(self) - len(self._unwanted_count)))
        return Unwanted(
            _column(self._unwanted_query),
            _column(self._unwanted_rank),
            _column(self._unwanted_count),
        )

    def batch(self) -> Hits:
        """The hits of the queries added since the last batch."""
        groups, alternatives = self._tables()
        rank, alternative = _column(self._hit_ranks), _column(self._hit_alternatives)
        lengths = _column(self._lengths)
        best = self._best(alternatives, rank, alternative) if self._same else slice(None)
        unwanted = self._unwanted()
        fitting = {budget: _column(counts) for budget, counts in self._fitting.items()}
        self._clear()
        hits = _ordered(rank[best], alternative[best], lengths, groups, alternatives, unwanted)
        return replace(hits, fitting=fitting) if fitting else hits

    def _tables(self) -> tuple[Groups, Alternatives]:
        sizes = _column(self._sizes)
        labels = tuple(sorted({label for label in self._labels if label is not None}))
        groups = Groups(
            query=np.arange(len(self)).repeat(_column(self._group_counts)),
            weight=np.array(self._weights) if self._rich else np.ones(len(sizes)),
            size=sizes,
            label=self._label_numbers(labels, len(sizes)),
            labels=labels,
        )
        alternatives = Alternatives(
            group=np.arange(len(sizes)).repeat(sizes),
            document=self._documents(),
            grade=np.array(self._grades) if self._rich else np.ones(self._listed),
        )
        return groups, alternatives

    def _label_numbers(self, labels: tuple[str, ...], length: int) -> IntArray:
        numbers = {label: number for number, label in enumerate(labels)}
        if not self._rich:
            return np.full(length, -1)
        return np.array([numbers.get(label or "", -1) for label in self._labels], np.int64)

    def _documents(self) -> IntArray:
        documents = np.arange(self._listed)
        if self._same:
            documents[list(self._same)] = list(self._same.values())
        return documents

    def _best(self, alternatives: Alternatives, rank: IntArray, alternative: IntArray) -> IntArray:
        """One hit per result and group, the one of the best grade, where a group repeats an id."""
        group, grade = alternatives.group[alternative], alternatives.grade[alternative]
        order = np.lexsort((-grade, rank, group))
        group, rank = group[order], rank[order]
        best = np.ones(len(order), np.bool_)
        best[1:] = (group[1:] != group[:-1]) | (rank[1:] != rank[:-1])
        return order[best]


def _cut(rankings: Rankings, depth: int) -> Rankings:
    if isinstance(rankings, TextLists):
        return rankings.cut(depth)
    deeper = max(map(len, rankings), default=0) > depth
    return [ranking[:depth] for ranking in rankings] if deeper else rankings


def _walked(truths: list[list[list[Id]]], rankings: Rankings, first: int) -> Matched:
    if isinstance(rankings, TextLists):
        texts = rankings.starts, rankings.ends, rankings.offsets, rankings.data
        return walk.matched_texts(truths, *texts, first)
    return walk.matched(truths, rankings, first)


def _fitting(tokens: list[int] | None, budget: int) -> int:
    """How many results, from the first on, have no more tokens together than the budget."""
    return bisect_right(list(accumulate(tokens or ())), budget)


def grades_by_id(truth: Truth) -> dict[Id, float]:
    """The best grade of each id."""
    ids = list(chain.from_iterable(_groups_of(truth)))
    graded = sorted(zip(_grades_of(truth), ids, strict=True), key=itemgetter(0))
    return {one: grade for grade, one in graded}


def _groups_of(truth: Truth) -> list[list[Id]]:
    return truth.groups if type(truth) is RichTruth else truth  # type: ignore[return-value]


def _weights_of(truth: Truth) -> Iterable[float]:
    return truth.weights if isinstance(truth, RichTruth) else [1.0] * len(truth)


def _labels_of(truth: Truth) -> Iterable[str | None]:
    return truth.labels if isinstance(truth, RichTruth) else [None] * len(truth)


def _grades_of(truth: Truth) -> Iterable[float]:
    return truth.grades if isinstance(truth, RichTruth) else [1.0] * sum(map(len, truth))


def _ordered(
    rank: IntArray,
    alternative: IntArray,
    lengths: IntArray,
    groups: Groups,
    listed: Alternatives,
    unwanted: Unwanted,
) -> Hits:
    group = listed.group[alternative]
    order = np.lexsort((rank, group))
    alternative = alternative[order]
    return Hits(
        rank=rank[order],
        group=group[order],
        document=listed.document[alternative],
        grade=listed.grade[alternative],
        length=lengths,
        groups=groups,
        alternatives=listed,
        unwanted=unwanted,
    )


def _column(values: "array[int]") -> IntArray:
    return np.frombuffer(values, np.int64) if values else np.zeros(0, np.int64)
