"""Means and intervals of runs, metric by metric."""

from collections.abc import Iterator

from groupwise.evaluator.reporting.charts.chart import Chart, refuse
from groupwise.evaluator.reporting.charts.differences import choose_compared
from groupwise.evaluator.reporting.charts.figure import Estimate, Figure, Row
from groupwise.evaluator.reporting.charts.scales import build_axis
from groupwise.evaluator.reporting.pivot import format_score
from groupwise.evaluator.text import plural
from groupwise.schemas.comparison import Comparison, RunScore


def build(comparison: Comparison, *, metric: str | None = None) -> Figure:
    """Return the mean of each run as a dot, and its interval as a line."""
    metrics = list(comparison.metrics) if metric is None else [choose_compared(comparison, metric)]
    runs = order_runs(comparison, metrics[0])
    rows: list[Row] = []
    estimates: list[Estimate] = []
    for name in metrics:
        rows.append(Row(name, is_heading=True))
        for run in runs:
            score = comparison.runs[run][name]
            estimates += _build_estimate(comparison, run, score, len(rows))
            rows.append(Row(run, format_score(score.mean)))
    if not estimates:
        refuse("intervals", "no run has a mean")
    values = [value for each in estimates for value in (each.low, each.value, each.high)]
    known = [value for value in values if value is not None]
    level = f"{comparison.test.confidence * 100:g} % intervals"
    return Figure(
        "Means and intervals of the runs",
        f"{plural(comparison.counts.compared, 'query', 'queries')} compared; {level}; "
        f"profile {comparison.profile}.",
        build_axis("mean over the compared queries", min(known), max(known)),
        rows,
        estimates,
        legend=_list_legend(comparison),
    )


def order_runs(comparison: Comparison, metric: str) -> list[str]:
    """Return the runs by their means of a metric, the highest first, then by name."""

    def key(run: str) -> tuple[float, str]:
        mean = comparison.runs[run][metric].mean
        return (float("inf") if mean is None else -mean, run)

    return sorted(comparison.runs, key=key)


def _build_estimate(
    comparison: Comparison, run: str, score: RunScore, row: int
) -> Iterator[Estimate]:
    if score.mean is None:
        return
    role = "baseline" if run == comparison.baseline else "run"
    ends = "" if score.low is None or score.high is None else (
        f" ({format_score(score.low)} to {format_score(score.high)})")  # fmt: skip
    named = f"{run}: {format_score(score.mean)}{ends}"
    yield Estimate(role, row, score.mean, score.low, score.high, named)


def _list_legend(comparison: Comparison) -> list[tuple[str, str]]:
    if comparison.baseline is None:
        return []
    return [("baseline", "baseline"), ("run", "other runs")]


INTERVALS = Chart("intervals", "comparison", "mean and interval of each run, per metric", build)
