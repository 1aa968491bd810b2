"""The scores of a report: a row per metric, with interval, ceiling, and what it means."""

from collections.abc import Iterator
from typing import NamedTuple

from groupwise.evaluator.errors import OptionError, UnknownMetric
from groupwise.evaluator.metrics.names import Measure, parse
from groupwise.evaluator.reporting.estimates import NO_INTERVAL
from groupwise.evaluator.reporting.formula import format_formula
from groupwise.evaluator.reporting.pivot import format_score
from groupwise.schemas import MeanInterval, Report


class Meaning(NamedTuple):
    """What a metric means, in words and as a formula."""

    profile: str
    summary: str = ""
    formula: str = ""
    reference: str = ""
    range: str = ""


class Bar(NamedTuple):
    """A score drawn between 0 and 100, with its interval and its ceiling."""

    value: float
    low: float | None = None
    high: float | None = None
    ceiling: float | None = None


class Score(NamedTuple):
    """A row of the table of scores."""

    label: str
    meaning: Meaning
    value: str
    interval: str
    ceiling: str
    band: str
    bar: Bar | None


def list_scores(report: Report) -> Iterator[Score]:
    """Yield a row per score."""
    for label, value in report.scores.items():
        interval, ceiling = report.intervals.get(label), report.ceilings.get(label)
        band = report.bands[label].word if label in report.bands else ""
        yield Score(
            label, explain_metric(label, report.profile), format_score(value),
            format_ends(interval), "" if ceiling is None else format_score(ceiling), band,
            _draw_bar(label, report),
        )  # fmt: skip


def format_ends(interval: MeanInterval | None) -> str:
    """Return the ends of an interval; nothing if none was asked for."""
    if interval is None:
        return ""
    if interval.low is None or interval.high is None:
        return NO_INTERVAL
    return f"{interval.low:.3f} to {interval.high:.3f}"


def explain_metric(label: str, profile: str) -> Meaning:
    """Return what a metric means; of one that is not known here, the profile only."""
    measure = _find_measure(label, profile)
    if measure is None:
        return Meaning(profile)
    metric = measure.metric
    summary = " ".join(metric.description.split("\n\n")[0].replace("``", "").split())
    formula = format_formula(metric.formula)
    return Meaning(measure.profile, summary, formula, metric.reference, metric.range)


def _find_measure(label: str, profile: str) -> Measure | None:
    """Return the measure of a label; a report from a file may have metrics of others."""
    try:
        return parse(label, profile)
    except (UnknownMetric, OptionError):
        return None


def _draw_bar(label: str, report: Report) -> Bar | None:
    """Return the bar of a score whose range is from 0 to 1."""
    measure, value = _find_measure(label, report.profile), report.scores[label]
    if measure is None or measure.metric.highest != 1 or value is None:
        return None
    interval, ceiling = report.intervals.get(label), report.ceilings.get(label)
    ends = (interval.low, interval.high) if interval else (None, None)
    return Bar(*map(_scale, (value, *ends, ceiling)))  # type: ignore[arg-type]


def _scale(value: float | None) -> float | None:
    return None if value is None else round(100 * value, 2)
