"""Matchers of users: their errors name them, and what they return is checked."""

from collections.abc import Callable, Sequence
from typing import Any

from groupwise.evaluator.errors import ExtensionError
from groupwise.evaluator.hits import Hits
from groupwise.evaluator.intake.rows import Rows
from groupwise.evaluator.matching.matcher import Matcher
from groupwise.evaluator.plugins.own import name_in_errors
from groupwise.evaluator.text import plural


class OwnMatcher:
    """The matcher of a user, known by its name."""

    def __init__(
        self,
        name: str,
        factory: Callable[..., Matcher],
        depth: int | None,
        budgets: Sequence[int],
        **options: Any,
    ) -> None:
        """Open the matcher with its options."""
        self.name = name
        self._queries = 0
        with name_in_errors("matcher", name):
            self.matcher = factory(depth, budgets, **options)
        if not (hasattr(self.matcher, "add") and hasattr(self.matcher, "batch")):
            raise ExtensionError(
                f"the matcher {name!r}: expected an object with add and batch, got {self.matcher!r}"
            )

    def __len__(self) -> int:
        return self._queries

    def add(self, rows: Rows) -> None:
        """Match the results of some queries with their ground truths."""
        self._queries += len(rows)
        with name_in_errors("matcher", self.name):
            self.matcher.add(rows)

    def batch(self) -> Hits:
        """Return the hits of the queries added since the last batch."""
        expected, self._queries = self._queries, 0
        with name_in_errors("matcher", self.name):
            return _check_hits(self.matcher.batch(), expected)


def _check_hits(hits: Any, queries: int) -> Hits:
    if not isinstance(hits, Hits):
        raise ExtensionError(f"batch must return Hits, got {hits!r}")
    if hits.queries != queries:
        raise ExtensionError(
            f"expected the hits of {plural(queries, 'query', 'queries')}, got {hits.queries}"
        )
    length = hits.length[hits.groups.query[hits.group]]
    if not ((hits.rank >= 1) & (hits.rank <= length)).all():
        raise ExtensionError("expected ranks from 1 to the number of results")
    return hits
