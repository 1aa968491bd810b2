"""Exact ids: a result meets every group that lists its id.

Few ids are gold and many are retrieved, so each ranking is walked once, in C, and only its hits
are looked at in Python. Rows are gathered in flat lists and become arrays once per batch.
"""

from array import array
from collections.abc import Iterator
from itertools import compress

import numpy as np
from numpy.typing import NDArray

from groupwise.evaluator.hits import Alternatives, Groups, Hits, IntArray
from groupwise.schemas import Id, PlainTruth

RANKS = range(1, 1 << 62)


class Matcher:
    """Gathers queries, one by one, into a batch of hits."""

    def __init__(self, depth: int | None = None) -> None:
        """Only the first ``depth`` results of a query are looked at; None means all."""
        self.depth = depth
        self.repeated = 0
        self.matched = 0
        self._clear()

    def _clear(self) -> None:
        self._length = array("q")
        self._group_count = array("q")
        self._sizes = array("q")
        self._weights: list[float] = []
        self._grades: list[float] = []
        self._documents: list[int] = []
        self._hit_rank = array("q")
        self._hit_alternative = array("q")
        self._weighted = False
        self._graded = False
        self._listed = 0

    def __len__(self) -> int:
        return len(self._length)

    def add(self, truth: PlainTruth, results: list[Id]) -> None:
        """Match one query's results with its ground truth."""
        if self.depth is not None and len(results) > self.depth:
            results = results[: self.depth]
        ids = truth.ids
        gold = {*ids}
        ranks = list(compress(RANKS, map(gold.__contains__, results)))
        self._describe(truth, len(results))
        if len(gold) == len(ids):
            self._documents.extend(range(self._listed, self._listed + len(ids)))
            if ranks:
                self._add_hits(ranks, ids, results)
        else:
            self._add_shared(ranks, truth, results)
        self._listed += len(ids)

    def _describe(self, truth: PlainTruth, length: int) -> None:
        self._length.append(length)
        self._group_count.append(len(truth.sizes))
        self._sizes.extend(truth.sizes)
        self._weighted = self._weighted or truth.weights is not None
        self._graded = self._graded or truth.grades is not None
        if self._weighted:
            self._weights = _filled(self._weights, len(self._sizes) - len(truth.sizes))
            self._weights.extend(truth.weights or [1.0] * len(truth.sizes))
        if self._graded:
            self._grades = _filled(self._grades, self._listed)
            self._grades.extend(truth.grades or [1.0] * len(truth.ids))

    def _add_hits(self, ranks: list[int], ids: list[Id], results: list[Id]) -> None:
        found = [results[rank - 1] for rank in ranks]
        listed = self._listed
        self._hit_rank.extend(ranks)
        self._hit_alternative.extend([listed + ids.index(one) for one in found])
        self.matched += 1
        self.repeated += len({*found}) != len(found)

    def _add_shared(self, ranks: list[int], truth: PlainTruth, results: list[Id]) -> None:
        """The same for a ground truth that lists an id more than once."""
        places = list(_places(truth))
        first = {one: place for place, one in reversed(list(enumerate(truth.ids)))}
        self._documents.extend([self._listed + first[one] for one in truth.ids])
        for rank in ranks:
            hit = results[rank - 1]
            for alternative in {group: a for group, one, a in places if one == hit}.values():
                self._hit_rank.append(rank)
                self._hit_alternative.append(self._listed + alternative)
        found = [results[rank - 1] for rank in ranks]
        self.matched += bool(found)
        self.repeated += len({*found}) != len(found)

    def batch(self) -> Hits:
        """The hits of the queries added since the last batch."""
        query_count, length = len(self._length), _int64(self._length)
        sizes = _int64(self._sizes)
        groups = Groups(
            query=np.repeat(np.arange(query_count), _int64(self._group_count)),
            weight=np.array(self._weights) if self._weighted else np.ones(len(sizes)),
            size=sizes,
        )
        alternatives = Alternatives(
            group=np.repeat(np.arange(len(sizes)), sizes),
            document=np.array(self._documents, np.int64),
            grade=np.array(self._grades) if self._graded else np.ones(self._listed),
        )
        rank, alternative = _int64(self._hit_rank), _int64(self._hit_alternative)
        self._clear()
        return _ordered(rank, alternative, length, groups, alternatives)


def _ordered(
    rank: IntArray, alternative: IntArray, length: IntArray, groups: Groups, listed: Alternatives
) -> Hits:
    group = listed.group[alternative]
    order = np.lexsort((rank, group))
    alternative = alternative[order]
    return Hits(
        rank=rank[order],
        group=group[order],
        document=listed.document[alternative],
        grade=listed.grade[alternative],
        length=length,
        groups=groups,
        alternatives=listed,
    )


def _places(truth: PlainTruth) -> Iterator[tuple[int, Id, int]]:
    """Group, id and place of each alternative, better grades last, so that they win."""
    groups = [group for group, size in enumerate(truth.sizes) for _ in range(size)]
    grades = truth.grades or [1.0] * len(groups)
    for place in sorted(range(len(groups)), key=grades.__getitem__):
        yield groups[place], truth.ids[place], place


def _filled(values: list[float], length: int) -> list[float]:
    return values if len(values) == length else [1.0] * length


def _int64(values: "array[int]") -> NDArray[np.int64]:
    return np.frombuffer(values, np.int64) if values else np.zeros(0, np.int64)
