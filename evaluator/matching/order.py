"""Ordering by score as trec_eval does it: score, then id, both descending; and tie-breaking.

The order of results with equal scores is arbitrary. Matching the rankings again with the best and
the worst tie-breaking bounds what it can do to a score.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from operator import gt
from typing import TYPE_CHECKING, Any, NamedTuple

from groupwise.evaluator.hits import Hits, Order
from groupwise.evaluator.intake.rows import Rows
from groupwise.evaluator.intake.vectors import VectorTable
from groupwise.evaluator.matching.likeness import LikenessColumns
from groupwise.evaluator.matching.matcher import Matcher
from groupwise.evaluator.matching.notes import MatchNotes
from groupwise.evaluator.matching.registry import Matching
from groupwise.evaluator.matching.tie_orders import judge, tie_orders
from groupwise.schemas.ids import text_of

if TYPE_CHECKING:
    from groupwise.evaluator.matching.span_columns import SpanColumns

EXACT = 2**53
"""Up to here every whole number is a double; beyond, different ones can be equal as doubles."""


def is_strict(scores: list[float] | None) -> bool:
    """Whether the results are in order of their scores, and no two are equal as doubles."""
    if not scores:
        return True
    if not all(map(gt, scores, islice(scores, 1, None))):
        return False
    if scores[-1] >= -EXACT and scores[0] <= EXACT:
        return True
    doubles = list(map(float, scores))
    return all(map(gt, doubles, islice(doubles, 1, None)))


def sort_places(scores: list[float], keys: list[Any]) -> list[int]:
    """Return the places of the results in order of score, then key, both descending."""
    places = range(len(scores))
    return sorted(places, key=lambda place: (float(scores[place]), keys[place]), reverse=True)


def reorder(rows: Rows, orders: Iterable[list[int] | None]) -> Rows:
    """Return the rows with each ranking, and what belongs to it, in another order."""
    chosen = list(orders)
    if not any(chosen):
        return rows
    columns: dict[str, Any] = {
        name: _permute_each(getattr(rows, name), chosen) for name in RANKED_COLUMNS
    }
    return replace(rows, **columns)


RANKED_COLUMNS = ("results", "scores", "tokens", "result_references")
"""The columns that have a value for each result."""


def _permute_each(column: Sequence[Any], orders: list[list[int] | None]) -> list[Any]:
    return [
        values if order is None or values is None else [values[place] for place in order]
        for values, order in zip(column, orders, strict=False)
    ]


def sort_by_score(rows: Rows) -> Rows:
    """Return the rows with each ranking in order of its scores; one without scores as it is."""
    pairs = zip(rows.results, rows.scores, strict=False)
    return reorder(
        rows,
        (
            None if is_strict(scores) else sort_places(scores or [], list(map(text_of, ranking)))
            for ranking, scores in pairs
        ),
    )


def find_ties(rows: Rows) -> list[int]:
    """Return the numbers of the rows, in order of their scores, that have equal scores."""
    return [number for number, scores in enumerate(rows.scores) if not is_strict(scores)]


def _open_span_columns(orders: Iterable[Order], depth: int | None) -> "dict[Order, SpanColumns]":
    from groupwise.evaluator.matching.span_columns import SpanColumns  # noqa: PLC0415

    return {order: SpanColumns(depth) for order in orders}


class MatchedBatch(NamedTuple):
    """The hits of some queries in each order, and of those with ties in tie-breaking orders.

    ``tied`` has a row per query and order; ``owners`` says which query of the batch each is.
    """

    hits: dict[Order, Hits]
    tied: Hits | None
    owners: list[int]


class Orders:
    """Matches rankings in the orders that the measures ask for: as given, by score, or both.

    Both orders share a matcher until scores change an order, which is rare. Then the queries so
    far become a batch of their own.
    """

    def __init__(
        self,
        matching: Matching,
        orders: set[Order],
        depth: int | None,
        budgets: Sequence[int],
        ties: str,
        vectors: VectorTable | None = None,
        *,
        spans: bool = False,
    ) -> None:
        self._orders = sorted(orders)
        self._heeds_scores = "score" in orders and ties != "input"
        self._matching = matching
        self._open = partial(matching.open, depth, budgets)
        self._matcher = self._open()
        self._apart: Matcher | None = None
        self._likeness = {
            order: LikenessColumns(vectors, depth) for order in self._orders if vectors is not None
        }
        self._spans = _open_span_columns(self._orders, depth) if spans else {}
        reports_ties = self._heeds_scores and ties == "report"
        self._tied = self._open() if reports_ties else None
        self._owners: list[int] = []
        self._closed: list[MatchedBatch] = []

    def __len__(self) -> int:
        return len(self._matcher)

    @property
    def hits(self) -> int:
        """The number of hits since the last batch; 0 if the matcher does not know it."""
        hits: int = getattr(self._matcher, "hits", 0)
        return hits

    def add(self, rows: Rows) -> None:
        """Match the results of some queries with their ground truths."""
        ordered = sort_by_score(rows) if self._heeds_scores else rows
        if "given" not in self._orders:
            rows = ordered
        elif ordered is not rows and self._apart is None:
            self._close()
            self._apart = self._open()
        if self._tied is not None:
            self._add_tied(self._tied, ordered)
        self._matcher.add(rows)
        if self._apart is not None:
            self._apart.add(ordered)
        for order, columns in self._likeness.items():
            columns.add(ordered if order == "score" else rows)
        for order, spans in self._spans.items():
            spans.add(ordered if order == "score" else rows)

    def _add_tied(self, matcher: Matcher, rows: Rows) -> None:
        """Match the next queries in tie-breaking orders; ``rows`` are in order of their scores."""
        ties, judge_matcher = find_ties(rows), self._matching.open()
        tied = rows.only(ties)
        judge_matcher.add(tied)
        for number, judged in enumerate(judge(judge_matcher.batch(), list(tied.results))):
            orders = [*tie_orders(list(map(float, tied.scores[number] or [])), judged)]
            matcher.add(reorder(tied.only([number] * len(orders)), orders))
            self._owners += [len(self) + ties[number]] * len(orders)

    def batches(self) -> list[MatchedBatch]:
        """Return the hits of the queries added since the last call: one batch, seldom two."""
        self._close()
        closed, self._closed = self._closed, []
        return closed

    def take_notes(self) -> MatchNotes | None:
        """Return what the matcher noticed since the last call; None for one that takes no notes."""
        notes: MatchNotes | None = getattr(self._matcher, "notes", None)
        if notes is not None:
            self._matcher.notes = MatchNotes()  # type: ignore[attr-defined]
        return notes

    def _close(self) -> None:
        """Make a batch of the queries added so far."""
        if not len(self._matcher):
            return
        hits = self._matcher.batch()
        scored = hits if self._apart is None else self._apart.batch()
        self._apart = None
        found = {order: scored if order == "score" else hits for order in self._orders}
        for order, columns in self._likeness.items():
            found[order] = replace(found[order], likeness=columns.batch())
        for order, spans in self._spans.items():
            found[order] = replace(found[order], spans=spans.batch())
        tied = self._tied.batch() if self._owners and self._tied else None
        self._closed.append(MatchedBatch(found, tied, self._owners))
        self._owners = []
