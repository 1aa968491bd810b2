"""Exact ids: a result meets every group that lists its id.

Few ids are relevant and many are retrieved, so each ranking is walked once, by the compiled walk
where there is one, and only its hits are looked at in Python. Where the ids of a query are still to
be checked, they are checked in the same walk.
"""

import sys
from collections.abc import Collection, Sequence
from itertools import chain, compress, count
from typing import TYPE_CHECKING

from groupwise.evaluator.hits import Hits
from groupwise.evaluator.intake.rows import Rankings, Rows
from groupwise.evaluator.matching.hit_columns import HitColumns, build_uniform
from groupwise.evaluator.matching.repeats import check_count, number_shared, pair_hits
from groupwise.evaluator.matching.truths import groups_of
from groupwise.evaluator.native import Matched, leave_all, match
from groupwise.schemas import Id, PlainTruth, Truth

if TYPE_CHECKING:
    from groupwise.evaluator.matching.evidence import Evidence

RANKS = range(1, 1 << 62)
FEW = 8
"""So many results are found faster by searching the ranking for each of them."""


class ExactMatcher:
    """Compares ids as they are."""

    def __init__(self, depth: int | None = None, budgets: Sequence[int] = ()) -> None:
        """Look at the first ``depth`` results; None: all."""
        self.depth = depth
        self._hits = HitColumns(budgets)

    def __len__(self) -> int:
        return len(self._hits)

    @property
    def hits(self) -> int:
        """The number of hits since the last batch."""
        return self._hits.hits

    def add(self, rows: Rows) -> None:
        """Match the results of some queries with their ground truths."""
        self._hits.note_tokens(rows.tokens)
        truths = self._hits.note_truths(rows.truths)
        if any(rows.not_relevant):
            self._match_not_relevant(truths, rows.results, rows.not_relevant)
        for row, first in self._hits.add_matched(_find_hits(rows, truths, self.depth)):
            ranking = rows.results[row][: self.depth]
            self._match_query(first, rows.ids[row], rows.truths[row], ranking)

    def _match_query(self, first: int, query: str, truth: Truth, ranking: list[Id]) -> None:
        """Add the hits of a query, whose alternatives are numbered from ``first`` on.

        Raises:
            InputError: There are too many hits.
        """
        groups = groups_of(truth)
        ids = groups[0] if len(groups) == 1 else [*chain.from_iterable(groups)]
        number_of = dict(zip(ids, count(first)))
        ranks = _find_ranks(number_of, ranking)
        if len(number_of) != len(ids):
            self._hits.note_documents(first, ids)
            numbers = number_shared(first, truth)
            found = [numbers[ranking[rank - 1]] for rank in ranks]
            check_count(query, sum(map(len, found)), len(ids) + len(ranking))
            self._hits.add_hits(*pair_hits(ranks, found))
        elif ranks:
            self._hits.add_hits(ranks, [number_of[ranking[rank - 1]] for rank in ranks])

    def _match_not_relevant(
        self, truths: list[PlainTruth], rankings: Rankings, not_relevant: list[list[Id]]
    ) -> None:
        pairs = zip(truths, rankings, strict=True)
        for number, (truth, results) in enumerate(pairs, len(self)):
            listed, ranking = not_relevant[number - len(self)], results[: self.depth]
            unwanted = set(listed).difference(chain.from_iterable(truth))
            found = unwanted.intersection(ranking)
            self._hits.note_not_relevant(number, _first_ranks(found, ranking), len(unwanted))

    def evidence(self, rows: Rows) -> "list[list[Evidence]]":
        """Return hits, and near misses: ids that differ by case, space or Unicode form."""
        from groupwise.evaluator.matching.near_ids import compare_rows  # noqa: PLC0415

        return compare_rows(rows)

    def batch(self) -> Hits:
        """Return the hits of the queries added since the last batch."""
        return self._hits.build()


def match_plain(rows: Rows, depth: int | None) -> Hits:
    """Return the hits of plain queries, as deep as this."""
    if rows.matched and rows.matched.depth == limit_depth(depth) and not rows.matched.left:
        return build_uniform(rows.matched[2:8])
    matcher = ExactMatcher(depth)
    matcher.add(rows)
    return matcher.batch()


def find_hit_ranks(groups: PlainTruth, ranking: list[Id]) -> list[int]:
    """Return the ranks of the results that are an alternative of any group."""
    return _find_ranks({*chain.from_iterable(groups)}, ranking)


def _find_ranks(listed: Collection[Id], ranking: list[Id]) -> list[int]:
    return [*compress(RANKS, map(listed.__contains__, ranking))]


def has_hit(truth: Truth, ranking: list[Id]) -> bool:
    """Whether a result is an alternative of any group."""
    return not {*chain.from_iterable(groups_of(truth))}.isdisjoint(ranking)


def _first_ranks(found: set[Id], ranking: list[Id]) -> list[int]:
    """Return the first rank of each of these results."""
    if len(found) < FEW:
        return [ranking.index(result) + 1 for result in found]
    rank_of = dict(zip(reversed(ranking), range(len(ranking), 0, -1), strict=True))
    return [rank_of[result] for result in found]


def _find_hits(rows: Rows, truths: list[PlainTruth], depth: int | None) -> Matched:
    """Return the hits that were found when the ids were checked, else what is found now."""
    limit = limit_depth(depth)
    if rows.matched and rows.matched.depth == limit and truths is rows.truths:
        return rows.matched
    matched = match(truths, rows.results, limit)
    return leave_all(truths, rows.results, limit) if matched.odd else matched


def limit_depth(depth: int | None) -> int:
    """Return how deep to look: None means whole rankings."""
    return sys.maxsize if depth is None else min(depth, sys.maxsize)
