"""Queries in their plainest form: groups and results, lists of ids, by query id.

They need none of what other input needs: no opening, no joining, no conversion.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

from groupwise.evaluator.intake.rows import Check, Rows, Walked
from groupwise.evaluator.native.loader import walk
from groupwise.schemas import plain_kind

PER_PIECE = 128
"""So many queries are checked and matched while their ids are in the cache."""


class PlainPairs(NamedTuple):
    """Ground truths and results of the same queries, in the same order, not yet checked."""

    ids: list[str]
    truths: list[Any]
    rankings: list[Any]

    def rows(self, check: Check) -> Iterator[Rows | None]:
        """Yield the queries in pieces, and None in place of one that is not plain.

        Ids of all pieces are of the same kind.
        """
        kinds: set[Any] = set()
        for start in range(0, len(self.ids), PER_PIECE):
            piece = slice(start, start + PER_PIECE)
            truths, rankings = self.truths[piece], self.rankings[piece]
            walked = check(truths, rankings)
            kinds.add(walked and walked.kind)
            is_plain = walked is not None and len(kinds) == 1
            yield Rows(self.ids[piece], truths, rankings, walked=walked) if is_plain else None


def pair_plain(truths: Any, results: Any) -> PlainPairs | None:
    """Return the queries of two mappings, if these have the same ids in the same order."""
    if not (type(truths) is type(results) is dict and 0 < len(truths) == len(results)):
        return None
    ids = list(truths)
    if ids != list(results) or {*map(type, ids)} != {str} or plain_kind(ids) is not str:
        return None
    return PlainPairs(ids, list(truths.values()), list(results.values()))


def check_plain(truths: list[Any], rankings: list[Any]) -> Walked | None:
    """Check ground truths and rankings; None if they are not plain, or if any has no groups.

    At least one ranking is not empty.
    """
    kind = walk.kind_of_truths(truths)
    if kind is None or kind is not walk.kind_of_rankings(rankings) or not all(truths):
        return None
    return Walked(kind, truths, rankings)


def are_plain(truths: list[Any], rankings: list[Any]) -> bool:
    """Whether these are lists of groups of text ids, and lists of text ids, in the same sense."""
    walked = check_plain(truths, rankings)
    return walked is not None and walked.kind is str
