"""Lines and tables in colour, or fitted to a narrow terminal, drawn by rich."""

import io
from collections.abc import Iterable, Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from groupwise.evaluator.reporting.sanitise import tidy
from groupwise.evaluator.text import printable


class RichPage:
    """Collects lines and tables as text; nothing in them is read as markup."""

    def __init__(self, width: int, *, colour: bool) -> None:
        self.width = width
        self._text = io.StringIO()
        self._console = Console(
            file=self._text, width=width, height=100, markup=False, emoji=False, highlight=False,
            force_terminal=colour, color_system="standard" if colour else None,
            no_color=not colour, force_jupyter=False, legacy_windows=False,
        )  # fmt: skip

    def line(self, text: str = "", style: str = "") -> None:
        """Add a line of any length; it is not wrapped."""
        self._console.print(Text(printable(text), style), soft_wrap=True)

    def table(self, head: Sequence[str], rows: Iterable[Sequence[str]], title: str = "") -> None:
        """Add a table whose first column is text and whose others are numbers."""
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

    def lines(self) -> list[str]:
        """Return all lines as they were drawn."""
        return self._text.getvalue().splitlines()

    def text(self) -> str:
        """Return the text, without trailing blanks and repeated blank lines."""
        return tidy(self.lines())
