"""Which differences the values of runs can show, metric by metric."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from groupwise.evaluator.hits import FloatArray
from groupwise.evaluator.hits.arrays import np
from groupwise.evaluator.statistics.means import ExactMeans
from groupwise.evaluator.statistics.power import (
    detectable_difference,
    queries_for,
    queries_for_perfect,
)
from groupwise.schemas.power import Sensitivity

MOST_QUERIES = 10**12
"""More queries than anybody has; what needs more has no number."""
ROUNDING = 1e-12
"""Values that differ by less than this share of the largest are equal but for rounding."""


class PowerSettings(NamedTuple):
    """What an analysis is asked for."""

    differences: tuple[float, ...]
    targets: tuple[float, ...]
    power: float
    confidence: float

    @property
    def alpha(self) -> float:
        """The level of the test."""
        return round(1 - self.confidence, 12)

    @property
    def fewest(self) -> int:
        """The queries below which the randomisation test finds nothing: its least p is 2 / 2ⁿ."""
        return math.ceil(1 - math.log2(self.alpha))


def analyse_values(values: FloatArray, settings: PowerSettings) -> Sensitivity:
    """Return what the queries that all runs are scored on can show.

    Args:
        values: Of shape (runs, queries), of one run or two; NaN: not scored.
        settings: Differences, power and confidence.
    """
    scored = values[:, ~np.isnan(values).any(axis=0)]
    if len(scored) == 1:
        spread = find_spread(scored[0].tolist())
        sd = None if spread is None else math.sqrt(2) * spread
        return plan(sd, scored.shape[1], settings)
    differences = (scored[1] - scored[0]).tolist()
    found = plan(find_spread(differences), len(differences), settings)
    return found.model_copy(update={"observed": _subtract_means(scored)})


def _subtract_means(values: FloatArray) -> float | None:
    """Return the mean of the second run minus that of the first, each of them exact."""
    means = ExactMeans(len(values))
    means.add(values)
    first, second = means.means()
    return None if first is None or second is None else second - first


def find_spread(values: Sequence[float]) -> float | None:
    """Return the standard deviation (n - 1), the same in any order; None below two values.

    >>> find_spread([0.0, 1.0, 1.0, 0.0])
    0.5773502691896257
    """
    if len(values) < 2:
        return None
    mean = math.fsum(values) / len(values)
    largest = max(abs(value - mean) for value in values)
    if largest <= ROUNDING * max(map(abs, values)):
        return 0.0
    squares = [((value - mean) / largest) ** 2 for value in values]
    return largest * math.sqrt(math.fsum(squares) / (len(values) - 1))


def plan(sd: float | None, n: int | None, settings: PowerSettings) -> Sensitivity:
    """Return what n queries can show at a standard deviation; None: not known."""
    options = {"alpha": settings.alpha, "power": settings.power}
    enough = n if n is not None and n >= settings.fewest else None
    return Sensitivity(
        n=n,
        sd=sd,
        detectable=detectable_difference(sd, enough, **options) if sd and enough else None,
        queries_for={
            repr(difference): _limit(queries_for(sd, difference, **options), settings)
            if sd
            else None
            for difference in settings.differences
        },
    )


def _limit(queries: int, settings: PowerSettings) -> int | None:
    return max(queries, settings.fewest) if queries <= MOST_QUERIES else None


def list_targets(settings: PowerSettings) -> dict[str, int]:
    """Return from how many queries on a perfect score clears each target."""
    return {
        repr(target): queries_for_perfect(target, settings.confidence)
        for target in settings.targets
    }
