"""The ratios that are read off measurements."""

from collections.abc import Callable, Sequence

from benchmarks.clock import Span, Spread, ratio
from benchmarks.files import FileUsage
from benchmarks.processes import Usage
from benchmarks.rounds import Answers
from benchmarks.worker import Answer

OURS = "groupwise"
Step = Callable[[Answer], Span]


def total(answer: Answer) -> Span:
    """Both steps of an engine."""
    return answer.total


def evaluate_only(answer: Answer) -> Span:
    """The second step alone: the engine's input is already built."""
    return answer.evaluate


def building(answer: Answer) -> Span:
    """The first step alone."""
    return answer.build


def beside(answers: Answers, engine: str, step: Step, clock: str = "cpu") -> Spread:
    """Return the time of a step of another engine, in multiples of that of groupwise.

    Slow engines take part in the first rounds only.
    """
    theirs = [getattr(step(answer), clock) for answer in answers[engine]]
    ours = [getattr(answer.total, clock) for answer in answers[OURS]]
    return ratio(theirs, ours[: len(theirs)])


def of_parsing(usage: FileUsage, way: str, floor: str) -> Spread:
    """Return the time from a file to the report, in multiples of the time of a parser."""
    return ratio(list_times(usage[way]), list_times(usage[floor]))


def peak(usages: Sequence[Usage]) -> float:
    """The highest memory of some rounds."""
    return max(usage.megabytes for usage in usages)


def list_times(usages: Sequence[Usage], clock: str = "cpu") -> list[float]:
    """Return the time of each round."""
    return [getattr(usage.span, clock) for usage in usages]
