"""The profile coverage: each group counts once, and mrr and ndcg divide by the best ranking."""

from collections.abc import Callable, Mapping
from functools import cache
from math import fsum, log2

from tests.differential.data import Group, Id
from tests.differential.formulas.view import Formula, View, grade_in, harmonic_mean, share

Discount = Callable[[int], float]
Gains = tuple[float, ...]
"""How far each group is met, from 0 to 1."""


def logarithmic(rank: int) -> float:
    return 1 / log2(rank + 1)


def reciprocal(rank: int) -> float:
    return 1 / rank


def _gain(group: Group, one: Id, *, graded: bool) -> float:
    """2^grade - 1 over the best such value in the group; ungraded, any alternative does."""
    grade = grade_in(group, one)
    if not graded:
        return float(grade > 0)
    best = max(other for _, other in group.alternatives)
    return float((2**grade - 1) / (2**best - 1))


def _rows(view: View, *, graded: bool) -> dict[Id, Gains]:
    """How far each relevant document meets each group."""
    return {
        one: tuple(_gain(group, one, graded=graded) for group in view.groups)
        for one in view.relevant
    }


def added(view: View, *, graded: bool = True) -> list[float]:
    """V_i."""
    rows = _rows(view, graded=graded)
    best: Gains = (0.0,) * len(view.groups)
    added = []
    for one in view.ids:
        now = tuple(map(max, best, rows.get(one, best)))
        added.append(_worth(view.groups, now, best))
        best = now
    return added


def _worth(groups: tuple[Group, ...], now: Gains, before: Gains) -> float:
    steps = zip(groups, now, before, strict=True)
    return fsum(group.weight * (new - old) for group, new, old in steps)


def precision(view: View) -> float:
    return share(len([value for value in added(view) if value > 0]), view.n)


def recall(view: View) -> float:
    return fsum(added(view)) / view.total


def f1(view: View) -> float:
    return harmonic_mean(precision(view), recall(view))


def map_(view: View) -> float:
    useful, paid = 0, []
    for rank, value in enumerate(added(view), 1):
        useful += value > 0
        paid.append(value * useful / rank)
    return fsum(paid) / view.total


def mrr(view: View) -> float:
    return _over_ideal(view, reciprocal, graded=False)


def ndcg(view: View) -> float:
    return _over_ideal(view, logarithmic, graded=True)


def _over_ideal(view: View, discount: Discount, *, graded: bool) -> float:
    found = [value * discount(rank) for rank, value in enumerate(added(view, graded=graded), 1)]
    return min(fsum(found) / best_worth(view, discount, graded=graded), 1.0)


def best_worth(view: View, discount: Discount, *, graded: bool) -> float:
    """The most that any ranking of at most k documents is worth."""
    return _search(view, discount, graded=graded)[0]


def best_ranking(view: View, discount: Discount, *, graded: bool) -> list[Id]:
    """A ranking that is worth the most."""
    ids = {row: one for one, row in _rows(view, graded=graded).items()}
    return [ids[row] for row in _search(view, discount, graded=graded)[1]]


def _search(view: View, discount: Discount, *, graded: bool) -> tuple[float, list[Gains]]:
    """Try all rankings.

    What comes next depends only on how far the groups are met, so equal states are tried once.
    """
    rows = sorted(set(_rows(view, graded=graded).values()))
    groups, last = view.groups, len(rows) if view.k is None else view.k

    @cache
    def best_from(state: Gains, rank: int) -> tuple[float, list[Gains]]:
        best: tuple[float, list[Gains]] = 0.0, []
        for row in rows if rank <= last else []:
            now = tuple(map(max, state, row))
            if now != state:
                later, ranking = best_from(now, rank + 1)
                worth = _worth(groups, now, state) * discount(rank) + later
                best = max(best, (worth, [row, *ranking]))
        return best

    return best_from((0.0,) * len(groups), 1)


def shared_candidates(view: View) -> int:
    """How many documents are in several groups."""
    return sum(sum(gain > 0 for gain in row) > 1 for row in _rows(view, graded=True).values())


FORMULAS: Mapping[str, Formula] = {
    "precision": precision,
    "recall": recall,
    "f1": f1,
    "map": map_,
    "mrr": mrr,
    "ndcg": ndcg,
}
