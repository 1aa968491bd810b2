"""The metrics of NIST's ndeval, groups as subtopics, without weights and grades."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import fsum, log2

from tests.differential.data import Id
from tests.differential.formulas.view import Formula, View, grade_in, share

Discount = Callable[[int], float]
Hits = tuple[int, ...]
"""How often each group was met."""
Reached = tuple[float, Hits, list[Id]]


def logarithmic(rank: int) -> float:
    return 1 / log2(rank + 1)


def reciprocal(rank: int) -> float:
    return 1 / rank


def _met(view: View, one: Id | None) -> tuple[int, ...]:
    numbers = range(len(view.groups))
    return tuple(number for number in numbers if grade_in(view.groups[number], one) > 0)


def _gain(met: Sequence[int], hits: Hits, alpha: float) -> float:
    """a_i; rounded once, so that the order of groups does not matter."""
    return fsum((1 - alpha) ** hits[number] for number in met)


def _after(met: Sequence[int], hits: Hits) -> Hits:
    return tuple(count + (number in met) for number, count in enumerate(hits))


def _gains(view: View, ids: Sequence[Id | None], alpha: float) -> list[float]:
    hits: Hits = (0,) * len(view.groups)
    gains = []
    for one in ids:
        met = _met(view, one)
        gains.append(_gain(met, hits, alpha))
        hits = _after(met, hits)
    return gains


def _discounted(gains: Sequence[float], discount: Discount) -> float:
    return fsum(gain * discount(rank) for rank, gain in enumerate(gains, 1))


def _found(view: View, alpha: float, discount: Discount) -> float:
    return _discounted(_gains(view, view.distinct, alpha), discount)


def _over_bound(view: View, alpha: float, discount: Discount) -> float:
    """Over a document that meets every group, again and again: b_i."""
    bounds = [len(view.groups) * (1 - alpha) ** place for place in range(view.depth)]
    return share(_found(view, alpha, discount), _discounted(bounds, discount))


def err_ia(view: View, alpha: float = 0.5) -> float:
    return _over_bound(view, alpha, reciprocal)


def alpha_dcg(view: View, alpha: float = 0.5) -> float:
    return _over_bound(view, alpha, logarithmic)


def nerr_ia(view: View, alpha: float = 0.5) -> float:
    return _over_ideal(view, view.k, alpha, reciprocal)


def alpha_ndcg(view: View, alpha: float = 0.5) -> float:
    return _over_ideal(view, view.k, alpha, logarithmic)


def _over_ideal(view: View, k: int | None, alpha: float, discount: Discount) -> float:
    return min(share(_found(view, alpha, discount), best_greedy(view, k, alpha, discount)), 1.0)


def best_greedy(view: View, k: int | None, alpha: float, discount: Discount) -> float:
    """The most that a ranking is worth which always takes a document that gains most next."""
    ranking = best_greedy_ranking(view, k, alpha, discount)
    return _discounted(_gains(view, ranking, alpha), discount)


def best_greedy_ranking(view: View, k: int | None, alpha: float, discount: Discount) -> list[Id]:
    """Where several gain as much, each is tried; of orders of the same documents one is kept.

    Documents that meet the same groups are alike: what counts is how many of each kind are taken.
    """
    kinds: dict[tuple[int, ...], list[Id]] = {}
    for one in view.relevant:
        kinds.setdefault(_met(view, one), []).append(one)
    reached: dict[Hits, Reached] = {(0,) * len(kinds): (0.0, (0,) * len(view.groups), [])}
    total = len(view.relevant)
    for rank in range(1, min(total, total if k is None else k) + 1):
        longer: dict[Hits, Reached] = {}
        for taken, before in reached.items():
            for now, after in _extended(list(kinds.items()), taken, before, alpha, discount(rank)):
                if now not in longer or longer[now][0] < after[0]:
                    longer[now] = after
        reached = longer
    return max(reached.values(), key=lambda one: one[0])[2]


def _extended(
    kinds: list[tuple[tuple[int, ...], list[Id]]],
    taken: Hits,
    before: Reached,
    alpha: float,
    discount: float,
) -> Iterator[tuple[Hits, Reached]]:
    """The ranking with one more document, for each kind that gains most."""
    worth, hits, order = before
    left = [number for number, (_, ids) in enumerate(kinds) if taken[number] < len(ids)]
    gains = {number: _gain(kinds[number][0], hits, alpha) for number in left}
    for number in left:
        if gains[number] == max(gains.values()):
            met, ids = kinds[number]
            after = worth + gains[number] * discount, _after(met, hits)
            yield _after([number], taken), (*after, [*order, ids[taken[number]]])


def nrbp(view: View, alpha: float = 0.5, beta: float = 0.5) -> float:
    found = _discounted(_gains(view, view.distinct[:20], alpha), lambda rank: beta ** (rank - 1))
    return (1 - (1 - alpha) * beta) * found / len(view.groups)


def nnrbp(view: View, alpha: float = 0.5, beta: float = 0.5) -> float:
    def discount(rank: int) -> float:
        return float(beta ** (rank - 1))

    found = _discounted(_gains(view, view.distinct[:20], alpha), discount)
    return min(share(found, best_greedy(view, 20, alpha, discount)), 1.0)


def p_ia(view: View) -> float:
    met = sum(len(_met(view, one)) for one in view.distinct)
    return share(met, view.depth * len(view.groups))


def map_ia(view: View) -> float:
    total = []
    for number, group in enumerate(view.groups):
        ranks = [rank for rank, one in enumerate(view.distinct, 1) if number in _met(view, one)]
        size = len({one for one, grade in group.alternatives if grade > 0})
        total += [place / rank / size for place, rank in enumerate(ranks, 1)]
    return fsum(total) / len(view.groups)


FORMULAS: Mapping[str, Formula] = {
    "err_ia": err_ia,
    "alpha_dcg": alpha_dcg,
    "nerr_ia": nerr_ia,
    "alpha_ndcg": alpha_ndcg,
    "nrbp": nrbp,
    "nnrbp": nnrbp,
    "p_ia": p_ia,
    "map_ia": map_ia,
}
