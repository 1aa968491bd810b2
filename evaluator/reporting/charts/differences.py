"""Differences of two runs, query by query, from the largest gain to the largest loss."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from groupwise.evaluator.errors import OptionError, Problem
from groupwise.evaluator.evaluation.run_values import RunValues
from groupwise.evaluator.hits.arrays import np
from groupwise.evaluator.metrics.names import parse
from groupwise.evaluator.reporting.charts.chart import Chart, refuse
from groupwise.evaluator.reporting.charts.figure import Column, Figure
from groupwise.evaluator.reporting.charts.scales import build_axis, build_counting_axis
from groupwise.evaluator.reporting.pivot import format_score
from groupwise.evaluator.text import cut, plural, suggest
from groupwise.schemas.comparison import Comparison, Pair

LONGEST = 40
MOST_COLUMNS = 400
"""Of more different columns than a screen has room for, those that are next to each other join."""
UNKNOWN = "the values of its queries are not known any more; compare the runs again"


def build(
    comparison: Comparison, *, metric: str | None = None, a: str | None = None, b: str | None = None
) -> Figure:
    """Return the difference of each query, b minus a, in order of size."""
    pair = choose_pair(comparison, metric, a, b)
    values = sorted(find_differences(comparison, pair), reverse=True)
    if not values:
        refuse("differences", f"no query is scored in every run by {pair.metric}")
    reach = max(abs(values[0]), abs(values[-1]))
    return Figure(
        f"{pair.metric} by query: {cut(pair.b, LONGEST)} minus {cut(pair.a, LONGEST)}",
        _describe(pair),
        build_counting_axis("queries, from largest gain to largest loss", len(values)),
        build_axis("difference", min(values[-1], 0.0), max(values[0], 0.0))
        if reach else build_axis("difference", -1.0, 1.0),
        list(_list_columns(values)),
        legend=[
            ("gain", f"{pair.wins:,} above 0: {pair.b} is better"),
            ("loss", f"{pair.losses:,} below 0: {pair.a} is better"),
        ],
    )  # fmt: skip


def find_differences(comparison: Comparison, pair: Pair) -> list[float]:
    """Return the differences of a pair on the queries that every run is scored on."""
    values: RunValues | None = comparison.values
    if values is None:
        refuse("differences", UNKNOWN)
    block = values.values[values.metrics.index(pair.metric)]
    compared = block[:, ~np.isnan(block).any(axis=0)]
    a, b = (values.runs.index(run) for run in (pair.a, pair.b))
    differences: list[float] = (compared[b] - compared[a]).tolist()
    return differences


def _describe(pair: Pair) -> str:
    ends = "" if pair.low is None or pair.high is None else (
        f" ({format_score(pair.low)} to {format_score(pair.high)})")  # fmt: skip
    gains = f"{plural(pair.wins, 'gain')}, {plural(pair.losses, 'loss', 'losses')}"
    equal = f"{plural(pair.ties, 'query', 'queries')} equal"
    return f"{gains}, {equal}; mean difference {format_score(pair.difference)}{ends}."


def choose_compared(comparison: Comparison, metric: str | None) -> str:
    """Return the label of a metric in any spelling; None: the first of the comparison."""
    labels = list(comparison.metrics)
    if metric is None:
        return labels[0]
    label = metric if metric in labels else parse(metric, comparison.profile).label
    if label not in labels:
        raise OptionError([Problem(f"metric: no score {metric!r}; {suggest(metric, labels)}")])
    return label


def choose_pair(comparison: Comparison, metric: str | None, a: str | None, b: str | None) -> Pair:
    """Return the pair of two runs on a metric; the one left out: the first that makes a pair.

    Where the comparison has the pair the other way around, it is turned.
    """
    label = choose_compared(comparison, metric)
    for name, run in (("a", a), ("b", b)):
        if run is not None and run not in comparison.runs:
            message = f"{name}: no run {run!r}; {suggest(run, comparison.runs)}"
            raise OptionError([Problem(message)])
    pairs = [pair for pair in comparison.pairs if pair.metric == label]
    for pair in (*pairs, *map(_turn, pairs)):
        if a in (None, pair.a) and b in (None, pair.b):
            return pair
    known = ", ".join(f"{pair.a} and {pair.b}" for pair in pairs[:5])
    raise OptionError([Problem(f"a, b: {a!r} and {b!r} are not compared; choose from {known}")])


def _turn(pair: Pair) -> Pair:
    """Return the same pair as the difference of a less b."""
    turned = {
        "a": pair.b, "b": pair.a, "wins": pair.losses, "losses": pair.wins,
        "difference": None if pair.difference is None else -pair.difference,
        "low": None if pair.high is None else -pair.high,
        "high": None if pair.low is None else -pair.low,
    }  # fmt: skip
    return pair.model_copy(update=turned)


def _list_columns(values: Sequence[float]) -> Iterator[Column]:
    """Yield a column for queries of the same difference; none for those without one."""
    start = 0
    for value, same in groupby(_join_near(values)):
        end = start + len(list(same))
        if value:
            count = plural(end - start, "query", "queries")
            role = "gain" if value > 0 else "loss"
            yield Column(role, start, end, value, f"{count}: {value:+.4f}")
        start = end


def _join_near(values: Sequence[float]) -> list[float]:
    """Return the values, but the largest of its neighbours for each, if there are too many."""
    if len(set(values)) <= MOST_COLUMNS:
        return list(values)
    size = -(-len(values) // MOST_COLUMNS)
    joined: list[float] = []
    for start in range(0, len(values), size):
        block = values[start : start + size]
        joined += [max(block, key=abs)] * len(block)
    return joined


DIFFERENCES = Chart(
    "differences", "comparison", "differences of two runs, query by query, in order of size", build
)
