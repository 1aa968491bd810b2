"""Ties and curves as people read them."""

from collections.abc import Iterator

from groupwise.evaluator.reporting.pivot import rounded
from groupwise.schemas import Curve, Report, Ties


def bounds(report: Report) -> Iterator[tuple[str, str, str, str]]:
    """Each score between its worst and its best value over the orders of ties."""
    for name, bound in (report.ties.bounds if report.ties else {}).items():
        yield name, rounded(bound.worst), rounded(report.scores[name]), rounded(bound.best)


def tied(ties: Ties) -> str:
    """How many queries ties can change.

    >>> tied(Ties(queries=1, bounds={}))
    'tied scores can change 1 query'
    """
    queries = "1 query" if ties.queries == 1 else f"{ties.queries:,} queries"
    return f"tied scores can change {queries}"


def points(curve: Curve) -> Iterator[tuple[str, str, str, str]]:
    """The means at each cutoff."""
    columns = zip(curve.recall, curve.precision, curve.complete, strict=True)
    for k, means in enumerate(columns, 1):
        recall, precision, complete = map(rounded, means)
        yield str(k), recall, precision, complete


def enough(curve: Curve) -> str:
    """How many results it takes for all the evidence.

    >>> enough(Curve(recall=(1.0,), precision=(1.0,), complete=(0.96,), enough=1))
    '95 % of the queries are complete from k = 1 on'
    """
    if curve.enough is None:
        return f"fewer than 95 % of the queries are complete at k = {len(curve.complete)}"
    return f"95 % of the queries are complete from k = {curve.enough} on"
