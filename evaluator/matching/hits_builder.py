"""Builds ``Hits`` query by query, without arrays."""

from collections.abc import Hashable, Iterable, Sequence
from itertools import chain

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
    ) -> None:
        """Add a query.

        Args:
            truth: Its ground truth, as rows have it.
            length: The number of its results.
            hits: Rank (from 1), group and alternative (both from 0) of each hit.
            documents: A key for each alternative, group after group; equal keys are one document.
                None: the ids.
            not_relevant: The first rank of each document found that is judged not relevant, and
                how many documents are.
            tokens: The number of tokens of each result, if there are budgets.
        """
        columns, number = self._columns, len(self)
        (groups,) = columns.note_truths([truth])
        columns.note_tokens([tokens])
        columns.note_not_relevant(number, *not_relevant)
        first = columns.alternatives
        starts = columns.add_shape(length, groups)
        columns.note_documents(first, documents or list(chain.from_iterable(groups)))
        found = [(rank, starts[group] + place) for rank, group, place in hits]
        columns.add_hits([rank for rank, _ in found], [number for _, number in found])

    def build(self) -> Hits:
        """Return the hits of all queries added, and start a new batch."""
        return self._columns.build()
