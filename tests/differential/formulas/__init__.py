"""Every metric, written once more from its definition: loops and sums, one query at a time."""

from collections.abc import Mapping
from typing import Any

from tests.differential.formulas import autorag, common, coverage, subtopics, trec, vectors
from tests.differential.formulas.view import Formula, View

FORMULAS: Mapping[str, Mapping[str, Formula]] = {
    "autorag": {**common.FORMULAS, **vectors.FORMULAS, **autorag.FORMULAS},
    "trec": {**common.FORMULAS, **vectors.FORMULAS, **trec.FORMULAS},
    "coverage": {
        **common.FORMULAS,
        **vectors.FORMULAS,
        **coverage.FORMULAS,
        **subtopics.FORMULAS,
    },
}
RANKS = ("first_hit", "completion_rank")


def value(profile: str, name: str, view: View, parameters: Mapping[str, Any]) -> float | None:
    """What a metric is worth for the part of a query that it sees."""
    return FORMULAS[profile][name](view, **parameters)
