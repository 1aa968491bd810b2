"""A comparison for people: tables of a given width, in colour or plain.

The best mean of a metric is bold and has an asterisk, so that it is seen without colour as well.
"""

from collections.abc import Iterator, Sequence

from rich.cells import cell_len

from groupwise.evaluator.reporting.comparison.sections import Cell, Section, build_sections
from groupwise.evaluator.reporting.comparison.wording import (
    BEST,
    LEGEND,
    describe_counts,
    describe_intervals,
    describe_test,
)
from groupwise.evaluator.reporting.explained import show_text
from groupwise.evaluator.reporting.page import GAP, Page
from groupwise.evaluator.reporting.profile import describe_profile, matching_of
from groupwise.evaluator.text import shorten
from groupwise.schemas.comparison import Comparison

PLAIN_WIDTH = 100
LONGEST_NAME = 32
LONGEST_PAIR = 24
"""Pairs with longer names are shown by the letters of the runs."""


def render(
    comparison: Comparison,
    width: int = PLAIN_WIDTH,
    *,
    colour: bool = False,
    quiet: bool = False,
    explain: int | None = None,
) -> str:
    """Return the comparison as tables; numbers are rounded for display only.

    Args:
        comparison: The comparison.
        width: The number of columns.
        colour: Whether to use colour.
        quiet: Whether to show the runs and the test only.
        explain: How many of the largest gains and losses to show, of each pair and metric; None: a
            few, of the first metric, if there are few pairs.
    """
    page = Page(width, colour=colour)
    profile = describe_profile(comparison.profile, matching_of(comparison.provenance))
    page.line(f"{profile}; {describe_counts(comparison)}", style="bold")
    first, *others = build_sections(comparison, explain)
    _show_runs(page, first)
    for line in _list_captions(comparison):
        page.line(line)
    for warning in comparison.warnings:
        page.line(f"warning: {warning}", style="warning")
    for section in () if quiet else others:
        _show(page, section)
    return page.text()


def _list_captions(comparison: Comparison) -> Iterator[str]:
    yield f"{BEST} best mean; {LEGEND}"
    yield f"test: {describe_test(comparison)}"
    yield describe_intervals(comparison)


def _show(page: Page, section: Section) -> None:
    if section.kind == "runs":
        _show_runs(page, section)
    elif section.rows:
        _show_table(page, section)
    else:
        _show_notes(page, section)


def _show_table(page: Page, section: Section) -> None:
    rows = [
        [first, *(cell.text for cell in row[1:])]
        for first, row in zip(_name_rows(section), section.rows, strict=True)
    ]
    head = [shorten(name, LONGEST_NAME) for name in section.head]
    page.table(head, rows, section.title, bold=_find_best(section.rows))
    for row, verdict in zip(section.rows, section.verdicts, strict=False):
        page.line(f"{row[0].text}: {verdict}")
    _show_details(page, section)
    _show_notes(page, section)


def _show_details(page: Page, section: Section) -> None:
    for row, details in zip(section.rows, section.details, strict=False):
        name = shorten(row[0].text, LONGEST_NAME)
        text = show_text(details.text, page.width - len(name) - 2) if details.text else ""
        page.line(f"{name}: {text}".rstrip())
        for line in details.lines:
            page.line(f"  {line}")


def _name_rows(section: Section) -> list[str]:
    """Return the first cells of a table, all of them short if one of them is too long."""
    names = [row[0].text for row in section.rows]
    if section.short and max(map(cell_len, names)) > LONGEST_PAIR:
        return list(section.short)
    return [shorten(name, LONGEST_NAME) for name in names]


def _find_best(rows: Sequence[Sequence[Cell]]) -> list[tuple[int, int]]:
    """Return the row and the column of each cell to emphasise."""
    return [
        (number, column)
        for number, row in enumerate(rows)
        for column, cell in enumerate(row)
        if cell.is_best
    ]


def _show_notes(page: Page, section: Section) -> None:
    for note in section.notes:
        page.line(note)


def _show_runs(page: Page, section: Section) -> None:
    """Add the means, in as many tables as the width requires."""
    names = [f"{letter.text} {shorten(run.text, LONGEST_NAME)}" for letter, run, *_ in section.rows]
    means = zip(*(row[2:] for row in section.rows), strict=True)
    columns = [_spell_means(column) for column in means]
    title = section.title
    for start, end in _split_columns(page.width, names, section.head[2:], columns):
        rows = [[*row] for row in zip(names, *columns[start:end], strict=True)]
        best = _find_best([[row[1], *row[2 + start : 2 + end]] for row in section.rows])
        page.table(["run", *section.head[2 + start : 2 + end]], rows, title, bold=best)
        title = ""
    _show_notes(page, section)


def _split_columns(
    width: int, names: Sequence[str], heads: Sequence[str], columns: Sequence[Sequence[str]]
) -> Iterator[tuple[int, int]]:
    """Yield where columns that fit beside the names begin and end, one at least."""
    left = room = width - max(map(cell_len, names))
    start = 0
    for number, (head, cells) in enumerate(zip(heads, columns, strict=True)):
        size = len(GAP) + max(map(cell_len, (head, *cells)))
        if number > start and size > left:
            yield start, number
            start, left = number, room
        left -= size
    yield start, len(heads)


def _spell_means(cells: Sequence[Cell]) -> list[str]:
    """Return means with their marks, intervals and letters, each part in a column of its own."""
    parts = [(_mark(cell), cell.letters, cell.interval) for cell in cells]
    widths = [max(map(len, texts)) for texts in zip(*parts, strict=True)]
    return [
        " ".join(text.ljust(width) for text, width in zip(texts, widths, strict=True) if width)
        for texts in parts
    ]


def _mark(cell: Cell) -> str:
    return f"{cell.text}{BEST if cell.is_best else ' '}"
