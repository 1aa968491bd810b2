"""AutoRAG's own functions: groups as they are, results in the order given, no cutoffs.

Its tables average with pandas, which leaves out a query without a value.
"""

from functools import cache
from statistics import fmean
from typing import Any

from benchmarks.differences.model import CannotSayError, Case, Peer, grades_of
from benchmarks.engines.autorag import retrieval_metrics

_load = cache(retrieval_metrics)


def _score(case: Case) -> float | None:
    functions, metric_input = _load()
    if case.measure not in functions:
        raise CannotSayError(case.measure)
    if _has_grades(case):
        raise CannotSayError("grades")
    values = functions[case.measure](metric_inputs=_inputs(case, metric_input))
    found = [value for value in values if value is not None]
    return fmean(found) if found else None


def _inputs(case: Case, metric_input: Any) -> list[Any]:
    return [
        metric_input(
            retrieval_gt=[list(group) for group in query.groups],
            retrieved_ids=query.ranking[: case.k],
        )
        for query in case.queries.values()
    ]


def _has_grades(case: Case) -> bool:
    groups = [group for query in case.queries.values() for group in query.groups]
    return any(grade != 1 for group in groups for grade in grades_of(group).values())


PEERS = [Peer("AutoRAG", "AutoRAG", _score)]
