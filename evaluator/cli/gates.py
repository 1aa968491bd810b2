"""Gates: what a score must be for the exit code to be 0."""

from typing import TYPE_CHECKING

from groupwise.evaluator.cli import streams
from groupwise.evaluator.statistics.gates import COMPARISONS, Gate, gate_of

if TYPE_CHECKING:
    from groupwise.schemas import Report


def gate(text: str) -> Gate:
    """A gate of the command line."""
    try:
        return gate_of(text)
    except ValueError as error:
        from argparse import ArgumentTypeError  # noqa: PLC0415

        raise ArgumentTypeError(str(error)) from None


def judged(one: Gate, report: "Report") -> bool | None:
    """Whether a gate holds, told on standard error; None where the metric has no value."""
    from groupwise.evaluator.metrics.names import parse  # noqa: PLC0415

    value = report.scores[parse(one.metric, report.profile).label]
    if value is None:
        streams.note(f"gate {one}: {one.metric} has no value", "error")
        return None
    holds = bool(COMPARISONS[one.sign](value, one.target))
    kind, word = ("met", "holds") if holds else ("failed", "does not hold")
    streams.note(f"gate {one} {word}: {one.metric} is {value!r}", style=kind)
    return holds
