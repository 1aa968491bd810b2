"""Whether few documents can meet all groups."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from groupwise.schemas import Id

MOST_STEPS = 200
"""The search for few documents that meet all groups ends after so many steps."""


def may_cover(groups: "Iterable[list[Id]]", k: int) -> bool:
    """Whether k documents may meet all groups; False is certain."""
    distinct = dict.fromkeys(frozenset(group) for group in groups)
    return _Search().is_possible(sorted(distinct, key=len), k)


class _Search:
    """Depth-first search over documents; when the steps run out, it assumes a cover exists."""

    def __init__(self) -> None:
        self._steps = MOST_STEPS

    def is_possible(self, groups: "list[frozenset[Id]]", k: int) -> bool:
        """Whether k documents may meet all groups, which are sorted by size."""
        self._steps -= 1
        if not groups or self._steps < 0:
            return True
        if _count_disjoint(groups) > k:
            return False
        return any(
            self.is_possible([group for group in groups if document not in group], k - 1)
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
