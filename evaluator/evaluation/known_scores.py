"""Scores of a few plain queries, found again by their hits.

People score queries one by one, and most of these look alike: few groups, a hit or two near the
top. Equal hits have equal scores, so those of the last few thousand such calls are kept.
"""

from typing import NamedTuple, TypeAlias

from groupwise.evaluator.hits import FloatArray
from groupwise.evaluator.intake.rows import Rows, Walked
from groupwise.evaluator.matching.exact import match_plain
from groupwise.evaluator.metrics.scoring import Measures, compute_scores

MOST_KNOWN = 8192
LONGEST_KEY = 1024
"""In bytes: longer columns are seldom met again."""
Key: TypeAlias = tuple[int, bytes, bytes, bytes, bytes, bytes]


class Noticed(NamedTuple):
    """What a report warns of: whether there is a hit, and how many queries are special."""

    has_match: bool
    repeating: int
    greedy: int


class Known(NamedTuple):
    """The scores of a pattern of hits; ``measures`` are known by their identity."""

    measures: Measures
    block: FloatArray
    noticed: Noticed


_known: dict[Key, Known] = {}
"""Threads may lose what another has just added: then it is computed again."""


def score_rows(measures: Measures, rows: Rows, depth: int | None) -> tuple[FloatArray, Noticed]:
    """Return the scores of queries that have groups and results, without scores of results.

    Args:
        measures: What to compute; none of them looks beyond ids.
        rows: The queries.
        depth: How many results the measures look at; None: all.

    Returns:
        The value of each measure (row) for each query (column), and what reports warn of.
    """
    key = _find_key(measures, rows.walked)
    known = _known.get(key) if key else None
    if known is not None:
        return known.block.copy(), known.noticed
    hits = match_plain(rows, depth)
    block = compute_scores(measures, {"given": hits, "score": hits})
    noticed = Noticed(len(hits.rank) > 0, hits.queries_with_repeats, hits.greedy_queries)
    if key is not None and all(measure.metric.is_built_in for measure in measures):
        _keep(key, Known(measures, block.copy(), noticed))
    return block, noticed


def _find_key(measures: Measures, walked: Walked | None) -> Key | None:
    """Return what the values depend on; None if it may be more, or too much to be kept."""
    if walked is None or walked.matched is None:
        return None
    lengths, groups, sizes, ranks, alternatives, _, left, shared = walked.matched
    if left or shared or len(sizes) + len(ranks) > LONGEST_KEY:
        return None
    return id(measures), lengths, groups, sizes, ranks, alternatives


def _keep(key: Key, known: Known) -> None:
    if len(_known) >= MOST_KNOWN:
        _known.clear()
    _known[key] = known
