"""How many queries a comparison needs, and which differences it can see.

The normal approximation of the paired t-test: a mean of n differences with standard deviation s
has the standard error s / √n, and a difference is seen with the given power if it is
z(1 - alpha / 2) + z(power) standard errors large.
"""

import math
from fractions import Fraction
from statistics import NormalDist

ALPHA = 0.05
POWER = 0.8
FEWEST = 2


def detectable_difference(
    sd: float, n: int, *, alpha: float = ALPHA, power: float = POWER
) -> float | None:
    """Return the smallest difference of means that n queries show with this power.

    None where that cannot be known: fewer than two queries, or no variation between them.

    >>> round(detectable_difference(0.3, 200), 4)
    0.0594
    """
    if n < FEWEST or sd <= 0:
        return None
    return _sum_quantiles(alpha, power) * sd / math.sqrt(n)


def queries_for(sd: float, difference: float, *, alpha: float = ALPHA, power: float = POWER) -> int:
    """Return how many queries it takes to see a difference of means with this power.

    >>> queries_for(0.3, 0.02)
    1766
    """
    ratio = Fraction(_sum_quantiles(alpha, power)) * Fraction(sd) / Fraction(difference)
    return max(FEWEST, math.ceil(ratio * ratio))


def queries_for_perfect(target: float, confidence: float = 0.95) -> int:
    """Return from how many queries a perfect score has a Wilson interval above the target.

    The lower end of n of n is n / (n + z²).

    >>> [queries_for_perfect(target) for target in (0.8, 0.85, 0.9, 0.95)]
    [16, 22, 35, 73]
    """
    z = -NormalDist().inv_cdf((1 - confidence) / 2)
    return max(1, math.ceil(z * z * target / (1 - target)))


def _sum_quantiles(alpha: float, power: float) -> float:
    normal = NormalDist()
    return normal.inv_cdf(1 - alpha / 2) + normal.inv_cdf(power)
