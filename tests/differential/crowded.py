"""Queries whose groups share many documents: the ideal ranking is a search, or greedy beyond it."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import inf
from random import Random
from typing import Any

from groupwise import evaluate
from tests.differential import writing
from tests.differential.comparing import TOLERANCE
from tests.differential.data import Case, Cutoff, Group, Metric, Query, Result
from tests.differential.expected import value_of
from tests.differential.formulas.coverage import shared_candidates
from tests.differential.formulas.view import View

Alternatives = tuple[tuple[str, float], ...]
EXACT = 12
"""With so many shared documents the ideal is exact."""
METRICS = tuple(
    Metric("coverage", name, cutoff=Cutoff(k)) for name in ("mrr", "ndcg") for k in (None, 2, 3, 5)
)
GREEDY = tuple(
    Metric("coverage", name, cutoff=Cutoff(k))
    for name in ("alpha_ndcg", "nerr_ia", "nnrbp")
    for k in (None, 3)
)


def draw_crowded(seed: int) -> Query:
    """Up to 18 groups, up to 20 documents in several of them, up to 18 in one only."""
    random = Random(seed)  # noqa: S311
    numbers = range(random.choice((4, 6, 9, 18)))
    members: list[list[str]] = [[] for _ in numbers]
    for document in range(random.choice((2, 6, 11, 12, 13, 20))):
        for number in random.sample(numbers, random.choice((2, 2, 3, 4))):
            members[number].append(f"s{document:02}")
    for document in range(random.choice((0, 5, 18))):
        members[document % len(numbers)].append(f"o{document:02}")
    grades = random.choice(((1,), (1,), (1, 2)))
    weights = random.choice(((1,), (1, 2, 3), (0.1, 0.2, 0.7)))
    groups = [
        Group(_graded(ids or ["x"], random, grades), random.choice(weights)) for ids in members
    ]
    listed = sorted({one for ids in members for one in ids})
    found = random.sample([*listed, "y", "z"], min(len(listed), random.choice((1, 3, 6))))
    return Query("q", tuple(groups), results=tuple(map(Result, found)))


def _graded(ids: list[str], random: Random, grades: Sequence[int]) -> Alternatives:
    """A document of one group is often the best of it, and so a candidate beside the shared."""
    return tuple(
        (one, max(grades) if one[0] == "o" and random.random() < 0.7 else random.choice(grades))
        for one in ids
    )


def check_crowded(seed: int) -> Iterator[tuple[Any, ...]]:
    """Exact values where the ideal is, else none below them or above 1; and any order."""
    query = draw_crowded(seed)
    case = Case(seed, (query,), (), _searchable(query), {})
    is_exact = shared_candidates(View(query.groups, (), ())) <= EXACT
    found = _values(case)
    for metric, value in zip(case.metrics, found, strict=True):
        exact = value_of(case, query, metric, query.results or ()) or 0.0
        upper = exact if is_exact else 1.0
        if not exact - TOLERANCE <= value <= upper + TOLERANCE or value > 1:
            yield metric.text, value, exact, is_exact, writing.truth_records(case)
    yield from _changes(case.asking((*METRICS, *GREEDY)), seed)


def _searchable(query: Query) -> tuple[Metric, ...]:
    """Of many groups, all rankings of three documents can still be tried."""
    grades = {grade for group in query.groups for _, grade in group.alternatives}
    most = 3 if len(query.groups) * len(grades) > 12 else None
    return tuple(m for m in METRICS if most is None or (m.cutoff.k or inf) <= most)


def _values(case: Case) -> list[float]:
    records = writing.truth_records(case), writing.run_records(case)
    row = evaluate(*records, **writing.options_of(case)).per_query["q"]
    return [value or 0.0 for value in row.values()]


def _changes(case: Case, seed: int) -> Iterator[tuple[Any, ...]]:
    """Metrics whose value depends on the order of groups and alternatives."""
    random = Random(seed)  # noqa: S311
    (query,) = case.queries
    groups = [
        group._replace(alternatives=tuple(random.sample(group.alternatives, len(group[0]))))
        for group in query.groups
    ]
    other = replace(query, groups=tuple(random.sample(groups, len(groups))))
    again = _values(replace(case, queries=(other,)))
    for metric, one, two in zip(case.metrics, _values(case), again, strict=True):
        if one != two:
            yield metric.text, "order", one, two, writing.truth_records(case)
