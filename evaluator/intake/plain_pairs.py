"""Queries in their plainest form: groups and results, lists of ids, by query id.

They need none of what other input needs: no opening, no joining, no conversion.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

from groupwise.evaluator.intake.rows import Rows
from groupwise.evaluator.native import match
from groupwise.schemas import plain_kind

PER_PIECE = 128
"""So many queries are checked and matched while their ids are in the cache."""


class PlainPairs(NamedTuple):
    """Ground truths and results of the same queries, in the same order, not yet checked."""

    ids: list[str]
    truths: list[Any]
    rankings: list[Any]

    def rows(self, depth: int) -> Iterator[Rows | None]:
        """Yield the queries in pieces, and None in place of one that is not plain.

        Ids of all pieces are of the same kind. Hits are found among the first results.
        """
        kinds: set[Any] = set()
        for start in range(0, len(self.ids), PER_PIECE):
            piece = slice(start, start + PER_PIECE)
            truths, rankings = self.truths[piece], self.rankings[piece]
            rows = Rows(self.ids[piece], truths, rankings)
            rows.matched = match(truths, rankings, depth)
            kinds.add(rows.matched.kind)
            is_plain = len(kinds) == 1 and not rows.matched.odd
            yield rows if is_plain and all(truths) and any(rankings) else None


def pair_plain(truths: Any, results: Any) -> PlainPairs | None:
    """Return the queries of two mappings, if these have the same ids in the same order."""
    if not (type(truths) is type(results) is dict and 0 < len(truths) == len(results)):
        return None
    ids = list(truths)
    if ids != list(results) or {*map(type, ids)} != {str} or plain_kind(ids) is not str:
        return None
    return PlainPairs(ids, list(truths.values()), list(results.values()))
