"""A figure as SVG, laid out for a width in pixels of a screen; text keeps its size."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from groupwise.evaluator.reporting.charts.canvas import (
    MARKER,
    TEXT_SIZE,
    Canvas,
    cut_middle,
    cut_to,
    draw_line,
    measure,
    wrap,
)
from groupwise.evaluator.reporting.charts.figure import (
    Axis,
    Column,
    Estimate,
    Figure,
    Line,
    Row,
    Segment,
)
from groupwise.evaluator.reporting.charts.scales import Scale, spread
from groupwise.evaluator.reporting.charts.styles import SERIES_STYLES, STYLES

MARGIN = 8
TITLE_SIZE = 14
LINE_HEIGHT = 16
ROW = 20
HEADING = 26
BAR = 12
SWATCH = 22
MOST_MARKERS = 12
DASH = "4 3"
INSET = 8
"""The room for dots at the ends of an axis."""
LOWEST, HIGHEST = 170, 300
BOLD = 1.1
"""Bold text is wider by this factor."""
LARGEST_LABEL = 0.36
"""The share of the width that the names of rows, or of lines, take at most."""


@dataclass(frozen=True)
class Layout:
    """The texts above the plot, and the edges of the plot."""

    width: float
    title: list[str]
    summary: list[str]
    legend: list[list[tuple[str, str]]]
    left: float
    right: float
    top: float
    bottom: float

    @property
    def height(self) -> float:
        """The height of the drawing: ticks and label of the axis are below the plot."""
        return self.bottom + 2 * LINE_HEIGHT + MARGIN


def draw_figure(
    figure: Figure, width: float, *, headed: bool = True, standalone: bool = False
) -> str:
    """Return a figure as an SVG element.

    Args:
        figure: The figure.
        width: The width it is laid out for.
        headed: Whether to show the title.
        standalone: Whether it is a file of its own, with its stylesheet, and no part of a page.
    """
    layout = _lay_out(figure, width, headed=headed)
    canvas = Canvas(layout.width, layout.height, figure.title, figure.summary)
    if standalone:
        canvas.add_stylesheet({mark.role for mark in figure.marks} & {*SERIES_STYLES})
    _draw_head(canvas, layout)
    Drawing(canvas, layout, figure).draw()
    return canvas.render()


def _lay_out(figure: Figure, width: float, *, headed: bool) -> Layout:
    room = width - 2 * MARGIN
    title = wrap(figure.title, room, TITLE_SIZE) if headed else []
    summary = wrap(figure.summary, room)
    legend = list(_wrap_legend(figure.legend, room))
    left, right = _find_sides(figure, width)
    heads = len(title) * (LINE_HEIGHT + 3) + len(summary) * LINE_HEIGHT
    top = MARGIN + heads + len(legend) * (LINE_HEIGHT + 2) + MARGIN
    if isinstance(figure.y, Axis):
        top += (LINE_HEIGHT + 4) * (2 if any(guide.axis == "x" for guide in figure.guides) else 1)
        height = min(max(0.48 * width, LOWEST), HIGHEST)
    else:
        height = sum(map(_height_of, figure.y)) + 4
    return Layout(width, title, summary, legend, left, width - right, top, top + height)


def _height_of(row: Row) -> int:
    return HEADING if row.is_heading else ROW


def _find_sides(figure: Figure, width: float) -> tuple[float, float]:
    """Return the room left and right of the plot, for names, ticks and notes."""
    most = width * LARGEST_LABEL
    if isinstance(figure.y, Axis):
        left = max(measure(text) for _, text in figure.y.ticks)
        names = [mark.name for mark in figure.marks if isinstance(mark, Line)]
        return left + MARGIN + 6, _widest(names, most) + 2 * MARGIN
    names = [row.text for row in figure.y if not row.is_heading]
    notes = [row.note for row in figure.y]
    return _widest(names, most) + MARGIN + 6, _widest(notes, most) + 2 * MARGIN


def _widest(texts: Sequence[str], most: float) -> float:
    return min(most, max(map(measure, texts), default=0.0) * BOLD)


def _wrap_legend(legend: Sequence[tuple[str, str]], room: float) -> Iterator[list[tuple[str, str]]]:
    """Yield the lines of the legend."""
    line: list[tuple[str, str]] = []
    used = 0.0
    for role, text in legend:
        shown = cut_to(text, room - SWATCH)
        wide = SWATCH + measure(shown) + 10
        if line and used + wide > room:
            yield line
            line, used = [], 0.0
        line.append((role, shown))
        used += wide
    if line:
        yield line


def _draw_head(canvas: Canvas, layout: Layout) -> None:
    y = float(MARGIN)
    for text in layout.title:
        y += LINE_HEIGHT + 3
        canvas.text(MARGIN, y - 4, text, font_size=str(TITLE_SIZE), font_weight="bold")
    for text in layout.summary:
        y += LINE_HEIGHT
        canvas.text(MARGIN, y - 3, text, "muted")
    for line in layout.legend:
        y += LINE_HEIGHT + 2
        _draw_legend(canvas, line, y)


def _draw_legend(canvas: Canvas, line: Sequence[tuple[str, str]], y: float) -> None:
    x = float(MARGIN)
    for role, text in line:
        if STYLES[role].marker == "diamond" or role == "run":
            canvas.marker(role, x + 8, y - 6)
        else:
            canvas.rectangle(role, x, y - 12, 16, 11)
        canvas.text(x + SWATCH, y - 2, text)
        x += SWATCH + measure(text) + 10


class Drawing:
    """Draws axes and marks of a figure between the edges of a layout."""

    def __init__(self, canvas: Canvas, layout: Layout, figure: Figure) -> None:
        self._canvas = canvas
        self._layout = layout
        self._figure = figure
        inset = INSET if any(isinstance(mark, Estimate) for mark in figure.marks) else 0
        self._x = _scale(figure.x, layout.left + inset, layout.right - inset)
        self._rows: list[float] = []
        if isinstance(figure.y, Axis):
            self._y = _scale(figure.y, layout.bottom, layout.top)
        else:
            self._rows = list(_place_rows(figure.y, layout.top))

    def draw(self) -> None:
        """Draw the axes, the marks and the guides over them."""
        self._draw_x(self._figure.x)
        if isinstance(self._figure.y, Axis):
            self._draw_y(self._figure.y)
        else:
            self._draw_rows(self._figure.y)
        for mark in self._figure.marks:
            self._draw_mark(mark)
        self._name_lines([mark for mark in self._figure.marks if isinstance(mark, Line)])
        for guide in self._figure.guides:
            self._draw_guide(guide.axis, guide.at, guide.text)

    def _draw_x(self, axis: Axis) -> None:
        layout, canvas = self._layout, self._canvas
        canvas.line("muted", [(layout.left, layout.bottom), (layout.right, layout.bottom)])
        for value, text in _choose_ticks(axis, self._x):
            x = self._x.place(value)
            if self._rows:
                canvas.line("grid", [(x, layout.top), (x, layout.bottom)])
            canvas.line("muted", [(x, layout.bottom), (x, layout.bottom + 4)])
            canvas.text(x, layout.bottom + LINE_HEIGHT, text, "muted", "middle")
        shown = cut_to(axis.label, layout.width - 2 * MARGIN)
        half = measure(shown) / 2 + MARGIN
        middle = (layout.left + layout.right) / 2
        x = min(max(middle, half), layout.width - half)
        canvas.text(x, layout.bottom + 2 * LINE_HEIGHT, shown, "ink", "middle")

    def _draw_y(self, axis: Axis) -> None:
        layout, canvas = self._layout, self._canvas
        above = LINE_HEIGHT + 4 if any(guide.axis == "x" for guide in self._figure.guides) else 0
        canvas.text(MARGIN, layout.top - 10 - above, axis.label)
        for value, text in axis.ticks:
            y = self._y.place(value)
            canvas.line("grid", [(layout.left, y), (layout.right, y)])
            canvas.text(layout.left - 6, y + 4, text, "muted", "end")

    def _draw_rows(self, rows: Sequence[Row]) -> None:
        layout, canvas = self._layout, self._canvas
        for row, y in zip(rows, self._rows, strict=True):
            if row.is_heading:
                shown = cut_to(row.text, layout.width - 2 * MARGIN)
                canvas.text(MARGIN, y + 6, shown, full=row.text, font_weight="bold")
                continue
            shown = cut_middle(row.text, layout.left - MARGIN - 6)
            canvas.text(layout.left - 6, y + 4, shown, "ink", "end", full=row.text)
            room = layout.width - layout.right - 2 * MARGIN
            canvas.text(layout.right + MARGIN, y + 4, cut_to(row.note, room), "muted")

    def _draw_mark(self, mark: Line | Column | Segment | Estimate) -> None:
        match mark:
            case Line():
                self._draw_line(mark)
            case Column():
                self._draw_column(mark)
            case Segment():
                self._draw_segment(mark)
            case Estimate():
                self._draw_estimate(mark)

    def _draw_line(self, line: Line) -> None:
        points = [(self._x.place(x), self._y.place(y)) for x, y in line.points]
        if not points:
            return
        self._canvas.line(line.role, points, STYLES[line.role].weight)
        every = -(-len(points) // MOST_MARKERS)
        for (x, y), point in list(zip(points, line.points, strict=True))[::-every]:
            self._canvas.marker(line.role, x, y, f"{line.name} at {self._describe(point)}")

    def _describe(self, point: tuple[float, float]) -> str:
        """Return the numbers of a point; on a logarithmic axis, with digits that count."""
        x, y = point
        is_log = isinstance(self._figure.y, Axis) and self._figure.y.is_log
        return f"{x:,g}: {y:,.3g}" if is_log else f"{x:g}: {y:.4f}"

    def _name_lines(self, lines: Sequence[Line]) -> None:
        """Write the name of each line at its end, none over another."""
        layout = self._layout
        drawn = [line for line in lines if line.points]
        ends = [self._y.place(line.points[-1][1]) for line in drawn]
        places = spread(ends, TEXT_SIZE + 2, layout.top, layout.bottom)
        for line, y in zip(drawn, places, strict=True):
            room = layout.width - layout.right - 2 * MARGIN
            shown = cut_to(line.name, room / BOLD + 0.1)
            self._canvas.text(layout.right + MARGIN, y + 4, shown, line.role, font_weight="bold")

    def _draw_column(self, column: Column) -> None:
        left, right = self._x.place(column.left), self._x.place(column.right)
        zero, y = self._y.place(0.0), self._y.place(column.value)
        gap = 1.0 if right - left > 4 else 0.0
        top, height = min(zero, y), abs(zero - y)
        self._canvas.rectangle(
            column.role, left + gap / 2, top, right - left - gap, height, column.name
        )

    def _draw_segment(self, segment: Segment) -> None:
        left, right = self._x.place(segment.start), self._x.place(segment.end)
        top = self._rows[segment.row] - BAR / 2
        self._canvas.rectangle(segment.role, left, top, right - left, BAR, segment.name)

    def _draw_estimate(self, estimate: Estimate) -> None:
        y = self._rows[estimate.row]
        if estimate.low is not None and estimate.high is not None:
            low, high = self._x.place(estimate.low), self._x.place(estimate.high)
            self._canvas.line("muted", [(low, y), (high, y)], 2)
            for x in (low, high):
                self._canvas.line("muted", [(x, y - 4), (x, y + 4)], 1.5)
        self._canvas.marker(
            estimate.role, self._x.place(estimate.value), y, estimate.name, MARKER + 1
        )

    def _draw_guide(self, axis: str, at: float, text: str) -> None:
        layout, canvas = self._layout, self._canvas
        if axis == "y":
            y = self._y.place(at)
            canvas.path("ink", draw_line([(layout.left, y), (layout.right, y)]), 1, DASH)
            canvas.text(layout.left + 4, y - 4, text)
            return
        x = self._x.place(at)
        canvas.path("ink", draw_line([(x, layout.top - 4), (x, layout.bottom)]), 1, DASH)
        wide = measure(text)
        start = min(max(x + 5, layout.left), layout.width - MARGIN - wide)
        if start < x + 5:
            start = max(MARGIN, x - 5 - wide)
        canvas.text(start, layout.top - 10 if not self._rows else layout.top + 2, text)


def _scale(axis: Axis, start: float, end: float) -> Scale:
    return Scale(axis.low, axis.high, start, end, axis.is_log)


def _place_rows(rows: Sequence[Row], top: float) -> Iterator[float]:
    """Yield the middle of each row."""
    for row in rows:
        height = _height_of(row)
        yield top + height / 2
        top += height


def _choose_ticks(axis: Axis, scale: Scale) -> Sequence[tuple[float, str]]:
    """Return all ticks, or every second or fourth one, whose texts do not run into each other."""
    for step in (1, 2, 4):
        chosen = axis.ticks[::step]
        if len([*_list_apart(chosen, scale)]) == len(chosen):
            return chosen
    return [*_list_apart(axis.ticks, scale)]


def _list_apart(ticks: Sequence[tuple[float, str]], scale: Scale) -> Iterator[tuple[float, str]]:
    """Yield the ticks whose texts do not run into that of the tick before."""
    end = float("-inf")
    for value, text in ticks:
        half = measure(text) / 2 + 3
        place = scale.place(value)
        if place - half >= end:
            yield value, text
            end = place + half
