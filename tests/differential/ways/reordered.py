"""The case that a format says, where it says less than records or has another order."""

from collections.abc import Callable
from dataclasses import replace

from tests.differential import data
from tests.differential.data import Case
from tests.differential.expected import rank_key


def by_score(case: Case) -> Case:
    """A run with scores and no order of its own but that of its lines, which ties keep."""

    def key(one: data.Result) -> float:
        return -rank_key(one)[0]

    return _with_results(case, lambda results: tuple(sorted(results, key=key)))


def _with_results(
    case: Case, change: Callable[[tuple[data.Result, ...]], tuple[data.Result, ...]]
) -> Case:
    queries = [
        replace(query, results=query.results and change(query.results)) for query in case.queries
    ]
    return replace(case, queries=tuple(queries))


def dissolved(case: Case) -> Case:
    """What flat judgements can be asked for: metrics of trec that do not look at groups."""
    groups = ("complete", "completion_rank")
    metrics = [
        metric
        for metric in case.metrics
        if metric.profile == "trec" and metric.label is None and metric.name not in groups
    ]
    return by_score(replace(case, metrics=tuple(metrics)))


def by_score_and_id(case: Case) -> Case:
    return _with_results(case, lambda results: tuple(sorted(results, key=rank_key, reverse=True)))
