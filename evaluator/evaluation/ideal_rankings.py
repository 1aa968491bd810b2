"""Ideal rankings: for each metric, rankings of which one scores as high as any.

A ranking has k results, or as many as it likes where there is no cutoff: documents of the ground
truth first, each once, and whatever else after them. Where no document is in two groups the ideal
is known; where some are, few documents are searched. Where that is not possible, there is a bound
in place of the rankings: a score that nothing exceeds.
"""

import math
from collections.abc import Callable, Mapping
from functools import lru_cache
from itertools import chain, zip_longest
from typing import Any, TypeAlias

from groupwise.evaluator.evaluation.searching import (
    MOST_DOCUMENTS,
    MOST_IN_SETS,
    BestOrders,
    Members,
    best_of_each_size,
    list_sets,
)
from groupwise.evaluator.evaluation.shapes import TruthShape
from groupwise.evaluator.metrics.names import Measure

Ranking: TypeAlias = list[int]
Ideal: TypeAlias = list[Ranking] | float
Strategy: TypeAlias = Callable[[TruthShape, int | None, Measure], Ideal]


def rank_nothing(_shape: TruthShape, _k: int | None, _measure: Measure) -> Ideal:
    """Return a ranking of unjudged documents."""
    return [[]]


def rank_by_grade(shape: TruthShape, k: int | None, _measure: Measure) -> Ideal:
    """Return all documents by grade, then those judged not relevant.

    Without a cutoff, a ranking may end before the documents of a lower grade.
    """
    grades = _grades_by_document(shape)
    ranked = sorted(grades, key=lambda document: -grades[document])
    if k is not None:
        return [[*ranked, *range(len(ranked), len(ranked) + shape.unwanted)]]
    levels = sorted({*grades.values()})
    return [[d for d in ranked if grades[d] >= level] for level in levels] + [ranked[:1]]


def _grades_by_document(shape: TruthShape) -> dict[int, float]:
    grades: dict[int, float] = {}
    for document, grade in zip(chain.from_iterable(shape.groups), shape.grades, strict=True):
        grades[document] = max(grade, grades.get(document, 0.0))
    return grades


def rank_by_breadth(shape: TruthShape, k: int | None, _measure: Measure) -> Ideal:
    """Return the documents that are in most groups first; without a cutoff, the first alone."""
    homes = _count_homes(shape)
    ranked = sorted(homes, key=lambda document: -homes[document])
    return [ranked if k is not None else ranked[:1]]


def _count_homes(shape: TruthShape) -> dict[int, int]:
    groups = [{*group} for group in shape.groups]
    return {document: sum(document in group for group in groups) for document in shape.documents}


def cover_with_any(shape: TruthShape, k: int | None, measure: Measure) -> Ideal:
    """Return rankings that meet the heaviest groups first, then hold the other documents."""
    if not shape.is_shared:
        return [_add_rest(_list_tops(shape), shape)]
    most = len(shape.documents) if k is None else min(k, len(shape.documents))
    if len(shape.documents) > MOST_DOCUMENTS:
        return _bound_cover(shape, k, measure)
    members = Members(shape)
    widest = max(_list_sets(shape, most), key=lambda chosen: members.worth(chosen, graded=False))
    earliest = best_of_each_size(_order_by_first(members, shape), most)
    return [_add_rest(each, shape) for each in (*earliest, _list_documents(widest))]


def _order_by_first(members: Members, shape: TruthShape) -> BestOrders:
    def gain(before: int, document: int, place: int) -> float:
        new = [g for g in members.groups_with(document) if not members.count(g, before)]
        return math.fsum(members.weights[group] for group in new) / place

    return BestOrders(gain, _all_documents(shape))


def cover_with_best(shape: TruthShape, k: int | None, measure: Measure) -> Ideal:
    """Return rankings in which each document adds something, for the most weight or most often."""
    if not shape.is_shared:
        tops = _list_tops(shape)
        return [tops, _list_steps(shape, tops, k)]
    if len(shape.documents) > MOST_DOCUMENTS:
        return _bound_cover(shape, k, measure)
    return [*_search_cover(shape, len(shape.documents) if k is None else k)]


@lru_cache(maxsize=4096)
def _search_cover(shape: TruthShape, k: int) -> tuple[Ranking, ...]:
    """Return the rankings that meet most weight, meet most groups, and have the best f1."""
    members = Members(shape)
    even = Members(shape._replace(weights=(1.0,) * len(shape.weights)))
    useful = BestOrders(lambda b, d, _: float(_is_useful(members, b, d)), _all_documents(shape))

    def balance(chosen: int) -> float:
        found, worth = useful.value(chosen) / k, members.worth(chosen, graded=True)
        recall = worth / math.fsum(members.weights)
        return 2 * found * recall / (found + recall)

    sets = sorted(_list_sets(shape, k), key=lambda chosen: (chosen.bit_count(), chosen))
    weighed = max(sets, key=lambda chosen: members.worth(chosen, graded=True))
    counted = max(sets, key=lambda chosen: even.worth(chosen, graded=False))
    most = max(sets, key=useful.value)
    balanced = max(sets, key=balance)
    return (
        _list_documents(weighed), _list_documents(counted),
        useful.order(most), useful.order(balanced),
    )  # fmt: skip


