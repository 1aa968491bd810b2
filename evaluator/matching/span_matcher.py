"""Spans: a result meets an alternative if it covers enough of its characters.

Chunks may be cut anew and get other ids: the characters of a document stay where they are.
"""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import chain
from typing import Annotated

from groupwise.evaluator.errors import Problem
from groupwise.evaluator.hits.spans import Span, Union
from groupwise.evaluator.intake.rows import Rows
from groupwise.evaluator.matching.evidence import Evidence
from groupwise.evaluator.matching.matcher import Hit
from groupwise.evaluator.matching.query_matcher import (
    ReferenceMatcher,
    alternatives_of,
    results_of,
)
from groupwise.evaluator.matching.span_columns import span_of
from groupwise.evaluator.plugins.parameters import Between
from groupwise.evaluator.text import quote_id
from groupwise.schemas.ids import text_of
from groupwise.schemas.reference import Reference

NEEDED = (
    'matching by span needs document, start and end (exclusive), as in {"id": "c7", '
    '"document": "d", "start": 0, "end": 512}'
)


class SpanMatcher(ReferenceMatcher):
    """A result meets an alternative if it covers at least ``threshold`` of its characters.

    With ``together=true`` several results may cover an alternative: the one that completes the
    threshold meets it. Ranges are half-open, so results that touch an alternative do not overlap
    it, and an overlap of nothing meets none, whatever the threshold.
    """

    compares = ("span",)

    def __init__(
        self,
        depth: int | None = None,
        budgets: Sequence[int] = (),
        *,
        threshold: Annotated[float, Between(0, 1)] = 0.5,
        together: bool = False,
    ) -> None:
        """Look at the first ``depth`` results; None: all."""
        super().__init__(depth, budgets)
        self.threshold = threshold
        self._compare = _compare_together if together else _compare_each

    def match(self, groups: list[list[Reference]], results: list[Reference]) -> Iterator[Hit]:
        """Yield the hits of a query."""
        found = self._compare(groups, results, self.threshold)
        return (evidence.hit for evidence in found if evidence.met)

    def explain(
        self, groups: list[list[Reference]], results: list[Reference]
    ) -> Iterable[Evidence]:
        """Yield how much of each alternative each result covers, and where, if it is anything."""
        return self._compare(groups, results, self.threshold)

    def document_of(self, alternative: Reference) -> Hashable:
        """Return the span: alternatives with the same one are the same document."""
        return span_of(alternative) or alternative.id

    @staticmethod
    def find_problems(rows: Rows) -> Iterator[Problem]:
        """Yield the first alternative or result of each query that has no span."""
        for row, query in enumerate(rows.ids):
            alternatives = chain.from_iterable(alternatives_of(rows, row))
            results = results_of(rows, row)
            problem = next(_find_flaws(alternatives, "alternative", empty=False), None)
            problem = problem or next(_find_flaws(results, "result", empty=True), None)
            if problem:
                yield Problem(problem[1], query=query, alike=problem[0])


Placed = tuple[int, int, int, int]
"""Start, end, group and place of an alternative."""


def _compare_each(
    groups: list[list[Reference]], results: list[Reference], threshold: float
) -> Iterator[Evidence]:
    """Yield the overlaps of each result with each alternative."""
    alternatives = _place_alternatives(groups)
    for rank, result in enumerate(results, 1):
        document, begin, stop = span_of(result) or NOWHERE
        for start, end, group, place in alternatives.get(document, ()):
            low, high = max(start, begin), min(end, stop)
            if low < high:
                share = (high - low) / (end - start)
                met = share >= threshold
                yield Evidence(rank, group, place, met, "span", share, low, high)


def _compare_together(
    groups: list[list[Reference]], results: list[Reference], threshold: float
) -> Iterator[Evidence]:
    """Yield what results add to the part of an alternative that is covered, until it is enough."""
    alternatives = _place_alternatives(groups)
    covered: dict[Placed, Union] = defaultdict(Union)
    for rank, result in enumerate(results, 1):
        document, begin, stop = span_of(result) or NOWHERE
        for alternative in [*alternatives.get(document, ())]:
            start, end, group, place = alternative
            low, high = max(start, begin), min(end, stop)
            if covered[alternative].add(low, high):
                share = covered[alternative].size / (end - start)
                met = share >= threshold
                yield Evidence(rank, group, place, met, "together", share, low, high)
                if met:
                    alternatives[document].remove(alternative)


NOWHERE = Span("", 0, 0)


def _place_alternatives(groups: list[list[Reference]]) -> dict[str, list[Placed]]:
    """Return the spans of alternatives by document."""
    placed: dict[str, list[Placed]] = {}
    for group, alternatives in enumerate(groups):
        for place, alternative in enumerate(alternatives):
            if span := span_of(alternative):
                placed.setdefault(span.document, []).append((span.start, span.end, group, place))
    return placed


def _find_flaws(
    references: Iterable[Reference], noun: str, *, empty: bool
) -> Iterator[tuple[str, str]]:
    """Yield for each reference without a proper span what kind of flaw it is, and a message."""
    for reference in references:
        start, end = reference.start, reference.end
        document = None if reference.document is None else text_of(reference.document).strip()
        if not document or start is None or end is None:
            yield (
                f"{noun} without span",
                f"the {noun} {quote_id(reference.id)} has no span; {NEEDED}",
            )
        elif start > end or (start == end and not empty):
            found = f"from {start} to {end}"
            expected = "an end after the start" if start == end else "a start before the end"
            message = f"the span of the {noun} {quote_id(reference.id)}: expected {expected}"
            yield f"{noun} with empty span", f"{message}, got {found}"
