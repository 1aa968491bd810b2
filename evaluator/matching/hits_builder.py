"""Builds ``Hits`` query by query, without arrays."""

from collections.abc import Collection, Hashable, Iterable, Sequence
from itertools import chain
from operator import index
from typing import Any

from groupwise.evaluator.errors import ExtensionError
from groupwise.evaluator.hits import Hits
from groupwise.evaluator.matching.hit_columns import HitColumns
from groupwise.evaluator.matching.matcher import Hit
from groupwise.schemas import Truth


class HitsBuilder:
    """Collects queries with their hits; ``budgets`` are numbers of tokens to cut results at."""

    def __init__(self, budgets: Sequence[int] = ()) -> None:
        self._columns = HitColumns(budgets)

    def __len__(self) -> int:
        return len(self._columns)

    def add(
        self,
        truth: Truth,
        length: int,
        hits: Iterable[Hit],
        *,
        documents: Sequence[Hashable] | None = None,
        not_relevant: tuple[Iterable[int], int] = ((), 0),
        tokens: list[int] | None = None,
        again: Collection[int] | None = None,
    ) -> None:
        """Add a query.

        Args:
            truth: Its ground truth, as rows have it.
            length: The number of its results.
            hits: Rank (from 1), group and alternative (both from 0) of each hit; order and
                repeats do not matter.
            documents: A key for each alternative, group after group; equal keys are one document.
                None: the ids.
            not_relevant: The first rank of each document found that is judged not relevant, and
                how many documents are.
            tokens: The number of tokens of each result, if there are budgets.
            again: The ranks of results whose id an earlier result has. None: a result is the
                document that it meets, so one that meets the same is a repeat.

        Raises:
            ExtensionError: A hit is none of the results, or none of the alternatives.
        """
        columns, number = self._columns, len(self)
        (groups,) = columns.note_truths([truth])
        columns.note_tokens([tokens])
        columns.note_not_relevant(number, *not_relevant)
        first = columns.alternatives
        starts = columns.add_shape(length, groups)
        columns.note_documents(first, documents or list(chain.from_iterable(groups)))
        found = check_hits(hits, length, groups)
        alternatives = [starts[group] + place for _, group, place in found]
        ranks = [rank for rank, _, _ in found]
        columns.add_hits(ranks, alternatives)
        if again is not None:
            columns.note_again([rank in again for rank in ranks])

    def build(self) -> Hits:
        """Return the hits of all queries added, and start a new batch."""
        return self._columns.build()


def check_hits(hits: Iterable[Hit], length: int, groups: Sequence[Sequence[Any]]) -> list[Hit]:
    """Return the hits of a query if each is one of its results and alternatives.

    Raises:
        ExtensionError: One is not; the message says what was expected.
    """
    if not isinstance(hits, Iterable):
        raise ExtensionError(f"expected hits as (rank, group, alternative), got {hits!r}")
    return [_check_hit(hit, length, groups) for hit in hits]


def _check_hit(hit: Hit, length: int, groups: Sequence[Sequence[Any]]) -> Hit:
    try:
        rank, group, place = map(index, hit)
    except (TypeError, ValueError):
        raise ExtensionError(f"expected a hit as (rank, group, alternative), got {hit!r}") from None
    if not 1 <= rank <= length:
        raise ExtensionError(f"the hit {hit!r}: expected a rank from 1 to {length}")
    if not 0 <= group < len(groups):
        raise ExtensionError(f"the hit {hit!r}: expected a group from 0 to {len(groups) - 1}")
    if not 0 <= place < len(groups[group]):
        last = len(groups[group]) - 1
        raise ExtensionError(f"the hit {hit!r}: expected an alternative from 0 to {last}")
    return rank, group, place
