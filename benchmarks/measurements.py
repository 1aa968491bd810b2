"""Everything one run measures, and the ratios that are read off it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from benchmarks.agreement import Checked
from benchmarks.clock import Span, Spread, ratio
from benchmarks.files import FileUsage
from benchmarks.processes import Usage
from benchmarks.rounds import Answers
from benchmarks.starts import Starts
from benchmarks.worker import Answer
from benchmarks.workloads import Workload

OURS = "groupwise"


@dataclass(frozen=True)
class Measurements:
    """The outcome of one run; nothing in it tells when or where it was."""

    rounds: int
    agreement: list[Checked]
    objects: dict[Workload, Answers]
    files: dict[Workload, FileUsage]
    starts: Starts
    one_query: dict[Workload, list[Span]]
    memory: dict[int, Usage]


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
    """Return the time of a step of another engine, in multiples of that of groupwise."""
    theirs = [getattr(step(answer), clock) for answer in answers[engine]]
    ours = [getattr(answer.total, clock) for answer in answers[OURS]]
    return ratio(theirs, ours)


def of_parsing(usage: FileUsage, way: str, floor: str) -> Spread:
    """Return the time from a file to the report, in multiples of the time of a parser."""
    return ratio(_cpu(usage[way]), _cpu(usage[floor]))


def peak(usages: Sequence[Usage]) -> float:
    """The highest memory of some rounds."""
    return max(usage.megabytes for usage in usages)


def _cpu(usages: Sequence[Usage]) -> list[float]:
    return [usage.span.cpu for usage in usages]
