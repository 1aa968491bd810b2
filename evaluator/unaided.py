"""What stands in for the compiled walk over ids where it was not built: all is left to Python.

The answers mean the same as those of the compiled one: "not certain", or "left to you".
"""

from array import array
from collections.abc import Iterable
from itertools import accumulate, chain
from typing import Any, TypeAlias

from groupwise.schemas import Id

Left: TypeAlias = list[tuple[int, int]]
Matched: TypeAlias = tuple[bytes, bytes, bytes, bytes, bytes, int, Left]


def are_rankings(_lists: Any, /) -> bool:
    """Whether all are lists of strings that are not blank, and hold something: not certain."""
    return False


def are_truths(_lists: Any, /) -> bool:
    """Whether all are lists of groups, which are such lists and not empty: not certain."""
    return False


def matched(truths: list[list[list[Id]]], rankings: list[list[Id]], first: int, /) -> Matched:
    """Match rankings with ground truths whose alternatives are numbered from ``first`` on.

    Returns:
        In 64-bit integers: the number of results and of groups of each query, the size of each
        group, rank and alternative of each hit. Then the number after the last alternative, and
        the rows left to the caller (here all), each with the number of its first alternative.
    """
    groups = list(chain.from_iterable(truths))
    *starts, end = accumulate(map(_listed, truths), initial=first)
    left = list(enumerate(starts))
    return _lengths(rankings), _lengths(truths), _lengths(groups), b"", b"", end, left


def _listed(groups: Iterable[list[Id]]) -> int:
    return sum(map(len, groups))


def _lengths(lists: Iterable[list[Any]]) -> bytes:
    return array("q", list(map(len, lists))).tobytes()
