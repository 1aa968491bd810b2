"""The report for a person: tables of a given width, in colour or plain."""

import heapq
import io
from collections.abc import Iterable, Sequence

from rich.box import SIMPLE_HEAD
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from groupwise.evaluator.reporting.pivot import Pivot, counted, labels, pivot, rounded
from groupwise.evaluator.reporting.sanitise import printable, shortened
from groupwise.evaluator.reporting.spread import bounds, enough, points, tied
from groupwise.schemas import Curve, Report

PLAIN_WIDTH = 100
FEW_QUERIES = 20
WORST = 5
LONGEST_ID = 32
TWO_ID_SPACES = "two id spaces"
BARS = " ▁▂▃▄▅▆▇█"


def render(report: Report, width: int = PLAIN_WIDTH, *, colour: bool = False) -> str:
    """All that a person wants to see at once; numbers are rounded for display only."""
    page = Page(width, colour=colour)
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
    """Lines and tables, gathered as text; nothing in them is taken for markup."""

    def __init__(self, width: int, *, colour: bool) -> None:
        self.width = width
        self._text = io.StringIO()
        self._console = Console(
            file=self._text, width=width, height=100, markup=False, emoji=False, highlight=False,
            force_terminal=colour, color_system="standard" if colour else None,
            no_color=not colour, force_jupyter=False, legacy_windows=False,
        )  # fmt: skip

    def line(self, text: str = "", style: str = "") -> None:
        """A line of any length; it is not wrapped."""
        self._console.print(Text(printable(text), style), soft_wrap=True)

    def table(self, head: Sequence[str], rows: Iterable[Sequence[str]], title: str = "") -> None:
        """A table whose first column is text and whose others are numbers."""
        table = Table(box=SIMPLE_HEAD, header_style="bold", pad_edge=False, show_edge=False)
        for number, name in enumerate(head):
            table.add_column(
                Text(name), justify="right" if number else "left", no_wrap=True,
                style="" if number else "cyan",
            )  # fmt: skip
        for row in rows:
            table.add_row(*(Text(printable(cell)) for cell in row))
        self.line()
        if title:
            self.line(title, style="bold")
        self._console.print(table)
        self.line()

    def text(self) -> str:
        """All of it, without blanks at the ends of lines and blank lines in a row."""
        lines: list[str] = []
        for line in self._text.getvalue().splitlines():
            stripped = line.rstrip()
            if stripped or (lines and lines[-1]):
                lines.append(stripped)
        return "\n".join(lines).rstrip() + "\n"


def _show_scores(page: Page, scores: Pivot) -> None:
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


def _show_ranks(page: Page, report: Report) -> None:
    rows = [
        (name, _number(one.median), _number(one.worst), f"{one.not_found:,}")
        for name, one in report.ranks.items()
    ]
    page.table(["rank", "median", "worst", "not found"], rows)


def _show_curve(page: Page, curve: Curve) -> None:
    bars = [BARS[int((value or 0.0) * (len(BARS) - 1))] * 2 for value in curve.complete]
    rows = [(*row, bar) for row, bar in zip(points(curve), bars, strict=True)]
    page.table(["k", "recall", "precision", "complete", ""], rows)
    page.line(enough(curve))


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:g}"  # noqa: RUF001


def _show_queries(page: Page, report: Report) -> None:
    """All queries where they are few, else the worst."""
    few = len(report.per_query) <= FEW_QUERIES
    chosen = list(report.per_query) if few else worst(report)
    names = labels(report)
    ids = [shortened(query, LONGEST_ID) for query in chosen]
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
