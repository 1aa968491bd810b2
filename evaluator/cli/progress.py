"""A progress bar on standard error, when work is long and a person watches.

It shows how many queries are done, how many a second, how much of the files is read, and how long
the rest will take.
"""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING

from groupwise.evaluator.cli import streams

if TYPE_CHECKING:
    from rich.progress import Progress

    from groupwise.evaluator.reading.meter import Meter

PATIENCE = 1.0
"""Seconds before the bar appears."""
PAUSE = 0.1
"""Seconds between two looks at the files."""
KNOWN_SHARE = 0.01
"""How much must be done before the rest is estimated."""


@contextmanager
def progress(
    noun: str = "queries", *, quiet: bool = False
) -> Iterator[Callable[[int], None] | None]:
    """Yield a function to call with the number of queries done; None where nobody watches.

    Args:
        noun: What is counted.
        quiet: Whether to show nothing.
    """
    if quiet or not streams.is_terminal(sys.stderr) or os.environ.get("TERM") == "dumb":
        yield None
        return
    from groupwise.evaluator.reading.meter import metering  # noqa: PLC0415

    with metering() as meter:
        bar = Bar(meter, noun)
        meter.listener = bar.refresh
        try:
            yield bar.show
        finally:
            bar.stop()


class Pace:
    """How fast work goes; where it begins again, as for a second pass, so does the clock."""

    def __init__(self, started: float) -> None:
        self.started = started
        self.count = 0
        self.share = 0.0

    def note(self, count: int, share: float, now: float) -> None:
        """Note how many are done, and which share of the whole that is."""
        if count < self.count or share < self.share:
            self.started = now
        self.count, self.share = count, share

    def describe(self, noun: str, now: float) -> str:
        """Return count, rate, share and time left, as far as they are known."""
        elapsed = max(now - self.started, 1e-9)
        parts = []
        if self.count:
            parts += [f"{self.count:,} {noun}", f"{self.count / elapsed:,.0f}/s"]
        if self.share:
            parts.append(f"{self.share:.0%}")
        if self.share >= KNOWN_SHARE:
            left = round(elapsed * (1 - self.share) / self.share)
            parts.append(f"{left // 3600}:{left // 60 % 60:02}:{left % 60:02} left")
        return ", ".join(parts)


class Bar:
    """A progress bar that appears after a while, and leaves nothing behind."""

    def __init__(self, meter: "Meter", noun: str = "queries") -> None:
        self._meter = meter
        self._noun = noun
        self._start = self._looked = monotonic()
        self._pace = Pace(self._start)
        self._shown: Progress | None = None

    def show(self, count: int) -> None:
        """Show how many are done."""
        now = monotonic()
        begins_again = count < self._pace.count
        if now - self._looked < PAUSE and not begins_again:
            return
        self._looked = now
        self._pace.note(count, self._measure(count), now)
        if self._shown is None and now - self._start > PATIENCE:
            self._shown = _start_bar()
        if self._shown is not None:
            text = self._pace.describe(self._noun, now)
            done = self._pace.share or None
            self._shown.update(
                self._shown.task_ids[0], description=text, completed=done or 0, total=done and 1.0
            )

    def refresh(self) -> None:
        """Show how much is read, where nothing is counted."""
        self.show(self._pace.count)

    def _measure(self, count: int) -> float:
        """Return which share is done: of the queries, if their number is known, or of the bytes."""
        meter = self._meter
        if meter.expected:
            return min(1.0, count / meter.expected)
        return min(1.0, meter.done / meter.total) if meter.total else 0.0

    def stop(self) -> None:
        """Remove the bar."""
        if self._shown is not None:
            self._shown.stop()


def _start_bar() -> "Progress":
    from rich.console import Console  # noqa: PLC0415
    from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn  # noqa: PLC0415

    plain = not streams.has_colour(sys.stderr)
    console = Console(stderr=True, force_terminal=True, no_color=plain)
    text = TextColumn("{task.description}", markup=False)
    shown = Progress(SpinnerColumn(), BarColumn(20), text, console=console, transient=True)
    shown.add_task("", total=None)
    shown.start()
    return shown
