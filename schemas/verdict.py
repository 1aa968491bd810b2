"""The verdict of a gate: what it requires, what was found, and whether it is passed."""

from typing import Literal

from groupwise.schemas.estimates import MeanInterval
from groupwise.schemas.shape import Shape


class GateVerdict(Shape):
    """A gate, the value that it is about, and whether it is passed.

    ``outcome`` is ``"undecided"`` where there is no value to compare, and ``"unreachable"`` for a
    gate of a preset that no ranking can pass on these data, which does not make the preset fail.
    ``interval`` is there for gates that are not passed, or that are about one of its ends.
    """

    gate: str
    metric: str
    value: float | None
    bound: float | None
    ceiling: float | None = None
    passed: bool
    outcome: Literal["passed", "failed", "unreachable", "undecided"]
    interval: MeanInterval | None = None
    reason: str

    @property
    def fails(self) -> bool:
        """Whether the gate keeps a run from passing."""
        return self.outcome in ("failed", "undecided")

    def __str__(self) -> str:
        if self.outcome == "undecided":
            return f"{self.gate}: {self.reason}"
        return f"{self.gate} {self.outcome}: {self.reason}"
