"""The formulas of the coverage profile, read naively; nothing of the package under test.

Each group counts once, an ideal ranking is the best of all orders of all documents, found by trying
them. The diversity metrics, with groups as subtopics, pay a group again, less each time; a repeated
result adds nothing in any of them.
"""

import math
from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from itertools import permutations
from typing import Any

from tests import oracle
from tests.oracle import Group, Ranking, Truth, Value, total_weight

Discount = Callable[[int], float]


def logarithmic(rank: int) -> float:
    return 1 / math.log2(rank + 1)


def reciprocal(rank: int) -> float:
    return 1 / rank


def gain(group: Group, one: Hashable, *, graded: bool = True) -> float:
    """How far a document meets a group, from 0 to 1; ungraded, any alternative does in full."""
    if not graded:
        return float(group.is_met_by(one))
    best = max(2**grade - 1 for _, grade in group.alternatives)
    return float((2 ** group.grade_of(one) - 1) / best)


def values(truth: Truth, ranking: Ranking, *, graded: bool = True) -> list[float]:
    """V_i: the weight that each result adds."""
    best = [0.0] * len(truth)
    added = []
    for one in ranking:
        now = [
            max(before, gain(group, one, graded=graded))
            for group, before in zip(truth, best, strict=True)
        ]
        steps = zip(truth, now, best, strict=True)
        added.append(math.fsum(group.weight * (new - old) for group, new, old in steps))
        best = now
    return added


def useful(truth: Truth, ranking: Ranking) -> list[bool]:
    return [value > 0 for value in values(truth, ranking)]


def precision(truth: Truth, ranking: Ranking) -> Fraction:
    return Fraction(sum(useful(truth, ranking)), len(ranking)) if ranking else Fraction(0)


def recall(truth: Truth, ranking: Ranking) -> float:
    return math.fsum(values(truth, ranking)) / float(total_weight(truth))


def f1(truth: Truth, ranking: Ranking) -> float:
    one, other = float(precision(truth, ranking)), recall(truth, ranking)
    return 2 * one * other / (one + other) if one + other else 0.0


def map_(truth: Truth, ranking: Ranking) -> float:
    counts = useful(truth, ranking)
    paid = [
        value * sum(counts[:rank]) / rank for rank, value in enumerate(values(truth, ranking), 1)
    ]
    return math.fsum(paid) / float(total_weight(truth))


def discounted(added: Sequence[float], discount: Discount) -> float:
    return math.fsum(value * discount(rank) for rank, value in enumerate(added, 1))


def documents(truth: Truth) -> list[Any]:
    """The documents that meet any group."""
    ids = {one for group in truth for one, grade in group.alternatives if grade > 0}
    return sorted(ids, key=str)


def ideal_ranking(
    truth: Truth, k: int | None, discount: Discount, *, graded: bool
) -> tuple[Any, ...]:
    """The best of all rankings of k documents."""
    ids = documents(truth)
    depth = len(ids) if k is None else min(k, len(ids))

    def worth(order: Ranking) -> float:
        return discounted(values(truth, order, graded=graded), discount)

    return max(permutations(ids, depth), key=worth)


def ideal(truth: Truth, k: int | None, discount: Discount, *, graded: bool) -> float:
    """The most that any ranking of k documents is worth."""
    best = ideal_ranking(truth, k, discount, graded=graded)
    return discounted(values(truth, best, graded=graded), discount)


def mrr(truth: Truth, ranking: Ranking, k: int | None) -> float:
    found = discounted(values(truth, ranking, graded=False), reciprocal)
    return found / ideal(truth, k, reciprocal, graded=False)


def ndcg(truth: Truth, ranking: Ranking, k: int | None) -> float:
    found = discounted(values(truth, ranking), logarithmic)
    return found / ideal(truth, k, logarithmic, graded=True)


def novelties(truth: Truth, ranking: Ranking, alpha: float) -> list[float]:
    """a_i: what each result gains, a group paying (1 - alpha) times as much with every hit."""
    hits = [0] * len(truth)
    gains = []
    for rank, one in enumerate(ranking):
        met = [number for number, group in enumerate(truth) if group.is_met_by(one)]
        if one in ranking[:rank]:
            met = []
        gains.append(math.fsum((1 - alpha) ** hits[number] for number in met))
        for number in met:
            hits[number] += 1
    return gains


def highest_gains(truth: Truth, depth: int, alpha: float) -> list[float]:
    """b_i: the gains of a document that meets every group, again and again."""
    return [len(truth) * (1 - alpha) ** place for place in range(depth)]


def over_highest(
    truth: Truth, ranking: Ranking, k: int | None, alpha: float, discount: Discount
) -> float:
    depth = len(ranking) if k is None else k
    bound = discounted(highest_gains(truth, depth, alpha), discount)
    return discounted(novelties(truth, ranking, alpha), discount) / bound if bound else 0.0


