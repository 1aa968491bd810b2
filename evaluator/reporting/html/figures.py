"""The charts of a page: those whose data is there."""

from collections.abc import Iterator
from contextlib import suppress
from typing import Any, NamedTuple

from groupwise.evaluator.errors import InputError
from groupwise.evaluator.reporting.charts import draw_chart, list_charts
from groupwise.evaluator.reporting.charts.chart import Kind
from groupwise.evaluator.reporting.html.environment import trust

WIDTH = 380


class Drawing(NamedTuple):
    """A chart as HTML, by its name."""

    name: str
    svg: Any


def draw_charts(subject: Any, of: Kind) -> Iterator[Drawing]:
    """Yield the charts of a report or a comparison; one without data is left out."""
    for chart in list_charts(of):
        with suppress(InputError):
            yield Drawing(chart.name, trust(draw_chart(subject, chart.name, width=WIDTH)))
