"""All metrics of all profiles at once."""

from collections.abc import Sequence
from typing import Any

from groupwise import evaluate
from groupwise.evaluator.metrics.registry import Metric, every_metric

METRICS: dict[str, Metric] = {f"{profile}:{one.name}": one for profile, one in every_metric()}
Values = dict[str, float | None]


def values(truth: Any, ranking: Any, k: int | None = None) -> Values:
    """Each metric's value for one query at a cutoff, by its name without the cutoff."""
    report = evaluate({"q": truth}, {"q": ranking}, metrics=METRICS, k=k)
    return {label.partition("@")[0]: value for label, value in report.per_query["q"].items()}


def values_of_all(queries: Sequence[tuple[Any, Any]]) -> list[Values]:
    """The same for many queries in one evaluation."""
    truths = {f"q{number}": truth for number, (truth, _) in enumerate(queries)}
    results = {f"q{number}": ranking for number, (_, ranking) in enumerate(queries)}
    report = evaluate(truths, results, metrics=METRICS)
    return [dict(report.per_query[query]) for query in truths]