def best_greedy(truth: Truth, k: int | None, alpha: float, discount: Discount) -> float:
    """The most that a ranking is worth which always takes a document that gains most next.

    Where several gain as much, each is tried; of rankings of the same documents the best is kept.
    """
    ids = documents(truth)
    reached: dict[frozenset[Hashable], tuple[Any, ...]] = {frozenset(): ()}

    def worth(order: Ranking) -> float:
        return discounted(novelties(truth, order, alpha), discount)

    for _ in ids[:k]:
        longer = [
            order for before in reached.values() for order in _extended(truth, before, ids, alpha)
        ]
        reached = {frozenset(order): order for order in sorted(longer, key=worth)}
    return max(map(worth, reached.values()))


def _extended(truth: Truth, before: Ranking, ids: Ranking, alpha: float) -> list[tuple[Any, ...]]:
    longer = [(*before, one) for one in ids if one not in before]
    gains = [novelties(truth, order, alpha)[-1] for order in longer]
    pairs = zip(longer, gains, strict=True)
    return [order for order, gain in pairs if math.isclose(gain, max(gains))]


def over_ideal(
    truth: Truth, ranking: Ranking, k: int | None, alpha: float, discount: Discount
) -> float:
    """No score leaves [0, 1], also where the next best document is not the best choice."""
    best = best_greedy(truth, k, alpha, discount)
    return min(discounted(novelties(truth, ranking, alpha), discount) / best, 1.0)


def alpha_ndcg(truth: Truth, ranking: Ranking, k: int | None, alpha: float = 0.5) -> float:
    return over_ideal(truth, ranking, k, alpha, logarithmic)


def nerr_ia(truth: Truth, ranking: Ranking, k: int | None, alpha: float = 0.5) -> float:
    return over_ideal(truth, ranking, k, alpha, reciprocal)


def alpha_dcg(truth: Truth, ranking: Ranking, k: int | None, alpha: float = 0.5) -> float:
    return over_highest(truth, ranking, k, alpha, logarithmic)


def err_ia(truth: Truth, ranking: Ranking, k: int | None, alpha: float = 0.5) -> float:
    return over_highest(truth, ranking, k, alpha, reciprocal)


def nrbp(
    truth: Truth, ranking: Ranking, _: int | None, alpha: float = 0.5, beta: float = 0.5
) -> float:
    total = discounted(novelties(truth, ranking[:20], alpha), lambda rank: beta ** (rank - 1))
    return (1 - (1 - alpha) * beta) * total / len(truth)


def nnrbp(
    truth: Truth, ranking: Ranking, _: int | None, alpha: float = 0.5, beta: float = 0.5
) -> float:
    return over_ideal(truth, ranking[:20], 20, alpha, lambda rank: beta ** (rank - 1))


def p_ia(truth: Truth, ranking: Ranking, k: int | None) -> Fraction:
    distinct = list(dict.fromkeys(ranking))
    met = sum(group.is_met_by(one) for one in distinct for group in truth)
    depth = len(ranking) if k is None else k
    return Fraction(met, depth * len(truth)) if depth else Fraction(0)


def average_precision(group: Group, ranking: Ranking) -> Fraction:
    firsts = [rank for rank, one in enumerate(ranking) if one not in ranking[:rank]]
    ranks = [rank + 1 for rank in firsts if group.is_met_by(ranking[rank])]
    precisions = [Fraction(number, rank) for number, rank in enumerate(ranks, 1)]
    return sum(precisions, Fraction(0)) / len(documents([group]))


def map_ia(truth: Truth, ranking: Ranking, _: int | None) -> Fraction:
    return sum((average_precision(group, ranking) for group in truth), Fraction(0)) / len(truth)


OF_RANKING: dict[str, Callable[[Truth, Ranking], Value]] = {
    "precision": precision,
    "recall": recall,
    "f1": f1,
    "map": map_,
    **oracle.COMMON,
}
OF_CUTOFF: dict[str, Callable[..., Value]] = {
    "mrr": mrr,
    "ndcg": ndcg,
    "alpha_ndcg": alpha_ndcg,
    "alpha_dcg": alpha_dcg,
    "err_ia": err_ia,
    "nerr_ia": nerr_ia,
    "p_ia": p_ia,
    "map_ia": map_ia,
    "nrbp": nrbp,
    "nnrbp": nnrbp,
}
NAMES = {*OF_RANKING, *OF_CUTOFF}


def value(
    name: str, truth: Truth, ranking: Ranking, k: int | None = None, **parameters: Any
) -> Value:
    """What a metric of the coverage profile is worth at a cutoff."""
    kept = ranking[:k]
    if name in OF_RANKING:
        return OF_RANKING[name](truth, kept)
    return OF_CUTOFF[name](truth, kept, k, **parameters)
