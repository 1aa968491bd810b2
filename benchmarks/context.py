"""What a section of the suite is told: where its data is, how long it may take."""

from dataclasses import dataclass
from pathlib import Path

from benchmarks.rounds import Plan, Say
from benchmarks.workloads import LARGE, QUICK, STANDARD, Workload, write_array, write_jsonl


@dataclass(frozen=True)
class Context:
    """The choices of a run.

    Attributes:
        data: The folder of the data, which is written there when it is first needed.
        rounds: How often everything is measured.
        limit: The seconds of processor time that an engine may take for one answer.
        full: Whether to measure the large data and all points of growth, too.
        quick: Whether to measure small data only, to try the run itself.
        say: Where progress is told.
    """

    data: Path
    rounds: int
    limit: float
    full: bool
    quick: bool
    say: Say

    @property
    def plan(self) -> Plan:
        """How the engines are measured."""
        return Plan(self.rounds, self.limit)

    @property
    def workloads(self) -> tuple[Workload, ...]:
        """The data that is evaluated from Python objects and from files."""
        if self.quick:
            return QUICK
        return (*STANDARD, LARGE) if self.full else STANDARD

    def lines(self, workload: Workload) -> Path:
        """Return the data as JSONL."""
        return write_jsonl(workload, self.data)

    def array(self, workload: Workload) -> Path:
        """Return the data as one JSON array."""
        return write_array(self.lines(workload))
