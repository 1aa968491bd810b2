"""The groups that two runs meet differently, beside the queries that gain and lose the most."""

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from itertools import repeat

from groupwise.evaluator.evaluation.evaluator import Evaluator
from groupwise.evaluator.evaluation.first_ranks import Place
from groupwise.evaluator.evaluation.run_values import RunValues
from groupwise.evaluator.matching.truths import groups_of, labels_of
from groupwise.evaluator.metrics.names import Measure
from groupwise.schemas import Truth
from groupwise.schemas.comparison import (
    ChangedGroup,
    GroupOutcome,
    OutcomeReason,
    Pair,
    QueryChange,
)


class ChangedGroups:
    """Finds the groups on which two runs differ, for the queries that are listed."""

    def __init__(self, evaluator: Evaluator, values: RunValues) -> None:
        """Look in these values, which have the ranks of groups."""
        self._evaluator = evaluator
        self._values = values

    @cached_property
    def _row_of(self) -> Mapping[str, int]:
        return {query: row for row, query in enumerate(self._values.queries)}

    @cached_property
    def _measures(self) -> Mapping[str, Measure]:
        return {measure.label: measure for measure in self._evaluator.list_measures()}

    def add_to(self, pairs: Iterable[Pair]) -> tuple[Pair, ...]:
        """Return the pairs with the groups of each of their queries."""
        return tuple(
            pair.model_copy(
                update={
                    "largest_gains": self._explain(pair, pair.largest_gains),
                    "largest_losses": self._explain(pair, pair.largest_losses),
                }
            )
            for pair in pairs
        )

    def _explain(self, pair: Pair, changes: Iterable[QueryChange]) -> tuple[QueryChange, ...]:
        return tuple(self._explain_change(pair, change) for change in changes)

    def _explain_change(self, pair: Pair, change: QueryChange) -> QueryChange:
        """Return a change with the text of the query, and the groups that differ."""
        truth, text = self._evaluator.find_truth(change.query)
        found = [each for each in self._compare(pair, change.query, truth) if _differs(each)]
        found.sort(key=lambda group: (not group.is_decisive, group.group))
        return change.model_copy(update={"text": text, "groups": tuple(found)})

    def _compare(self, pair: Pair, query: str, truth: Truth) -> Iterator[ChangedGroup]:
        """Yield each group that the metric looks at, as it is in both runs."""
        measure = self._measures[pair.metric]
        outcomes = [self._find(run, query, measure) for run in (pair.a, pair.b)]
        columns = zip(groups_of(truth), labels_of(truth), *outcomes, strict=False)
        for number, (alternatives, label, a, b) in enumerate(columns):
            if measure.label_of is None or (label or "").lower() == measure.label_of.lower():
                yield ChangedGroup.model_construct(
                    group=number, label=label, alternatives=tuple(alternatives), a=a, b=b
                )

    def _find(self, run: str, query: str, measure: Measure) -> Iterable[GroupOutcome | None]:
        """Return where a run meets each group of a query; None: unknown, a saved baseline."""
        known = self._values.ranks[self._values.runs.index(run)]
        if known is None:
            return repeat(None)
        place = int(known.place_of[self._row_of[query]])
        return [*map(_describe, known.ranks.find(place, measure.order, measure.k))]


def _describe(place: Place) -> GroupOutcome:
    reason = None if place.met else _find_reason(place)
    return GroupOutcome.model_construct(met=place.met, rank=place.rank or None, reason=reason)


def _find_reason(place: Place) -> OutcomeReason:
    if place.rank:
        return "beyond_k"
    return "not_retrieved" if place.is_known else "not_met"


def _differs(group: ChangedGroup) -> bool:
    """Whether one run misses a group, or meets it at another rank; if one is saved, it may."""
    a, b = group.a, group.b
    if a is None or b is None:
        return a is not b
    return (a.met or b.met) and (a.met, a.rank) != (b.met, b.rank)
