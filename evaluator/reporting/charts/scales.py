"""Scales: round ticks, and from values to places on a page."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from groupwise.evaluator.reporting.charts.figure import Axis

STEPS = (1, 2, 2.5, 5, 10)
WHOLE_STEPS = (1, 2, 5, 10)
LOG_STEPS = (1, 2, 5)


def choose_step(span: float, most: int, steps: Sequence[float] = STEPS) -> float:
    """Return a round distance between ticks, so that at most so many steps cover the span.

    >>> choose_step(1.0, 5), choose_step(7, 4)
    (0.2, 2.0)
    """
    rough = span / most
    power = 10.0 ** math.floor(math.log10(rough))
    found = next(step for step in steps if step * power >= rough * (1 - 1e-9))
    return float(f"{found * power:.6g}")


def build_axis(label: str, low: float, high: float, most: int = 5) -> Axis:
    """Return an axis whose ends are ticks and hold all values; equal values get some room.

    >>> build_axis("score", 0.12, 0.58).ticks
    ((0.1, '0.1'), (0.2, '0.2'), (0.3, '0.3'), (0.4, '0.4'), (0.5, '0.5'), (0.6, '0.6'))
    """
    if not high > low:
        room = abs(low) * 0.5 or 0.5
        low, high = low - room, high + room
    step = choose_step(high - low, most)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    values = [float(f"{number * step:.12g}") for number in range(first, last + 1)]
    ticks = tuple((value, format_tick(value)) for value in values)
    return Axis(label, values[0], values[-1], ticks)


def build_counting_axis(label: str, high: int, low: int = 0, most: int = 5) -> Axis:
    """Return an axis of whole numbers; only those between its ends are ticks.

    >>> build_counting_axis("k", 20, 1).ticks
    ((1, '1'), (5, '5'), (10, '10'), (15, '15'), (20, '20'))
    """
    step = max(1, math.ceil(choose_step(max(high - low, 1), most, WHOLE_STEPS)))
    inner = [number for number in range(step, high + 1, step) if number > low]
    ticks = tuple((number, f"{number:,}") for number in [low, *inner])
    return Axis(label, low, max(high, low + 1), ticks)


def build_log_axis(label: str, low: float, high: float, most: int = 8) -> Axis:
    """Return a logarithmic axis with round ends that hold all values, which are positive.

    >>> build_log_axis("groups", 1, 32).ticks
    ((1.0, '1'), (2.0, '2'), (5.0, '5'), (10.0, '10'), (20.0, '20'), (50.0, '50'))

    If its round numbers are more than so many, only the powers of ten are ticks.
    """
    powers = range(math.floor(math.log10(low)) - 1, math.ceil(math.log10(high)) + 2)
    values = [float(f"{step}e{power}") for power in powers for step in LOG_STEPS]
    first = max(value for value in values if value <= low)
    last = min(value for value in values if value >= high and value > first)
    shown = [value for value in values if first <= value <= last]
    if len(shown) > most:
        shown = [value for value in shown if f"{value:e}".startswith("1.0")]
    ticks = tuple((value, format_tick(value)) for value in shown)
    return Axis(label, first, last, ticks, is_log=True)


def format_tick(value: float) -> str:
    """Return the text of a tick, without digits that say nothing.

    >>> format_tick(0.30000000000000004), format_tick(-0.0), format_tick(12000)
    ('0.3', '0', '12,000')
    """
    shown = f"{value:,.10f}".rstrip("0").rstrip(".") if abs(value) < 1e15 else f"{value:.3g}"
    shown = shown if len(shown) <= 9 else f"{value:.3g}"
    return "0" if shown == "-0" else shown.replace("-", "−")  # noqa: RUF001


@dataclass(frozen=True)
class Scale:
    """From values between two ends to places between two others."""

    low: float
    high: float
    start: float
    end: float
    is_log: bool = False

    def place(self, value: float) -> float:
        """Return the place of a value, which does not leave the ends."""
        if self.is_log:
            share = math.log(max(value, self.low) / self.low) / math.log(self.high / self.low)
        else:
            share = (value - self.low) / (self.high - self.low)
        return self.start + min(max(share, 0.0), 1.0) * (self.end - self.start)


def spread(places: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Return places that are at least a gap apart, in the same order, moved as little as needed.

    >>> spread([10, 12, 40], 10, 0, 50)
    [10, 20, 40]
    """
    order = sorted(range(len(places)), key=lambda number: places[number])
    moved = list(places)
    for before, number in zip([None, *order], order, strict=False):
        least = low if before is None else moved[before] + gap
        moved[number] = max(moved[number], least)
    most = high
    for number in reversed(order):
        moved[number] = min(moved[number], most)
        most = moved[number] - gap
    return moved
