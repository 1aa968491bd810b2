"""The scores of ideal rankings: upper bounds of what a retriever can reach on the data.

They are for data that is validated without a run: rankings are of any length. The ceilings of a
report, in ``reach``, are those of rankings of k results.

No ranking is best for every metric: AutoRAG's MAP falls with a second alternative of a group, but
rises with those of the last one; its nDCG rises. So a few rankings are tried, and each metric takes
the best of them. Where no id is in two groups, nothing scores higher on any of the six metrics but
AutoRAG's MAP. For that, and where groups share ids, a better ranking may exist that was not tried:
the ceiling is then the best score reached, and the bound a score that no ranking exceeds. What is
divided by the score of the best ranking has a ceiling of 1.
"""

import heapq
import math
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import NamedTuple, TypeAlias

import numpy as np

from groupwise.evaluator.evaluation.plan import Plan
from groupwise.evaluator.hits import FloatArray
from groupwise.evaluator.intake.rows import Rows
from groupwise.evaluator.matching.truths import grades_by_id, grades_of, groups_of, weights_of
from groupwise.evaluator.metrics.names import Measure, measures
from groupwise.evaluator.metrics.registry import SIX
from groupwise.schemas import Id, PlainTruth, RichTruth, Truth

BATCH = 2000
CERTAIN = frozenset({*SIX, "complete", "hit_rate"})
"""The metrics on which no ranking scores more than those tried, where groups share no id."""
NORMALISED = frozenset({("coverage", "mrr"), ("coverage", "ndcg")})
"""The metrics that the best ranking scores 1 on, at every cutoff, by profile and name."""
Gains: TypeAlias = dict[Id, dict[int, float]]
"""How far a document meets the groups that list it, by their numbers."""


class Ceilings(NamedTuple):
    """By metric: the mean of the best scores reached, and a mean that no ranking exceeds."""

    reached: dict[str, float | None]
    bounds: dict[str, float | None]


def find_ceilings(
    counted: Iterable[tuple[Truth, int]], metrics: Sequence[str], profile: str
) -> Ceilings:
    """Return the means over all queries of the best score that a ranking can have."""
    given = list(counted)
    chosen = measures(metrics, profile, ())
    found: dict[str, list[tuple[float, float, int]]] = {m.label: [] for m in chosen if given}
    for start in range(0, len(given), BATCH):
        batch = given[start : start + BATCH]
        best = _find_best_scores([truth for truth, _ in batch], metrics, profile)
        shapes = [_take_shape(truth) for truth, _ in batch]
        for measure, scores in zip(chosen, best.tolist(), strict=True):
            for value, shape, (_, count) in zip(scores, shapes, batch, strict=True):
                if not math.isnan(value):
                    highest = 1.0 if _is_normalised(measure) else value
                    found[measure.label].append((highest, _bound(highest, shape, measure), count))
    return Ceilings(
        {label: _mean((value, n) for value, _, n in parts) for label, parts in found.items()},
        {label: _mean((bound, n) for _, bound, n in parts) for label, parts in found.items()},
    )


def _is_normalised(measure: Measure) -> bool:
    return (measure.profile, measure.metric.name) in NORMALISED


def _mean(counted: Iterable[tuple[float, int]]) -> float | None:
    """Return the mean of values that occur several times each."""
    pairs = list(counted)
    total = sum(count for _, count in pairs)
    return math.fsum(value * count for value, count in pairs) / total if total else None


class TruthShape(NamedTuple):
    """What a bound depends on."""

    groups: PlainTruth
    weights: list[float]
    shares_ids: bool


def _take_shape(truth: Truth) -> TruthShape:
    groups = groups_of(truth)
    return TruthShape(groups, weights_of(truth), _share_ids(groups))


def _bound(value: float, shape: TruthShape, measure: Measure) -> float:
    """Return a score that no ranking exceeds: the value itself where it is known to be highest."""
    if measure.metric.name not in CERTAIN or measure.label_of is not None:
        return measure.metric.highest
    highest = max(value, min(measure.metric.highest, 1.0))
    dissolved = measure.profile == "trec" and measure.metric.name in SIX
    if not dissolved and shape.shares_ids:
        return highest
    if (measure.profile, measure.metric.name) == ("autorag", "map"):
        return min(highest, max(value, _bound_of_map(shape.groups, shape.weights)))
    return value


def _share_ids(groups: PlainTruth) -> bool:
    return sum(map(len, groups)) != len(set().union(*groups))


def _bound_of_map(groups: PlainTruth, weights: list[float]) -> float:
    """Return the MAP of a ranking in which each group delays those after it by a single rank."""
    size = max(map(len, groups))
    precisions = [
        math.fsum(hit / (rank + hit - 1) for hit in range(1, size + 1)) / size
        for rank in range(1, len(groups) + 1)
    ]
    ordered = sorted(weights, reverse=True)
    credit = math.fsum(w * p for w, p in zip(ordered, precisions, strict=True))
    return credit / math.fsum(weights)


def _find_best_scores(truths: list[Truth], metrics: Sequence[str], profile: str) -> FloatArray:
    """Return the best score of each metric (row) on each ground truth (column); NaN for none."""
    tried = [*map(ideal_rankings, truths)]
    rankings = [ranking for way in zip(*tried, strict=True) for ranking in way]
    scores = _score(truths * len(tried[0]), rankings, metrics, profile)
    best: FloatArray = np.fmax.reduce(scores.reshape(len(scores), -1, len(truths)), axis=1)
    graded = [number for number, truth in enumerate(truths) if _shares_graded_ids(truth)]
    if graded:
        chosen = [truths[number] for number in graded]
        more = _score(chosen, [*map(_cover_by_grades, chosen)], metrics, profile)
        best[:, graded] = np.fmax(best[:, graded], more)
    return best


