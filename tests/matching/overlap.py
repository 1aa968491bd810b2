"""A matcher of one's own, as a plugin: spans of a document that overlap."""

from collections.abc import Iterator, Sequence
from typing import Annotated

from groupwise import QueryMatcher, Reference, add_matcher
from groupwise.evaluator.matching import Hit
from groupwise.evaluator.plugins.parameters import Between


class Overlap(QueryMatcher):
    """A result meets an alternative of which it covers at least this share."""

    needs_references = True

    def __init__(
        self,
        depth: int | None = None,
        budgets: Sequence[int] = (),
        *,
        threshold: Annotated[float, Between(0, 1)] = 0.5,
    ) -> None:
        super().__init__(depth, budgets)
        self.threshold = threshold

    def match(self, groups: list[list[Reference]], results: list[Reference]) -> Iterator[Hit]:
        for rank, result in enumerate(results, 1):
            for group, alternatives in enumerate(groups):
                for place, alternative in enumerate(alternatives):
                    if covered(alternative, result) >= self.threshold:
                        yield rank, group, place


def covered(alternative: Reference, result: Reference) -> float:
    """Return the share of an alternative's span that a result covers."""
    if alternative.document is None or alternative.document != result.document:
        return -1.0
    start, end = alternative.start or 0, alternative.end or 0
    common = min(end, result.end or 0) - max(start, result.start or 0)
    return common / (end - start)


add_matcher("overlap", Overlap)
