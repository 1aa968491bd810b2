"""Scores with what is known about them, for people: a row per metric."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from groupwise.evaluator.reporting.pivot import format_score

if TYPE_CHECKING:
    from groupwise.schemas import MeanInterval, Report

NO_INTERVAL = "no interval"
CEILING = "ceiling"


def has_estimates(report: "Report", *, ceilings: bool = False) -> bool:
    """Whether more is known about scores than their values; ``ceilings``: these are asked for."""
    return bool(report.intervals or report.bands) or has_ceilings(report, asked=ceilings)


def has_ceilings(report: "Report", *, asked: bool) -> bool:
    """Whether there are ceilings to show: those asked for, and those below 1."""
    return asked or any(ceiling < 1 for ceiling in report.ceilings.values())


def list_estimate_columns(report: "Report", *, ceilings: bool = False) -> list[str]:
    """Return the headings beside the name of the metric."""
    heads = [describe_level(report)]
    heads += [CEILING] if has_ceilings(report, asked=ceilings) else []
    return heads + (["band"] if report.bands else [])


def describe_level(report: "Report") -> str:
    """Return the heading of scores: what they are, and of which level their intervals are."""
    if report.confidence is None:
        return "mean"
    return f"mean [{100 * report.confidence.level:g} % interval]"


def list_estimate_notes(report: "Report") -> Iterator[str]:
    """Yield what a reader of the table should know."""
    if any(found.interval == "none" for found in report.intervals.values()):
        yield f"{NO_INTERVAL}: fewer than 2 queries have a value, or all values are equal"
    for source in dict.fromkeys(band.source for band in report.bands.values()):
        yield f"bands are advice: {source}"


def list_estimates(report: "Report", *, ceilings: bool = False) -> Iterator[tuple[str, ...]]:
    """Yield each metric with its score, its interval, and so on."""
    for name, score in report.scores.items():
        row = [name, format_estimate(score, name, report.intervals)]
        if has_ceilings(report, asked=ceilings):
            row.append(format_score(report.ceilings.get(name)))
        if report.bands:
            row.append(report.bands[name].word if name in report.bands else "")
        yield tuple(row)


def format_estimate(score: float | None, name: str, intervals: "Mapping[str, MeanInterval]") -> str:
    """Return a score with its interval, if there are intervals.

    >>> from groupwise.schemas import MeanInterval
    >>> format_estimate(0.61, "f1", {"f1": MeanInterval(low=0.55, high=0.67, interval="bca")})
    '0.6100 [0.550, 0.670]'
    """
    interval = intervals.get(name)
    if interval is None or score is None:
        return format_score(score)
    if interval.interval == "none":
        return f"{format_score(score)} ({NO_INTERVAL})"
    return f"{format_score(score)} [{interval.low:.3f}, {interval.high:.3f}]"
