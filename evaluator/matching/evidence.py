"""Evidence: why a result meets an alternative, or how near it comes to it.

It is imported only where somebody asks for an explanation.
"""

from collections.abc import Iterator
from typing import NamedTuple, Protocol

from groupwise.evaluator.errors import Problem
from groupwise.evaluator.intake.rows import Rows
from groupwise.evaluator.matching.matcher import Hit


class Evidence(NamedTuple):
    """Why a result meets an alternative, or how near it comes to it.

    Attributes:
        rank: The rank of the result, from 1 on.
        group: The group, from 0 on.
        alternative: The alternative within the group, from 0 on.
        met: Whether it is a hit; if not, it is a near miss.
        how: What was compared: ``id``, ``span``, ``together``, ``contained``, ``shingles``,
            ``fuzzy``; for ids that are nearly equal, what they differ by: ``case``, ``space`` or
            ``unicode``.
        overlap: How much of the alternative the result has, from 0 to 1.
        start: Where that begins: in the document for spans, in the text of the result for texts.
        end: Where it ends; the end is exclusive.
    """

    rank: int
    group: int
    alternative: int
    met: bool = True
    how: str = "id"
    overlap: float = 1.0
    start: int | None = None
    end: int | None = None

    @property
    def hit(self) -> Hit:
        """Rank, group and alternative."""
        return self[:3]


class Explaining(Protocol):
    """A matcher that can also say why: called only where somebody asks for an explanation."""

    def evidence(self, rows: Rows) -> list[list[Evidence]]:
        """Return the hits and near misses of each query, in order of group, alternative and rank.

        Nothing is kept: neither the hits of the batch nor its queries change.
        """
        ...


class Checking(Protocol):
    """The factory of a matcher that needs more than ids: it says what the data lacks."""

    def find_problems(self, rows: Rows) -> Iterator[Problem]:
        """Yield what the matcher cannot do without, at most one problem per query."""
        ...
