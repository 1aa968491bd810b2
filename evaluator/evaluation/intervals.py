"""Confidence intervals of the scores of a report."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from groupwise.evaluator.errors import OptionError, Problem
from groupwise.evaluator.hits import FloatArray
from groupwise.evaluator.hits.arrays import np
from groupwise.evaluator.metrics.names import Measure
from groupwise.evaluator.text import plural, quote

if TYPE_CHECKING:
    from groupwise.schemas import Confidence, MeanInterval

SEED = 0
NO_NUMBER = "expected a number between 0 and 1, such as 0.95"


def check_confidence(confidence: Any) -> float | None:
    """Return the level of intervals; None: there are none.

    Raises:
        OptionError: It is not between 0 and 1.
    """
    if confidence is None:
        return None
    is_number = isinstance(confidence, int | float) and not isinstance(confidence, bool)
    if not is_number or not 0 < confidence < 1:
        raise OptionError([Problem(f"confidence: {NO_NUMBER}, got {quote(confidence)}")])
    return float(confidence)


def describe_confidence(level: float | None) -> "Confidence | None":
    """Return how intervals are found at this level; None if there are none."""
    if level is None:
        return None
    from groupwise.evaluator.statistics.resampling import RESAMPLES  # noqa: PLC0415  (see below)
    from groupwise.schemas import Confidence  # noqa: PLC0415  (loads pydantic)

    return Confidence(level=level, seed=SEED, resamples=RESAMPLES)


def find_intervals(
    measures: Sequence[Measure], values: FloatArray, level: float
) -> "dict[str, MeanInterval]":
    """Return the interval of each score, by label.

    Ranks have none. Queries without a value do not count.

    Args:
        measures: The measures.
        values: Their values, of shape (measures, queries), the queries in order of their ids.
        level: The level, such as 0.95.
    """
    from groupwise.evaluator.statistics.intervals import estimate_intervals  # noqa: PLC0415  (slow)
    from groupwise.schemas import MeanInterval  # noqa: PLC0415  (loads pydantic)

    found: dict[int, MeanInterval] = {}
    for rows, scored in _group_by_scored(measures, values):
        chosen = np.ascontiguousarray(values[rows][:, scored])
        intervals = estimate_intervals(chosen, confidence=level, seed=SEED)
        for row, (low, high, kind) in zip(rows, intervals, strict=True):
            found[row] = MeanInterval(low=low, high=high, interval=kind)  # type: ignore[arg-type]
    return {measures[row].label: found[row] for row in sorted(found)}


def _group_by_scored(
    measures: Sequence[Measure], values: FloatArray
) -> Iterator[tuple[list[int], Any]]:
    """Yield the rows of scores that have values for the same queries, and which these are."""
    groups: dict[bytes, tuple[list[int], Any]] = {}
    for row, measure in enumerate(measures):
        if measure.is_asked_score:
            scored = ~np.isnan(values[row])
            groups.setdefault(scored.tobytes(), ([], scored))[0].append(row)
    yield from groups.values()


def warn_of_few_queries(scored: int, few: int) -> Iterator[str]:
    """Yield a warning if an interval is over few queries."""
    if scored < few:
        queries = plural(scored, "scored query", "scored queries")
        yield f"intervals are over {queries}; under {few}, they say little"
