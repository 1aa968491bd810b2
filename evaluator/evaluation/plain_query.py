"""One query in its plainest form, lists of text ids: what people call in loops.

No policy concerns such a query: it has groups and results, and no scores. So it goes straight to
the matcher and the metric, which are those of every evaluation.
"""

from typing import Any

from groupwise.evaluator.hits import Budget
from groupwise.evaluator.intake.rows import Rows
from groupwise.evaluator.matching.exact import find_hit_ranks, limit_depth, match_plain
from groupwise.evaluator.metrics.names import Measure
from groupwise.evaluator.metrics.scoring import compute_scores
from groupwise.evaluator.native import match
from groupwise.schemas import Id, PlainTruth

NAMES = ["query"]


def is_plain(ground_truth: Any, results: Any) -> bool:
    """Whether these are groups of text ids and text ids, neither empty."""
    matched = match([ground_truth], [results])
    return not matched.odd and matched.kind is str and bool(ground_truth and results)


def draw_vector(ground_truth: PlainTruth, results: list[Id]) -> list[int]:
    """Return 1 for each result that meets any group, 0 for the others."""
    vector = [0] * len(results)
    for rank in find_hit_ranks(ground_truth, results):
        vector[rank - 1] = 1
    return vector


def score_plain(measure: Measure, ground_truth: Any, results: Any) -> float | None:
    """Return the value of a measure, NaN where it has none.

    None: the query is not plain, or the measure looks at more than ids.
    """
    if measure.metric.needs or isinstance(measure.k, Budget):
        return None
    depth = measure.k if isinstance(measure.k, int) else None
    rows = Rows(NAMES, [ground_truth], [results])
    matched = rows.matched = match(rows.truths, rows.results, limit_depth(depth))
    if matched.odd or matched.kind is not str or not (ground_truth and results):
        return None
    hits = match_plain(rows, depth)
    return float(compute_scores(measure.alone, {"given": hits, "score": hits})[0, 0])
