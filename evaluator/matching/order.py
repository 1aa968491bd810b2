"""The order that scores give to results, as trec_eval has it: score, then id, both descending.

Where scores are equal, another order would be as good; how much that can change a number is told
by matching the rankings again with the best and the worst order of what is tied.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from operator import gt
from typing import Any

from groupwise.evaluator.hits import Hits, Order
from groupwise.evaluator.intake.rows import Rows
from groupwise.evaluator.intake.vectors import VectorTable
from groupwise.evaluator.matching.likeness import LikenessColumns
from groupwise.evaluator.matching.matcher import Matcher
from groupwise.evaluator.matching.registry import Matching
from groupwise.evaluator.matching.truths import grades_by_id

TIE_ORDERS = [(sign, judged) for sign in (1, -1) for judged in (-0.5, 0.5)]
"""Sign and place of the judged non-relevant: relevant first or last, and these before or behind
what is unjudged. Every metric of the profile is highest in one of them and lowest in another."""


def is_strict(scores: list[float] | None) -> bool:
    """Whether the results are in order of their scores, and no two scores are equal."""
    return scores is None or all(map(gt, scores, islice(scores, 1, None)))


def permutation(scores: list[float], keys: list[Any]) -> list[int]:
    """The places of the results in order of score, then key, both descending."""
    places = range(len(scores))
    return sorted(places, key=lambda place: (scores[place], keys[place]), reverse=True)


def reordered(rows: Rows, orders: Iterable[list[int] | None]) -> Rows:
    """The rows with each ranking, and what goes with it, in another order."""
    chosen = list(orders)
    if not any(chosen):
        return rows
    return replace(
        rows,
        results=[_permuted(one, order) for one, order in zip(rows.results, chosen, strict=True)],
        scores=[_permuted(one, order) for one, order in zip(rows.scores, chosen, strict=False)],
        tokens=[_permuted(one, order) for one, order in zip(rows.tokens, chosen, strict=False)],
    )


def _permuted(values: Any, order: list[int] | None) -> Any:
    return values if order is None or values is None else [values[place] for place in order]


def by_score(rows: Rows) -> Rows:
    """The rows with each ranking in order of its scores; one without scores as it is."""
    pairs = zip(rows.results, rows.scores, strict=False)
    return reordered(
        rows,
        (
            None if is_strict(scores) else permutation(scores or [], list(map(str, ranking)))
            for ranking, scores in pairs
        ),
    )


def by_score_and_judgement(rows: Rows, sign: int, judged: float) -> Rows:
    """The same, but what is tied in order of its judgement."""
    return reordered(
        rows,
        (
            None
            if is_strict(scores)
            else permutation(scores or [], _keys(rows, number, sign, judged))
            for number, scores in enumerate(rows.scores)
        ),
    )


def _keys(rows: Rows, number: int, sign: int, judged: float) -> list[tuple[float, str]]:
    """The judgement of each result of a query, and its id: what is unjudged counts as 0.

    So does a repeat, for it counts at its first place only.
    """
    worth = dict.fromkeys(rows.not_relevant[number] if rows.not_relevant else (), judged)
    worth |= grades_by_id(rows.truths[number])
    results, scores = rows.results[number], rows.scores[number] or []
    keys = [(0.0, str(result)) for result in results]
    for place in sorted(range(len(results)), key=scores.__getitem__, reverse=True):
        keys[place] = sign * worth.pop(results[place], 0.0), str(results[place])
    return keys


@dataclass(frozen=True)
class MatchedBatch:
    """The hits of some queries in each order, and in each order of what is tied."""

    hits: dict[Order, Hits]
    tied: list[Hits]


class Orders:
    """Matches rankings in the orders that the measures ask for: as given, by score, or both.

    Both are matched as one until scores change an order, which they seldom do. Then the queries
    so far become a batch of their own.
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
        ordered = by_score(rows) if self._heeds_scores else rows
        if "given" not in self._orders:
            rows = ordered
        elif ordered is not rows and self._apart is None:
            self._close()
            self._apart = self._open()
        self._matcher.add(rows)
        if self._apart is not None:
            self._apart.add(ordered)
        for (sign, judged), matcher in self._tied:
            matcher.add(by_score_and_judgement(rows, sign, judged))
        for order, columns in self._likeness.items():
            columns.add(ordered if order == "score" else rows)

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
