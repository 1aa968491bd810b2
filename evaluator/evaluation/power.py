"""How many queries it takes to see a difference, from one run, two runs, or none."""

import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

from groupwise.evaluator.errors import InputError, OptionError, Problem
from groupwise.evaluator.evaluation.arguments import checks_arguments
from groupwise.evaluator.evaluation.comparison_settings import check_measures
from groupwise.evaluator.evaluation.evaluator import Evaluator
from groupwise.evaluator.evaluation.partial import Progress
from groupwise.evaluator.evaluation.plan import list_cutoffs
from groupwise.evaluator.evaluation.power_conclusions import conclude, conclude_plan
from groupwise.evaluator.evaluation.run_values import Corpora, RunValues, score_runs
from groupwise.evaluator.evaluation.sensitivity import (
    PowerSettings,
    analyse_values,
    list_targets,
    plan,
)
from groupwise.evaluator.metrics.names import measures
from groupwise.evaluator.text import quote
from groupwise.schemas.power import PowerAnalysis
from groupwise.schemas.values import describe

DIFFERENCES = (0.01, 0.02, 0.05, 0.1)
TARGETS = (0.8, 0.85, 0.9, 0.95)
SMALLEST = 1e-6
LARGEST = sys.float_info.max
MOST_RUNS = 2


@checks_arguments
def power(  # noqa: PLR0913  (the contract's policies, all by keyword)
    ground_truth: Any = None,
    runs: Mapping[str, Any] | None = None,
    *,
    metrics: str | Iterable[str] | None = None,
    profile: str | None = None,
    k: int | Sequence[int] | None = None,
    difference: float | Iterable[float] = DIFFERENCES,
    target: float | Iterable[float] = TARGETS,
    sd: float | None = None,
    queries: int | None = None,
    power: float = 0.8,
    confidence: float = 0.95,
    missing: Literal["zero", "skip", "error"] | None = None,
    extra: Literal["ignore", "error"] | None = None,
    empty_results: Literal["zero", "skip"] | None = None,
    unanswerable: Literal["skip", "zero", "error"] | None = None,
    flat: Literal["any", "all"] | None = None,
    ids: Literal["text"] | None = None,
    ties: Literal["score", "input"] | None = None,
    characters_per_token: float | None = None,
    matching: str | Mapping[str, Any] | None = None,
    corpus: Any = None,
    vectors: Any = None,
    progress: Progress | None = None,
    provenance: bool = False,
    allow_other_data: bool = False,
) -> PowerAnalysis:
    """Say which differences a data set can show, and how many queries others need.

    A difference can be seen if a two-sided paired test finds it with the given power. With two
    runs, that depends on how much their differences vary from query to query. With one run, √2
    times its own standard deviation is taken. Without data, give ``sd``, or only targets. The
    other arguments are those of ``evaluate``.

    Args:
        ground_truth: What ``evaluate`` takes; None: plan without data.
        runs: One run or two by name, such as ``{"bm25": run}``; a saved baseline may stand for one.
        metrics: Names such as ``"ndcg@10"``; None: the profile's six. Ranks have no mean, and are
            refused.
        profile: Whose definitions the names have; None: ``"autorag"``.
        k: Cutoffs for the metrics that name none.
        difference: The difference of means to see, or several.
        target: A score that a perfect result should be shown to exceed, or several.
        sd: A standard deviation of differences, to plan without data.
        queries: The number of queries to plan with.
        power: How often the test should find the difference, from 0.5 on.
        confidence: 1 minus the level of the test; also that of the interval of a target.
        missing: A query without results: ``"zero"`` (default), ``"skip"`` or ``"error"``.
        extra: A query without ground truth: ``"ignore"`` (default) or ``"error"``.
        empty_results: An empty result: ``"zero"`` (default) or ``"skip"``.
        unanswerable: A query without groups: ``"skip"`` (default), ``"zero"`` or ``"error"``.
        flat: A flat list of ids: ``"any"`` makes it one group, ``"all"`` one group per id.
        ids: ``"text"`` compares all ids as strings.
        ties: How the trec profile orders results with scores: ``"score"`` (default) or ``"input"``.
        characters_per_token: The length of a token, for budgets.
        matching: When a result meets a group.
        corpus: The chunks in which ids are looked up, or those of each run by its name, as in
            ``compare``.
        vectors: A vector per document, for diversity.
        progress: Called from time to time with the number of queries done, of each run.
        provenance: Whether to report the fingerprints of the inputs.
        allow_other_data: Accept a baseline of other data; queries that it lacks are left
            out of both runs.

    Returns:
        The analysis: ``metrics``, ``targets``, ``conclusions``.

    Raises:
        InputError: The input is invalid; all problems are listed, with their locations.
        UnknownMetric: There is no such metric; the nearest name is suggested.
        OptionError: An argument has a value that it cannot have.

    Example:
        >>> plan = power(sd=0.3, queries=200, difference=0.02)
        >>> plan.planned.queries_for, round(plan.planned.detectable, 2)
        ({'0.02': 1766}, 0.06)
        >>> plan.targets
        {'0.8': 16, '0.85': 22, '0.9': 35, '0.95': 73}
    """
    settings = _check_settings(difference, target, power, confidence)
    if ground_truth is None and runs is None:
        _refuse_metrics({"metrics": metrics, "profile": profile, "k": k})
        return _plan(sd, queries, settings)
    if sd is not None or queries is not None:
        raise _refuse("sd and queries are for planning without data; they come from the runs here")
    named = _check_runs(runs)
    metrics = metrics if metrics is None or isinstance(metrics, str) else tuple(metrics)
    asked = measures(metrics, profile or "autorag", list_cutoffs(k))
    check_measures(asked)
    chunks = Corpora.split(corpus, named)
    evaluator = Evaluator(
        ground_truth, metrics=metrics, profile=profile, k=k, missing=missing, extra=extra,
        empty_results=empty_results, unanswerable=unanswerable, flat=flat, ids=ids, ties=ties,
        characters_per_token=characters_per_token, matching=matching,
        corpus=chunks.common, vectors=vectors, progress=progress,
        provenance=provenance,
    )  # fmt: skip
    highest = {measure.label: measure.metric.highest for measure in asked}
    values = score_runs(evaluator, named, chunks.by_run, allow_other_data=allow_other_data)
    return _analyse(values, settings, highest)


