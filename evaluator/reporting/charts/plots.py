"""Plots: charts as files, as objects that notebooks show, or on axes of matplotlib."""

import os
from pathlib import PurePath
from typing import Any

from groupwise.evaluator.errors import OptionError, Problem
from groupwise.evaluator.reading.writing import write_data
from groupwise.evaluator.reporting.charts import build_figure
from groupwise.evaluator.reporting.charts.svg import draw_figure
from groupwise.evaluator.text import quote
from groupwise.schemas import Report
from groupwise.schemas.comparison import Comparison
from groupwise.schemas.plot import Plot

NARROWEST, WIDEST = 200, 4000
OTHER_ENDING = "expected a name that ends in .svg; for PNG or PDF, draw on axes of matplotlib (ax=)"


def plot_chart(
    subject: Report | Comparison,
    name: str,
    path: str | os.PathLike[str] | None,
    ax: Any,
    width: float,
    options: dict[str, Any],
) -> Any:
    """Return a chart as a Plot, written to a file if one is named; with axes, draw it there.

    Raises:
        InputError: The data of the chart is not there.
        OptionError: There is no such chart, or an argument has a value that is not accepted.
        OutputError: The file could not be written; what was there before is untouched.
    """
    _check(path, ax, width)
    figure = build_figure(subject, name, **options)
    if ax is not None:
        from groupwise.evaluator.reporting.charts.axes import draw_on_axes  # noqa: PLC0415  (rarely needed)

        return draw_on_axes(figure, ax)
    plot = Plot(name, draw_figure(figure, width, standalone=True) + "\n")
    if path is not None:
        plot.save(path)
    return plot


def _check(path: Any, ax: Any, width: Any) -> None:
    if path is not None and ax is not None:
        raise OptionError([Problem("both path and ax; give one of them")])
    is_number = isinstance(width, int | float) and not isinstance(width, bool)
    if not (is_number and NARROWEST <= width <= WIDEST):
        message = f"width: expected {NARROWEST} to {WIDEST} pixels, got {quote(width)}"
        raise OptionError([Problem(message)])
    if path is not None:
        check_path(path)


def check_path(path: str | os.PathLike[str]) -> None:
    """Raise an OptionError unless the name of a file ends in ``.svg``, but for ``.gz``."""
    name = os.fspath(path)
    if PurePath(name.lower().removesuffix(".gz")).suffix != ".svg":
        raise OptionError([Problem(f"{name}: {OTHER_ENDING}")])


def save_plot(plot: Plot, path: str | os.PathLike[str]) -> None:
    """Write a plot to a file, whole or not at all."""
    check_path(path)
    write_data(path, [plot.svg.encode()])
