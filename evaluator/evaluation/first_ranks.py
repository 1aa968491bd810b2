"""Where each group is first met: all that is kept of a run to say on which groups two runs differ.

A rank per group is little; so runs can be read one after the other, and from a pipe.
"""

from collections.abc import Mapping
from functools import cached_property
from typing import NamedTuple

from groupwise.evaluator.hits import Budget, Cutoff, Hits, IntArray, Order
from groupwise.evaluator.hits.arrays import np


class Place(NamedTuple):
    """Where a group is first met, 0 if nowhere, and whether that is among the results that count.

    ``is_known``: whether all results were looked at, so that 0 means not retrieved.
    """

    rank: int
    met: bool
    is_known: bool


class Ranks(NamedTuple):
    """Some queries: the number of groups and results of each, and where each group is first met.

    ``first`` has a rank per group, 0 where no result meets it. ``fitting`` has, for each budget of
    tokens, how many results of each query fit into it.
    """

    groups: IntArray
    length: IntArray
    first: IntArray
    fitting: Mapping[int, IntArray]

    @classmethod
    def of(cls, hits: Hits) -> "Ranks":
        """Return what is kept of the hits of some queries."""
        return cls(hits.group_count.astype(np.int64), hits.length, hits.first_rank, hits.fitting)

    @classmethod
    def join(cls, parts: "list[Ranks]") -> "Ranks":
        """Return all queries of several parts."""
        groups, length, first = (
            np.concatenate([part[column] for part in parts]) for column in range(3)
        )
        budgets = parts[0].fitting
        fitting = {name: np.concatenate([part.fitting[name] for part in parts]) for name in budgets}
        return cls(groups, length, first, fitting)


class FirstRanks:
    """The ranks of all queries of a run that are scored, in each order of results.

    Attributes:
        depth: As many results of a query were looked at; None: all.
    """

    def __init__(self, depth: int | None) -> None:
        self.depth = depth
        self._parts: dict[Order, list[Ranks]] = {}

    def add(self, ordered: Mapping[Order, Hits]) -> None:
        """Add the queries of a batch."""
        for order, hits in ordered.items():
            self._parts.setdefault(order, []).append(Ranks.of(hits))

    def merge(self, other: "FirstRanks") -> None:
        """Add the queries of another part of the evaluation."""
        for order, parts in other._parts.items():  # noqa: SLF001  (of the same class)
            self._parts.setdefault(order, []).extend(parts)

    @cached_property
    def _ranks(self) -> dict[Order, Ranks]:
        return {order: Ranks.join(parts) for order, parts in self._parts.items()}

    @cached_property
    def _starts(self) -> IntArray:
        """The number of the first group of each query; the same in each order."""
        counts = next(iter(self._ranks.values())).groups
        starts: IntArray = counts.cumsum() - counts
        return starts

    def find(self, query: int, order: Order, cutoff: Cutoff | None) -> list[Place]:
        """Return where each group of a query is met.

        Args:
            query: The place of the query among those added.
            order: The order of results that counts.
            cutoff: The results that count.
        """
        ranks, start = self._ranks[order], int(self._starts[query])
        is_known = self.depth is None or int(ranks.length[query]) < self.depth
        last = _find_last(ranks, query, cutoff)
        return [
            Place(rank, 0 < rank <= last, is_known)
            for rank in ranks.first[start : start + int(ranks.groups[query])].tolist()
        ]


def _find_last(ranks: Ranks, query: int, cutoff: Cutoff | None) -> int:
    """Return the last rank that counts."""
    if isinstance(cutoff, Budget):
        return int(ranks.fitting[cutoff.tokens][query])
    return int(ranks.length[query]) if cutoff is None else cutoff
