"""One query in its plainest form, lists of text ids: what people call in loops.

No policy concerns such a query: it has groups and results, and no scores. So it goes straight to
the matcher and the metric, which are those of every evaluation.
"""

from typing import Any

from groupwise.evaluator.hits import Budget
from groupwise.evaluator.intake.plain_pairs import are_plain
from groupwise.evaluator.intake.rows import Rows
from groupwise.evaluator.matching.exact import ExactMatcher, find_hit_ranks
from groupwise.evaluator.metrics.names import Measure
from groupwise.evaluator.metrics.scoring import compute_scores
from groupwise.schemas import Id, PlainTruth


def is_plain(ground_truth: Any, results: Any) -> bool:
    """Whether these are groups of text ids and text ids, neither empty."""
    return are_plain([ground_truth], [results])


def draw_vector(ground_truth: PlainTruth, results: list[Id]) -> list[int]:
    """Return 1 for each result that meets any group, 0 for the others."""
    vector = [0] * len(results)
    for rank in find_hit_ranks(ground_truth, results):
        vector[rank - 1] = 1
    return vector


def can_score_plainly(measure: Measure, ground_truth: Any, results: Any) -> bool:
    """Whether a query is plain, and the measure needs no vectors, spans or tokens."""
    if measure.metric.needs or isinstance(measure.k, Budget):
        return False
    return is_plain(ground_truth, results)


def score_plain(measure: Measure, ground_truth: PlainTruth, results: list[Id]) -> float:
    """Return the value of a measure; NaN where it has none."""
    matcher = ExactMatcher(measure.k if isinstance(measure.k, int) else None)
    matcher.add(Rows(["query"], [ground_truth], [results]))
    return float(compute_scores(measure.alone, {measure.order: matcher.batch()})[0, 0])
