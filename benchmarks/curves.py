"""The section "Growth": every engine along each axis, from Python objects and from files.

An engine that has become too slow is left out from there on.
"""

from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from benchmarks.axes import AXES, GrowthAxis
from benchmarks.context import Context
from benchmarks.engines import ENGINES
from benchmarks.files import JSONL, LINES, write_usage
from benchmarks.objects import write_answers
from benchmarks.processes import measure_process
from benchmarks.rounds import Plan, measure
from benchmarks.store import Store
from benchmarks.worker import Answer, Numbers
from benchmarks.workloads import Workload

Point = dict[str, list[Numbers]]
MOST_ROUNDS = 3
"""From Python objects; from files it is as many as told."""
LIMIT = "seconds an answer may take"
SHOWN = tuple(name for name, entry in ENGINES.items() if entry.curve)


def measure_growth(store: Store, context: Context) -> None:
    """Measure along each axis."""
    store.keep(LIMIT, lambda: context.limit)
    for axis in AXES.values():
        _measure_axis(store, context, axis)
        if axis.is_for_files:
            for value in find_values(axis, context):
                store.keep(file_key(axis, value), _measure_file, axis, value, context)


def find_values(axis: GrowthAxis, context: Context) -> tuple[int, ...]:
    """Return the numbers along an axis."""
    return axis.quick if context.quick else axis.values


def object_key(axis: GrowthAxis, value: int) -> str:
    """Return the key of a point from Python objects."""
    return f"{axis.name} {value}"


def file_key(axis: GrowthAxis, value: int) -> str:
    """Return the key of a point from a file."""
    return f"{axis.name} {value}, file"


def _measure_axis(store: Store, context: Context, axis: GrowthAxis) -> None:
    engines: Sequence[str] = SHOWN
    values = find_values(axis, context)
    for value, following in pairwise([*values, values[-1]]):
        key = object_key(axis, value)
        point: Point = store.keep(key, _measure_objects, axis, value, engines, context)
        engines = select_fast(point, engines, following / value, context.limit)


def select_fast(
    point: Point, engines: Sequence[str], growth: float, limit: float
) -> tuple[str, ...]:
    """Return the engines that will answer in time if their time grows as the axis does."""
    expected = {name: growth * median(map(_add_times, rows)) for name, rows in point.items()}
    return tuple(name for name in engines if expected.get(name, limit + 1) <= limit)


def _add_times(numbers: Numbers) -> float:
    """Return the processor time of both steps."""
    return Answer.read(numbers).total.cpu


def _measure_objects(
    axis: GrowthAxis, value: int, engines: Sequence[str], context: Context
) -> Point:
    workload = axis.workload(value)
    context.say(f"growth of {axis.name}: {value:,}")
    rounds = min(context.rounds, MOST_ROUNDS)
    plan = Plan(rounds, context.limit, axis.measures(value))
    path = context.lines(workload)
    return write_answers(measure(workload, path, plan, context.say, engines))


def _measure_file(axis: GrowthAxis, value: int, context: Context) -> Point:
    names = axis.measures(value).names
    return measure_file(axis.workload(value), names, context)


def measure_file(workload: Workload, names: Sequence[str], context: Context) -> Point:
    """Measure a report from JSONL, and the parsing of its lines, in turn."""
    path = context.lines(workload)
    context.say(f"{workload.name} from a file, {context.rounds} rounds")
    rounds = [
        (measure_process("report", path, names), measure_process("lines", path))
        for _ in range(context.rounds)
    ]
    ours, floor = ([pair[number] for pair in rounds] for number in range(2))
    return write_usage({JSONL: ours, LINES: floor})
