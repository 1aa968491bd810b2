"""A view: headings, sentences and tables as HTML, in which every text is escaped."""

from collections.abc import Iterable, Sequence
from itertools import islice

from groupwise.evaluator.reporting.sanitise import html_safe
from groupwise.evaluator.text import cut, plural

ROWS, COLUMNS = 10, 12
"""How much of a table is shown."""
LINES = 200
LONGEST_CELL, LONGEST_LINE = 160, 300
UNBROKEN = 32
"""Up to this length, a cell is kept on one line."""
TABLE = "border-collapse:collapse;margin:.4em 0"
TEXT = "text-align:left;padding:.1em .6em"
NUMBER = "text-align:right;padding:.1em .6em"
PRE = "margin:.4em 0;line-height:1.3;overflow-x:auto"


class View:
    """Collects what a notebook shows of an object, in order.

    Args:
        name: What it is, such as ``Report``.
        about: A sentence about all of it.
    """

    def __init__(self, name: str, about: str) -> None:
        colon = ": " if about else ""
        self._parts = [f"<div><strong>{html_safe(name)}</strong>{colon}{_spell_line(about)}</div>"]

    def line(self, text: str, mark: str = "") -> None:
        """Add a sentence, behind a word in bold."""
        word = f"<strong>{_spell_line(mark)}:</strong> " if mark else ""
        self._parts.append(f"<div>{word}{_spell_line(text)}</div>")

    def warn(self, warnings: Sequence[str]) -> None:
        """Add the first warnings."""
        for warning in warnings[:ROWS]:
            self.line(warning, "Warning")
        self._count_more(len(warnings), "more warning")

    def table(
        self,
        head: Sequence[str],
        rows: Iterable[Sequence[str]],
        *,
        title: str = "",
        texts: Sequence[int] = (0,),
        total: int | None = None,
    ) -> None:
        """Add the beginning of a table.

        Args:
            head: The headings of the columns.
            rows: The cells; no more are taken than are shown.
            title: What the table shows.
            texts: The numbers of the columns that hold texts, from 0; the others hold numbers.
            total: How many rows there are, unless the rows are a sequence.
        """
        if total is None:
            rows = list(rows)
            total = len(rows)
        if title:
            self.line(title)
        styles = [TEXT if column in texts else NUMBER for column in range(len(head))]
        body = "".join(_build_row("td", row, styles) for row in islice(rows, ROWS))
        shown = f"<thead>{_build_row('th', head, styles)}</thead><tbody>{body}</tbody>"
        self._parts.append(f'<table style="{TABLE}">{shown}</table>')
        self._count_more(total, "more row")

    def lines(self, lines: Sequence[str]) -> None:
        """Add lines whose white space matters."""
        text = "\n".join(map(_spell_line, lines[:LINES]))
        self._parts.append(f'<pre style="{PRE}">{text}</pre>')
        self._count_more(len(lines), "more line", LINES)

    def _count_more(self, total: int, noun: str, shown: int = ROWS) -> None:
        if total > shown:
            self.line(f"… and {plural(total - shown, noun)}")

    def html(self) -> str:
        """Return the HTML."""
        return f"<div>{''.join(self._parts)}</div>"


def _spell_line(text: str) -> str:
    return html_safe(cut(text, LONGEST_LINE))


def _build_row(tag: str, cells: Sequence[str], styles: Sequence[str]) -> str:
    """Return a row; one that is too wide ends in an ellipsis."""
    pairs = list(zip(cells, styles, strict=True))
    shown = "".join(_build_cell(tag, cell, style) for cell, style in pairs[:COLUMNS])
    return f"<tr>{shown}{f'<{tag}>…</{tag}>' if len(pairs) > COLUMNS else ''}</tr>"


def _build_cell(tag: str, cell: str, style: str) -> str:
    more = ";white-space:nowrap" if len(cell) <= UNBROKEN else ""
    return f'<{tag} style="{style}{more}">{html_safe(cut(cell, LONGEST_CELL))}</{tag}>'
