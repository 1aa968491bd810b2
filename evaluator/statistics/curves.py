"""Curves: what each further result adds."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from groupwise.evaluator.metrics.names import CURVES, Measure

if TYPE_CHECKING:
    from groupwise.schemas import Curve

ENOUGH = 0.95
"""The share of queries that must be complete at a cutoff for it to be enough."""


def build_curve(means: Sequence[tuple[Measure, float | None]]) -> "Curve | None":
    """Return the curve among the means; None if none was asked for."""
    points = {
        name: tuple(mean for m, mean in means if m.in_curve and m.metric.name == name)
        for name in CURVES
    }
    if not points["complete"]:
        return None
    from groupwise.schemas import Curve  # noqa: PLC0415  (loads pydantic)

    return Curve(**points, enough=_find_enough(points["complete"]))


def _find_enough(complete: Sequence[float | None]) -> int | None:
    """Return the smallest cutoff at which enough queries are complete; None if there is none."""
    return next((k for k, mean in enumerate(complete, 1) if (mean or 0.0) >= ENOUGH), None)
