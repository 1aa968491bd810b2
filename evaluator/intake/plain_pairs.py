"""A few queries in their plainest form: groups and results, lists of text ids, by query id.

They need none of what other input needs: no opening, no joining, no conversion.
"""

from typing import Any

from groupwise.evaluator.intake.rows import Rows
from groupwise.evaluator.native.loader import walk
from groupwise.schemas import plain_kind

FEW = 64
"""So many queries are matched as one batch anyway."""


def pair_plain(truths: Any, results: Any) -> Rows | None:
    """Return the queries as rows, if they are few, plain, and in the same order; else None."""
    if not (type(truths) is type(results) is dict and 0 < len(truths) <= FEW):
        return None
    ids = list(truths)
    if ids != list(results) or {*map(type, ids)} != {str} or plain_kind(ids) is not str:
        return None
    groups, rankings = list(truths.values()), list(results.values())
    return Rows(ids, groups, rankings) if are_plain(groups, rankings) else None


def are_plain(truths: list[Any], rankings: list[Any]) -> bool:
    """Whether all truths are lists of groups of text ids, not empty, and all rankings of such ids.

    At least one ranking is not empty.
    """
    return walk.are_truths(truths) and walk.are_rankings(rankings) and all(truths)
