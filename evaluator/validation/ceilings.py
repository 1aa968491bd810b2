"""What an ideal ranking scores on the data: the most that any retriever can hope for.

No ranking is best for every metric: AutoRAG's MAP falls with a second alternative, its nDCG rises.
So a few rankings are tried, and each metric takes the best of them: one alternative per group, all
alternatives after these, and all alternatives by grade.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from groupwise.evaluator.evaluate import evaluate
from groupwise.schemas import Id, Report, RichTruth, Truth

BATCH = 2000


def ceilings(
    counted: Iterable[tuple[Truth, int]], metrics: Sequence[str], profile: str
) -> dict[str, float | None]:
    """The mean over all queries of the best score that a ranking can have, by metric."""
    given = list(counted)
    sums: dict[str, list[float]] = {}
    totals: dict[str, int] = {}
    for start in range(0, len(given), BATCH):
        batch = given[start : start + BATCH]
        best = _best([truth for truth, _ in batch], metrics, profile)
        for (_, count), scores in zip(batch, best, strict=True):
            for name, value in scores.items():
                sums.setdefault(name, [])
                if value is not None:
                    sums[name].append(value * count)
                    totals[name] = totals.get(name, 0) + count
    return {
        name: math.fsum(values) / totals[name] if values else None for name, values in sums.items()
    }


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


def ideal_rankings(truth: Truth) -> tuple[list[Id], list[Id], list[Id]]:
    """One alternative per group; all alternatives after these; all alternatives by grade."""
    groups, weights, grades = _parts(truth)
    first = _covering(groups, weights, grades)
    by_grade = sorted(grades, key=lambda one: -grades[one])
    return first, [*first, *(one for one in by_grade if one not in set(first))], by_grade


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
        order = sorted(range(len(groups)), key=lambda number: -weights[number])
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
