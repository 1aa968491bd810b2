"""The report for a person: tables of a given width, in colour or plain."""

import heapq
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, TypeAlias, Union

from rich.cells import cell_len

from groupwise.evaluator.reporting.pivot import Pivot, counted, labels, pivot, rounded
from groupwise.evaluator.reporting.sanitise import tidied
from groupwise.evaluator.reporting.spread import bounds, enough, points, tied
from groupwise.evaluator.text import printable, shorten
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
    """All that a person wants to see at once; numbers are rounded for display only."""
    page = _rich_page(width, colour=True) if colour else Page(width)
    page.line(f"profile {report.profile}", style="bold")
    if report.scores:
        _show_scores(page, pivot(report))
    if report.ranks:
        _show_ranks(page, report)
    if report.ties:
        page.table(["ties", "worst", "value", "best"], bounds(report), tied(report.ties))
    if report.curve:
        _show_curve(page, report.curve)
    page.line(counted(report.counts))
    for warning in report.warnings:
        page.line(f"warning: {warning}", style="bold red" if TWO_ID_SPACES in warning else "yellow")
    if len(report.per_query):
        _show_queries(page, report)
    return page.text()


class Page:
    """Lines and tables, gathered as plain text."""

    def __init__(self, width: int) -> None:
        self.width = width
        self._lines: list[str] = []

    def line(self, text: str = "", style: str = "") -> None:
        """A line of any length; it is not wrapped, and its style is not seen."""
        self._lines.append(printable(text))

    def table(self, head: Sequence[str], rows: Iterable[Sequence[str]], title: str = "") -> None:
        """A table whose first column is text and whose others are numbers."""
        self.line()
        if title:
            self.line(title)
        self._lines += self._drawn(head, [[printable(cell) for cell in row] for row in rows])
        self.line()

    def _drawn(self, head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
        """The lines of a table; one that is too wide is for others to squeeze."""
        widths = [max(map(cell_len, column)) for column in zip(head, *rows, strict=True)]
        total = sum(widths) + len(GAP) * (len(widths) - 1)
        if total > self.width or not all(widths) or printable("".join(head)) != "".join(head):
            return _squeezed(self.width, head, rows)
        first, *others = (_row(cells, widths) for cells in (head, *rows))
        return [first, "─" * total, *others]

    def text(self) -> str:
        """All of it, without blanks at the ends of lines and blank lines in a row."""
        return tidied(self._lines)


def _row(cells: Sequence[str], widths: Sequence[int]) -> str:
    texts = [cells[0], *map(str.rstrip, cells[1:])]
    blanks = [" " * (width - cell_len(text)) for text, width in zip(texts, widths, strict=True)]
    numbers = map(str.__add__, blanks[1:], texts[1:])
    return GAP.join([texts[0] + blanks[0], *numbers])


def _squeezed(width: int, head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    page = _rich_page(width, colour=False)
    page.table(head, rows)
    return page.lines()[1:-1]  # without the blank ones around it


def _rich_page(width: int, *, colour: bool) -> "RichPage":
    from groupwise.evaluator.reporting.rich_page import RichPage  # noqa: PLC0415  (slow to load)

    return RichPage(width, colour=colour)


def _show_scores(page: AnyPage, scores: Pivot) -> None:
    """The means, in as many tables as the width demands."""
    names = [name for name, _ in scores.rows]
    room = max(1, columns_that_fit(page.width, ["metric", *names], scores.columns))
    for start in range(0, len(scores.columns), room):
        shown = slice(start, start + room)
        rows = [(name, *map(rounded, values[shown])) for name, values in scores.rows]
        page.table(["metric", *scores.columns[shown]], rows)


def columns_that_fit(width: int, first: Sequence[str], heads: Sequence[str]) -> int:
    """How many columns of scores fit beside the first column."""
    left = width - max(map(cell_len, first))
    for number, head in enumerate(heads):
        left -= 3 + max(len(head), len("0.0000"))
        if left < 0:
            return number
    return len(heads)


def _show_ranks(page: AnyPage, report: Report) -> None:
    rows = [
        (name, _number(one.median), _number(one.worst), f"{one.not_found:,}")
        for name, one in report.ranks.items()
    ]
    page.table(["rank", "median", "worst", "not found"], rows)


def _show_curve(page: AnyPage, curve: Curve) -> None:
    bars = [BARS[int((value or 0.0) * (len(BARS) - 1))] * 2 for value in curve.complete]
    rows = [(*row, bar) for row, bar in zip(points(curve), bars, strict=True)]
    page.table(["k", "recall", "precision", "complete", ""], rows)
    page.line(enough(curve))


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:g}"  # noqa: RUF001


def _show_queries(page: AnyPage, report: Report) -> None:
    """All queries where they are few, else the worst."""
    few = len(report.per_query) <= FEW_QUERIES
    chosen = list(report.per_query) if few else worst(report)
    names = labels(report)
    ids = [shorten(query, LONGEST_ID) for query in chosen]
    room = max(1, columns_that_fit(page.width, ["query", *ids], names))
    rows = [
        (shown, *(_cell(report, query, name) for name in names[:room]))
        for shown, query in zip(ids, chosen, strict=True)
    ]
    if not rows:
        return
    page.table(
        ["query", *names[:room]], rows, "" if few else f"the {len(rows)} worst by {names[0]}"
    )
    if room < len(names):
        page.line(f"columns left out: {len(names) - room} (--format csv)", style="dim")


def worst(report: Report) -> list[str]:
    """The queries with the lowest values of the first score."""
    first = next(iter(report.scores), None)
    if first is None:
        return []
    scored = ((value, query) for query, value in report.per_query.column(first))
    return [query for _, query in heapq.nsmallest(WORST, (s for s in scored if s[0] is not None))]


def _cell(report: Report, query: str, name: str) -> str:
    value = report.per_query[query][name]
    return _number(value) if name in report.ranks else rounded(value)
