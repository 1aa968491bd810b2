"""The profile trec: groups dissolved, and the formulas of trec_eval, gdeval and ir_measures."""

from collections.abc import Mapping
from math import fsum, log2

from tests.differential.data import Id
from tests.differential.formulas.view import Formula, View, harmonic_mean, share


def _relevant(view: View, rel: float) -> set[Id]:
    return {one for one, grade in view.relevant.items() if grade >= rel}


def _ranks(view: View, rel: float) -> list[int]:
    wanted = _relevant(view, rel)
    return [rank for rank, one in enumerate(view.distinct, 1) if one in wanted]


def precision(view: View, rel: float = 0) -> float:
    return share(len(_ranks(view, rel)), view.depth)


def recall(view: View, rel: float = 0) -> float:
    return share(len(_ranks(view, rel)), len(_relevant(view, rel)))


def f1(view: View, rel: float = 0) -> float:
    return harmonic_mean(precision(view, rel), recall(view, rel))


def mrr(view: View, rel: float = 0) -> float:
    return max((1 / rank for rank in _ranks(view, rel)), default=0.0)


def map_(view: View, rel: float = 0) -> float:
    found = fsum(number / rank for number, rank in enumerate(_ranks(view, rel), 1))
    return share(found, len(_relevant(view, rel)))


def ndcg(view: View, gain: str = "linear") -> float:
    found = [0.0 if one is None else view.relevant.get(one, 0) for one in view.distinct]
    ideal = sorted(view.relevant.values())[::-1][: view.k]
    return share(_discounted(found, gain), _discounted(ideal, gain))


def _discounted(grades: list[float], gain: str) -> float:
    gains = [2**grade - 1 if gain == "exponential" else grade for grade in grades]
    return fsum(one / log2(rank + 1) for rank, one in enumerate(gains, 1))


def hit_rate(view: View, rel: float = 0) -> float:
    return float(bool(_ranks(view, rel)))


def r_precision(view: View, rel: float = 0) -> float:
    number = len(_relevant(view, rel))
    return share(len([rank for rank in _ranks(view, rel) if rank <= number]), number)


def bpref(view: View, rel: float = 0) -> float:
    relevant = _relevant(view, rel)
    against = view.judged - relevant
    bound = min(len(relevant), len(against))
    before, total = 0, 0.0
    for one in view.distinct:
        if one in relevant:
            total += 1 - share(min(before, len(relevant)), bound)
        before += one in against
    return share(total, len(relevant))


def rbp(view: View, p: float = 0.8, rel: float = 0) -> float:
    return (1 - p) * fsum(p ** (rank - 1) for rank in _ranks(view, rel))


def rbp_residual(view: View, p: float = 0.8) -> float:
    if not view.ids:
        return 0.0
    unjudged = [rank for rank, one in enumerate(view.distinct, 1) if one not in view.judged]
    return fsum([p**view.n, *((1 - p) * p ** (rank - 1) for rank in unjudged)])


def err(view: View, highest: float = 4) -> float:
    total, unsatisfied = 0.0, 1.0
    for rank, one in enumerate(view.distinct, 1):
        grade = 0.0 if one is None else view.relevant.get(one, 0)
        satisfied = (2 ** min(grade, highest) - 1) / 2**highest
        total += unsatisfied * satisfied / rank
        unsatisfied *= 1 - satisfied
    return total


def judged(view: View) -> float:
    return share(len([one for one in view.distinct if one in view.judged]), view.n)


FORMULAS: Mapping[str, Formula] = {
    "precision": precision,
    "recall": recall,
    "f1": f1,
    "mrr": mrr,
    "map": map_,
    "ndcg": ndcg,
    "hit_rate": hit_rate,
    "r_precision": r_precision,
    "bpref": bpref,
    "rbp": rbp,
    "rbp_residual": rbp_residual,
    "err": err,
    "judged": judged,
}
