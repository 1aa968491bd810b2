"""The formulas, read naively: loops, sets and fractions, and nothing of the package under test.

A ground truth is a list of groups, a group is a weight and a list of (id, grade); a ranking is a
list of ids, best first. A cutoff keeps the first k results and nothing else. All values are exact,
but for ndcg, whose logarithms are not.
"""

import math
from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from typing import NamedTuple

Number = Fraction | float | int
Value = Fraction | float | None


class Group(NamedTuple):
    """Alternatives as listed, repeats included, each with its grade."""

    alternatives: list[tuple[Hashable, float]]
    weight: float = 1.0

    def grade_of(self, one: Hashable) -> float:
        return max((grade for other, grade in self.alternatives if other == one), default=0)

    def is_met_by(self, one: Hashable) -> bool:
        return self.grade_of(one) > 0


Truth = Sequence[Group]
Ranking = Sequence[Hashable]


def plain(groups: Sequence[Sequence[Hashable]]) -> list[Group]:
    """Groups of weight 1 with alternatives of grade 1."""
    return [Group([(one, 1.0) for one in group]) for group in groups]


def total_weight(truth: Truth) -> Fraction:
    return sum((Fraction(group.weight) for group in truth), Fraction(0))


def hit_ranks(group: Group, ranking: Ranking) -> list[int]:
    return [rank for rank, one in enumerate(ranking, 1) if group.is_met_by(one)]


def weighted(truth: Truth, values: Sequence[Fraction]) -> Fraction:
    """The mean of one value per group, by weight."""
    pairs = zip(truth, values, strict=True)
    return sum((Fraction(group.weight) * one for group, one in pairs), Fraction(0)) / total_weight(
        truth
    )


def precision(truth: Truth, ranking: Ranking) -> Fraction:
    found = {one for one in ranking if any(group.is_met_by(one) for group in truth)}
    return Fraction(len(found), len(ranking)) if ranking else Fraction(0)


def recall(truth: Truth, ranking: Ranking) -> Fraction:
    return weighted(truth, [Fraction(bool(hit_ranks(group, ranking))) for group in truth])


def f1(truth: Truth, ranking: Ranking) -> Fraction:
    one, other = precision(truth, ranking), recall(truth, ranking)
    return 2 * one * other / (one + other) if one + other else Fraction(0)


def mrr(truth: Truth, ranking: Ranking) -> Fraction:
    ranks = [hit_ranks(group, ranking) for group in truth]
    return weighted(truth, [Fraction(1, found[0]) if found else Fraction(0) for found in ranks])


def average_precision(group: Group, ranking: Ranking) -> Fraction:
    ranks = hit_ranks(group, ranking)
    precisions = [Fraction(number, rank) for number, rank in enumerate(ranks, 1)]
    return sum(precisions, Fraction(0)) / len(ranks) if ranks else Fraction(0)


def map_(truth: Truth, ranking: Ranking) -> Fraction:
    return weighted(truth, [average_precision(group, ranking) for group in truth])


def discounted_gain(grades: Sequence[float]) -> float:
    return math.fsum((2**grade - 1) / math.log2(i + 1) for i, grade in enumerate(grades, 1))


def ndcg(truth: Truth, ranking: Ranking) -> float:
    gained = discounted_gain([max(group.grade_of(one) for group in truth) for one in ranking])
    listed = sorted((grade for group in truth for _, grade in group.alternatives), reverse=True)
    ideal = discounted_gain(listed[: len(ranking)])
    return gained / ideal if ideal else 0.0


def hit_rate(truth: Truth, ranking: Ranking) -> Fraction:
    return Fraction(any(hit_ranks(group, ranking) for group in truth))


def complete(truth: Truth, ranking: Ranking) -> Fraction:
    return Fraction(all(hit_ranks(group, ranking) for group in truth))


def first_hit(truth: Truth, ranking: Ranking) -> Fraction | None:
    ranks = [rank for group in truth for rank in hit_ranks(group, ranking)]
    return Fraction(min(ranks)) if ranks else None


def completion_rank(truth: Truth, ranking: Ranking) -> Fraction | None:
    ranks = [hit_ranks(group, ranking) for group in truth]
    return Fraction(max(found[0] for found in ranks)) if all(ranks) else None


COMMON: dict[str, Callable[[Truth, Ranking], Value]] = {
    "hit_rate": hit_rate,
    "complete": complete,
    "first_hit": first_hit,
    "completion_rank": completion_rank,
}
"""What means the same in every profile."""
METRICS: dict[str, Callable[[Truth, Ranking], Value]] = {
    "precision": precision,
    "recall": recall,
    "f1": f1,
    "mrr": mrr,
    "map": map_,
    "ndcg": ndcg,
    **COMMON,
}


def value(name: str, truth: Truth, ranking: Ranking, k: int | None = None) -> Value:
    """What a metric of the autorag profile is worth at a cutoff."""
    return METRICS[name](truth, ranking if k is None else ranking[:k])


def mean(values: Sequence[Number]) -> Fraction:
    return sum((Fraction(one) for one in values), Fraction(0)) / len(values)
