"""A progress bar on standard error, when work is long and a person watches."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING

from groupwise.evaluator.cli import streams

if TYPE_CHECKING:
    from rich.progress import Progress

PATIENCE = 1.0
"""Seconds before the bar appears."""


@contextmanager
def progress(*, quiet: bool = False) -> Iterator[Callable[[int], None] | None]:
    """Yield a function to call with the number of queries done; None where nobody watches."""
    if quiet or not streams.is_terminal(sys.stderr) or os.environ.get("TERM") == "dumb":
        yield None
        return
    bar = Bar()
    try:
        yield bar.show
    finally:
        bar.stop()


class Bar:
    """A progress bar that appears after a while, and leaves nothing behind."""

    def __init__(self) -> None:
        self._start = monotonic()
        self._shown: Progress | None = None

    def show(self, queries: int) -> None:
        """Show how many queries are done."""
        if self._shown is None and monotonic() - self._start > PATIENCE:
            self._shown = _start_bar()
        if self._shown is not None:
            self._shown.update(self._shown.task_ids[0], completed=queries)

    def stop(self) -> None:
        """Remove the bar."""
        if self._shown is not None:
            self._shown.stop()


def _start_bar() -> "Progress":
    from rich.console import Console  # noqa: PLC0415
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn  # noqa: PLC0415

    plain = not streams.has_colour(sys.stderr)
    console = Console(stderr=True, force_terminal=True, no_color=plain)
    text = TextColumn("{task.completed:,} queries")
    shown = Progress(SpinnerColumn(), text, TimeElapsedColumn(), console=console, transient=True)
    shown.add_task("", total=None)
    shown.start()
    return shown
