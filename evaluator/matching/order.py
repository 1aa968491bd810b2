"""Ordering by score as trec_eval does it: score, then id, both descending; and tie-breaking.

The order of results with equal scores is arbitrary. Matching the rankings again with the best and
the worst tie-breaking bounds what it can do to a score.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from operator import gt
from typing import Any, NamedTuple, TypeAlias

from groupwise.evaluator.hits import Hits, Order
from groupwise.evaluator.intake.rows import Rows
from groupwise.evaluator.intake.vectors import VectorTable
from groupwise.evaluator.matching.likeness import LikenessColumns
from groupwise.evaluator.matching.matcher import Matcher
from groupwise.evaluator.matching.registry import Matching
from groupwise.schemas import Id

TIE_ORDERS = [(sign, judged) for sign in (1, -1) for judged in (-0.5, 0.5)]
"""The sign of grades, and the grade of results judged not relevant: relevant results come first or
last, and those before or after unjudged ones. Every metric of the profile is highest in one of the
orders and lowest in another."""

Judgements: TypeAlias = dict[int, float | None]
"""The grade of each judged result of a query by its place; None: not relevant."""


def is_strict(scores: list[float] | None) -> bool:
    """Whether the results are in order of their scores, and no two scores are equal."""
    return scores is None or all(map(gt, scores, islice(scores, 1, None)))


def sort_places(scores: list[float], keys: list[Any]) -> list[int]:
    """Return the places of the results in order of score, then key, both descending."""
    places = range(len(scores))
    return sorted(places, key=lambda place: (scores[place], keys[place]), reverse=True)


def reorder(rows: Rows, orders: Iterable[list[int] | None]) -> Rows:
    """Return the rows with each ranking, and what belongs to it, in another order."""
    chosen = list(orders)
    if not any(chosen):
        return rows
    columns = {name: _permute_each(getattr(rows, name), chosen) for name in RANKED_COLUMNS}
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
            None if is_strict(scores) else sort_places(scores or [], list(map(str, ranking)))
            for ranking, scores in pairs
        ),
    )


def find_ties(rows: Rows) -> list[int]:
    """Return the numbers of the rows, in order of their scores, that have equal scores."""
    return [number for number, scores in enumerate(rows.scores) if not is_strict(scores)]


def sort_ties(rows: Rows, judgements: Mapping[int, Judgements], sign: int, judged: float) -> Rows:
    """Return the rows with tied results in order of their judgement.

    Unjudged results count as 0. So do repeats, which count at their first place only.
    """
    orders: list[list[int] | None] = [None] * len(rows)
    for number, found in judgements.items():
        keys = _keys(rows.results[number], found, sign, judged)
        orders[number] = sort_places(rows.scores[number] or [], keys)
    return reorder(rows, orders)


def _keys(
    ranking: list[Id], judgements: Judgements, sign: int, judged: float
) -> list[tuple[float, str]]:
    keys = [(0.0, str(result)) for result in ranking]
    for place, grade in judgements.items():
        keys[place] = sign * (judged if grade is None else grade), keys[place][1]
    return keys


def judge(hits: Hits) -> list[Judgements]:
    """Return the judgements of the results of each query."""
    judgements: list[Judgements] = [{} for _ in range(hits.queries)]
    unwanted, met = hits.unwanted, hits.results
    met = met.where(met.first)
    for query, rank in zip(unwanted.query.tolist(), unwanted.rank.tolist(), strict=True):
        judgements[query][rank - 1] = None
    columns = met.query.tolist(), met.rank.tolist(), met.grade.tolist()
    for query, rank, grade in zip(*columns, strict=True):
        judgements[query][rank - 1] = grade
    return judgements


class MatchedBatch(NamedTuple):
    """The hits of some queries in each order, and in each tie-breaking order."""

    hits: dict[Order, Hits]
    tied: list[Hits]


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
        tied = TIE_ORDERS if self._heeds_scores and ties == "report" else []
        self._tied = [(order, self._open()) for order in tied]
        self._closed: list[MatchedBatch] = []

    def __len__(self) -> int:
        return len(self._matcher)

    def add(self, rows: Rows) -> None:
        """Match the results of some queries with their ground truths."""
        ordered = sort_by_score(rows) if self._heeds_scores else rows
        if "given" not in self._orders:
            rows = ordered
        elif ordered is not rows and self._apart is None:
            self._close()
            self._apart = self._open()
        self._matcher.add(rows)
        if self._apart is not None:
            self._apart.add(ordered)
        if self._tied:
            self._add_tied(ordered)
        for order, columns in self._likeness.items():
            columns.add(ordered if order == "score" else rows)

    def _add_tied(self, rows: Rows) -> None:
        """Match each order of tied results; ``rows`` are in order of their scores."""
        ties, matcher = find_ties(rows), self._matching.open()
        matcher.add(rows.only(ties))
        judgements = dict(zip(ties, judge(matcher.batch()), strict=True))
        for order, matcher in self._tied:
            matcher.add(sort_ties(rows, judgements, *order))

    def batches(self) -> list[MatchedBatch]:
        """Return the hits of the queries added since the last call: one batch, seldom two."""
        self._close()
        closed, self._closed = self._closed, []
        return closed

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
        self._closed.append(MatchedBatch(found, [matcher.batch() for _, matcher in self._tied]))
