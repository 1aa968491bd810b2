"""Unified diffs of edited files, on standard output."""

from groupwise.evaluator.cli import streams
from groupwise.evaluator.cli.line_diff import unified_diff
from groupwise.evaluator.text import printable

STYLE_OF = {"+": "met", "-": "failed", "@": "dim"}


def show_diff(old: str, new: str, path: str) -> None:
    """Show what an edit changes, sanitised, in colour where there is any."""
    lines = unified_diff(_split_lines(old), _split_lines(new), path)
    streams.say("".join(f"{_paint(printable(line))}\n" for line in lines))


def _split_lines(text: str) -> list[str]:
    return text.replace("\r\n", "\n").removesuffix("\n").split("\n")


def _paint(line: str) -> str:
    return streams.paint(line, STYLE_OF.get(line[:1], ""))
