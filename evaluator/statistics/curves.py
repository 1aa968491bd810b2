"""Curves: what each further result brings."""

from collections.abc import Sequence

from groupwise.evaluator.metrics.names import CURVES, Measure
from groupwise.schemas import Curve

ENOUGH = 0.95


def curve_of(means: Sequence[tuple[Measure, float | None]]) -> Curve | None:
    """The curve among the means; None if none was asked for."""
    points = {
        name: tuple(mean for one, mean in means if one.in_curve and one.metric.name == name)
        for name in CURVES
    }
    if not points["complete"]:
        return None
    return Curve(**points, enough=_first_enough(points["complete"]))


def _first_enough(complete: Sequence[float | None]) -> int | None:
    return next((k for k, mean in enumerate(complete, 1) if (mean or 0.0) >= ENOUGH), None)
