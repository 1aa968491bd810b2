"""A promise: a measured value beside its bound."""

import math
from typing import Any, NamedTuple

from benchmarks.clock import Spread


class Promise(NamedTuple):
    """A measured value, the lowest and highest of its rounds, and its bound.

    Attributes:
        what: What is measured, with its unit.
        value: The median.
        low: The lowest round.
        high: The highest round.
        bound: What is promised; infinite if a value is only shown beside another one.
        at_least: Whether the bound is the least, not the most.
        note: Why nothing was measured; the numbers say nothing then.
    """

    what: str
    value: float
    low: float
    high: float
    bound: float
    at_least: bool = False
    note: str = ""

    @property
    def is_kept(self) -> bool:
        """Whether the value is on the right side; what was not measured breaks no promise."""
        if self.note:
            return True
        return self.value >= self.bound if self.at_least else self.value <= self.bound

    @property
    def sign(self) -> str:
        """The bound as people write it."""
        if math.isinf(self.bound):
            return ""
        return f"{'≥' if self.at_least else '≤'} {self.bound:g}"

    @property
    def verdict(self) -> str:
        """Whether it is kept, in a word."""
        if self.note or math.isinf(self.bound):
            return "skipped" if self.note else "shown"
        return "kept" if self.is_kept else "MISSED"

    def __str__(self) -> str:
        found = self.note or f"{self.value:.3g} ({self.low:.3g}-{self.high:.3g})"
        return f"{self.verdict:7} {self.what}: {found} {self.sign}".rstrip()


def at_most(what: str, found: Spread, bound: float) -> Promise:
    """Promise that a value is not above a bound."""
    return Promise(what, found.median, found.low, found.high, bound)


def at_least(what: str, found: Spread, bound: float) -> Promise:
    """Promise that a value is not below a bound."""
    return Promise(what, found.median, found.low, found.high, bound, at_least=True)


def shown(what: str, found: Spread) -> Promise:
    """Show a value that nothing is promised about."""
    return at_most(what, found, math.inf)


def skipped(what: str, bound: float, note: str) -> Promise:
    """A promise that cannot be measured here."""
    return Promise(what, 0, 0, 0, bound, note=note)


def read_promises(rows: list[list[Any]]) -> list[Promise]:
    """Return stored promises."""
    return [Promise(*row) for row in rows]
