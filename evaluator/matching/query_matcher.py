"""A base class for matchers that look at one query at a time."""

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Sequence
from itertools import chain
from typing import TYPE_CHECKING, ClassVar

from groupwise.evaluator.errors import InputError
from groupwise.evaluator.hits import Hits
from groupwise.evaluator.intake.rows import Rows
from groupwise.evaluator.matching.hits_builder import HitsBuilder, check_hits
from groupwise.evaluator.matching.matcher import Hit
from groupwise.evaluator.matching.truths import groups_of
from groupwise.schemas import Id
from groupwise.schemas.reference import Reference

if TYPE_CHECKING:
    from groupwise.evaluator.matching.evidence import Evidence


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

    def explain(
        self, groups: list[list[Reference]], results: list[Reference]
    ) -> "Iterable[Evidence]":
        """Yield why results meet alternatives, or how near they come to it; by default the hits.

        It is called only for explanations, with whole rankings.
        """
        from groupwise.evaluator.matching.evidence import Evidence  # noqa: PLC0415

        return (Evidence(*hit, how="match") for hit in self.match(groups, results))

    def document_of(self, alternative: Reference) -> Hashable:
        """Return the key of a document: alternatives with equal keys are the same document."""
        return alternative.id

    def __len__(self) -> int:
        return len(self._hits)

    def add(self, rows: Rows) -> None:
        """Match the results of some queries with their ground truths."""
        for row, query in enumerate(rows.ids):
            try:
                self._add_query(rows, row)
            except InputError as error:
                raise InputError([each._replace(query=query) for each in error.problems]) from None

    def _add_query(self, rows: Rows, row: int) -> None:
        groups, results = alternatives_of(rows, row), results_of(rows, row)[: self.depth]
        documents = [*map(self.document_of, chain.from_iterable(groups))]
        hits = self._match(groups, results)
        relevant = {*documents}
        judged = {
            document: reference
            for reference in map(Reference, rows.not_relevant[row] if rows.not_relevant else ())
            if (document := self.document_of(reference)) not in relevant
        }
        ranks = self.find_not_relevant(list(judged.values()), results, {hit[0] for hit in hits})
        self._hits.add(
            rows.truths[row],
            len(results),
            hits,
            documents=documents,
            not_relevant=(ranks, len(judged)),
            tokens=rows.tokens[row] if rows.tokens else None,
            again=_find_repeats(results),
        )

    def evidence(self, rows: Rows) -> "list[list[Evidence]]":
        """Return the hits and near misses of each query, in order of group, alternative, rank."""
        return [self._explain(rows, row) for row in range(len(rows))]

    def _explain(self, rows: Rows, row: int) -> "list[Evidence]":
        groups, results = alternatives_of(rows, row), results_of(rows, row)
        found = [*self.explain([[*group] for group in groups], [*results])]
        check_hits([evidence[:3] for evidence in found], len(results), groups)
        return sorted(found, key=lambda evidence: (evidence[1], evidence[2], evidence[0]))

    def _match(self, groups: list[list[Reference]], results: list[Reference]) -> list[Hit]:
        """Return the hits of a query, checked; a subclass gets lists of its own."""
        found = self.match([[*group] for group in groups], [*results])
        return check_hits(found, len(results), groups)

    def find_not_relevant(
        self, judged: list[Reference], results: list[Reference], met: set[int]
    ) -> Iterable[int]:
        """Return the first rank of each document judged not relevant, which has an id alone.

        ``met`` are the ranks of relevant results, which do not count.
        """
        first: dict[int, int] = {}
        for rank, _, place in self._match([judged], results) if judged else ():
            if rank not in met:
                first[place] = min(rank, first.get(place, rank))
        return first.values()

    def batch(self) -> Hits:
        """Return the hits of the queries added since the last batch."""
        return self._hits.build()


def alternatives_of(rows: Rows, row: int) -> list[list[Reference]]:
    """Return what the alternatives of a query refer to: their ids, if no more is known."""
    given = rows.truth_references[row] if rows.truth_references else None
    if given is not None:
        return given
    return [[*map(Reference, group)] for group in groups_of(rows.truths[row])]


def results_of(rows: Rows, row: int) -> list[Reference]:
    """Return what the results of a query refer to: their ids, if no more is known."""
    given = rows.result_references[row] if rows.result_references else None
    return [*map(Reference, rows.results[row])] if given is None else given


def _find_repeats(results: list[Reference]) -> set[int]:
    """Return the ranks of results whose id an earlier result has."""
    ids = [result.id for result in results]
    if len({*ids}) == len(ids):
        return set()
    first: dict[Id, int] = {}
    return {rank for rank, result in enumerate(ids, 1) if first.setdefault(result, rank) != rank}


class ReferenceMatcher(QueryMatcher):
    """A base class for matchers by text or span; documents judged not relevant have ids alone."""

    needs_references = True

    def find_not_relevant(
        self, judged: list[Reference], results: list[Reference], met: set[int]
    ) -> Iterable[int]:
        """Return the first rank of each document judged not relevant, by its id."""
        wanted = {reference.id for reference in judged}
        first: dict[Id, int] = {}
        for rank, result in enumerate(results, 1):
            if result.id in wanted and rank not in met:
                first.setdefault(result.id, rank)
        return first.values()
