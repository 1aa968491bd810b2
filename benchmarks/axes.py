"""What grows: axes, each with the workloads along it."""

from collections.abc import Callable
from dataclasses import dataclass

from benchmarks.measures import SERIES, STANDARD_MEASURES, TO_THE_END, Measures
from benchmarks.workloads import Workload


@dataclass(frozen=True)
class GrowthAxis:
    """A number that grows while all others stay.

    Attributes:
        name: Its name.
        title: What the charts of it are called.
        label: What the numbers count.
        values: The numbers, rising.
        workload: From a number to the data.
        measures: From a number to what is computed.
        quick: The numbers for trying the run itself.
        is_for_files: Whether it is measured from files, too.
    """

    name: str
    title: str
    label: str
    values: tuple[int, ...]
    workload: Callable[[int], Workload]
    measures: Callable[[int], Measures] = lambda _: STANDARD_MEASURES
    quick: tuple[int, ...] = (1, 4)
    is_for_files: bool = True


_WIDTHS = (1, 2, 4, 8, 16, 32)

AXES = {
    axis.name: axis
    for axis in (
        GrowthAxis(
            "queries",
            "Queries",
            "queries, of 10 results each",
            (1_000, 10_000, 100_000, 1_000_000),
            lambda n: Workload(n, 10),
            quick=(100, 400),
        ),
        GrowthAxis(
            "depth",
            "Depth of the rankings",
            "results per query; 1,000 queries, the largest k is 1,000",
            (10, 30, 100, 300, 1_000),
            lambda n: Workload(1_000, n),
            lambda _: TO_THE_END,
            quick=(10, 40),
        ),
        GrowthAxis(
            "groups",
            "Groups per query",
            "groups of 2 alternatives; 1,000 queries of 100 results",
            _WIDTHS,
            lambda n: Workload(1_000, 100, n, 2),
        ),
        GrowthAxis(
            "shared",
            "Groups that share ids",
            "groups of 2 alternatives, one of the next group; 1,000 queries of 100 results",
            _WIDTHS,
            lambda n: Workload(1_000, 100, n, 2, shared=True),
        ),
        GrowthAxis(
            "alternatives",
            "Alternatives per group",
            "alternatives in each of 2 groups; 1,000 queries of 100 results",
            (*_WIDTHS, 64),
            lambda n: Workload(1_000, 100, 2, n),
        ),
        GrowthAxis(
            "metrics",
            "Numbers per query",
            "numbers per query; 1,000 queries of 100 results",
            tuple(SERIES),
            lambda _: Workload(1_000, 100),
            lambda n: SERIES[n],
            quick=(1, 12),
            is_for_files=False,
        ),
    )
}
