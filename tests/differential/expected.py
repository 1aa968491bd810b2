"""What an evaluation should report: order, cutoffs, labels, policies, means, ranks and ties."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import groupby, permutations, product
from statistics import median
from typing import NamedTuple

from tests.differential import formulas
from tests.differential.data import Case, Cutoff, Group, Id, Metric, Query, Result
from tests.differential.formulas.view import View

Values = tuple[float | None, ...]
"""One value per metric."""


class Bounds(NamedTuple):
    """The lowest and the highest mean over all orders of tied results."""

    worst: float | None
    best: float | None


class Ranks(NamedTuple):
    """The summary of a metric that is a rank."""

    found: int
    not_found: int
    median: float | None
    worst: float | None


class Expected(NamedTuple):
    """The numbers of a report."""

    counts: dict[str, int]
    per_query: dict[str, Values]
    means: Values
    ranks: tuple[Ranks | None, ...]
    bounds: tuple[Bounds | None, ...] | None


def expect(case: Case) -> Expected:
    """Compute a case by the definitions."""
    case = with_ids_as_compared(case)
    rows = {str(query.id): values_of(case, query) for query in case.queries}
    columns = list(zip(*rows.values(), strict=True))
    return Expected(
        counts=count(case),
        per_query=rows,
        means=tuple(map(mean, columns)),
        ranks=tuple(
            summary(case, metric, column)
            for metric, column in zip(case.metrics, columns, strict=True)
        ),
        bounds=bounds_of(case) if case.ties == "report" else None,
    )


def with_ids_as_compared(case: Case) -> Case:
    """With ``ids="text"`` every document id is a string."""
    if not case.as_text:
        return case
    vectors = case.vectors and {str(one): vector for one, vector in case.vectors.items()}
    queries = tuple(map(_as_text, case.queries))
    extra = tuple(map(_as_text, case.extra))
    return Case(case.seed, queries, extra, case.metrics, case.policies, vectors)


def _as_text(query: Query) -> Query:
    groups = tuple(
        Group(tuple((str(one), grade) for one, grade in group.alternatives), *group[1:])
        for group in query.groups
    )
    results = query.results and tuple(Result(str(one.id), *one[1:]) for one in query.results)
    return Query(query.id, groups, tuple(map(str, query.not_relevant)), results)


def count(case: Case) -> dict[str, int]:
    return {
        "queries": len(case.queries),
        "scored": sum(is_scored(case, query) for query in case.queries),
        "missing": sum(query.results is None for query in case.queries if query.groups),
        "empty_results": sum(query.results == () for query in case.queries if query.groups),
        "unanswerable": sum(not query.groups for query in case.queries),
        "extra": len(case.extra),
    }


def is_scored(case: Case, query: Query) -> bool:
    if query.results is None and case.policies.get("missing") == "skip":
        return False
    if query.results == () and case.policies.get("empty_results") == "skip":
        return False
    return bool(query.groups)


def values_of(case: Case, query: Query) -> Values:
    """The values of a query, None for those it does not have."""
    return tuple(
        value_of(case, query, metric, ordered(case, query, metric.profile))
        for metric in case.metrics
    )


def value_of(case: Case, query: Query, metric: Metric, results: Sequence[Result]) -> float | None:
    groups = labelled(query.groups, metric.label)
    if not groups or not is_scored(case, query):
        return None
    ids = tuple(one.id for one in cut(results, metric.cutoff))
    view = View(groups, rejected(query), ids, metric.cutoff.k, case.vectors)
    return formulas.value(metric.profile, metric.name, view, metric.parameters)


def labelled(groups: tuple[Group, ...], label: str | None) -> tuple[Group, ...]:
    """The groups of a label, in any case, as names are."""
    wanted = label and label.lower()
    return tuple(group for group in groups if not wanted or (group.label or "").lower() == wanted)


def rejected(query: Query) -> tuple[Id, ...]:
    """What is listed as not relevant, or with a grade of 0, and is relevant to no group.

    That is said of the query, whatever label a metric looks at.
    """
    listed = [pair for group in query.groups for pair in group.alternatives]
    relevant = {one for one, grade in listed if grade > 0}
    against = (*query.not_relevant, *(one for one, _ in listed))
    return tuple(one for one in against if one not in relevant)


def ordered(case: Case, query: Query, profile: str) -> Sequence[Result]:
    """In trec by score, then id, both descending; else, and without scores, as they come."""
    results = query.results or ()
    if profile != "trec" or case.ties == "input" or not has_scores(results):
        return results
    return sorted(results, key=rank_key, reverse=True)


def has_scores(results: Sequence[Result]) -> bool:
    return any(one.score is not None for one in results)


def rank_key(one: Result) -> tuple[float, str]:
    """Scores as doubles; ids as text, whole numbers too, as trec_eval has them."""
    return float(one.score or 0), str(one.id)


def cut(results: Sequence[Result], cutoff: Cutoff) -> Sequence[Result]:
    if cutoff.tokens is None:
        return results[: cutoff.k]
    used = 0
    for place, one in enumerate(results):
        used += one.tokens or 0
        if used > cutoff.tokens:
            return results[:place]
    return results


def mean(values: Sequence[float | None]) -> float | None:
    """The exact sum of the doubles over their number, rounded once."""
    scored = [Fraction(value) for value in values if value is not None]
    return float(sum(scored) / len(scored)) if scored else None


def summary(case: Case, metric: Metric, column: Values) -> Ranks | None:
    """How many queries reach the rank, of those that could."""
    if metric.name not in formulas.RANKS:
        return None
    able = [
        is_scored(case, query) and bool(labelled(query.groups, metric.label))
        for query in case.queries
    ]
    found = [value for value in column if value is not None]
    missed = sum(able) - len(found)
    return Ranks(len(found), missed, median(found) if found else None, max(found, default=None))


def bounds_of(case: Case) -> tuple[Bounds | None, ...]:
    return tuple(
        bounds_of_metric(case, metric) if has_bounds(metric) else None for metric in case.metrics
    )


def has_bounds(metric: Metric) -> bool:
    """Ranks are not averaged; what depends on groups, tokens or vectors of ties has no bounds."""
    if metric.name in formulas.RANKS:
        return False
    if metric.profile != "trec":
        return True
    other = ("complete", "ild", "novelty_ndcg", "novelty_dcg")
    return metric.name not in other and metric.label is None and metric.cutoff.tokens is None


def bounds_of_metric(case: Case, metric: Metric) -> Bounds:
    rows = [
        [value_of(case, query, metric, order) for order in orders(case, query, metric.profile)]
        for query in case.queries
    ]
    scored = [[value for value in row if value is not None] for row in rows]
    extremes = [(min(row), max(row)) for row in scored if row]
    return Bounds(mean([low for low, _ in extremes]), mean([high for _, high in extremes]))


def orders(case: Case, query: Query, profile: str) -> Iterator[list[Result]]:
    """Every order of the results that differs in tied ones only."""
    results = ordered(case, query, profile)
    if profile != "trec" or not has_scores(results):
        yield list(results)
        return
    blocks = [list(block) for _, block in groupby(results, key=lambda one: rank_key(one)[0])]
    for chosen in product(*({tuple(order) for order in permutations(block)} for block in blocks)):
        yield [one for block in chosen for one in block]


def distinct_ids(query: Query) -> set[Id]:
    listed = {one for group in query.groups for one, _ in group.alternatives}
    return listed | set(query.not_relevant) | {one.id for one in query.results or ()}
