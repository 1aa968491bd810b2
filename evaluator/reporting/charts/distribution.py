"""The distribution of the scores of queries on one metric."""

import math
from collections.abc import Sequence
from statistics import median

from groupwise.evaluator.errors import OptionError, Problem
from groupwise.evaluator.reporting.charts.chart import Chart, refuse
from groupwise.evaluator.reporting.charts.figure import Axis, Column, Figure, Guide
from groupwise.evaluator.reporting.charts.scales import build_axis, build_counting_axis, format_tick
from groupwise.evaluator.reporting.pivot import format_rank, format_score, list_labels
from groupwise.evaluator.text import plural
from groupwise.schemas import Report
from groupwise.schemas.scores import find_score

BINS = 20
NO_QUERIES = "it has no scores of queries; evaluate with per_query=True (without --no-per-query)"


def build(report: Report, *, metric: str | None = None) -> Figure:
    """Return how many queries have which score of a metric."""
    name = choose_metric(report, metric)
    if not len(report.per_query):
        refuse("distribution", NO_QUERIES)
    column = [value for _, value in report.per_query.column(name)]
    values = [value for value in column if value is not None]
    without = len(column) - len(values)
    if name in report.ranks:
        return _build_ranks(name, values, without)
    if not values:
        refuse("distribution", f"no query has a score of {name}")
    return _build_scores(report, name, values, without)


def choose_metric(report: Report, metric: str | None) -> str:
    """Return the label of a metric in any spelling; None: the first of the report."""
    labels = list_labels(report)
    if metric is None:
        return labels[0]
    try:
        return find_score(metric, labels, report.scores.spellings)
    except KeyError as error:
        raise OptionError([Problem(f"metric: {error.args[0]}")]) from None


def _build_scores(report: Report, name: str, values: Sequence[float], without: int) -> Figure:
    mean = report.scores[name]
    low, high = min(0.0, *values), max(1.0, *values)
    axis = build_axis(name, low, high)
    columns = list(_count(values, axis))
    guides = [] if mean is None else [Guide("x", mean, f"mean {format_score(mean)}")]
    found = f"Median {format_score(median(values))}; {_describe_ends(values)}"
    missing = f"; {plural(without, 'query', 'queries')} without a score" if without else ""
    return Figure(
        f"Scores of {plural(len(values), 'query', 'queries')}: {name}",
        f"{found}{missing}.",
        axis,
        build_counting_axis("queries", max(round(column.value) for column in columns)),
        columns,
        guides,
    )


def _describe_ends(values: Sequence[float]) -> str:
    """Say how many queries have the lowest score and how many the highest, of those from 0 to 1."""
    if min(values) < 0 or max(values) > 1:
        return f"from {format_score(min(values))} to {format_score(max(values))}"
    return f"{values.count(0.0):,} at 0, {values.count(1.0):,} at 1"


def _count(values: Sequence[float], axis: Axis) -> list[Column]:
    """Return a column per bin that has queries; the last one includes its end."""
    width = (axis.high - axis.low) / BINS
    counts = [0] * BINS
    for value in values:
        place = math.floor((value - axis.low) / width + 1e-9)
        counts[min(max(place, 0), BINS - 1)] += 1
    return [
        _build_column("score", axis.low + place * width, width, count)
        for place, count in enumerate(counts)
        if count
    ]


def _build_column(role: str, left: float, width: float, count: int) -> Column:
    ends = f"{format_tick(left)} to {format_tick(left + width)}"
    return Column(role, left, left + width, count, f"{ends}: {plural(count, 'query', 'queries')}")


def _build_ranks(name: str, values: Sequence[float], without: int) -> Figure:
    """Return how many queries have which rank, and how many have none."""
    worst = int(max(values, default=1))
    width = -(-worst // BINS)
    bins = -(-worst // width)
    counts = [0] * bins
    for value in values:
        counts[(int(value) - 1) // width] += 1
    columns = [
        Column("score", n * width, (n + 1) * width, count, _name_ranks(n * width + 1, width, count))
        for n, count in enumerate(counts)
        if count
    ]
    end = bins * width
    if without:
        named = f"no rank: {plural(without, 'query', 'queries')}"
        columns.append(Column("none", end + width, end + 2 * width, without, named))
    found = f"Median {format_rank(median(values))}, worst {worst:,}; " if values else ""
    return Figure(
        f"Ranks of {plural(len(values) + without, 'query', 'queries')}: {name}",
        f"{found}{plural(without, 'query', 'queries')} without a rank.",
        _build_rank_axis(name, width, bins, has_none=bool(without)),
        build_counting_axis("queries", max((round(c.value) for c in columns), default=1)),
        columns,
        legend=[("score", "rank"), ("none", "no rank, or not scored")] if without else (),
    )


def _build_rank_axis(name: str, width: int, bins: int, *, has_none: bool) -> Axis:
    every = -(-bins // 6)
    starts = range(0, bins, every)
    ticks = [((n + 0.5) * width, _name_bin(n * width + 1, width)) for n in starts]
    end = bins * width
    if has_none:
        ticks.append((end + 1.5 * width, "none"))
    return Axis(name, 0, end + 2 * width if has_none else end, ticks)


def _name_bin(first: int, width: int) -> str:
    return f"{first:,}" if width == 1 else f"{first:,}–{first + width - 1:,}"  # noqa: RUF001


def _name_ranks(first: int, width: int, count: int) -> str:
    return f"rank {_name_bin(first, width)}: {plural(count, 'query', 'queries')}"


DISTRIBUTION = Chart(
    "distribution", "report", "how many queries have which score of a metric", build
)
