"""The ceilings of `validate`: what the best ranking of a small ground truth is worth."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import permutations
from typing import Any, Literal

from groupwise import validate
from tests.differential import writing
from tests.differential.comparing import TOLERANCE
from tests.differential.data import Case, Cutoff, Metric, Query, Result
from tests.differential.expected import mean, value_of, with_ids_as_compared
from tests.differential.formulas.view import View

NAMES = ("precision", "recall", "f1", "mrr", "map", "ndcg")
NORMALISED = ("mrr", "ndcg")
MOST = 5
"""Of more documents there are too many rankings."""
PROFILES: tuple[Literal["autorag", "trec", "coverage"], ...] = ("autorag", "trec", "coverage")


def broken_ceilings(case: Case) -> Iterator[tuple[Any, ...]]:
    """Ceilings that no ranking reaches, or that one exceeds though the groups share no id."""
    case = replace(with_ids_as_compared(case), policies={})
    queries = [query for query in case.queries if query.groups]
    if not queries or any(len(View(query.groups, (), ()).relevant) > MOST for query in queries):
        return
    k = case.seed % 4 + 1
    for profile in PROFILES:
        report = validate(writing.truth_records(case), k=k, profile=profile)
        found = report.model_dump()["statistics"]["ceilings"]
        for name in NAMES:
            metric = Metric(profile, name, cutoff=Cutoff(k))
            best = mean([_best(case, query, metric) for query in queries]) or 0.0
            ceiling = found[f"{name}@{k}"]
            exact = _is_simple(queries, metric) or (profile == "coverage" and name in NORMALISED)
            if ceiling > best + TOLERANCE or (exact and best > ceiling + TOLERANCE):
                yield metric.text, ceiling, best, writing.truth_records(case)


def _best(case: Case, query: Query, metric: Metric) -> float:
    ids = list(View(query.groups, (), ()).relevant)
    orders = [order for length in range(1, len(ids) + 1) for order in permutations(ids, length)]
    some = Query(query.id, query.groups, query.not_relevant, ())
    return max(value_of(case, some, metric, tuple(map(Result, order))) or 0.0 for order in orders)


def _is_simple(queries: list[Query], metric: Metric) -> bool:
    """Whether the ceiling is known to be the best score, and not just the best that was found."""
    if (metric.profile, metric.name) == ("autorag", "map"):
        return False
    rows = [[one for group in query.groups for one, _ in group.alternatives] for query in queries]
    return all(len(set(row)) == len(row) for row in rows)