def _refuse_metrics(given: Mapping[str, Any]) -> None:
    """Raise for arguments that mean nothing without data."""
    for name, value in given.items():
        if value is not None:
            raise _refuse(f"{name}: without ground truth and a run there is nothing to score")


def _analyse(
    values: RunValues, settings: PowerSettings, highest: Mapping[str, float]
) -> PowerAnalysis:
    """Return the analysis of runs whose values are known; ``highest`` bounds each metric."""
    found = {
        label: analyse_values(values.values[row], settings)
        for row, label in enumerate(values.metrics)
    }
    if not any(each.n for each in found.values()):
        raise InputError([Problem("no query could be scored in every run")])
    targets = list_targets(settings)
    return PowerAnalysis(
        profile=values.profile,
        runs=values.runs,
        sd_of="run" if len(values.runs) == 1 else "differences",
        confidence=settings.confidence,
        power=settings.power,
        counts=dict(zip(values.runs, values.counts, strict=True)),
        metrics=found,
        targets=targets,
        conclusions=tuple(conclude(found, values.runs, targets, highest)),
        provenance=values.provenance,
        warnings=tuple(_list_warnings(values)),
    )


def _list_warnings(values: RunValues) -> Iterable[str]:
    """Return the warnings of the runs; one that all have, once."""
    if len(set(values.warnings)) == 1:
        return values.warnings[0]
    named = zip(values.runs, values.warnings, strict=True)
    return [f"{name}: {text}" for name, warnings in named for text in warnings]


def _plan(sd: float | None, queries: int | None, settings: PowerSettings) -> PowerAnalysis:
    """Return what can be said without data."""
    if sd is None and queries is not None:
        raise _refuse("queries needs sd, the standard deviation of the differences")
    if sd is not None:
        _check_number("sd", sd, SMALLEST, LARGEST, "such as 0.3")
    if queries is not None:
        _check_queries(queries)
    found = None if sd is None else plan(float(sd), queries, settings)
    targets = list_targets(settings)
    return PowerAnalysis(
        sd_of=None if found is None else "given",
        confidence=settings.confidence,
        power=settings.power,
        planned=found,
        targets=targets,
        conclusions=tuple(conclude_plan(found, targets)),
    )


def _check_settings(
    difference: float | Iterable[float],
    target: float | Iterable[float],
    power: float,
    confidence: float,
) -> PowerSettings:
    """Return the settings, differences and targets in order, each once."""
    differences, targets = _list_numbers("difference", difference), _list_numbers("target", target)
    for value in differences:
        _check_number("difference", value, SMALLEST, LARGEST, "such as 0.02")
    for value in targets:
        _check_number("target", value, 0, 1, "such as 0.9", below=True)
    _check_number("power", power, 0.5, 1, "such as 0.8", below=True)
    _check_number("confidence", confidence, 0.5, 1, "such as 0.95", below=True)
    return PowerSettings(_sort(differences), _sort(targets), float(power), float(confidence))


def _sort(values: Iterable[Any]) -> tuple[float, ...]:
    return tuple(sorted({float(value) for value in values}))


def _list_numbers(option: str, value: Any) -> list[Any]:
    numbers = [value] if isinstance(value, str) or not isinstance(value, Iterable) else list(value)
    if not numbers:
        raise _refuse(f"{option}: expected one number or more, got none")
    return numbers


def _check_number(
    option: str, value: Any, low: float, high: float, example: str, *, below: bool = False
) -> None:
    """Raise unless a value is a number in a range, whose end is not in it."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not (is_number and low <= value < high):
        expected = f"a number from {low:g}" + (f" to below {high:g}" if below else " on")
        raise _refuse(f"{option}: expected {expected}, {example}; got {quote(value)}")


def _check_queries(value: Any) -> None:
    if not (isinstance(value, int) and not isinstance(value, bool) and value >= 1):
        raise _refuse(f"queries: expected a whole number from 1 on, got {quote(value)}")


def _check_runs(runs: Any) -> dict[str, Any]:
    """Return one run or two by name."""
    if not isinstance(runs, Mapping):
        expected = 'expected one run or two by name, such as {"bm25": run}'
        raise InputError([Problem(f"{expected}; got {describe(runs)}", "runs")])
    for name in runs:
        if not isinstance(name, str) or not name.strip():
            raise _refuse(f"runs: expected a name for each run, got {quote(name)}")
    if not 1 <= len(runs) <= MOST_RUNS:
        raise _refuse(f"expected one run or two, got {len(runs)}; compare takes many")
    return dict(runs)


def _refuse(message: str) -> OptionError:
    return OptionError([Problem(message)])
