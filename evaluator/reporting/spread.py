"""Ranks, ties and curves as rows of tables for people."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from groupwise.evaluator.reporting.pivot import format_rank, format_score
from groupwise.evaluator.text import plural

if TYPE_CHECKING:
    from groupwise.schemas import Curve, Report, Ties

RANK_HEAD = ("rank", "median", "worst", "not found")
TIES_HEAD = ("ties", "worst", "value", "best")
CURVE_HEAD = ("k", "recall", "precision", "complete")


def list_ranks(report: "Report") -> Iterator[tuple[str, str, str, str]]:
    """Return the median and the worst of each rank, and how many queries have none."""
    for name, found in report.ranks.items():
        yield name, format_rank(found.median), format_rank(found.worst), f"{found.not_found:,}"


def list_bounds(report: "Report") -> Iterator[tuple[str, str, str, str]]:
    """Return each score between its worst and best value over all tie-breaking orders."""
    for name, bound in (report.ties.bounds if report.ties else {}).items():
        worst, value, best = map(format_score, (bound.worst, report.scores[name], bound.best))
        yield name, worst, value, best


def describe_ties(ties: "Ties") -> str:
    """Say how many queries ties can change.

    >>> from groupwise.schemas import Ties
    >>> describe_ties(Ties(queries=1, bounds={}))
    'tied scores can change 1 query'
    """
    return f"tied scores can change {plural(ties.queries, 'query', 'queries')}"


def list_points(curve: "Curve") -> Iterator[tuple[str, str, str, str]]:
    """Return the means at each cutoff."""
    columns = zip(curve.recall, curve.precision, curve.complete, strict=True)
    for k, means in enumerate(columns, 1):
        recall, precision, complete = map(format_score, means)
        yield str(k), recall, precision, complete


def describe_curve(curve: "Curve") -> str:
    """Say from which cutoff on most queries are complete.

    >>> from groupwise.schemas import Curve
    >>> describe_curve(Curve(recall=(1.0,), precision=(1.0,), complete=(0.96,), enough=1))
    '95 % of the queries are complete from k = 1 on'
    """
    if curve.enough is None:
        return f"fewer than 95 % of the queries are complete at k = {len(curve.complete)}"
    return f"95 % of the queries are complete from k = {curve.enough} on"
