"""One query looked at by itself: its hit vector, and each metric as a plain function."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any, TypeAlias

from groupwise.evaluator.errors import Problems
from groupwise.evaluator.evaluation.plan import check_policies
from groupwise.evaluator.hits import Hits
from groupwise.evaluator.intake.checking import Intake
from groupwise.evaluator.intake.kinds import Kinds
from groupwise.evaluator.intake.objects import Objects
from groupwise.evaluator.matching import EXACT
from groupwise.evaluator.metrics.names import measures, parse
from groupwise.evaluator.metrics.registry import home_profiles, registry_version
from groupwise.schemas import Policies, Query, RunQuery

MetricFunction: TypeAlias = Callable[..., float | None]


def hits_of(
    ground_truth: Any, results: Any, *, flat: str | None = None, ids: str | None = None
) -> Hits:
    """The hits of one query, as a batch of one."""
    problems = Problems()
    kinds = Kinds()
    policies = check_policies(Policies(), (("flat", flat), ("ids", ids)))
    truth_records = Objects("ground_truth", [ground_truth], ["query"])
    run_records = Objects("results", [results], ["query"])
    truths = list(Intake(truth_records, Query, policies, problems, kinds).rows())
    rankings = list(Intake(run_records, RunQuery, policies, problems, kinds).rows())
    problems.raise_if_any()
    matcher = EXACT.open()
    matcher.add(truths[0].with_results(rankings[0]))
    return matcher.batch()


def hit_vector(
    ground_truth: Any, results: Any, *, flat: str | None = None, ids: str | None = None
) -> list[int]:
    """1 for each result that meets any group, 0 for the others.

    Example:
        >>> hit_vector([["test-1", "test-2"], ["test-3"]], ["test-1", "pred-1", "test-2", "pred-3"])
        [1, 0, 1, 0]
    """
    return hits_of(ground_truth, results, flat=flat, ids=ids).vector()


def metric_names() -> list[str]:
    """Return the names of all metrics of all profiles, sorted."""
    return list(home_profiles())


def metric_function(name: str) -> MetricFunction:
    """Return a metric as a function of ground truth and results; None where it has no value.

    Without ``profile`` it has the meaning of the first profile that knows it.
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
        **parameters: Any,
    ) -> float | None:
        home = profile or home_profiles()[name]
        (measure,) = measures([name], home, () if k is None else (k,))
        hits = hits_of(ground_truth, results, flat=flat, ids=ids)
        if not len(hits.groups.query):
            return None
        value = float(measure.metric.function(hits.at(measure.k), **parameters)[0])
        return None if value != value else value  # noqa: PLR0124  (NaN means: none)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = _documented(name)
    return function


def _documented(name: str) -> str:
    metric = parse(f"{home_profiles()[name]}:{name}").metric
    return f"{metric.description}\n\nFormula: {metric.formula}\nReference: {metric.reference}"
