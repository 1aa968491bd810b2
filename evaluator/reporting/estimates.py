"""Scores with what is known about them, for people: a row per metric."""

from collections.abc import Iterator, Mapping

from groupwise.evaluator.reporting.pivot import format_score
from groupwise.schemas import MeanInterval, Report

NO_INTERVAL = "no interval"


def has_estimates(report: Report) -> bool:
    """Whether more is known about scores than their values."""
    return bool(report.intervals)


def list_estimate_columns(report: Report) -> list[str]:
    """Return the headings beside the name of the metric."""
    return [describe_level(report)]


def describe_level(report: Report) -> str:
    """Return the heading of scores: what they are, and of which level their intervals are."""
    if report.confidence is None:
        return "mean"
    return f"mean [{100 * report.confidence.level:g} % interval]"


def list_estimate_notes(report: Report) -> Iterator[str]:
    """Yield what a reader of the table should know."""
    if any(found.interval == "none" for found in report.intervals.values()):
        yield f"{NO_INTERVAL}: fewer than 2 queries have a value, or all values are equal"


def list_estimates(report: Report) -> Iterator[tuple[str, ...]]:
    """Yield each metric with its score, its interval, and so on."""
    for name, score in report.scores.items():
        yield name, format_estimate(score, name, report.intervals)


def format_estimate(score: float | None, name: str, intervals: Mapping[str, MeanInterval]) -> str:
    """Return a score with its interval, if there are intervals.

    >>> format_estimate(0.61, "f1", {"f1": MeanInterval(low=0.55, high=0.67, interval="bca")})
    '0.6100 [0.5500, 0.6700]'
    """
    interval = intervals.get(name)
    if interval is None or score is None:
        return format_score(score)
    if interval.interval == "none":
        return f"{format_score(score)} ({NO_INTERVAL})"
    return f"{format_score(score)} [{format_score(interval.low)}, {format_score(interval.high)}]"
