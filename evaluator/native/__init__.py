"""One walk over the ids of queries, which checks them and finds their hits.

It is compiled from match.c. Plain Python does the same if that was not built, with
``GROUPWISE_PURE=1``, and without a global interpreter lock: the compiled walk borrows references.
"""

import os
import sys
from array import array
from collections.abc import Callable, Iterable
from contextlib import suppress
from itertools import accumulate, chain
from typing import Any, NamedTuple

from groupwise.schemas import Kind, plain_rankings, plain_truths

NONE = type(None)
UNLOCKED = not getattr(sys, "_is_gil_enabled", lambda: True)()
PURE = UNLOCKED or os.environ.get("GROUPWISE_PURE", "0") not in ("", "0")


class Matched(NamedTuple):
    """What a walk over queries has found; columns hold numbers of 64 bits.

    Attributes:
        depth: Among how many results of each query hits were looked for.
        kind: The kind of all ids; NoneType if there are none.
        lengths: The number of results of each query, at most the depth.
        groups: The number of groups of each query.
        sizes: The number of alternatives of each group.
        ranks: The rank of each hit, in order of query, group and rank.
        alternatives: The alternative of each hit, numbered over all queries.
        listed: The number of all alternatives.
        left: Queries whose hits are left to the caller, each with the number of its first
            alternative: those that list an id twice, all of them in Python.
        odd: Queries that are not plain; if there are any, nothing else counts. A plain query has
            lists of ids, strings that are not blank or numbers of 64 bits, of the kind of others.
    """

    depth: int
    kind: Kind
    lengths: bytes
    groups: bytes
    sizes: bytes
    ranks: bytes
    alternatives: bytes
    listed: int
    left: list[tuple[int, int]]
    odd: list[int]


def match(truths: list[Any], rankings: list[Any], depth: int = 0) -> Matched:
    """Check ground truths with their rankings, and find the hits among the first results."""
    return Matched(depth, *_walk(truths, rankings, depth))


def match_in_python(truths: list[Any], rankings: list[Any], depth: int) -> tuple[Any, ...]:
    """Check ground truths with their rankings, and leave the hits to the caller."""
    kind = _find_kind(truths, rankings)
    if kind is not None:
        return kind, *leave_all(truths, rankings, depth)[2:]
    pairs = zip(truths, rankings, strict=True)
    kinds = [_find_kind([truth], [ranking]) for truth, ranking in pairs]
    first = next((each for each in kinds if each not in (None, NONE)), NONE)
    odd = [row for row, each in enumerate(kinds) if each not in (first, NONE)]
    return *leave_all([], [], 0)[1:-1], odd


def _find_kind(truths: list[Any], rankings: list[Any]) -> Kind | None:
    """Return the kind of all ids; None if any is not plain, or there are both."""
    kinds = {plain_truths(truths), plain_rankings(rankings)} - {NONE} if truths else {NONE}
    return next(iter(kinds), NONE) if len(kinds) < 2 else None


def leave_all(truths: list[Any], rankings: list[Any], depth: int) -> Matched:
    """Return queries all of whose hits are left to the caller; their ids are not looked at."""
    lengths = array("q", [min(len(ranking), depth) for ranking in rankings]).tobytes()
    sizes = _count(chain.from_iterable(truths))
    *starts, listed = accumulate((sum(map(len, truth)) for truth in truths), initial=0)
    left = list(enumerate(starts))
    return Matched(depth, NONE, lengths, _count(truths), sizes, b"", b"", listed, left, [])


def _count(lists: Iterable[Any]) -> bytes:
    return array("q", list(map(len, lists))).tobytes()


_walk: Callable[[list[Any], list[Any], int], tuple[Any, ...]] = match_in_python
if not PURE:
    with suppress(ImportError):
        from groupwise.evaluator.native._compiled import match as _walk  # type: ignore[import-not-found, no-redef]
COMPILED = _walk is not match_in_python
