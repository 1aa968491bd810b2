"""Intervals of means."""

from typing import Literal

from groupwise.schemas.shape import Shape


class Confidence(Shape):
    """How intervals were found: their level, and the seed and number of the resamples."""

    level: float
    seed: int
    resamples: int


class MeanInterval(Shape):
    """A confidence interval of a mean, and how it was found; ``none`` has no ends."""

    low: float | None
    high: float | None
    interval: Literal["wilson", "bca", "none"]
