"""A report for people: tables of a given width, in colour or plain."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rich.cells import cell_len

from groupwise.evaluator.reporting.estimates import (
    has_estimates,
    list_estimate_columns,
    list_estimate_notes,
    list_estimates,
)
from groupwise.evaluator.reporting.gates import GATES_HEAD, list_gate_rows, style_gates
from groupwise.evaluator.reporting.page import GAP, Page
from groupwise.evaluator.reporting.pivot import (
    Pivot,
    build_pivot,
    describe_worst,
    format_cell,
    format_counts,
    format_score,
    list_labels,
)
from groupwise.evaluator.reporting.profile import describe_profile
from groupwise.evaluator.reporting.slices import list_slice_columns, list_slices
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
from groupwise.evaluator.text import plural, shorten

if TYPE_CHECKING:
    from groupwise.schemas import Curve, Report

PLAIN_WIDTH = 100
FEW_QUERIES = 20
WORST = 5
LONGEST_ID = 32
MOST_SLICES = 50
TWO_ID_SPACES = "two id spaces"
BARS = " ▁▂▃▄▅▆▇█"


def render(
    report: "Report",
    width: int = PLAIN_WIDTH,
    *,
    colour: bool = False,
    worst: int | None = None,
    quiet: bool = False,
    ceilings: bool = False,
) -> str:
    """Return the report as tables; numbers are rounded for display only.

    Args:
        report: The report.
        width: The number of columns.
        colour: Whether to use colour.
        worst: How many queries to show, the worst first; None: all if they are few, else 5.
        quiet: Whether to leave out the queries, unless ``worst`` asks for them.
        ceilings: Whether to show ceilings of 1 as well.
    """
    page = Page(width, colour=colour)
    page.line(describe_profile(report.profile, report.matching), style="bold")
    if has_estimates(report, ceilings=ceilings):
        heads = list_estimate_columns(report, ceilings=ceilings)
        page.table(["metric", *heads], list_estimates(report, ceilings=ceilings))
        for note in list_estimate_notes(report):
            page.line(note, style="dim")
    elif report.scores:
        _show_scores(page, build_pivot(report))
    if report.ranks:
        page.table(RANK_HEAD, list_ranks(report))
    if report.ties:
        page.table(TIES_HEAD, list_bounds(report), describe_ties(report.ties))
    if report.curve:
        _show_curve(page, report.curve)
    for field in report.slices:
        _show_slices(page, report, field)
    if report.gates:
        page.table(GATES_HEAD, list_gate_rows(report), "gates", styles=style_gates(report))
    page.line(format_counts(report.counts))
    for warning in report.warnings:
        page.line(f"warning: {warning}", style="error" if TWO_ID_SPACES in warning else "warning")
    if len(report.per_query) and (worst or not quiet):
        _show_queries(page, report, worst)
    if report.explanation is not None:
        _show_explanation(page, report)
    return page.text()


def _show_explanation(page: Page, report: "Report") -> None:
    """Add the explanation of the worst queries."""
    from groupwise.evaluator.reporting.explanation import show_queries, show_reasons  # noqa: PLC0415  (rarely needed)

    page.line()
    show_reasons(page, report.explanation)
    page.line()
    shown = len(report.explanation.queries)
    page.line(f"{describe_worst(report, shown)}, explained", "bold")
    show_queries(page, report.explanation)


def _show_scores(page: Page, scores: Pivot) -> None:
    """Add the means, in as many tables as the width requires."""
    names = [name for name, _ in scores.rows]
    for shown in split_columns(page.width, ["metric", *names], scores.columns):
        rows = [(name, *map(format_score, values[shown])) for name, values in scores.rows]
        page.table(["metric", *scores.columns[shown]], rows)


def split_columns(width: int, first: Sequence[str], columns: Sequence[str]) -> Iterator[slice]:
    """Yield the columns of each table, so that all of them fit beside the first column."""
    start = 0
    while start < len(columns):
        end = start + max(1, columns_that_fit(width, first, columns[start:]))
        yield slice(start, end)
        start = end


def columns_that_fit(width: int, first: Sequence[str], columns: Sequence[str]) -> int:
    """Return how many columns of scores fit beside the first column.

    Of each column, the widest text is given; a score is wider than a short heading.
    """
    left = width - max(map(cell_len, first))
    for number, text in enumerate(columns):
        left -= len(GAP) + max(cell_len(text), len("0.0000"))
        if left < 0:
            return number
    return len(columns)


def _show_curve(page: Page, curve: "Curve") -> None:
    bars = [BARS[int((value or 0.0) * (len(BARS) - 1))] * 2 for value in curve.complete]
    rows = [(*row, bar) for row, bar in zip(list_points(curve), bars, strict=True)]
    page.table([*CURVE_HEAD, ""], rows)
    page.line(describe_curve(curve))


def _show_slices(page: Page, report: "Report", field: str) -> None:
    """Add the slices of a field, in as many tables as the width requires."""
    heads = list_slice_columns(report)
    first = [shorten(name, LONGEST_ID) for name in (field, *report.slices[field])]
    cells = [found for _, _, found in list_slices(report, field)]
    widest = [max(column, key=cell_len) for column in zip(heads, *cells, strict=True)]
    counted = max(len(queries) for _, queries, _ in list_slices(report, field))
    width = page.width - len(GAP) - max(counted, len("queries"))
    for shown in split_columns(width, first, widest):
        rows = [
            (shorten(name, LONGEST_ID), queries, *cells)
            for name, queries, cells in list_slices(report, field, shown)
        ]
        page.table([first[0], "queries", *heads[shown]], rows[:MOST_SLICES], f"by {first[0]}")
    if len(first) - 1 > MOST_SLICES:
        more = plural(len(first) - 1 - MOST_SLICES, "more slice")
        page.line(f"{more} (--format json)", style="dim")


def _show_queries(page: Page, report: "Report", worst: int | None) -> None:
    """Add the worst queries; all of them if they are few, and no number is asked for."""
    few = worst is None and len(report.per_query) <= FEW_QUERIES
    chosen = list(report.per_query) if few else report.worst(worst or WORST)
    names = list_labels(report)
    ids = [shorten(query, LONGEST_ID) for query in chosen]
    room = max(1, columns_that_fit(page.width, ["query", *ids], names))
    rows = [
        (shown, *(format_cell(report, query, name) for name in names[:room]))
        for shown, query in zip(ids, chosen, strict=True)
    ]
    if not rows:
        return
    page.table(["query", *names[:room]], rows, "" if few else describe_worst(report, len(rows)))
    if room < len(names):
        page.line(f"{plural(len(names) - room, 'more column')} (--format csv)", style="dim")
