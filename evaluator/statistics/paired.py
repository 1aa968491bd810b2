"""Paired tests: do two runs differ over the same queries, and is one not much worse?"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple, Protocol

from groupwise.evaluator.errors import OptionError, Problem
from groupwise.evaluator.hits import FloatArray
from groupwise.evaluator.hits.arrays import np
from groupwise.evaluator.statistics import classical, permutation
from groupwise.evaluator.statistics.intervals import Interval, estimate_all
from groupwise.evaluator.statistics.permutation import EXACT_UP_TO
from groupwise.evaluator.statistics.resampling import RESAMPLES
from groupwise.evaluator.text import plural, suggest

PERMUTATIONS = 10_000
Pairs = Sequence[tuple[int, int]]


class Settings(NamedTuple):
    """What a test is asked: with a margin, for non-inferiority; and how often it may draw."""

    margin: float | None
    permutations: int
    seed: int


Found = tuple[list[float], list[bool]]
"""p-values, pair by pair, metric by metric; and which of them are exact."""


def _resample(
    method: permutation.Method, values: FloatArray, pairs: Pairs, settings: Settings
) -> Found:
    contrast = permutation.contrast_runs(values, pairs, settings.margin)
    return method(contrast, settings.permutations, settings.seed)


class Classical(Protocol):
    """A test of the differences of one pair."""

    def __call__(self, differences: FloatArray, *, one_sided: bool) -> float:
        """Return the p-value."""


def _test_each(test: Classical, values: FloatArray, pairs: Pairs, settings: Settings) -> Found:
    p_values = [
        test(
            classical.subtract(metric[a], metric[b], settings.margin),
            one_sided=settings.margin is not None,
        )
        for metric in values
        for a, b in pairs
    ]
    return p_values, [test is classical.sign_test] * len(p_values)


class PairedTest(NamedTuple):
    """A paired test: its name, what it does, where it is from, and which package it needs."""

    name: str
    title: str
    description: str
    reference: str
    run: Callable[[FloatArray, Pairs, Settings], Found]
    draws: str = ""
    """What it draws at random, if it does."""
    needs: str | None = None


TESTS = {
    test.name: test
    for test in (
        PairedTest(
            "randomisation",
            "paired randomisation test",
            "changes the signs of the differences; all combinations of signs where at most "
            f"{EXACT_UP_TO} queries differ, else random ones",
            "Fisher 1935; Smucker, Allan & Carterette, CIKM 2007",
            partial(_resample, permutation.randomise),
            draws="permutation",
        ),
        PairedTest(
            "bootstrap",
            "paired bootstrap test",
            "draws queries with replacement, and moves the mean difference to zero",
            "Noreen 1989; Smucker, Allan & Carterette, CIKM 2007",
            partial(_resample, permutation.bootstrap),
            draws="resample",
        ),
        PairedTest(
            "t",
            "paired t-test",
            "compares the mean difference with its standard error",
            "Student 1908",
            partial(_test_each, classical.t_test),
            needs="scipy",
        ),
        PairedTest(
            "wilcoxon",
            "Wilcoxon signed-rank test",
            "compares the ranks of gains and losses, with the defaults of scipy.stats.wilcoxon: "
            "zero_method='wilcox' drops queries without a difference, correction=False, "
            "method='auto' is exact for few queries without ties, else the normal approximation",
            "Wilcoxon 1945",
            partial(_test_each, classical.wilcoxon_test),
            needs="scipy",
        ),
        PairedTest(
            "sign",
            "sign test",
            "compares the numbers of gains and losses by the exact binomial distribution; "
            "queries without a difference are dropped",
            "Conover 1999, section 3.4",
            partial(_test_each, classical.sign_test),
        ),
    )
}
"""The tests by name; the first is the default."""


class Outcome(NamedTuple):
    """The p-values of a test, one for each pair, and how they were found.

    ``exact`` is true if all p-values are exact, as ``exact_pairs`` says of each: all cases were
    gone through. ``permutations`` is the number of random permutations or resamples; None if no
    p-value depends on them. ``details`` says in plain words what was done.
    """

    name: str
    p_values: list[float]
    exact: bool
    exact_pairs: list[bool]
    permutations: int | None
    details: str


def find_test(name: str) -> PairedTest:
    """Return the test of that name.

    Raises:
        OptionError: There is no such test.
    """
    if name not in TESTS:
        raise OptionError([Problem(f"no test {name!r}; {suggest(name, TESTS)}")])
    return TESTS[name]


def test_pairs(
    values: FloatArray,
    pairs: Pairs,
    *,
    test: str = "randomisation",
    permutations: int = PERMUTATIONS,
    seed: int = 0,
) -> Outcome:
    """Return whether the runs of each pair differ: two-sided p-values.

    A pair that differs in no query has p = 1, by every test.

    Args:
        values: Of shape (runs, queries), the queries in order of their ids, without NaN.
        pairs: Numbers of runs (a, b).
        test: One of ``TESTS``.
        permutations: How many random permutations or resamples, where not all are gone through.
        seed: Of the random numbers.

    Raises:
        OptionError: There is no such test, or it needs a package that is not installed.
    """
    return _test(values[None], pairs, test, Settings(None, permutations, seed))[0]


def test_pairs_of_metrics(
    values: FloatArray,
    pairs: Pairs,
    *,
    test: str = "randomisation",
    permutations: int = PERMUTATIONS,
    seed: int = 0,
) -> list[Outcome]:
    """Return the outcome of each metric, for values of shape (metrics, runs, queries).

    It is that of ``test_pairs`` for the metric alone; the metrics share their random numbers.
    """
    return _test(values, pairs, test, Settings(None, permutations, seed))


def test_non_inferiority(
    values: FloatArray,
    pairs: Pairs,
    margin: float,
    *,
    test: str = "randomisation",
    permutations: int = PERMUTATIONS,
    seed: int = 0,
) -> Outcome:
    """Return whether b is worse than a by less than a margin: one-sided p-values.

    The null hypothesis is that b is worse than a by the margin or more; a small p-value rejects it.
    It is the one-sided test of the same name, of b plus the margin against a.
    """
    return _test(values[None], pairs, test, Settings(margin, permutations, seed))[0]


def test_non_inferiority_of_metrics(
    values: FloatArray,
    pairs: Pairs,
    margin: float,
    *,
    test: str = "randomisation",
    permutations: int = PERMUTATIONS,
    seed: int = 0,
) -> list[Outcome]:
    """Return what ``test_non_inferiority`` does for each metric: (metrics, runs, queries)."""
    return _test(values, pairs, test, Settings(margin, permutations, seed))


def _test(values: FloatArray, pairs: Pairs, test: str, settings: Settings) -> list[Outcome]:
    chosen = find_test(test)
    p_values, exact = chosen.run(values, pairs, settings)
    return [
        _describe(chosen, p_values[start:][: len(pairs)], exact[start:][: len(pairs)], settings)
        for start in (metric * len(pairs) for metric in range(len(values)))
    ]


def _describe(
    test: PairedTest, p_values: list[float], exact: list[bool], settings: Settings
) -> Outcome:
    drawn = settings.permutations if test.draws and not all(exact) else None
    sides = "two-sided" if settings.margin is None else "one-sided"
    parts = [f"{test.title}, {sides}", test.description]
    if drawn is not None:
        parts.append(f"{plural(drawn, test.draws)}, seed {settings.seed}, p = (b + 1) / (m + 1)")
    return Outcome(test.name, p_values, all(exact), exact, drawn, "; ".join(parts))


def estimate_differences(
    values: FloatArray,
    pairs: Pairs,
    *,
    confidence: float = 0.95,
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> list[Interval]:
    """Return the BCa interval of the mean of b - a for each pair, from (runs, queries)."""
    found = estimate_all(values[None], pairs, confidence=confidence, seed=seed, resamples=resamples)
    return found.pairs[0]


def compare_by_query(a: FloatArray, b: FloatArray) -> tuple[int, int, int]:
    """Return in how many queries b is better than a, equal to it, and worse: wins, ties, losses."""
    wins, losses = int((b > a).sum()), int((b < a).sum())
    return wins, len(a) - wins - losses, losses


def effect_size(differences: FloatArray) -> float | None:
    """Return the mean of differences over their standard deviation (n - 1); None if that is 0."""
    if _is_constant(differences):
        return None
    scaled = differences / np.abs(differences).max()
    return float(scaled.mean() / scaled.std(ddof=1))


def standard_deviation(values: FloatArray) -> float | None:
    """Return the standard deviation (n - 1) of values; None if there are fewer than two."""
    if len(values) < 2:
        return None
    largest = float(np.abs(values).max())
    return 0.0 if _is_constant(values) else largest * float((values / largest).std(ddof=1))


def _is_constant(values: FloatArray) -> bool:
    """Whether values are all equal, but for rounding."""
    return len(values) < 2 or bool(np.ptp(values) <= classical.EQUAL * np.abs(values).max())
