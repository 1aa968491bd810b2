"""The section "Growth" of the page: a chart and a table for each axis."""

from collections.abc import Iterator
from statistics import median

from benchmarks.axes import AXES, GrowthAxis
from benchmarks.curves import LIMIT, SHOWN, file_key, object_key
from benchmarks.engines import ENGINES
from benchmarks.files import JSONL, LINES, read_usage
from benchmarks.measurements import of_parsing
from benchmarks.objects import read_answers
from benchmarks.plots import list_values
from benchmarks.processes import Usage
from benchmarks.store import Store
from benchmarks.tables import format_number, table
from benchmarks.worker import Answer

_GROWTH = """\
## Growth

One number grows, the others stay. Processor time from Python objects, building included, in
milliseconds, medians of at most 3 rounds; `-`: left out, because an answer took more than {limit:g}
seconds of it, or would have if its time grew as the number does. Where all {deepest} results of the
deepest rankings count (*depth*), no engine leaves out the end of a ranking. pytrec_eval and
ir_measures compute fewer numbers than the others, as said above.

{axes}

### From files

`groupwise.evaluate(path)` on JSONL, report included: nanoseconds of processor time per result, and
in brackets multiples of the time of `orjson.loads` line by line.

![From JSONL to the report](../pictures/growth-files.svg)

{files}
"""


def show_growth(store: Store) -> str:
    """Return the section."""
    axes = [axis for axis in AXES.values() if list_values(store, axis, object_key)]
    return _GROWTH.format(
        limit=store.points[LIMIT],
        deepest=f"{max(AXES['depth'].values):,}",
        axes="\n\n".join(_show_axis(store, axis) for axis in axes),
        files="\n\n".join(_show_files(store, axis) for axis in axes if axis.is_for_files),
    )


def _show_axis(store: Store, axis: GrowthAxis) -> str:
    pictures = [f"![{axis.title}: processor time](../pictures/growth-{axis.name}.svg)"]
    if axis.name == "queries":
        pictures.append("![Queries: peak memory](../pictures/growth-memory.svg)")
    values = list_values(store, axis, object_key)
    head = [axis.label, *(f"{value:,}" for value in values)]
    rows = table(head, _list_rows(store, axis))
    return "\n\n".join([f"### {axis.title}", *pictures, rows])


def _list_rows(store: Store, axis: GrowthAxis) -> Iterator[list[str]]:
    values = list_values(store, axis, object_key)
    points = [read_answers(store.points[object_key(axis, value)]) for value in values]
    for name in SHOWN:
        if any(name in answers for answers in points):
            yield [ENGINES[name].label, *(_format_time(answers.get(name)) for answers in points)]


def _format_time(answers: list[Answer] | None) -> str:
    if answers is None:
        return "-"
    return format_number(median(answer.total.cpu for answer in answers) * 1e3)


def _show_files(store: Store, axis: GrowthAxis) -> str:
    values = list_values(store, axis, file_key)
    cells = [_format_file(store, axis, value) for value in values]
    return table([axis.label, *(f"{value:,}" for value in values)], [["groupwise", *cells]])


def _format_file(store: Store, axis: GrowthAxis, value: int) -> str:
    usage = read_usage(store.points[file_key(axis, value)])
    cost = cost_per_result(usage[JSONL], axis.workload(value).size)
    return f"{cost:,.0f} ({format_number(of_parsing(usage, JSONL, LINES).median)})"


def cost_per_result(usages: list[Usage], results: int) -> float:
    """Return the median nanoseconds of processor time per result."""
    return median(used.span.cpu for used in usages) / results * 1e9
