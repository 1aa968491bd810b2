"""The profile autorag: AutoRAG's arithmetic, with weights and grades."""

from collections.abc import Mapping
from math import fsum, log2

from tests.differential.formulas.view import Formula, View, grade_in, harmonic_mean, share


def precision(view: View) -> float:
    return share(len(set(view.ids) & set(view.relevant)), view.n)


def recall(view: View) -> float:
    pairs = zip(view.groups, view.hits, strict=True)
    return fsum(group.weight for group, hits in pairs if hits) / view.total


def f1(view: View) -> float:
    return harmonic_mean(precision(view), recall(view))


def mrr(view: View) -> float:
    pairs = zip(view.groups, view.hits, strict=True)
    return fsum(group.weight / hits[0] for group, hits in pairs if hits) / view.total


def map_(view: View) -> float:
    pairs = zip(view.groups, view.hits, strict=True)
    return fsum(group.weight * _average(hits) for group, hits in pairs) / view.total


def _average(hits: list[int]) -> float:
    return share(fsum(number / rank for number, rank in enumerate(hits, 1)), len(hits))


def ndcg(view: View) -> float:
    found = [max(grade_in(group, one) for group in view.groups) for one in view.ids]
    listed = sorted((grade for group in view.groups for _, grade in group.alternatives))
    return share(_discounted(found), _discounted(listed[::-1][: view.n]))


def _discounted(grades: list[float]) -> float:
    return fsum((2**grade - 1) / log2(rank + 1) for rank, grade in enumerate(grades, 1))


FORMULAS: Mapping[str, Formula] = {
    "precision": precision,
    "recall": recall,
    "f1": f1,
    "mrr": mrr,
    "map": map_,
    "ndcg": ndcg,
}
