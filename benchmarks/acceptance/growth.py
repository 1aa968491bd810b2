"""From files: how costs grow with depth, queries, groups and alternatives."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from benchmarks.acceptance.promise import Promise, at_most
from benchmarks.clock import Spread, ratio, spread
from benchmarks.context import Context
from benchmarks.measures import STANDARD_MEASURES, TO_THE_END, Measures
from benchmarks.processes import measure_process
from benchmarks.workloads import Workload

Times = dict[int, list[float]]
SAME = 1.05
"""Cost per result may rise by this much from one depth to the next: noise."""
WIDTHS = (1, 2, 4, 8, 16, 32)


@dataclass(frozen=True)
class Line:
    """Costs along an axis.

    Attributes:
        what: What is promised.
        workloads: The data, by the number that grows.
        bound: The bound of what `judge` returns.
        judge: From the seconds of each round, by the number, to the value that is promised.
        measures: What is computed.
    """

    what: str
    workloads: dict[int, Workload]
    bound: float
    judge: Callable[[Times, dict[int, Workload]], Spread]
    measures: Measures = STANDARD_MEASURES


def promise_growth(context: Context) -> Iterator[Promise]:
    """Yield the growth of each line."""
    for line in list_lines(quick=context.quick):
        yield at_most(line.what, line.judge(_measure(line, context), line.workloads), line.bound)


def _measure(line: Line, context: Context) -> Times:
    """Return the processor time of each round, by the number that grows; the files are not kept."""
    paths = {number: context.lines(workload) for number, workload in line.workloads.items()}
    times: Times = {number: [] for number in paths}
    for count in range(1, context.rounds + 1):
        context.say(f"{line.what}, round {count} of {context.rounds}")
        for number, path in paths.items():
            usage = measure_process("report", path, line.measures.names)
            times[number].append(usage.span.cpu)
    for path in paths.values():
        path.unlink()
    return times


def list_lines(*, quick: bool) -> list[Line]:
    """Return what is measured: a million results each, at different depths; then other shapes."""
    size, queries = (20_000, 50) if quick else (2_000_000, 10_000)
    depths = (10, 30, 100, 300, 1_000)
    counts = (100, 1_000) if quick else (10_000, 100_000, 1_000_000)
    return [
        Line(
            "files: cost per result, largest rise from one depth to the next (10 … 1,000)",
            {depth: Workload(size // depth, depth) for depth in depths},
            SAME,
            judge_cost,
            TO_THE_END,
        ),
        Line(
            f"files: cost per query, highest over lowest from {counts[0]:,} to {counts[-1]:,}",
            {count: Workload(count, 10) for count in counts},
            1.25,
            judge_evenness,
        ),
        _list_doublings("groups", lambda n: Workload(queries, 100, n, 2)),
        _list_doublings(
            "groups that share ids", lambda n: Workload(queries, 100, n, 2, shared=True)
        ),
        _list_doublings("alternatives", lambda n: Workload(queries, 100, 2, n), (*WIDTHS, 64)),
        _list_doublings(
            "alternatives, one of them shared",
            lambda n: Workload(queries, 100, 2, n, shared=True),
            (*WIDTHS[1:], 64),
        ),
    ]


def _list_doublings(
    what: str, workload: Callable[[int], Workload], widths: Sequence[int] = WIDTHS
) -> Line:
    text = f"files: time with twice as many {what}, at most ({widths[0]} … {widths[-1]})"
    return Line(text, {width: workload(width) for width in widths}, 2.0, judge_doubling)


def judge_cost(times: Times, workloads: dict[int, Workload]) -> Spread:
    """Return the largest rise of the cost per result from one point to the next."""
    return _find_largest_rise(
        [[time / workloads[number].size for time in rounds] for number, rounds in times.items()]
    )


def judge_doubling(times: Times, _workloads: dict[int, Workload]) -> Spread:
    """Return the largest rise of the time from one point to the next."""
    return _find_largest_rise([*times.values()])


def judge_evenness(times: Times, workloads: dict[int, Workload]) -> Spread:
    """Return the highest cost per query over the lowest, in each round."""
    costs = [
        [time / workloads[number].queries for time in rounds] for number, rounds in times.items()
    ]
    return spread([max(each) / min(each) for each in zip(*costs, strict=True)])


def _find_largest_rise(series: Sequence[Sequence[float]]) -> Spread:
    """Return the rise with the highest median, between neighbours, round by round."""
    return max(ratio(large, small) for small, large in pairwise(series))
