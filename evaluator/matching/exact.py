"""Exact ids: a result meets every group that lists its id.

Few ids are gold and many are retrieved, so each ranking is walked once, in C, and only its hits
are looked at in Python. Rows are gathered in flat lists and become arrays once per batch.
"""

from array import array
from collections.abc import Iterable
from itertools import chain, compress

import numpy as np

from groupwise.evaluator.hits import Alternatives, Groups, Hits, IntArray
from groupwise.schemas import Id, RichTruth, Truth

RANKS = range(1, 1 << 62)


class Matcher:
    """Gathers queries into a batch of hits."""

    def __init__(self, depth: int | None = None) -> None:
        """Only the first ``depth`` results of a query are looked at; None means all."""
        self.depth = depth
        self._clear()

    def _clear(self) -> None:
        self._lengths = array("q")
        self._group_counts = array("q")
        self._sizes = array("q")
        self._weights = array("d")
        self._grades = array("d")
        self._rich = False
        self._listed = 0
        self._hit_ranks = array("q")
        self._hit_alternatives = array("q")
        self._same: dict[int, int] = {}

    def __len__(self) -> int:
        return len(self._lengths)

    def add(self, truths: list[Truth], rankings: list[list[Id]]) -> None:
        """Match the results of some queries with their ground truths.

        Nothing of what is given is kept, so that a stream can let go of its records.
        """
        depth = self.depth
        if depth is not None and max(map(len, rankings), default=0) > depth:
            rankings = [ranking[:depth] for ranking in rankings]
        if self._rich or RichTruth in set(map(type, truths)):
            self._note_values(truths)
            truths = list(map(_groups_of, truths))
        self._lengths.extend(map(len, rankings))
        self._group_counts.extend(map(len, truths))
        self._sizes.extend(map(len, chain.from_iterable(truths)))  # type: ignore[arg-type]
        for groups, ranking in zip(truths, rankings, strict=True):
            self._match(groups, ranking)  # type: ignore[arg-type]

    def _note_values(self, truths: list[Truth]) -> None:
        """Note weights and grades; all those before the first rich ground truth are 1."""
        if not self._rich:
            self._weights.extend([1.0] * len(self._sizes))
            self._grades.extend([1.0] * self._listed)
        self._rich = True
        self._weights.extend(chain.from_iterable(map(_weights_of, truths)))
        self._grades.extend(chain.from_iterable(map(_grades_of, truths)))

    def _match(self, groups: list[list[Id]], ranking: list[Id]) -> None:
        ids = groups[0] if len(groups) == 1 else list(chain.from_iterable(groups))
        gold = {*ids}
        ranks = list(compress(RANKS, map(gold.__contains__, ranking)))
        if len(gold) != len(ids):
            self._add_shared(ids, ranking, ranks)
        elif ranks:
            first = self._listed
            self._hit_ranks.extend(ranks)
            self._hit_alternatives.extend([first + ids.index(ranking[rank - 1]) for rank in ranks])
        self._listed += len(ids)

    def _add_shared(self, ids: list[Id], ranking: list[Id], ranks: list[int]) -> None:
        """The hits of a ground truth that lists an id more than once."""
        first = self._listed
        self._same |= {first + place: first + ids.index(one) for place, one in enumerate(ids)}
        for rank in ranks:
            places = [first + place for place, one in enumerate(ids) if one == ranking[rank - 1]]
            self._hit_ranks.extend([rank] * len(places))
            self._hit_alternatives.extend(places)

    def batch(self) -> Hits:
        """The hits of the queries added since the last batch."""
        groups, alternatives = self._tables()
        rank, alternative = _column(self._hit_ranks), _column(self._hit_alternatives)
        lengths = _column(self._lengths)
        best = self._best(alternatives, rank, alternative) if self._same else slice(None)
        self._clear()
        return _ordered(rank[best], alternative[best], lengths, groups, alternatives)

    def _tables(self) -> tuple[Groups, Alternatives]:
        sizes = _column(self._sizes)
        groups = Groups(
            query=np.repeat(np.arange(len(self)), _column(self._group_counts)),
            weight=np.array(self._weights) if self._rich else np.ones(len(sizes)),
            size=sizes,
        )
        alternatives = Alternatives(
            group=np.repeat(np.arange(len(sizes)), sizes),
            document=self._documents(),
            grade=np.array(self._grades) if self._rich else np.ones(self._listed),
        )
        return groups, alternatives

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


def _groups_of(truth: Truth) -> list[list[Id]]:
    return truth.groups if type(truth) is RichTruth else truth  # type: ignore[return-value]


def _weights_of(truth: Truth) -> Iterable[float]:
    return truth.weights if isinstance(truth, RichTruth) else [1.0] * len(truth)


def _grades_of(truth: Truth) -> Iterable[float]:
    return truth.grades if isinstance(truth, RichTruth) else [1.0] * sum(map(len, truth))


def _ordered(
    rank: IntArray, alternative: IntArray, lengths: IntArray, groups: Groups, listed: Alternatives
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
    )


def _column(values: "array[int]") -> IntArray:
    return np.frombuffer(values, np.int64) if values else np.zeros(0, np.int64)
