"""Charts of growth, docs/pictures/growth-*.svg, drawn from stored results alone."""

from collections.abc import Callable, Iterable, Sequence
from statistics import median

from benchmarks.axes import AXES, GrowthAxis
from benchmarks.curves import SHOWN, file_key, object_key
from benchmarks.engines import ENGINES
from benchmarks.files import JSONL, LINES, read_usage
from benchmarks.objects import read_answers
from benchmarks.store import Store
from benchmarks.worker import Answer
from groupwise.evaluator.reporting.charts.figure import Figure, Line
from groupwise.evaluator.reporting.charts.scales import build_log_axis
from groupwise.evaluator.reporting.charts.svg import draw_figure

WIDTH = 640
ROLES = {name: f"series_{number}" for number, name in enumerate(SHOWN, 1)}
Points = list[tuple[float, float]]
Read = Callable[[Answer], float]


def draw_growth(store: Store) -> dict[str, str]:
    """Return the charts by name, as the text of SVG files."""
    figures = {
        **{f"growth-{axis.name}": build_time(store, axis) for axis in AXES.values()},
        "growth-memory": build_memory(store, AXES["queries"]),
        "growth-files": build_files(store, AXES["queries"]),
    }
    return {
        name: draw_figure(figure, WIDTH, standalone=True) + "\n"
        for name, figure in figures.items()
        if figure.marks
    }


def build_time(store: Store, axis: GrowthAxis) -> Figure:
    """Return the processor time of every engine along an axis."""
    lines = _build_lines(store, axis, lambda answer: answer.total.cpu)
    return _build_figure(f"{axis.title}: processor time", "seconds", axis, lines)


def build_memory(store: Store, axis: GrowthAxis) -> Figure:
    """Return the peak memory of every engine along an axis."""
    lines = _build_lines(store, axis, lambda answer: answer.megabytes)
    return _build_figure(f"{axis.title}: peak memory of the process", "MB", axis, lines)


def build_files(store: Store, axis: GrowthAxis) -> Figure:
    """Return the processor time from a file, beside that of a parser."""
    usages = {value: read_usage(store.points[file_key(axis, value)])
              for value in list_values(store, axis, file_key)}  # fmt: skip
    names = {JSONL: "groupwise", LINES: "orjson.loads"}
    lines = [
        Line(f"series_{number}", name,
             [(value, median(used.span.cpu for used in usage[way]))
              for value, usage in usages.items()])
        for number, (way, name) in enumerate(names.items(), 1)
    ]  # fmt: skip
    return _build_figure(f"{axis.title}: from JSONL to the report", "seconds", axis, lines)


def list_values(
    store: Store, axis: GrowthAxis, key: Callable[[GrowthAxis, int], str]
) -> Sequence[int]:
    """Return the numbers along an axis that were measured."""
    values = sorted({*axis.values, *axis.quick})
    return [value for value in values if key(axis, value) in store.points]


def _build_lines(store: Store, axis: GrowthAxis, read: Read) -> list[Line]:
    points: dict[str, Points] = {name: [] for name in SHOWN}
    for value in list_values(store, axis, object_key):
        for name, found in read_answers(store.points[object_key(axis, value)]).items():
            points[name].append((value, median(map(read, found))))
    return [
        Line(ROLES[name], ENGINES[name].curve or name, reached)
        for name, reached in points.items()
        if reached
    ]


def _build_figure(title: str, unit: str, axis: GrowthAxis, lines: list[Line]) -> Figure:
    places = [place for line in lines for place in line.points] or [(1.0, 1.0)]
    columns = [x for x, _ in places], [y for _, y in places]
    x, y = (build_log_axis(label, min(values), max(values))
            for label, values in zip((axis.label, unit), columns, strict=True))  # fmt: skip
    return Figure(title, summarise(lines, unit), x, y, lines)


def summarise(lines: Iterable[Line], unit: str) -> str:
    """Say in words where each line ends; those that were left out end earlier.

    >>> lines = [Line("series_1", "a", [(1, 2), (1000, 0.5)]), Line("series_2", "b", [(1, 3)])]
    >>> summarise(lines, "seconds")
    'At 1,000: a 0.5 seconds. At 1: b 3 seconds. Both axes are logarithmic.'
    """
    ends: dict[float, list[str]] = {}
    for line in lines:
        x, y = line.points[-1]
        ends.setdefault(x, []).append(f"{line.name} {y:,.3g}")
    parts = [f"At {x:,.12g}: {', '.join(ends[x])} {unit}." for x in sorted(ends, reverse=True)]
    return " ".join([*parts, "Both axes are logarithmic."])
