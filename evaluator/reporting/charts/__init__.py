"""Charts: one declaration each, drawn as SVG without a plotting library."""

from typing import Any

from groupwise.evaluator.errors import OptionError, Problem
from groupwise.evaluator.reporting.charts.chart import Chart, Kind
from groupwise.evaluator.reporting.charts.curve import CURVE
from groupwise.evaluator.reporting.charts.differences import DIFFERENCES
from groupwise.evaluator.reporting.charts.distribution import DISTRIBUTION
from groupwise.evaluator.reporting.charts.figure import Figure
from groupwise.evaluator.reporting.charts.intervals import INTERVALS
from groupwise.evaluator.reporting.charts.missed import MISSED
from groupwise.evaluator.reporting.charts.svg import draw_figure
from groupwise.evaluator.text import suggest
from groupwise.schemas import Report
from groupwise.schemas.comparison import Comparison

CHARTS = (CURVE, DISTRIBUTION, MISSED, INTERVALS, DIFFERENCES)
INLINE_WIDTH = 400


def list_charts(of: Kind) -> list[Chart]:
    """Return the charts of a report, or of a comparison."""
    return [chart for chart in CHARTS if chart.of == of]


def find_chart(name: str, of: Kind) -> Chart:
    """Return the chart of that name.

    Raises:
        OptionError: There is none; the message lists them.
    """
    known = {chart.name: chart for chart in list_charts(of)}
    if name not in known:
        raise OptionError([Problem(f"no chart {name!r} of a {of}; {suggest(name, known)}")])
    return known[name]


def build_figure(subject: Report | Comparison, name: str, **options: Any) -> Figure:
    """Return what a chart shows, for what draws it.

    Raises:
        InputError: The data of the chart is not there.
        OptionError: There is no such chart, or it does not take an option.
    """
    chart = find_chart(name, "report" if isinstance(subject, Report) else "comparison")
    given = {option: value for option, value in options.items() if value is not None}
    chart.check_options(given)
    return chart.build(subject, **given)


def draw_chart(
    subject: Report | Comparison,
    name: str,
    *,
    width: float = INLINE_WIDTH,
    headed: bool = True,
    standalone: bool = False,
    **options: Any,
) -> str:
    """Return a chart as an SVG element.

    Args:
        subject: The report or comparison.
        name: The name of the chart.
        width: The width in pixels that it is laid out for; text keeps its size.
        headed: Whether to show the title.
        standalone: Whether it is a file of its own, with its stylesheet, and no part of a page.
        options: The options of the chart, such as ``metric``.

    Raises:
        InputError: The data of the chart is not there.
        OptionError: There is no such chart, or it does not take an option.
    """
    figure = build_figure(subject, name, **options)
    return draw_figure(figure, width, headed=headed, standalone=standalone)
