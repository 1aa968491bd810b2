"""Intervals and p-values of several metrics and runs on the same queries."""

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from groupwise.evaluator.evaluation.comparison_settings import TUKEY, Settings
from groupwise.evaluator.hits import FloatArray
from groupwise.evaluator.statistics.corrections import correct
from groupwise.evaluator.statistics.intervals import NOTHING, Interval, estimate_all
from groupwise.evaluator.statistics.paired import (
    Outcome,
    test_non_inferiority_of_metrics,
    test_pairs_of_metrics,
)
from groupwise.evaluator.statistics.tukey import randomised_tukey_of_metrics

RunPairs: TypeAlias = Sequence[tuple[int, int]]


class Tested(NamedTuple):
    """What is found for one metric: an interval per run; all else has an entry per pair."""

    runs: Sequence[Interval]
    pairs: Sequence[Interval]
    p: Sequence[float | None]
    p_corrected: Sequence[float | None]
    p_non_inferior: Sequence[float | None]
    exact: bool
    permutations: int | None
    details: str


def test_metrics(block: FloatArray, pairs: RunPairs, settings: Settings) -> list[Tested]:
    """Return intervals and p-values for each metric of a block (metrics, runs, queries)."""
    metrics, runs, queries = block.shape
    if not queries:
        return [_test_nothing(runs, len(pairs))] * metrics
    estimates = estimate_all(block, pairs, confidence=settings.confidence, seed=settings.seed)
    outcomes = test_pairs_of_metrics(
        block, pairs, test=settings.test, permutations=settings.permutations, seed=settings.seed
    )
    corrected = _correct(block, pairs, outcomes, settings)
    one_sided = _test_margin(block, pairs, settings)
    return [
        Tested(
            estimates.runs[metric], estimates.pairs[metric], outcome.p_values,
            corrected[metric], one_sided[metric],
            *_describe_draws(outcome, settings), outcome.details,
        )
        for metric, outcome in enumerate(outcomes)
    ]  # fmt: skip


def _test_nothing(runs: int, pairs: int) -> Tested:
    """Return what is known of no queries."""
    unknown = [None] * pairs
    return Tested(
        [NOTHING] * runs, [NOTHING] * pairs, unknown, unknown, unknown, exact=True,
        permutations=None, details="",
    )  # fmt: skip


def _correct(
    block: FloatArray, pairs: RunPairs, outcomes: Sequence[Outcome], settings: Settings
) -> Sequence[Sequence[float]]:
    """Return the p-values of each metric, corrected for the number of pairs."""
    if settings.correction != TUKEY:
        return [correct(outcome.p_values, settings.correction) for outcome in outcomes]
    found = randomised_tukey_of_metrics(
        block, permutations=settings.permutations, seed=settings.seed
    )
    return [[p_values[pair] for pair in pairs] for p_values in found]


def _test_margin(
    block: FloatArray, pairs: RunPairs, settings: Settings
) -> Sequence[Sequence[float | None]]:
    """Return the p-values of non-inferiority of each metric, if there is a margin."""
    if settings.margin is None:
        return [[None] * len(pairs)] * len(block)
    outcomes = test_non_inferiority_of_metrics(
        block, pairs, settings.margin, test=settings.test,
        permutations=settings.permutations, seed=settings.seed,
    )  # fmt: skip
    return [outcome.p_values for outcome in outcomes]


def _describe_draws(outcome: Outcome, settings: Settings) -> tuple[bool, int | None]:
    """Return whether all p-values are exact, and how many permutations were drawn."""
    if settings.correction == TUKEY:
        return False, settings.permutations
    return outcome.exact, outcome.permutations
