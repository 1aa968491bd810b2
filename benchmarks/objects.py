"""The section "From Python objects": every engine on every workload."""

from benchmarks.context import Context
from benchmarks.rounds import Answers, measure
from benchmarks.store import Store
from benchmarks.worker import Answer, Numbers
from benchmarks.workloads import Workload


def measure_objects(store: Store, context: Context) -> None:
    """Measure the engines on each workload."""
    for workload in context.workloads:
        store.keep(workload.name, _measure, workload, context)


def _measure(workload: Workload, context: Context) -> dict[str, list[Numbers]]:
    path = context.lines(workload)
    return write_answers(measure(workload, path, context.plan, context.say))


def write_answers(answers: Answers) -> dict[str, list[Numbers]]:
    """Return answers as they are stored."""
    return {engine: [answer.numbers for answer in found] for engine, found in answers.items()}


def read_answers(stored: dict[str, list[Numbers]]) -> Answers:
    """Return stored answers."""
    return {engine: [Answer.read(numbers) for numbers in rows] for engine, rows in stored.items()}
