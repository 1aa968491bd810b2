"""One walk over the ids of queries, which checks them and finds their hits.

Compiled from match.c; plain Python if that was not built, with ``GROUPWISE_PURE=1``, and without a
global interpreter lock: the compiled walk borrows references.
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

    A plain query has lists of ids, strings that are not blank or numbers of 64 bits, of one kind
    with all others; if any is ``odd``, nothing else counts. Hits are in order of query, group and
    rank. Those of the queries ``left`` are left to the caller, who gets the number of their first
    alternative: where an id is listed twice or many collide, and everywhere in Python.
    """

    depth: int  # among so many results hits were looked for
    kind: Kind  # of all ids; NoneType if there are none
    lengths: bytes  # of the results of each query, at most the depth
    groups: bytes  # of each query, how many
    sizes: bytes  # of each group
    ranks: bytes  # of the hits
    alternatives: bytes  # of the hits, numbered over all queries
    listed: int  # so many alternatives in all
    left: list[tuple[int, int]]
    odd: list[int]


def match(truths: list[Any], rankings: list[Any], depth: int = 0) -> Matched:
    """Check ground truths with their rankings, and find the hits among the first results."""
    return Matched(depth, *_walk(truths, rankings, depth))


def match_in_python(truths: list[Any], rankings: list[Any], depth: int) -> tuple[Any, ...]:
    """Check ground truths with their rankings, and leave the hits to the caller."""
    if (kind := _find_kind(truths, rankings)) is not None:
        return kind, *leave_all(truths, rankings, depth)[2:]
    kinds = [_find_kind([pair[0]], [pair[1]]) for pair in zip(truths, rankings, strict=True)]
    first = next((each for each in kinds if each not in (None, NONE)), NONE)
    odd = [row for row, each in enumerate(kinds) if each not in (first, NONE)]
    return *leave_all([], [], 0)[1:-1], odd


def _find_kind(truths: list[Any], rankings: list[Any]) -> Kind | None:
    """Return the kind of all ids; None if any is not plain, or there are both."""
    kinds = {plain_truths(truths), plain_rankings(rankings)} - {NONE} if truths else {NONE}
    return next(iter(kinds), NONE) if len(kinds) < 2 else None


def leave_all(truths: list[Any], rankings: list[Any], depth: int) -> Matched:
    """Return queries all of whose hits are left to the caller; their ids are not looked at."""
    lengths = array("q", (min(len(ranking), depth) for ranking in rankings)).tobytes()
    groups, sizes = _count(truths), _count(chain.from_iterable(truths))
    *starts, listed = accumulate((sum(map(len, truth)) for truth in truths), initial=0)
    return Matched(depth, NONE, lengths, groups, sizes, b"", b"", listed, [*enumerate(starts)], [])


def _count(lists: Iterable[Any]) -> bytes:
    return array("q", list(map(len, lists))).tobytes()


_walk: Callable[[list[Any], list[Any], int], tuple[Any, ...]] = match_in_python
if not PURE:
    with suppress(ImportError):
        from groupwise.evaluator.native._compiled import match as _walk  # type: ignore[import-not-found, no-redef]
COMPILED = _walk is not match_in_python