def _is_useful(members: Members, before: int, document: int) -> bool:
    """Whether a document meets a group further than those before it."""
    return any(
        members.gains[group][document] > members.best(group, before, graded=True)
        for group in members.groups_with(document)
    )


def _list_tops(shape: TruthShape) -> Ranking:
    """Return the best document of each group, the heaviest group first."""
    grades = _grades_by_document(shape)
    order = sorted(range(len(shape.groups)), key=lambda group: -shape.weights[group])
    return [max(shape.groups[group], key=grades.__getitem__) for group in order]


def _list_steps(shape: TruthShape, tops: Ranking, k: int | None) -> Ranking:
    """Return the best documents, and before them some that are not as good: all add something."""
    if k is None or k <= len(tops):
        return tops
    grades = _grades_by_document(shape)
    steps: list[int] = []
    for group in shape.groups:
        levels = {grades[document]: document for document in group}
        steps += [levels[level] for level in sorted(levels)[:-1]]
    return [*sorted(steps[: k - len(tops)], key=grades.__getitem__), *tops]


def _add_rest(ranking: Ranking, shape: TruthShape) -> Ranking:
    return list(dict.fromkeys([*ranking, *shape.documents]))


def rank_by_novelty(shape: TruthShape, k: int | None, measure: Measure) -> Ideal:
    """Return a document of each group, then another one of each, and so on."""
    if not shape.is_shared:
        rounds = zip_longest(*shape.groups)
        return [[document for part in rounds for document in part if document is not None]]
    if len(shape.documents) > MOST_DOCUMENTS:
        return 1.0
    most = len(shape.documents) if k is None else k
    values = tuple(sorted(_read_parameters(measure).items()))
    return [*_search_novelty(shape, most, measure.metric.name, values)]


@lru_cache(maxsize=4096)
def _search_novelty(
    shape: TruthShape, most: int, name: str, parameters: tuple[tuple[str, float], ...]
) -> tuple[Ranking, ...]:
    members, values = Members(shape), dict(parameters)
    discounts: Mapping[str, Callable[[int], float]] = {
        "alpha_dcg": lambda place: 1 / math.log2(place + 1),
        "err_ia": lambda place: 1 / place,
        "nrbp": lambda place: values["beta"] ** (place - 1),
        "nnrbp": lambda place: values["beta"] ** (place - 1),
    }
    discount = discounts[name]

    def gain(before: int, document: int, place: int) -> float:
        counts = (members.count(group, before) for group in members.groups_with(document))
        return math.fsum((1 - values["alpha"]) ** count for count in counts) * discount(place)

    return tuple(best_of_each_size(BestOrders(gain, _all_documents(shape)), most))


def _read_parameters(measure: Measure) -> dict[str, Any]:
    """Return the parameters of a measure, defaults included."""
    known = measure.metric.parameters
    given = {name: parameter.default for name, parameter in known.items()}
    return {name: measure.parameters.get(name, default) for name, default in given.items()}


def rank_by_hits(shape: TruthShape, k: int | None, _measure: Measure) -> Ideal:
    """Return the rankings with the best average precision, divided by all of each group."""
    most = len(shape.documents) if k is None else min(k, len(shape.documents))
    if len(shape.documents) > MOST_DOCUMENTS:
        sizes = [len({*group}) for group in shape.groups]
        return math.fsum(min(most, size) / size for size in sizes) / len(sizes)
    like, documents = _simplify(shape._replace(weights=(1.0,) * len(shape.weights)))
    return [[documents[number] for number in ranking] for ranking in _search_hits(like, most)]


@lru_cache(maxsize=4096)
def _search_hits(shape: TruthShape, most: int) -> tuple[Ranking, ...]:
    members = Members(shape)
    shares = [1 / bits.bit_count() for bits in members.bits]
    orders = BestOrders(_gain_of_hits(members, shares), _all_documents(shape))
    return tuple(best_of_each_size(orders, most))


def _gain_of_hits(members: Members, shares: list[float]) -> Callable[[int, int, int], float]:
    """Return what a document adds to average precision, with a share of each group per hit."""

    def gain(before: int, document: int, place: int) -> float:
        homes = members.groups_with(document)
        return math.fsum(shares[g] * (members.count(g, before) + 1) for g in homes) / place

    return gain


def rank_by_found(shape: TruthShape, k: int | None, _measure: Measure) -> Ideal:
    """Return the ranking with the best average precision, divided by what is found of a group."""
    most = len(shape.documents) if k is None else min(k, len(shape.documents))
    if not shape.is_shared and len(shape.documents) == len(shape.groups):
        return [_list_tops(shape)]
    if len(shape.documents) > MOST_IN_SETS:
        return 1.0 if shape.is_shared else _bound_found(shape, most)
    like, documents = _simplify(shape)
    return [[documents[number] for number in _search_found(like, most)]]


