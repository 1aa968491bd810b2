"""Unified diffs of edited files, on standard output."""

from groupwise.evaluator.cli import streams
from groupwise.evaluator.reporting.diff import list_diff

STYLE_OF = {"+": "met", "-": "failed", "@": "dim", "…": "dim"}


def show_diff(old: str, new: str, path: str, most: int | None = None) -> None:
    """Show what an edit changes, sanitised, in colour where there is any.

    Args:
        old: The text before.
        new: The text after.
        path: The name of the file.
        most: How many lines to show, the long ones cut around their change; None: all of it.
    """
    lines = list_diff(old, new, path, most)
    streams.say("".join(f"{_paint(line)}\n" for line in lines))


def _paint(line: str) -> str:
    return streams.paint(line, STYLE_OF.get(line[:1], ""))
