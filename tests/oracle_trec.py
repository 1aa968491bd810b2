"""The formulas of the trec profile, read naively; nothing of the package under test.

Groups are dissolved: a document is as relevant as its best grade. What is judged, but not relevant,
is listed apart. A ranking is a list of ids, best first; a repeat counts at its first place only.
"""

import math
from collections.abc import Hashable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from tests import oracle
from tests.oracle import Ranking, Truth, Value


class Seen(NamedTuple):
    """What a metric looks at: the first k results, and all judgements.

    ``grades`` are those of relevant documents; ``places`` holds for each result its document, or
    None for a repeat; ``depth`` is the cutoff itself, or the number of results.
    """

    grades: dict[Hashable, float]
    against: set[Hashable]
    places: list[Hashable | None]
    depth: int

    def grade(self, place: int) -> float:
        return self.grades.get(self.places[place], 0.0)

    def relevant(self, rel: float) -> set[Hashable]:
        return {one for one, grade in self.grades.items() if grade >= rel}

    def ranks(self, rel: float) -> list[int]:
        """The ranks of the relevant results."""
        wanted = self.relevant(rel)
        return [rank for rank, one in enumerate(self.places, 1) if one in wanted]

    def is_judged(self, one: Hashable | None) -> bool:
        return one in self.grades or one in self.against


def seen(truth: Truth, ranking: Ranking, k: int | None, not_relevant: Sequence[Hashable]) -> Seen:
    ids = {one for group in truth for one, _ in group.alternatives}
    best = {one: max(group.grade_of(one) for group in truth) for one in ids}
    grades = {one: grade for one, grade in best.items() if grade > 0}
    against = {*ids, *not_relevant} - set(grades)
    kept = list(ranking)[:k]
    places = [None if one in kept[:place] else one for place, one in enumerate(kept)]
    return Seen(grades, against, places, len(places) if k is None else k)


def share(part: int, whole: int) -> Fraction:
    return Fraction(part, whole) if whole else Fraction(0)


def precision(case: Seen, rel: float = 0) -> Fraction:
    return share(len(case.ranks(rel)), case.depth)


def recall(case: Seen, rel: float = 0) -> Fraction:
    return share(len(case.ranks(rel)), len(case.relevant(rel)))


def f1(case: Seen, rel: float = 0) -> Fraction:
    one, other = precision(case, rel), recall(case, rel)
    return 2 * one * other / (one + other) if one + other else Fraction(0)


def mrr(case: Seen, rel: float = 0) -> Fraction:
    return share(1, min(case.ranks(rel), default=0))


def map_(case: Seen, rel: float = 0) -> Fraction:
    precisions = [share(number, rank) for number, rank in enumerate(case.ranks(rel), 1)]
    relevant = len(case.relevant(rel))
    return sum(precisions, Fraction(0)) / relevant if relevant else Fraction(0)


def gained(grade: float, gain: str) -> float:
    return float(2**grade - 1) if gain == "exponential" else grade


def discounted(grades: Sequence[float], gain: str) -> float:
    return math.fsum(gained(one, gain) / math.log2(i + 1) for i, one in enumerate(grades, 1))


def ndcg(case: Seen, gain: str = "linear", *, k: int | None = None) -> float:
    found = [case.grade(place) for place in range(len(case.places))]
    ideal = sorted(case.grades.values(), reverse=True)[:k]
    return discounted(found, gain) / discounted(ideal, gain)


def hit_rate(case: Seen, rel: float = 0) -> Fraction:
    return Fraction(bool(case.ranks(rel)))


def r_precision(case: Seen, rel: float = 0) -> Fraction:
    relevant = len(case.relevant(rel))
    return share(sum(rank <= relevant for rank in case.ranks(rel)), relevant)


def bpref(case: Seen, rel: float = 0) -> Fraction:
    relevant = case.relevant(rel)
    against = (set(case.grades) | case.against) - relevant
    total = Fraction(0)
    for rank in case.ranks(rel):
        before = sum(one in against for one in case.places[: rank - 1])
        total += 1 - share(min(before, len(relevant)), min(len(relevant), len(against)))
    return total / len(relevant) if relevant else Fraction(0)


def rbp(case: Seen, p: float = 0.8, rel: float = 0) -> float:
    return (1 - p) * math.fsum(p ** (rank - 1) for rank in case.ranks(rel))


def rbp_residual(case: Seen, p: float = 0.8) -> float:
    if not case.places:
        return 0.0  # as trec_eval has it
    unseen = p ** len(case.places)
    unjudged = [rank for rank, one in enumerate(case.places, 1) if not case.is_judged(one)]
    return unseen + (1 - p) * math.fsum(p ** (rank - 1) for rank in unjudged)


def err(case: Seen, highest: float = 4) -> float:
    total, unsatisfied = 0.0, 1.0
    for place in range(len(case.places)):
        satisfied = (2 ** min(case.grade(place), highest) - 1) / 2**highest
        total += unsatisfied * satisfied / (place + 1)
        unsatisfied *= 1 - satisfied
    return total


def judged(case: Seen) -> Fraction:
    return share(sum(map(case.is_judged, case.places)), len(case.places))


OWN: dict[str, Any] = {
    "precision": precision,
    "recall": recall,
    "f1": f1,
    "mrr": mrr,
    "map": map_,
    "hit_rate": hit_rate,
    "r_precision": r_precision,
    "bpref": bpref,
    "rbp": rbp,
    "rbp_residual": rbp_residual,
    "err": err,
    "judged": judged,
}
SHARED = oracle.COMMON.keys() - OWN.keys()
"""What is the same in every profile."""
NAMES = {*OWN, "ndcg", *SHARED}


def value(
    name: str,
    truth: Truth,
    ranking: Ranking,
    k: int | None = None,
    not_relevant: Sequence[Hashable] = (),
    **parameters: Any,
) -> Value:
    """What a metric of the trec profile is worth at a cutoff."""
    if name in SHARED:
        return oracle.value(name, truth, ranking, k)
    case = seen(truth, ranking, k, not_relevant)
    if name == "ndcg":
        return ndcg(case, k=k, **parameters)
    found: Value = OWN[name](case, **parameters)
    return found
