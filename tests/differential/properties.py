"""What holds without knowing any value: orders that change no bit, perfection, budgets."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from random import Random
from typing import Any

from groupwise import evaluate
from tests.differential import writing
from tests.differential.data import Case, Group, Query
from tests.differential.expected import with_ids_as_compared
from tests.differential.formulas import coverage, subtopics
from tests.differential.formulas.view import View

COVERAGE = ("precision", "recall", "f1", "map", "ndcg", "complete", "hit_rate")
TREC = ("precision", "recall", "f1", "mrr", "map", "ndcg", "ndcg(gain=exponential)", "hit_rate")
TREC_ONLY = ("r_precision", "bpref", "judged")
MONOTONE = (
    *(f"coverage:{name}" for name in ("recall", "hit_rate", "complete", "mrr", "map", "ndcg")),
    *(f"trec:{name}" for name in ("recall", "hit_rate", "complete", "mrr", "map", "ndcg")),
    *(f"autorag:{name}" for name in ("recall", "hit_rate", "complete", "mrr")),
)
BUDGETS = (1, 2, 5, 10, 11, 50, 120, 1_000_000)


def shuffled(case: Case, seed: int) -> Case:
    """The same evaluation, its queries, groups and alternatives in another order."""
    random = Random(seed)  # noqa: S311
    queries = [replace(query, groups=_shuffled_groups(query, random)) for query in case.queries]
    extra = list(case.extra)
    random.shuffle(queries)
    random.shuffle(extra)
    return replace(case, queries=tuple(queries), extra=tuple(extra))


def _shuffled_groups(query: Query, random: Random) -> tuple[Group, ...]:
    groups = [
        group._replace(alternatives=tuple(random.sample(group.alternatives, len(group[0]))))
        for group in query.groups
    ]
    return tuple(random.sample(groups, len(groups)))


def perfect_rankings(query: Query) -> Iterator[tuple[list[str], list[Any]]]:
    """Metrics, and a ranking that is worth exactly 1 in each of them."""
    view = View(query.groups, (), (), None)
    relevant = view.relevant
    by_grade = sorted(relevant, key=lambda one: -relevant[one])
    yield [f"trec:{name}" for name in (*TREC, *TREC_ONLY)], by_grade
    for k in (None, 1, 2, 3):
        cut = replace(view, k=k)
        at = "" if k is None else f"@{k}"
        yield [f"trec:ndcg{at}", f"trec:mrr{at}"], by_grade
        yield [f"coverage:ndcg{at}"], coverage.best_ranking(cut, coverage.logarithmic, graded=True)
        yield [f"coverage:mrr{at}"], coverage.best_ranking(cut, coverage.reciprocal, graded=False)
        for alpha in (0.3, 0.5):
            found = subtopics.best_greedy_ranking(cut, k, alpha, subtopics.logarithmic)
            yield [f"coverage:alpha_ndcg(alpha={alpha}){at}"], found
            found = subtopics.best_greedy_ranking(cut, k, alpha, subtopics.reciprocal)
            yield [f"coverage:nerr_ia(alpha={alpha}){at}"], found
    best = coverage.best_ranking(view, coverage.logarithmic, graded=True)
    yield [f"coverage:{name}" for name in COVERAGE], best
    yield ["autorag:recall", "autorag:precision", "autorag:f1"], best


def imperfect(case: Case) -> Iterator[tuple[Any, ...]]:
    """What of the perfect rankings of a case is not worth 1, to the bit."""
    case = with_ids_as_compared(case)
    for query in case.queries:
        if query.groups:
            truth = writing.truth_records(replace(case, queries=(query,)))
            for names, ranking in perfect_rankings(query):
                run = [{"id": query.id, "results": ranking}]
                for name, value in evaluate(truth, run, metrics=names).scores.items():
                    if value != 1.0:
                        yield name, truth, ranking, value


def has_all_tokens(case: Case) -> bool:
    rows = [query.results or () for query in (*case.queries, *case.extra)]
    return all(one.tokens is not None for row in rows for one in row)


def falling(case: Case) -> Iterator[tuple[Any, ...]]:
    """Where a larger budget is worth less than a smaller one, or any more than none."""
    names = [f"{name}@{budget}t" for name in MONOTONE for budget in BUDGETS]
    options = {**writing.options_of(case), "metrics": [*names, *MONOTONE], "ties": "input"}
    report = evaluate(writing.truth_records(case), writing.run_records(case), **options)
    for query, row in report.per_query.items():
        for name in MONOTONE:
            values = [row[f"{name}@{budget}t"] or 0.0 for budget in BUDGETS] + [row[name] or 0.0]
            if any(one > other for one, other in pairwise(values)):
                yield name, query, values
