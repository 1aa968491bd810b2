"""Tails of the binomial distribution with equal odds, for the sign test."""

from groupwise.evaluator.hits.arrays import np


def binomial_tail(successes: int, trials: int) -> float:
    """Return the probability of at most so many successes in trials with equal odds.

    The probability of the middle is a product of (2i - 1) / 2i; the ratio of neighbours leads from
    there to the tail. Nothing overflows, and 10**6 trials lose no more than three digits.

    >>> binomial_tail(1, 3)
    0.5
    """
    if successes >= trials:
        return 1.0
    if successes > (trials - 1) // 2:
        return 1.0 - binomial_tail(trials - successes - 1, trials)
    middle = trials // 2
    steps = np.arange(middle, 0, -1)
    below = np.cumprod(np.concatenate([[_find_middle(trials)], steps / (trials - steps + 1.0)]))
    return float(below[middle - successes :].sum())


def _find_middle(trials: int) -> float:
    """Return the probability of trials // 2 successes."""
    halves = np.arange(1, (trials + 1) // 2 + 1)
    return float(np.prod((2 * halves - 1) / (2 * halves)))
