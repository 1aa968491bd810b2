"""Single queries: the hit vector, and every metric as a plain function."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any, TypeAlias

from groupwise.evaluator.errors import Problems
from groupwise.evaluator.evaluation.plan import check_policies
from groupwise.evaluator.hits import Hits
from groupwise.evaluator.intake.checking import Intake
from groupwise.evaluator.intake.kinds import Kinds
from groupwise.evaluator.intake.objects import Objects
from groupwise.evaluator.intake.rows import Rows
from groupwise.evaluator.matching import EXACT, Matching
from groupwise.evaluator.metrics.names import Measure, measures, parse
from groupwise.evaluator.metrics.registry import home_profiles, registry_version
from groupwise.schemas import Policies, Query, RunQuery

MetricFunction: TypeAlias = Callable[..., float | None]


def match_query(
    ground_truth: Any,
    results: Any,
    *,
    flat: str | None = None,
    ids: str | None = None,
    matching: Any = None,
) -> Hits:
    """Return the hits of one query, as a batch of one.

    Raises:
        InputError: Ground truth or results are invalid; all problems are listed.
    """
    chosen = EXACT if matching is None else Matching.parse(matching)
    matcher = chosen.open()
    policies = check_policies(Policies(), (("flat", flat), ("ids", ids)))
    matcher.add(_read_row(ground_truth, results, policies, references=chosen.needs_references))
    return matcher.batch()


def _read_row(ground_truth: Any, results: Any, policies: Policies, *, references: bool) -> Rows:
    problems, kinds = Problems(), Kinds()
    truths, rankings = (
        list(Intake(records, model, policies, problems, kinds, references=references).rows())
        for records, model in (
            (Objects("ground_truth", [ground_truth], ["query"]), Query),
            (Objects("results", [results], ["query"]), RunQuery),
        )
    )
    problems.raise_if_any()
    return truths[0].with_results(rankings[0])


def hit_vector(
    ground_truth: Any,
    results: Any,
    *,
    flat: str | None = None,
    ids: str | None = None,
    matching: Any = None,
) -> list[int]:
    """Return 1 for each result that meets any group, 0 for the others.

    Args:
        ground_truth: A list of groups, as ``evaluate`` takes it for a query.
        results: The results, best first.
        flat: For a flat list of ids: ``"any"`` makes it one group, ``"all"`` one group per id.
        ids: ``"text"`` compares all ids as strings.
        matching: The name of a matcher, or a mapping with its options; None: ``"exact"``.

    Raises:
        InputError: Ground truth or results are invalid; all problems are listed.

    Example:
        >>> hit_vector([["test-1", "test-2"], ["test-3"]], ["test-1", "pred-1", "test-2", "pred-3"])
        [1, 0, 1, 0]
    """
    return match_query(ground_truth, results, flat=flat, ids=ids, matching=matching).vector()


def metric_names() -> list[str]:
    """Return the names of all metrics of all profiles, sorted."""
    return list(home_profiles())


def metric_function(name: str) -> MetricFunction:
    """Return a metric as a function of ground truth and results; None where it has no value.

    Without ``profile``, the first profile that has the metric defines it.
    """
    return _metric_function(name, registry_version())


@lru_cache(maxsize=256)
def _metric_function(name: str, _version: int) -> MetricFunction:
    def function(
        ground_truth: Any,
        results: Any,
        *,
        k: int | None = None,
        profile: str | None = None,
        flat: str | None = None,
        ids: str | None = None,
        matching: Any = None,
        **parameters: Any,
    ) -> float | None:
        measure = _find_measure(name, profile, k)
        hits = match_query(ground_truth, results, flat=flat, ids=ids, matching=matching)
        if not len(hits.groups.query):
            return None
        value = float(measure.metric.function(hits.at(measure.k), **parameters)[0])
        return None if value != value else value  # noqa: PLR0124  (NaN: no value)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = _describe_metric(name)
    return function


def _find_measure(name: str, profile: str | None, k: int | None) -> Measure:
    """Return a metric at a cutoff; the parser caches those without."""
    home = profile or home_profiles()[name]
    if k is None:
        return parse(name, home)
    (measure,) = measures([name], home, (k,))
    return measure


def _describe_metric(name: str) -> str:
    metric = parse(f"{home_profiles()[name]}:{name}").metric
    return f"{metric.description}\n\nFormula: {metric.formula}\nReference: {metric.reference}"
