"""The section "A million queries" of the page."""

from collections.abc import Iterator

from benchmarks.processes import Usage
from benchmarks.store import Store
from benchmarks.tables import table
from benchmarks.workloads import Workload

_SCALE = """\
## {queries:,} queries

`groupwise evaluate FILE --no-per-query --format json` and `groupwise validate FILE` on a JSONL file
of {name}, {size:.1f} GB, each run once as a whole command:

{table}

Peak memory is that of the largest process.
"""


def show_scale(store: Store) -> str:
    """Return the section."""
    points = dict(store.points)
    workload = Workload(*points.pop("workload"))
    (size,) = points.pop("file")
    head = ["", "s, wall clock", "s, processor time", "µs a query, wall clock", "peak MB"]
    return _SCALE.format(
        queries=workload.queries,
        name=workload.name,
        size=size / 1e9,
        table=table(head, _list_rows(points, workload)),
    )


def _list_rows(points: dict[str, list[float]], workload: Workload) -> Iterator[list[str]]:
    for name, numbers in points.items():
        usage = Usage.read(numbers)
        yield [
            name,
            f"{usage.span.wall:,.1f}",
            f"{usage.span.cpu:,.1f}",
            f"{usage.span.wall / workload.queries * 1e6:.1f}",
            f"{usage.megabytes:,.0f}",
        ]
