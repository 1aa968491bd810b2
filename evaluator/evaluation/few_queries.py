"""A few plain queries: what people evaluate in loops, one at a time or some hundreds.

Matching, metrics, warnings and the report are those of every evaluation. What a ``Partial`` keeps
to be merged, sliced or continued is not built.
"""

from collections.abc import Sequence
from math import isnan
from typing import TYPE_CHECKING

from groupwise.evaluator.evaluation.known_scores import Noticed, score_rows
from groupwise.evaluator.evaluation.observations import Observations
from groupwise.evaluator.evaluation.partial import Setup
from groupwise.evaluator.evaluation.provenance import list_objects
from groupwise.evaluator.evaluation.reports import build_report
from groupwise.evaluator.hits import FloatArray
from groupwise.evaluator.intake.plain_pairs import PlainPairs
from groupwise.evaluator.intake.rows import Rows
from groupwise.evaluator.statistics.means import ExactMeans
from groupwise.schemas import PerQuery
from groupwise.schemas.drafts import Counts

if TYPE_CHECKING:
    from groupwise.schemas import Report

NOTHING = Noticed(has_match=True, repeating=0, greedy=0)
FEW = 1024
"""So many queries are checked and matched in one go."""


def evaluate_few(setup: Setup, pairs: PlainPairs, warnings: list[str]) -> "Report | None":
    """Return the report on a few queries; None if they take the long way.

    Args:
        setup: What is asked for; it ``is_for_plain_ids``.
        pairs: The queries.
        warnings: Those of reading them.
    """
    rows = _check_rows(setup, pairs)
    if rows is None:
        return None
    block, noticed = score_rows(setup.measures, rows, setup.depth)
    means, counts = _average(block)
    if noticed != NOTHING or None in means:
        warnings = [*warnings, *_warn(setup, rows, noticed, counts)]
    return build_report(
        setup, _count_scored(len(rows)), dict(zip(setup.labels, means, strict=True)),
        _list_values(setup, pairs.ids, block), tuple(warnings), list_objects(), {},
    )  # fmt: skip


def _check_rows(setup: Setup, pairs: PlainPairs) -> Rows | None:
    """Return the queries if all have groups and results, and ids of one kind that is as asked."""
    truths, rankings = pairs.truths, pairs.rankings
    walked = setup.check(truths, rankings) if setup.check else None
    if walked is None or not all(rankings):
        return None
    if walked.kind is not str and setup.policies.ids is not None:
        return None
    return Rows(pairs.ids, truths, rankings, walked=walked)


def _average(block: FloatArray) -> tuple[list[float | None], Sequence[int]]:
    """Return the mean of each row of values, and how many there are; NaN is not counted.

    One value is its own mean.
    """
    if block.shape[1] == 1:
        values = [None if isnan(value) else value + 0.0 for value in block[:, 0].tolist()]
        return values, [value is not None for value in values]
    means = ExactMeans(len(block))
    means.add(block)
    return means.means(), means.counts


def _count_scored(queries: int) -> dict[str, int]:
    return {**Counts.defaults, "queries": queries, "scored": queries}


def _list_values(setup: Setup, ids: list[str], block: FloatArray) -> PerQuery:
    if not setup.per_query:
        return PerQuery([], {})
    return PerQuery(ids, dict(zip(setup.labels, block, strict=True)), setup.spellings)


def _warn(setup: Setup, rows: Rows, noticed: Noticed, counts: Sequence[int]) -> list[str]:
    found = Observations(has_pair=True, **noticed._asdict())
    found.note_example(rows, setup.matching, setup.depth)
    values = list(zip(setup.measures, counts, strict=True))
    return [*found.warnings(_count_scored(len(rows)), setup.policies, values)]