def _simplify(shape: TruthShape) -> tuple[TruthShape, list[int]]:
    """Return a shape that differs in nothing that hits count, and the documents of its numbers.

    Grades and labels do not matter, nor does the order of groups: few shapes are left to search.
    """
    if shape.is_shared:
        return shape, shape.documents
    order = sorted(range(len(shape.groups)), key=lambda g: (shape.weights[g], len(shape.groups[g])))
    numbers = iter(range(len(shape.documents)))
    groups = tuple(tuple(next(numbers) for _ in shape.groups[group]) for group in order)
    ones, blank = (1.0,) * len(shape.grades), (None,) * len(order)
    like = TruthShape(groups, tuple(shape.weights[group] for group in order), ones, blank)
    return like, [document for group in order for document in shape.groups[group]]


@lru_cache(maxsize=4096)
def _search_found(shape: TruthShape, most: int) -> Ranking:
    members = Members(shape)
    best: tuple[float, Ranking] = (0.0, [])
    for chosen in _list_sets(shape, most):
        counts = [members.count(group, chosen) for group in range(len(members.bits))]
        shares = [w / max(n, 1) for w, n in zip(members.weights, counts, strict=True)]
        orders = BestOrders(_gain_of_hits(members, shares), chosen)
        if orders.value(chosen) > best[0]:
            best = orders.value(chosen), orders.order(chosen)
    return best[1]


def _bound_found(shape: TruthShape, most: int) -> float:
    """Return the score if each group delayed those after it by a single rank."""
    size = min(max(map(len, shape.groups)), most)
    precisions = [
        math.fsum(hit / (rank + hit - 1) for hit in range(1, size + 1)) / size
        for rank in range(1, min(len(shape.groups), most) + 1)
    ]
    heaviest = sorted(shape.weights, reverse=True)
    credit = math.fsum(w * p for w, p in zip(heaviest, precisions, strict=False))
    return min(1.0, credit / math.fsum(shape.weights))


def _bound_cover(shape: TruthShape, k: int | None, measure: Measure) -> float:
    """Return a bound where many documents are shared: as if no two met the same group."""
    if k is None:
        return 1.0
    weights = dict.fromkeys(shape.documents, 0.0)
    for group, weight in zip(shape.groups, shape.weights, strict=True):
        for document in {*group}:
            weights[document] += weight
    heaviest = sorted(weights.values(), reverse=True)[:k]
    total = math.fsum(shape.weights)
    reached = min(1.0, math.fsum(heaviest) / total)
    useful = min(k, len(heaviest)) / k
    early = math.fsum(weight / place for place, weight in enumerate(heaviest, 1)) / total
    return {
        "precision": useful,
        "f1": 2 * useful * reached / (useful + reached),
        "mrr": min(1.0, early),
        "complete": float(reached >= 1 - 1e-9),
    }.get(measure.metric.name, reached)


def _list_sets(shape: TruthShape, most: int) -> list[int]:
    return list(list_sets(_all_documents(shape), most))


def _all_documents(shape: TruthShape) -> int:
    return (1 << len(shape.documents)) - 1


def _list_documents(chosen: int) -> Ranking:
    return [place for place in range(chosen.bit_length()) if chosen >> place & 1]


def be_normalised(_shape: TruthShape, _k: int | None, _measure: Measure) -> Ideal:
    """Return 1: the score is divided by that of the ideal ranking."""
    return 1.0


STRATEGIES: Mapping[tuple[str | None, str], Strategy] = {
    (None, "hit_rate"): rank_by_grade,
    (None, "complete"): cover_with_best,
    ("autorag", "precision"): rank_by_grade,
    ("autorag", "recall"): cover_with_any,
    ("autorag", "f1"): cover_with_any,
    ("autorag", "mrr"): cover_with_any,
    ("autorag", "map"): rank_by_found,
    ("autorag", "ndcg"): rank_by_grade,
    **dict.fromkeys(
        [("trec", name) for name in (
            "precision", "recall", "f1", "mrr", "map", "ndcg", "hit_rate", "r_precision", "bpref",
            "rbp", "err", "judged",
        )],
        rank_by_grade,
    ),
    ("trec", "rbp_residual"): rank_nothing,
    **dict.fromkeys(
        [("coverage", name) for name in ("precision", "recall", "f1", "map")], cover_with_best
    ),
    **dict.fromkeys(
        [("coverage", name) for name in ("mrr", "ndcg", "alpha_ndcg", "nerr_ia")],
        be_normalised,
    ),
    **dict.fromkeys(
        [("coverage", name) for name in ("alpha_dcg", "err_ia", "nrbp", "nnrbp")], rank_by_novelty
    ),
    ("coverage", "p_ia"): rank_by_breadth,
    ("coverage", "map_ia"): rank_by_hits,
}  # fmt: skip
"""How the ideal ranking of each metric is found, by the profile that defines it and its name.

Metrics that need vectors have none: what a document that was not retrieved looks like is unknown.
"""
