"""Whether few documents can meet all groups."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from groupwise.schemas import Id

MOST_STEPS = 200
"""The search for few documents that meet all groups ends after so many steps."""


def may_cover(groups: "Iterable[Sequence[Id]]", k: int) -> bool:
    """Whether k documents may meet all groups; False is certain."""
    distinct = dict.fromkeys(frozenset(group) for group in groups)
    return _search(sorted(distinct, key=len), k, iter(range(MOST_STEPS)))


def _search(groups: "list[frozenset[Id]]", k: int, steps: Iterator[int]) -> bool:
    """Search depth-first for a cover; assume that there is one when the steps run out.

    The groups are sorted by size.
    """
    if not groups or next(steps, None) is None:
        return True
    if _count_disjoint(groups) > k:
        return False
    return any(
        _search([group for group in groups if document not in group], k - 1, steps)
        for document in sorted(groups[0], key=str)
    )


def _count_disjoint(groups: "list[frozenset[Id]]") -> int:
    """Count groups, taken greedily, that share nothing: each needs a result of its own."""
    found = 0
    taken: set[Id] = set()
    for group in groups:
        if taken.isdisjoint(group):
            found += 1
            taken |= group
    return found
