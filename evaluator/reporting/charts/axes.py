"""A figure on axes of matplotlib: the same data, colours and signs as in SVG."""

from collections.abc import Sequence
from typing import Any

from groupwise.evaluator.errors import OptionError, Problem
from groupwise.evaluator.reporting.charts.figure import (
    Axis,
    Column,
    Estimate,
    Figure,
    Line,
    Row,
    Segment,
)
from groupwise.evaluator.reporting.charts.styles import STYLES
from groupwise.evaluator.text import cut, printable, quote

MARKERS = {"circle": "o", "square": "s", "triangle": "^", "diamond": "D"}
LONGEST_NAME = 40
BELOW: dict[str, Any] = {"loc": "upper center", "bbox_to_anchor": (0.5, -0.2), "ncol": 4}
"""Where the legend of rows is, which fill the axes."""


def draw_on_axes(figure: Figure, ax: Any) -> Any:
    """Draw a figure on axes of matplotlib, and return them.

    Raises:
        OptionError: These are no axes.
    """
    if not all(hasattr(ax, name) for name in ("plot", "barh", "errorbar", "set_xlim")):
        raise OptionError([Problem(f"ax: expected axes of matplotlib, got {quote(ax)}")])
    ax.set_title(as_plain(figure.title))
    _draw_axes(figure, ax)
    names = dict(figure.legend)
    for mark in figure.marks:
        _draw_mark(mark, ax, names)
    for guide in figure.guides:
        line = ax.axvline if guide.axis == "x" else ax.axhline
        line(guide.at, color="0.2", linestyle="--", linewidth=1, label=as_plain(guide.text))
    handles, labels = ax.get_legend_handles_labels()
    if handles:
        below = {} if isinstance(figure.y, Axis) else BELOW
        ax.legend(handles, labels, **below)
    return ax


def as_plain(text: str) -> str:
    r"""Return text that matplotlib does not read as mathematics.

    >>> as_plain("$x$")
    '\\$x\\$'
    """
    return printable(text).replace("$", r"\$")


def _draw_axes(figure: Figure, ax: Any) -> None:
    if figure.x.is_log:
        ax.set_xscale("log")
    ax.set_xlim(figure.x.low, figure.x.high)
    ax.set_xticks([value for value, _ in figure.x.ticks], [text for _, text in figure.x.ticks])
    ax.set_xlabel(as_plain(figure.x.label))
    if isinstance(figure.y, Axis):
        if figure.y.is_log:
            ax.set_yscale("log")
        ax.set_ylim(figure.y.low, figure.y.high)
        ax.set_yticks([value for value, _ in figure.y.ticks], [text for _, text in figure.y.ticks])
        ax.set_ylabel(as_plain(figure.y.label))
    else:
        _draw_rows(figure.y, ax)


def _draw_rows(rows: Sequence[Row], ax: Any) -> None:
    ax.set_ylim(len(rows) - 0.5, -0.5)
    ax.set_yticks(range(len(rows)), [as_plain(cut(row.text, LONGEST_NAME)) for row in rows])
    for row, label in zip(rows, ax.get_yticklabels(), strict=True):
        if row.is_heading:
            label.set_fontweight("bold")


def _draw_mark(mark: Line | Column | Segment | Estimate, ax: Any, names: dict[str, str]) -> None:
    """Draw a mark; the first of a role is named in the legend."""
    style = STYLES[mark.role]
    name = as_plain(names.pop(mark.role, ""))
    filled = {"color": style.light, "hatch": style.hatch * 2, "edgecolor": "white"}
    match mark:
        case Line():
            dashes = tuple(map(float, style.dash.split()))
            ax.plot(*_split(mark.points), color=style.light, marker=MARKERS[style.marker],
                    markersize=4, linewidth=style.weight, linestyle=(0, dashes) if dashes else "-",
                    label=as_plain(mark.name))  # fmt: skip
        case Column():
            ax.bar(mark.left, mark.value, mark.right - mark.left, align="edge", linewidth=0,
                   label=name, **filled)  # fmt: skip
        case Segment():
            ax.barh(mark.row, mark.end - mark.start, left=mark.start, height=0.6, label=name,
                    **filled)  # fmt: skip
        case Estimate():
            ax.errorbar(mark.value, mark.row, xerr=_find_errors(mark), color=style.light,
                        ecolor="0.4", fmt=MARKERS[style.marker], capsize=3, label=name)  # fmt: skip


def _split(points: Sequence[tuple[float, float]]) -> tuple[list[float], list[float]]:
    return [x for x, _ in points], [y for _, y in points]


def _find_errors(estimate: Estimate) -> list[list[float]] | None:
    """Return how far the interval reaches to both sides of the dot."""
    if estimate.low is None or estimate.high is None:
        return None
    low, high = estimate.value - estimate.low, estimate.high - estimate.value
    return [[max(low, 0.0)], [max(high, 0.0)]]
