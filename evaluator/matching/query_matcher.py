"""A base class for matchers that look at one query at a time."""

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Sequence
from itertools import chain
from typing import ClassVar

from groupwise.evaluator.hits import Hits
from groupwise.evaluator.intake.rows import Rows
from groupwise.evaluator.matching.hits_builder import HitsBuilder
from groupwise.evaluator.matching.matcher import Hit
from groupwise.evaluator.matching.truths import groups_of
from groupwise.schemas.reference import Reference


class QueryMatcher(ABC):
    """Matches query after query; a subclass says which result meets which alternative.

    Set ``needs_references = True`` to get texts and spans; else references have their ids alone.
    Options are keyword-only arguments of ``__init__``, which passes ``depth`` and ``budgets`` on.
    """

    needs_references: ClassVar[bool] = False

    def __init__(self, depth: int | None = None, budgets: Sequence[int] = ()) -> None:
        """Look at the first ``depth`` results; None: all."""
        self.depth = depth
        self._hits = HitsBuilder(budgets)

    @abstractmethod
    def match(self, groups: list[list[Reference]], results: list[Reference]) -> Iterable[Hit]:
        """Yield rank (from 1), group and alternative (both from 0) of each hit of a query."""

    def document_of(self, alternative: Reference) -> Hashable:
        """Return what tells documents apart: alternatives with equal keys are one document."""
        return alternative.id

    def __len__(self) -> int:
        return len(self._hits)

    def add(self, rows: Rows) -> None:
        """Match the results of some queries with their ground truths."""
        self._hits.note_tokens(rows.tokens)
        for row in range(len(rows)):
            self._add_query(rows, row)

    def _add_query(self, rows: Rows, row: int) -> None:
        groups, results = _alternatives_of(rows, row), _results_of(rows, row)[: self.depth]
        documents = [*map(self.document_of, chain.from_iterable(groups))]
        hits = list(self.match(groups, results))
        if any(rows.not_relevant):
            judged = [Reference(i) for i in rows.not_relevant[row]]
            self._note_not_relevant(judged, results, {*documents}, {rank for rank, _, _ in hits})
        self._hits.add(rows.truths[row], len(results), hits, documents)

    def _note_not_relevant(
        self,
        judged: list[Reference],
        results: list[Reference],
        relevant: set[Hashable],
        met: set[int],
    ) -> None:
        """Note results judged not relevant, each document at its first place."""
        unwanted = {self.document_of(reference): reference for reference in judged}
        left = [reference for key, reference in unwanted.items() if key not in relevant]
        first: dict[int, int] = {}
        for rank, _, place in self.match([left], results) if left else ():
            if rank not in met:
                first[place] = min(rank, first.get(place, rank))
        self._hits.note_not_relevant(len(self), first.values(), len(left))

    def batch(self) -> Hits:
        """Return the hits of the queries added since the last batch."""
        return self._hits.build()


def _alternatives_of(rows: Rows, row: int) -> list[list[Reference]]:
    """Return what the alternatives of a query refer to: their ids, if no more is known."""
    given = rows.truth_references[row] if rows.truth_references else None
    if given is not None:
        return given
    return [[*map(Reference, group)] for group in groups_of(rows.truths[row])]


def _results_of(rows: Rows, row: int) -> list[Reference]:
    given = rows.result_references[row] if rows.result_references else None
    return [*map(Reference, rows.results[row])] if given is None else given