def _score(
    truths: list[Truth], rankings: list[list[Id]], metrics: Sequence[str], profile: str
) -> FloatArray:
    """Return the score of each metric (row) for each ranking (column); NaN where there is none.

    How many tokens a document has is not known here: all of them fit into every budget.
    """
    partial = Plan(tuple(metrics), profile).start()
    all_fit: list[list[int] | None] = [[0] * len(ranking) for ranking in rankings]
    tokens = all_fit if partial.setup.budgets else []
    partial.add(Rows([*map(str, range(len(truths)))], truths, rankings, tokens=tokens))
    ids, values = partial.take_values()
    placed = np.empty_like(values)
    placed[:, [*map(int, ids)]] = values
    return placed


def ideal_rankings(truth: Truth) -> tuple[list[Id], ...]:
    """Return the rankings that are tried.

    One alternative per group; then those of the group met last; then all; all alternatives by
    grade; and the best one alone.
    """
    groups, grades = groups_of(truth), grades_by_id(truth)
    if _share_ids(groups):  # the order of the file is to change nothing
        grades = {document: grades[document] for document in sorted(grades, key=str)}
    first = _cover(groups, weights_of(truth), grades)
    by_grade = sorted(grades, key=lambda document: -grades[document])
    covering = set(first)
    rest = [document for document in by_grade if document not in covering]
    last = {document for group in groups if first[-1] in group for document in group}
    return (
        first,
        [*first, *(document for document in rest if document in last)],
        [*first, *rest],
        by_grade,
        by_grade[:1],
    )


def _cover(groups: PlainTruth, weights: list[float], grades: dict[Id, float]) -> list[Id]:
    """Return documents that meet all groups, each the one that adds most."""
    if not _share_ids(groups):
        order = sorted(range(len(groups)), key=lambda n: (-weights[n], len(groups[n])))
        return [max(groups[number], key=grades.__getitem__) for number in order]
    return _cover_greedily(groups, _as_integers(weights), grades)


def _cover_greedily(groups: PlainTruth, weights: list[int], grades: dict[Id, float]) -> list[Id]:
    """Return documents that meet all groups, which share some; of equal ones the first by id."""
    unmet: dict[Id, dict[int, None]] = {document: {} for document in grades}
    for number, group in enumerate(groups):
        for document in group:
            unmet[document][number] = None
    gains = {document: sum(weights[n] for n in homes) for document, homes in unmet.items()}
    queue = [(-gains[d], -grades[d], place, d) for place, d in enumerate(grades)]
    places = {document: place for *_, place, document in queue}
    heapq.heapify(queue)
    ranking: list[Id] = []
    left = len(groups)
    while left and queue:
        gain, _, _, best = heapq.heappop(queue)
        if -gain != gains[best] or not unmet[best]:
            continue
        ranking.append(best)
        left -= len(unmet[best])
        met = [(number, groups[number]) for number in unmet[best]]
        for number, group in met:
            for document in dict.fromkeys(group):
                del unmet[document][number]
                gains[document] -= weights[number]
        for document in dict.fromkeys(chain.from_iterable(group for _, group in met)):
            if unmet[document]:
                entry = (-gains[document], -grades[document], places[document], document)
                heapq.heappush(queue, entry)
    return ranking


def _as_integers(weights: Sequence[float]) -> list[int]:
    """Return weights that stand in the same proportion, so that sums and differences are exact."""
    ratios = [weight.as_integer_ratio() for weight in map(float, weights)]
    scale = max(denominator for _, denominator in ratios)
    return [numerator * (scale // denominator) for numerator, denominator in ratios]


def _shares_graded_ids(truth: Truth) -> bool:
    return isinstance(truth, RichTruth) and len(set(truth.grades)) > 1 and _share_ids(truth.groups)


def _cover_by_grades(truth: Truth) -> list[Id]:
    """Return documents that meet all groups as far as their grades go, the next best first."""
    grades = grades_by_id(truth)
    gains: Gains = {document: {} for document in grades}
    listed = iter(grades_of(truth))
    for number, group in enumerate(groups_of(truth)):
        pairs = list(zip(group, listed, strict=False))
        best = max(grade for _, grade in pairs)
        for document, grade in pairs:
            gain = (2**grade - 1) / (2**best - 1)
            gains[document][number] = max(gain, gains[document].get(number, 0.0))
    return _take_next_best(gains, weights_of(truth), grades)


def _take_next_best(gains: Gains, weights: list[float], grades: dict[Id, float]) -> list[Id]:
    """Return documents, each the one that adds most to those before it, while any adds something.

    What a document adds only falls: the first of the queue is the best if it still adds as much.
    """
    reached = [0.0] * len(weights)
    queue = [(-math.inf, -grades[document], n, document) for n, document in enumerate(gains)]
    heapq.heapify(queue)
    ranking: list[Id] = []
    while queue:
        before, grade, place, best = heapq.heappop(queue)
        parts = gains[best].items()
        now = math.fsum(weights[n] * max(0.0, gain - reached[n]) for n, gain in parts)
        if now and -now > before:
            heapq.heappush(queue, (-now, grade, place, best))
        elif now:
            ranking.append(best)
            for number, gain in parts:
                reached[number] = max(reached[number], gain)
    return ranking
