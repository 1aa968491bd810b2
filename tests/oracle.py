"""The oracle of `tests/differential`, asked for one query: nothing of the package under test.

A ground truth is a list of groups, a ranking is a list of ids, best first.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from tests.differential import data, formulas
from tests.differential.expected import rejected
from tests.differential.formulas import coverage
from tests.differential.formulas.view import View


class Group(NamedTuple):
    """Alternatives as listed, repeats included, each with its grade."""

    alternatives: list[tuple[Any, float]]
    weight: float = 1.0

    def grade_of(self, one: Any) -> float:
        return max((grade for other, grade in self.alternatives if other == one), default=0)

    def is_met_by(self, one: Any) -> bool:
        return self.grade_of(one) > 0


Truth = Sequence[Group]
Ranking = Sequence[Any]


def view(truth: Truth, ranking: Ranking, k: int | None = None, not_relevant: Ranking = ()) -> View:
    """What a metric sees at a cutoff."""
    groups = tuple(data.Group(tuple(group.alternatives), group.weight) for group in truth)
    against = rejected(data.Query("q", groups, tuple(not_relevant)))
    return View(groups, against, tuple(ranking)[:k], k)


def value(
    metric: str,
    truth: Truth,
    ranking: Ranking,
    k: int | None = None,
    not_relevant: Ranking = (),
    **parameters: Any,
) -> float | None:
    """What a metric, ``profile:name``, is worth at a cutoff."""
    profile, _, name = metric.partition(":")
    return formulas.value(profile, name, view(truth, ranking, k, not_relevant), parameters)


def documents(truth: Truth) -> list[Any]:
    """The documents that meet any group."""
    return sorted(view(truth, ()).relevant, key=str)


def added(truth: Truth, ranking: Ranking) -> list[float]:
    """V_i: the weight that each result adds in the profile coverage."""
    return coverage.added(view(truth, ranking))


def best_rankings(truth: Truth, k: int | None = None) -> dict[str, list[Any]]:
    """The best of all rankings of k documents, for the metrics that divide by its worth."""
    seen = view(truth, (), k)
    return {
        "mrr": coverage.best_ranking(seen, coverage.reciprocal, graded=False),
        "ndcg": coverage.best_ranking(seen, coverage.logarithmic, graded=True),
    }
