"""ST: whether the data can decide what a gate requires; these rules need ``gates=``."""

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from groupwise.evaluator.text import plural
from groupwise.evaluator.validation.facts.draft import Draft, Place
from groupwise.evaluator.validation.rules.rule import Rule

if TYPE_CHECKING:
    from groupwise.evaluator.validation.facts.session import Session

MARGIN = 0.05
"""How precisely a gate's metric should be known, at 95 % confidence."""

STANDARD_ERRORS = 1.96
"""The half-width of a 95 % confidence interval, in standard errors."""


def check_number_of_queries(session: "Session") -> Iterator[tuple[Draft, Place]]:
    """Report gates whose metric the queries do not determine precisely enough."""
    for gate in session.request.gates:
        if not gate.is_of_all or not 0 < gate.target < 1 or not session.scored:
            continue
        needed = count_needed(gate.target)
        if session.scored < needed:
            variance = gate.target * (1 - gate.target) / session.scored
            margin = STANDARD_ERRORS * math.sqrt(variance)
            message = (
                f"{gate}: with {plural(session.scored, 'query', 'queries')} {gate.metric} is known "
                f"to ±{margin:.2f} at worst (95 %); ±{MARGIN:g} needs {needed:,}"
            )
            yield Draft("ST001", message, value=str(gate)), Place(session.name)


def count_needed(target: float) -> int:
    """Return how many queries determine the mean of scores in [0, 1] within the margin."""
    return math.ceil(target * (1 - target) * (STANDARD_ERRORS / MARGIN) ** 2)


def check_bounds(session: "Session") -> Iterator[tuple[Draft, Place]]:
    """Report gates that no ranking can pass."""
    from groupwise.evaluator.metrics.names import parse  # noqa: PLC0415

    for gate in session.request.gates:
        bound = session.bounds.get(parse(gate.metric, session.request.profile).label)
        if bound is None or not gate.is_of_all or not gate.is_minimum:
            continue
        is_reachable = bound > gate.target or (gate.sign == ">=" and bound + 1e-12 >= gate.target)
        if not is_reachable:
            message = f"{gate} cannot be reached: no ranking scores above {bound:.4f} on these data"
            yield Draft("ST002", message, value=str(gate)), Place(session.name)


RULES = (
    Rule(
        "ST001", "too-few-queries", "warning",
        what=f"There are too few queries to know a gate's metric within {MARGIN:g} at 95 %; the "
             "message says how many the target needs.",
        why="With few queries, chance decides whether the gate passes. A score between 0 and 1 "
            "with mean t has a variance of at most t(1-t), so n queries give 1.96·sqrt(t(1-t)/n).",
        example='--gate "recall@5 >= 0.8" on 20 queries (known to ±0.18 only)',
        instead="246 queries, or a gate on the difference to a baseline run",
        check_session=check_number_of_queries,
    ),
    Rule(
        "ST002", "unreachable-gate", "error",
        what="The gate is above what an ideal ranking scores on these data.",
        why="No retriever can pass it: AutoRAG's MRR of two groups is at most 0.75, recall@1 of "
            "two groups at most 0.5.",
        example='--gate "mrr >= 0.9" on queries of two groups',
        instead='--gate "coverage:mrr >= 0.9"',
        check_session=check_bounds,
    ),
)  # fmt: skip
