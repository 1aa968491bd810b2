"""The protocol of a matcher: rows in, hits out."""

from collections.abc import Sequence
from typing import Protocol, TypeAlias

from groupwise.evaluator.hits import Hits
from groupwise.evaluator.intake.rows import Rows

Hit: TypeAlias = tuple[int, int, int]
"""Rank of a result (from 1), group and alternative within the group (both from 0)."""


class Matcher(Protocol):
    """Collects queries and says which results meet which groups.

    It may also be ``Explaining``, and its factory ``Checking``.
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


class MatcherFactory(Protocol):
    """Opens matchers: a class, or a function.

    Its keyword-only arguments are the options of the matching, with their defaults. An attribute
    ``needs_references = True`` asks for the texts and spans of alternatives and results, and
    ``compares = ("text",)`` or ``("span",)`` says that it looks at one of them only.
    """

    def __call__(self, depth: int | None, budgets: Sequence[int]) -> Matcher:
        """Return a matcher of the first ``depth`` results (None: all) that counts for budgets.

        ``budgets`` are numbers of tokens; hits say how many results of a query fit into each.
        """
        ...
