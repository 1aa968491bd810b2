"""Ceilings: what the ideal ranking of k results scores on the data.

The ceiling of a mean is the mean of what is best for each query, over the queries that are scored.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from groupwise.evaluator.evaluation.ideal_rankings import (
    STRATEGIES,
    Ideal,
    Ranking,
    Strategy,
    rank_by_novelty,
)
from groupwise.evaluator.evaluation.shapes import TruthShape
from groupwise.evaluator.hits import FloatArray, Hits
from groupwise.evaluator.hits.arrays import np
from groupwise.evaluator.intake.rows import Rows
from groupwise.evaluator.matching import EXACT
from groupwise.evaluator.metrics.names import Measure
from groupwise.evaluator.metrics.registry import LABEL
from groupwise.schemas import Id

BATCH = 2000


class Reach:
    """The best score of each measure on each shape of ground truth.

    Ranks have none, nor metrics whose ideal is not known: those of users, and those over vectors.
    """

    def __init__(self, measures: Iterable[Measure], shapes: Iterable[TruthShape]) -> None:
        known = list(shapes)
        self._row_of = {shape: row for row, shape in enumerate(known)}
        self._best = dict(_find_best([m for m in measures if find_strategy(m)], known))

    def ceilings(self, counts: Mapping[TruthShape, int]) -> dict[str, float]:
        """Return the mean of the best scores over shapes that occur so often, by label."""
        rows = [(self._row_of[shape], count) for shape, count in counts.items()]
        means = ((label, _average(best, rows)) for label, best in self._best.items())
        return {label: mean for label, mean in means if mean is not None}


def find_ceilings(
    counts: Mapping[TruthShape, int], measures: Iterable[Measure]
) -> dict[str, float]:
    """Return the ceiling of each measure over shapes of ground truth that occur so often."""
    return Reach(measures, counts).ceilings(counts)


def find_strategy(measure: Measure) -> Strategy | None:
    """Return how the ideal ranking of a measure is found; None if it is not known."""
    if not measure.is_asked_score:
        return None
    return STRATEGIES.get((measure.metric.profile, measure.metric.name))


def _average(best: FloatArray, rows: Sequence[tuple[int, int]]) -> float | None:
    """Return the mean, rounded once; a shape without a value does not count."""
    values = [(float(best[row]), count) for row, count in rows if not np.isnan(best[row])]
    total = sum(count for _, count in values)
    if not total:
        return None
    return float(sum(Fraction(value) * count for value, count in values) / total)


def _find_best(
    measures: Sequence[Measure], shapes: Sequence[TruthShape]
) -> Iterator[tuple[str, FloatArray]]:
    """Yield each label with the best score on each shape."""
    parts: dict[str, list[FloatArray]] = {measure.label: [] for measure in measures}
    for start in range(0, len(shapes), BATCH):
        some = shapes[start : start + BATCH]
        for alike in _group_alike(measures):
            for measure, best in zip(alike, _score_alike(alike, some), strict=True):
                parts[measure.label].append(best)
    for label, blocks in parts.items():
        yield label, np.concatenate([np.zeros(0), *blocks])


def _group_alike(measures: Sequence[Measure]) -> Iterator[list[Measure]]:
    """Yield the measures whose ideal rankings are the same."""
    groups: dict[object, list[Measure]] = {}
    for measure in measures:
        strategy = find_strategy(measure)
        name = measure.metric.name if strategy is rank_by_novelty else ""
        parameters = tuple(sorted(measure.parameters.items()))
        groups.setdefault((strategy, measure.k, parameters, name), []).append(measure)
    yield from groups.values()


def _score_alike(measures: Sequence[Measure], shapes: Sequence[TruthShape]) -> FloatArray:
    """Return the best scores, of shape (measures, shapes), NaN where there is no value."""
    first = measures[0]
    k = first.k if isinstance(first.k, int) else None
    label, strategy = first.label_of, find_strategy(first)
    assert strategy is not None  # noqa: S101  (measures without one are left out)
    asked = [shape if label is None else shape.labelled(label) for shape in shapes]
    ideals: list[Ideal] = [strategy(shape, k, first) if shape.groups else [[]] for shape in asked]
    rankings = [ideal if isinstance(ideal, list) else [] for ideal in ideals]
    best = _score_rankings(measures, asked, rankings, k)
    for row, (shape, ideal) in enumerate(zip(asked, ideals, strict=True)):
        if not isinstance(ideal, list):
            best[:, row] = [strategy(shape, k, measure) for measure in measures]
        elif label is not None and not shape.groups:
            best[:, row] = np.nan
    return best


def _score_rankings(
    measures: Sequence[Measure],
    shapes: Sequence[TruthShape],
    rankings: Sequence[list[Ranking]],
    k: int | None,
) -> FloatArray:
    """Return the best score of each measure over the rankings of each shape."""
    best = np.full((len(measures), len(shapes)), np.nan)
    owners = [row for row, ways in enumerate(rankings) for _ in ways]
    if not owners:
        return best
    hits = _match([shapes[row] for row in owners], [r for ways in rankings for r in ways], k)
    for row, measure in enumerate(measures):
        np.fmax.at(best[row], owners, _without_label(measure).of(hits.at(k)))
    return best


def _without_label(measure: Measure) -> Measure:
    given = {name: value for name, value in measure.parameters.items() if name != LABEL.name}
    return replace(measure, parameters=given)


def _match(shapes: Sequence[TruthShape], rankings: Sequence[Ranking], k: int | None) -> Hits:
    """Return the hits of rankings of at least k results: what is not given meets nothing."""
    matcher = EXACT.open()
    ids = list(map(str, range(len(shapes))))
    unwanted = [_list_unwanted(shape) for shape in shapes]
    matcher.add(
        Rows(ids, [s.truth() for s in shapes], [[*r] for r in rankings], not_relevant=unwanted)
    )
    hits = matcher.batch()
    return replace(hits, length=np.maximum(hits.length, k or 1))


def _list_unwanted(shape: TruthShape) -> list[Id]:
    """Return documents that are judged not relevant, numbered after the others."""
    first = len(shape.documents)
    return [*range(first, first + shape.unwanted)]
