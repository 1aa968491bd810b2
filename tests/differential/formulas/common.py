"""The metrics that mean the same in every profile."""

from collections.abc import Mapping

from tests.differential.formulas.view import Formula, View


def hit_rate(view: View) -> float:
    return float(any(view.hits))


def complete(view: View) -> float:
    return float(all(view.hits))


def first_hit(view: View) -> float | None:
    ranks = [rank for hits in view.hits for rank in hits]
    return min(ranks) if ranks else None


def completion_rank(view: View) -> float | None:
    return max(hits[0] for hits in view.hits) if all(view.hits) else None


FORMULAS: Mapping[str, Formula] = {
    "hit_rate": hit_rate,
    "complete": complete,
    "first_hit": first_hit,
    "completion_rank": completion_rank,
}
