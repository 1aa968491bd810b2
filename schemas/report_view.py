"""What can be read off a report, whether it is a model or the draft of one."""

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from groupwise.schemas.scores import PerQuery, Scores
from groupwise.schemas.spelling import find_label

if TYPE_CHECKING:
    from groupwise.schemas.report import Counts
    from groupwise.schemas.verdict import GateVerdict


class ReportView:
    """The methods that find queries in a report, and its verdict."""

    if TYPE_CHECKING:
        counts: Counts
        scores: Scores
        per_query: PerQuery
        ranks: Mapping[str, Any]
        gates: tuple[GateVerdict, ...]

    @property
    def passed(self) -> bool:
        """Whether no gate fails; those that are unreachable in a preset do not."""
        return not any(verdict.fails for verdict in self.gates)

    def failing(self, metric: str, below: float = 1.0) -> list[str]:
        """Return the ids of the queries that score below a value, the worst first.

        Of a rank, these are the queries that have none. Queries without a score are left out.

        Args:
            metric: The metric, in any spelling, such as ``"complete@10"``.
            below: Queries with this score, or a higher one, do not fail.

        Raises:
            ValueError: The report has no scores per query.
            KeyError: It has no such metric; the nearest name is suggested.
        """
        if not len(self.per_query):
            return self._refuse_without_queries()
        column, is_rank = self.per_query.column(metric), self._is_rank(metric)
        if is_rank:
            return [query for query, rank in column if rank is None and self._is_scored(query)]
        scored = ((score, query) for query, score in column if score is not None)
        return [query for score, query in sorted(scored) if score < below]

    def _refuse_without_queries(self) -> list[str]:
        """Raise if queries have scores that the report does not hold."""
        if self.counts.scored:
            raise ValueError("this report has no scores per query; evaluate with per_query=True")
        return []

    def _is_scored(self, query: str) -> bool:
        """Whether a query is scored, as far as its scores say it: a rank may be missing anyhow."""
        values = self.per_query[query] if self.scores else {}
        return not values or any(value is not None for value in values.values())

    def _is_rank(self, name: str) -> bool:
        return find_label(name, self.ranks, self.scores.spellings) is not None

    def worst(
        self, count: int = 5, by: str | None = None, *, metric: str | None = None
    ) -> list[str]:
        """Return the ids of the queries with the lowest scores, the worst first.

        Ties are broken by query id. Of a rank, the largest is the worst, but for queries that have
        none: these come first. Queries without a score are left out; without scores per query
        there are none.

        Args:
            count: How many queries to return at most.
            by: The metric, in any spelling; None: the first of the report.
            metric: Another name for ``by``.
        """
        first = next(iter((*self.scores, *self.ranks)), None)
        name = by or metric or first
        if name is None or not len(self.per_query):
            return []
        if self._is_rank(name):
            return self._find_last(count, name)
        return self.per_query.find_lowest(count, name)

    def _find_last(self, count: int, name: str) -> list[str]:
        """Return the queries with the largest ranks, those without one first."""
        from heapq import nsmallest  # noqa: PLC0415  (rarely needed)

        column = self.per_query.column(name)
        asked = ((rank, query) for query, rank in column if rank or self._is_scored(query))
        keyed = ((-math.inf if rank is None else -rank, query) for rank, query in asked)
        return [query for _, query in nsmallest(count, keyed)]
