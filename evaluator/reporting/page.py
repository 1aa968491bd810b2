"""A page for a terminal: lines and tables, in colour or plain."""

from collections.abc import Iterable, Mapping, Sequence

from rich.cells import cell_len, set_cell_size

from groupwise.evaluator.reporting.sanitise import tidy
from groupwise.evaluator.text import apply_style, printable

GAP = "   "
NO_STYLES: Mapping[tuple[int, int], str] = {}


class Page:
    """Collects lines and tables; control characters in their text are shown as escapes."""

    def __init__(self, width: int, *, colour: bool = False) -> None:
        self.width = width
        self._colour = colour
        self._lines: list[str] = []

    def line(self, text: str = "", style: str = "") -> None:
        """Add a line of any length; it is not wrapped."""
        self._lines.append(self._paint(printable(text), style))

    def spans(self, parts: Iterable[tuple[str, str]]) -> None:
        """Add a line of parts, each with its style; a blank style is none."""
        self._lines.append("".join(self._paint(printable(text), style) for text, style in parts))

    def table(
        self,
        head: Sequence[str],
        rows: Iterable[Sequence[str]],
        title: str = "",
        bold: Iterable[tuple[int, int]] = (),
        styles: Mapping[tuple[int, int], str] = NO_STYLES,
    ) -> None:
        """Add a table whose first column is text and whose others are numbers.

        Args:
            head: The headings of the columns.
            rows: The cells.
            title: A line above the table.
            bold: The numbers of row and column of cells to emphasise, from 0.
            styles: The styles of cells, likewise.
        """
        cells = [[printable(cell) for cell in row] for row in (head, *rows)]
        widths = fit_columns(
            [max(map(cell_len, column)) for column in zip(*cells, strict=True)], self.width
        )
        first, *others = (_cut_cells(row, widths) for row in cells)
        marked = {**dict.fromkeys(bold, "bold"), **styles}
        self.line()
        if title:
            self.line(title, "bold")
        self._lines += [
            self._join(first, widths, ["bold"] * len(head)),
            "─" * (sum(widths) + len(GAP) * (len(widths) - 1)),
            *(
                self._join(row, widths, _style_row(number, len(head), marked))
                for number, row in enumerate(others)
            ),
        ]
        self.line()

    def _join(self, cells: Sequence[str], widths: Sequence[int], styles: list[str]) -> str:
        """Return a line: the first cell on the left of its column, the others on the right."""
        blanks = [" " * (width - cell_len(cell)) for cell, width in zip(cells, widths, strict=True)]
        plain = [""] * (len(cells) - len(styles))
        first, *others = map(self._paint, cells, [*styles, *plain])
        return GAP.join([first + blanks[0], *map(str.__add__, blanks[1:], others)])

    def _paint(self, text: str, style: str) -> str:
        return apply_style(text, style) if self._colour and style and text else text

    def text(self) -> str:
        """Return the text, without trailing blanks and repeated blank lines."""
        return tidy(self._lines)


def _style_row(number: int, columns: int, styles: Mapping[tuple[int, int], str]) -> list[str]:
    """Return the style of each cell of a row."""
    return ["info", *(styles.get((number, column), "") for column in range(1, columns))]


def fit_columns(widths: Sequence[int], width: int) -> list[int]:
    """Return widths of columns that fit into a line, the widest narrowed first.

    >>> fit_columns([20, 6, 6], 28)
    [10, 6, 6]
    """
    fitted = list(widths)
    room = max(width - len(GAP) * (len(fitted) - 1), len(fitted))
    while sum(fitted) > room:
        fitted[fitted.index(max(fitted))] -= 1
    return fitted


def _cut_cells(cells: Sequence[str], widths: Sequence[int]) -> list[str]:
    """Return the cells, with an ellipsis where they are wider than their columns."""
    texts = [cells[0], *map(str.rstrip, cells[1:])]
    return [
        text if cell_len(text) <= width else f"{set_cell_size(text, width - 1).rstrip()}…"
        for text, width in zip(texts, widths, strict=True)
    ]
