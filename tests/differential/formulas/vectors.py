"""The diversity metrics, which look at the embeddings of results."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from math import fsum, hypot, log2

from tests.differential.data import Id
from tests.differential.formulas.view import Formula, View, grade_in, share


def _cosine(one: Sequence[float], other: Sequence[float]) -> float:
    """Each vector divided by its length first, which no magnitude overflows."""
    lengths = hypot(*one), hypot(*other)
    return fsum(x / lengths[0] * (y / lengths[1]) for x, y in zip(one, other, strict=True))


def _has_vectors(view: View, ids: Sequence[Id]) -> bool:
    return view.vectors is not None and all(one in view.vectors for one in ids)


def ild(view: View) -> float | None:
    if view.n < 2 or view.vectors is None or not _has_vectors(view, view.ids):
        return None
    vectors = [view.vectors[one] for one in view.ids]
    distances = [1 - _cosine(one, other) for one, other in combinations(vectors, 2)]
    return fsum(distances) / len(distances)


def novelty_ndcg(view: View, alpha: float = 0.5) -> float | None:
    """A repeat gains nothing, and a ranking better than the greedy one is worth 1."""
    if not view.ids:
        return 0.0
    found = novelty_dcg(view, alpha)
    if found is None or not _has_vectors(view, list(view.relevant)):
        return None
    return min(share(found, _ideal(view, alpha)), 1.0)


def novelty_dcg(view: View, alpha: float = 0.5) -> float | None:
    if not view.ids:
        return 0.0
    if not _has_vectors(view, view.ids):
        return None
    return _discounted(
        [
            0.0 if one is None else _gain(view, view.ids[:place], one, alpha)
            for place, one in enumerate(view.distinct)
        ]
    )


def _gain(view: View, before: Sequence[Id], one: Id, alpha: float) -> float:
    assert view.vectors is not None
    vectors = view.vectors
    grade = max(grade_in(group, one) for group in view.groups)
    nearest = max((_cosine(vectors[one], vectors[other]) for other in before), default=0.0)
    return grade * (alpha + (1 - alpha) * (1 - nearest))


def _ideal(view: View, alpha: float) -> float:
    """The relevant document that gains most is always taken next."""
    order: list[Id] = []
    gains = []
    left = sorted(view.relevant, key=str)
    while left and len(order) != view.k:
        best = max(left, key=lambda one: _gain(view, order, one, alpha))
        gains.append(_gain(view, order, best, alpha))
        order.append(best)
        left.remove(best)
    return _discounted(gains)


def _discounted(gains: Sequence[float]) -> float:
    return fsum(gain / log2(rank + 1) for rank, gain in enumerate(gains, 1))


FORMULAS: Mapping[str, Formula] = {
    "ild": ild,
    "novelty_dcg": novelty_dcg,
    "novelty_ndcg": novelty_ndcg,
}
