"""What an ideal ranking scores on the data: the most that any retriever can hope for.

No ranking is best for every metric: AutoRAG's MAP falls with a second alternative of a group, but
rises with those of the last one; its nDCG rises. So a few rankings are tried, and each metric takes
the best of them. Where no id is in two groups, nothing scores higher on any of the six metrics but
AutoRAG's MAP. For that, and where groups share ids, a better ranking may exist that was not tried:
the ceiling is then what was reached, and the bound says what cannot be.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from groupwise.evaluator.evaluation.evaluate import evaluate
from groupwise.evaluator.metrics.names import Measure, measures
from groupwise.evaluator.metrics.registry import SIX
from groupwise.schemas import Id, Report, RichTruth, Truth

BATCH = 2000
CERTAIN = frozenset({*SIX, "complete", "hit_rate"})
"""The metrics on which no ranking scores more than those tried, where groups share no id."""


class Ceilings(NamedTuple):
    """By metric: the mean of what rankings reached, and one that no ranking exceeds."""

    reached: dict[str, float | None]
    bounds: dict[str, float | None]


def ceilings(
    counted: Iterable[tuple[Truth, int]], metrics: Sequence[str], profile: str
) -> Ceilings:
    """The means over all queries of the best score that a ranking can have."""
    given = list(counted)
    chosen = measures(list(metrics), profile, ())
    means = {one.label: (_Mean(), _Mean()) for one in chosen} if given else {}
    for start in range(0, len(given), BATCH):
        batch = given[start : start + BATCH]
        best = _best([truth for truth, _ in batch], metrics, profile)
        for (truth, count), scores in zip(batch, best, strict=True):
            for measure in chosen:
                value = scores[measure.label]
                reached, bound = means[measure.label]
                reached.add(value, count)
                bound.add(None if value is None else _bound(value, truth, measure), count)
    return Ceilings(
        {label: reached.value for label, (reached, _) in means.items()},
        {label: bound.value for label, (_, bound) in means.items()},
    )


class _Mean:
    """The mean of values that occur several times each."""

    def __init__(self) -> None:
        self._sums: list[float] = []
        self._total = 0

    def add(self, value: float | None, count: int) -> None:
        if value is not None:
            self._sums.append(value * count)
            self._total += count

    @property
    def value(self) -> float | None:
        return math.fsum(self._sums) / self._total if self._total else None


def _bound(value: float, truth: Truth, measure: Measure) -> float:
    """What no ranking exceeds; the value itself where it is known to be the highest."""
    groups, weights, grades = _parts(truth)
    if measure.metric.name not in CERTAIN or measure.label_of is not None:
        return measure.metric.highest
    highest = max(value, min(measure.metric.highest, 1.0))
    dissolved = measure.profile == "trec" and measure.metric.name in SIX
    if not dissolved and sum(map(len, groups)) != len(grades):
        return highest
    if (measure.profile, measure.metric.name) == ("autorag", "map"):
        return min(highest, max(value, _bound_of_map(groups, weights)))
    return value


def _bound_of_map(groups: list[list[Id]], weights: list[float]) -> float:
    """As if each group were the only one that stands in the way of those after it by one rank."""
    size = max(map(len, groups))
    precisions = [
        math.fsum(hit / (rank + hit - 1) for hit in range(1, size + 1)) / size
        for rank in range(1, len(groups) + 1)
    ]
    ordered = sorted(weights, reverse=True)
    paid = math.fsum(w * p for w, p in zip(ordered, precisions, strict=True))
    return paid / math.fsum(weights)


def _best(
    truths: list[Truth], metrics: Sequence[str], profile: str
) -> Iterator[dict[str, float | None]]:
    """The best score of each ground truth, by metric."""
    ways = [list(way) for way in zip(*map(ideal_rankings, truths), strict=True)]
    reports = [_report(truths, way, metrics, profile) for way in ways]
    for number in range(len(truths)):
        rows = [report.per_query[str(number)] for report in reports]
        yield {name: _highest([row[name] for row in rows]) for name in rows[0]}


def _highest(values: Sequence[float | None]) -> float | None:
    return max((value for value in values if value is not None), default=None)


def _report(
    truths: list[Truth], rankings: list[list[Id]], metrics: Sequence[str], profile: str
) -> Report:
    return evaluate(list(map(_as_given, truths)), rankings, metrics=list(metrics), profile=profile)


def _as_given(truth: Truth) -> list[Any]:
    """The ground truth in the shape that people write."""
    if not isinstance(truth, RichTruth):
        return truth
    grades = iter(truth.grades)
    listed = [[{"id": one, "grade": next(grades)} for one in group] for group in truth.groups]
    return [
        {"alternatives": alternatives, "weight": weight, "label": label}
        for alternatives, weight, label in zip(listed, truth.weights, truth.labels, strict=True)
    ]


def ideal_rankings(truth: Truth) -> tuple[list[Id], ...]:
    """The rankings that are tried.

    One alternative per group; then those of the group met last; then all; all alternatives by
    grade; and the best one alone.
    """
    groups, weights, grades = _parts(truth)
    first = _covering(groups, weights, grades)
    by_grade = sorted(grades, key=lambda one: -grades[one])
    rest = [one for one in by_grade if one not in set(first)]
    last = {one for group in groups if first[-1] in group for one in group}
    return (
        first,
        [*first, *(one for one in rest if one in last)],
        [*first, *rest],
        by_grade,
        by_grade[:1],
    )


def _parts(truth: Truth) -> tuple[list[list[Id]], list[float], dict[Id, float]]:
    """Groups, their weights, and the best grade of each id."""
    if not isinstance(truth, RichTruth):
        return truth, [1.0] * len(truth), {one: 1.0 for group in truth for one in group}
    grades: dict[Id, float] = {}
    listed = [one for group in truth.groups for one in group]
    for one, grade in zip(listed, truth.grades, strict=True):
        grades[one] = max(grade, grades.get(one, 0.0))
    return truth.groups, truth.weights, grades


def _covering(groups: list[list[Id]], weights: list[float], grades: dict[Id, float]) -> list[Id]:
    """Documents that meet all groups, each the one that adds most."""
    if sum(map(len, groups)) == len(grades):
        order = sorted(range(len(groups)), key=lambda n: (-weights[n], len(groups[n])))
        return [max(groups[number], key=lambda one: grades[one]) for number in order]
    homes: dict[Id, set[int]] = {one: set() for one in grades}
    for number, group in enumerate(groups):
        for one in group:
            homes[one].add(number)
    ranking: list[Id] = []
    unmet = set(range(len(groups)))
    while unmet:
        best = max(
            homes, key=lambda one: (sum(weights[n] for n in homes[one] & unmet), grades[one])
        )
        ranking.append(best)
        unmet -= homes.pop(best)
    return ranking
