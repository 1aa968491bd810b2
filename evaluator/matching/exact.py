"""Exact ids: a result meets every group that lists its id.

Few ids are relevant and many are retrieved, so each ranking is walked once, by the compiled walk
where there is one, and only its hits are looked at in Python. Where the ids of a query are still to
be checked, they are checked in the same walk.
"""

import sys
from collections.abc import Collection, Sequence
from functools import partial
from itertools import chain, compress, count
from typing import TYPE_CHECKING, Any

from groupwise.evaluator.hits import Hits
from groupwise.evaluator.intake.plain_pairs import check_plain
from groupwise.evaluator.intake.rows import Check, Rankings, Rows, Walked
from groupwise.evaluator.matching.hit_columns import HitColumns, build_uniform
from groupwise.evaluator.matching.repeats import check_count, number_shared, pair_hits
from groupwise.evaluator.matching.truths import groups_of
from groupwise.evaluator.native.fallback import Matched
from groupwise.evaluator.native.loader import walk
from groupwise.evaluator.reading.packed_ids import TextLists
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
        rankings = rows.results if self.depth is None else _cut_rankings(rows.results, self.depth)
        if any(rows.not_relevant):
            self._match_not_relevant(truths, rankings, rows.not_relevant)
        matched = self._find_matched(rows, truths) or _match_rankings(truths, rankings)
        left, shared = self._hits.add_matched(matched)
        for row, first in left:
            self._match_query(first, rows.ids[row], rows.truths[row], rankings[row])
        for row, first in shared:
            self._hits.note_documents(first, [*chain.from_iterable(truths[row])])

    def _find_matched(self, rows: Rows, truths: list[PlainTruth]) -> Matched | None:
        """Return what was found when the ids were checked, if it was looked for in this way."""
        if rows.walked is None:
            return None
        return rows.walked.find_matched(truths, rows.results, _limit(self.depth))

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
        for number, (truth, ranking) in enumerate(pairs, len(self)):
            listed = not_relevant[number - len(self)]
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
    """Return the hits of plain queries, as deep as this; those of a walk are used as they are."""
    matched = rows.walked and rows.walked.find_matched(rows.truths, rows.results, _limit(depth))
    if matched and not any(matched[-2:]):
        return build_uniform(matched[:6])
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


def _cut_rankings(rankings: Rankings, depth: int) -> Rankings:
    if isinstance(rankings, TextLists):
        return rankings.cut(depth)
    deeper = max(map(len, rankings), default=0) > depth
    return [ranking[:depth] for ranking in rankings] if deeper else rankings


def _match_rankings(truths: list[PlainTruth], rankings: Rankings) -> Matched:
    if isinstance(rankings, TextLists):
        return walk.match_texts(truths, *rankings.buffers, 0)
    return walk.match_rankings(truths, rankings, 0)


def _limit(depth: int | None) -> int:
    return sys.maxsize if depth is None else min(depth, sys.maxsize)


def open_check(depth: int | None) -> Check:
    """Return a check of ground truths and rankings that matches them in the same walk.

    What it finds is for an ``ExactMatcher`` of this depth.
    """
    return partial(check_and_match, depth)


def check_and_match(depth: int | None, truths: list[Any], rankings: list[Any]) -> Walked | None:
    """Check ground truths and rankings, and match them as deep as this; None: not plain."""
    limit = _limit(depth)
    found = walk.match_plain(truths, rankings, limit)
    if found is None or not any(rankings):
        return check_plain(truths, rankings)
    kind, matched = found
    return Walked(kind, truths, rankings, limit, matched)
