"""Markdown tables, and numbers in them."""

from collections.abc import Iterable

from benchmarks.clock import Spread


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Lay out a Markdown table: the first column is text, the others are numbers."""
    head = list(head)
    rule = ["---", *("---:" for _ in head[1:])]
    return "\n".join(f"| {' | '.join(row)} |" for row in (head, rule, *rows))


def format_spread(value: Spread) -> str:
    """Write a ratio with its spread."""
    return f"{format_number(value.median)} ({format_number(value.low)}-{format_number(value.high)})"


def format_number(value: float) -> str:
    """Write a number with as many decimals as it deserves."""
    decimals = 2 if value < 2 else 1 if value < 10 else 0
    return f"{value:,.{decimals}f}"
