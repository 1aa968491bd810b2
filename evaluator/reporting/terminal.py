"""A report for people: tables of a given width, in colour or plain."""

import heapq
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, TypeAlias, Union

from rich.cells import cell_len

from groupwise.evaluator.reporting.pivot import (
    Pivot,
    build_pivot,
    format_counts,
    format_rank,
    format_score,
    list_labels,
)
from groupwise.evaluator.reporting.sanitise import tidy
from groupwise.evaluator.reporting.spread import (
    CURVE_HEAD,
    RANK_HEAD,
    TIES_HEAD,
    describe_curve,
    describe_ties,
    list_bounds,
    list_points,
    list_ranks,
)
from groupwise.evaluator.text import plural, printable, shorten
from groupwise.schemas import Curve, Report

if TYPE_CHECKING:
    from groupwise.evaluator.reporting.rich_page import RichPage

AnyPage: TypeAlias = Union["Page", "RichPage"]
PLAIN_WIDTH = 100
FEW_QUERIES = 20
WORST = 5
LONGEST_ID = 32
TWO_ID_SPACES = "two id spaces"
BARS = " ▁▂▃▄▅▆▇█"
GAP = "   "


def render(report: Report, width: int = PLAIN_WIDTH, *, colour: bool = False) -> str:
    """Return the report as tables; numbers are rounded for display only."""
    page = _build_rich_page(width, colour=True) if colour else Page(width)
    page.line(f"profile {report.profile}", style="bold")
    if report.scores:
        _show_scores(page, build_pivot(report))
    if report.ranks:
        page.table(RANK_HEAD, list_ranks(report))
    if report.ties:
        page.table(TIES_HEAD, list_bounds(report), describe_ties(report.ties))
    if report.curve:
        _show_curve(page, report.curve)
    page.line(format_counts(report.counts))
    for warning in report.warnings:
        page.line(f"warning: {warning}", style="bold red" if TWO_ID_SPACES in warning else "yellow")
    if len(report.per_query):
        _show_queries(page, report)
    return page.text()


class Page:
    """Collects lines and tables as plain text."""

    def __init__(self, width: int) -> None:
        self.width = width
        self._lines: list[str] = []

    def line(self, text: str = "", style: str = "") -> None:
        """Add a line of any length; it is not wrapped, and its style is ignored."""
        self._lines.append(printable(text))

    def table(self, head: Sequence[str], rows: Iterable[Sequence[str]], title: str = "") -> None:
        """Add a table whose first column is text and whose others are numbers."""
        self.line()
        if title:
            self.line(title)
        self._lines += self._draw(head, [[printable(cell) for cell in row] for row in rows])
        self.line()

    def _draw(self, head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
        """Return the lines of a table; rich draws a table that is too wide."""
        widths = [max(map(cell_len, column)) for column in zip(head, *rows, strict=True)]
        total = sum(widths) + len(GAP) * (len(widths) - 1)
        if total > self.width or not all(widths) or printable("".join(head)) != "".join(head):
            return _draw_narrow(self.width, head, rows)
        first, *others = (_pad_cells(cells, widths) for cells in (head, *rows))
        return [first, "─" * total, *others]

    def text(self) -> str:
        """Return the text, without trailing blanks and repeated blank lines."""
        return tidy(self._lines)


def _pad_cells(cells: Sequence[str], widths: Sequence[int]) -> str:
    texts = [cells[0], *map(str.rstrip, cells[1:])]
    blanks = [" " * (width - cell_len(text)) for text, width in zip(texts, widths, strict=True)]
    numbers = map(str.__add__, blanks[1:], texts[1:])
    return GAP.join([texts[0] + blanks[0], *numbers])


def _draw_narrow(width: int, head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    page = _build_rich_page(width, colour=False)
    page.table(head, rows)
    return page.lines()[1:-1]  # without the blank ones around it


def _build_rich_page(width: int, *, colour: bool) -> "RichPage":
    from groupwise.evaluator.reporting.rich_page import RichPage  # noqa: PLC0415  (slow to load)

    return RichPage(width, colour=colour)


def _show_scores(page: AnyPage, scores: Pivot) -> None:
    """Add the means, in as many tables as the width requires."""
    names = [name for name, _ in scores.rows]
    room = max(1, columns_that_fit(page.width, ["metric", *names], scores.columns))
    for start in range(0, len(scores.columns), room):
        shown = slice(start, start + room)
        rows = [(name, *map(format_score, values[shown])) for name, values in scores.rows]
        page.table(["metric", *scores.columns[shown]], rows)


def columns_that_fit(width: int, first: Sequence[str], heads: Sequence[str]) -> int:
    """Return how many columns of scores fit beside the first column."""
    left = width - max(map(cell_len, first))
    for number, head in enumerate(heads):
        left -= 3 + max(len(head), len("0.0000"))
        if left < 0:
            return number
    return len(heads)


def _show_curve(page: AnyPage, curve: Curve) -> None:
    bars = [BARS[int((value or 0.0) * (len(BARS) - 1))] * 2 for value in curve.complete]
    rows = [(*row, bar) for row, bar in zip(list_points(curve), bars, strict=True)]
    page.table([*CURVE_HEAD, ""], rows)
    page.line(describe_curve(curve))


def _show_queries(page: AnyPage, report: Report) -> None:
    """Add all queries if they are few, else the worst."""
    few = len(report.per_query) <= FEW_QUERIES
    chosen = list(report.per_query) if few else find_worst(report)
    names = list_labels(report)
    ids = [shorten(query, LONGEST_ID) for query in chosen]
    room = max(1, columns_that_fit(page.width, ["query", *ids], names))
    rows = [
        (shown, *(_format_cell(report, query, name) for name in names[:room]))
        for shown, query in zip(ids, chosen, strict=True)
    ]
    if not rows:
        return
    page.table(
        ["query", *names[:room]], rows, "" if few else f"the {len(rows)} worst by {names[0]}"
    )
    if room < len(names):
        page.line(f"{plural(len(names) - room, 'column')} more (--format csv)", style="dim")


def find_worst(report: Report) -> list[str]:
    """Return the queries with the lowest values of the first score."""
    first = next(iter(report.scores), None)
    if first is None:
        return []
    scored = ((value, query) for query, value in report.per_query.column(first))
    return [query for _, query in heapq.nsmallest(WORST, (s for s in scored if s[0] is not None))]


def _format_cell(report: Report, query: str, name: str) -> str:
    value = report.per_query[query][name]
    return format_rank(value) if name in report.ranks else format_score(value)
