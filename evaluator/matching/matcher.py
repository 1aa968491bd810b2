"""The protocol of a matcher: rows in, hits out."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple, Protocol, TypeAlias, runtime_checkable

from groupwise.evaluator.errors import Problem
from groupwise.evaluator.hits import Hits
from groupwise.evaluator.intake.rows import Rows

Hit: TypeAlias = tuple[int, int, int]
"""Rank of a result (from 1), group and alternative within the group (both from 0)."""


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


class Matcher(Protocol):
    """Collects queries and says which results meet which groups.

    ``HitsBuilder`` builds hits without arrays; ``QueryMatcher`` is a base class for matchers that
    look at one query at a time.
    """

    def __len__(self) -> int:
        """Return the number of queries added since the last batch."""
        ...

    def add(self, rows: Rows) -> None:
        """Match the results of these queries with their ground truths.

        Keep no reference to the rows, so that a stream can release its records.
        """
        ...

    def batch(self) -> Hits:
        """Return the hits of the queries added since the last batch, and start a new one."""
        ...


@runtime_checkable
class Explaining(Protocol):
    """A matcher that can also say why: called only where somebody asks for an explanation."""

    def evidence(self, rows: Rows) -> list[list[Evidence]]:
        """Return the hits and near misses of each query, in order of group, alternative and rank.

        Nothing is kept: neither the hits of the batch nor its queries change.
        """
        ...


@runtime_checkable
class Checking(Protocol):
    """The factory of a matcher that needs more than ids: it says what the data lacks."""

    def find_problems(self, rows: Rows) -> Iterator[Problem]:
        """Yield what the matcher cannot do without, at most one problem per query."""
        ...


class MatcherFactory(Protocol):
    """Opens matchers: a class, or a function.

    Its keyword-only arguments are the options of the matching, with their defaults. An attribute
    ``needs_references = True`` asks for the texts and spans of alternatives and results.
    """

    def __call__(self, depth: int | None, budgets: Sequence[int]) -> Matcher:
        """Return a matcher of the first ``depth`` results (None: all) that counts for budgets.

        ``budgets`` are numbers of tokens; hits say how many results of a query fit into each.
        """
        ...
