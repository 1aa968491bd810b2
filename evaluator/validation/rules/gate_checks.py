"""ST: whether the data can answer what a gate asks."""

import math
from collections.abc import Iterator, Mapping

from groupwise.evaluator.metrics.names import parse
from groupwise.evaluator.statistics.gates import Gate
from groupwise.evaluator.validation.engine.case import Draft
from groupwise.evaluator.validation.engine.request import Asked
from groupwise.evaluator.validation.rules.gate_rules import MARGIN

CONFIDENT = 1.96
"""Standard errors on each side of a mean that hold it in 95 of 100 cases."""


def gate_checks(asked: Asked, scored: int, bounds: Mapping[str, float | None]) -> Iterator[Draft]:
    """ST001 and ST002 of each gate; a bound is what no ranking exceeds."""
    for gate in asked.gates:
        yield from _too_few(gate, scored)
        label = parse(gate.metric, asked.profile).label
        yield from _unreachable(gate, bounds.get(label))


def queries_needed(target: float) -> int:
    """How many queries make the mean of scores in [0, 1] known within the margin."""
    return math.ceil(target * (1 - target) * (CONFIDENT / MARGIN) ** 2)


def _too_few(gate: Gate, scored: int) -> Iterator[Draft]:
    if not 0 < gate.target < 1 or not scored:
        return
    needed = queries_needed(gate.target)
    if scored < needed:
        margin = CONFIDENT * math.sqrt(gate.target * (1 - gate.target) / scored)
        message = (
            f"{gate}: {scored} queries tell {gate.metric} to ±{margin:.2f} at worst (95 %); "
            f"±{MARGIN:g} needs {needed}"
        )
        yield Draft("ST001", message, value=str(gate))


def _unreachable(gate: Gate, bound: float | None) -> Iterator[Draft]:
    if bound is None or gate.sign not in (">=", ">"):
        return
    reachable = bound > gate.target or (gate.sign == ">=" and bound + 1e-12 >= gate.target)
    if not reachable:
        message = f"{gate} cannot be reached: no ranking scores above {bound:.4f} on these data"
        yield Draft("ST002", message, value=str(gate))
