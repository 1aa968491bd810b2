"""The ratios the project promises, for `--check`; a run is never failed by them otherwise."""

from collections.abc import Iterator
from typing import NamedTuple

from benchmarks import files, starts
from benchmarks.measurements import (
    Measurements,
    Step,
    beside,
    evaluate_only,
    of_parsing,
    peak,
    total,
)
from benchmarks.workloads import Workload

_FLAT = 1.25
"""How much more memory the longest stream may take than the shortest."""


class Promise(NamedTuple):
    """One measured value and its bound."""

    what: str
    value: float
    bound: float
    at_least: bool

    @property
    def kept(self) -> bool:
        """Whether the value is on the right side."""
        return self.value >= self.bound if self.at_least else self.value <= self.bound

    def __str__(self) -> str:
        sign = "≥" if self.at_least else "≤"
        word = "kept  " if self.kept else "MISSED"
        return f"{word} {self.what}: {self.value:.3g} {sign} {self.bound:g}"


def promises(run: Measurements) -> Iterator[Promise]:
    """Yield every promise with its measured value; what was not measured is skipped."""
    middle = list(run.objects)[1]
    yield from _beside_peers(run, middle)
    yield from _from_a_file(run, middle)
    yield from _promise_fixed_costs(run)
    yield from _memory(run)


def _beside_peers(run: Measurements, workload: Workload) -> Iterator[Promise]:
    bounds: dict[str, tuple[Step, str, float]] = {
        "pytrec": (total, "pytrec_eval, input built and evaluated", 5),
        "ranx-dicts": (evaluate_only, "ranx, warm, its input already built", 7),
        "autorag": (total, "AutoRAG's functions", 40),
    }
    answers = run.objects[workload]
    for engine, (step, label, bound) in bounds.items():
        if engine in answers:
            value = beside(answers, engine, step).median
            yield Promise(f"{workload.name}, times slower: {label}", value, bound, at_least=True)


def _from_a_file(run: Measurements, workload: Workload) -> Iterator[Promise]:
    usage = run.files[workload]
    for way in (files.JSONL, files.ARRAY):
        value = of_parsing(usage, way, files.WHOLE).median
        what = f"{workload.name}, {way} to report, of the time of orjson.loads"
        yield Promise(f"{what}, check of keys included", value, 1.5, at_least=False)
        yield Promise(f"{workload.name}, {way}, MB", peak(usage[way]), 100, at_least=False)


def _promise_fixed_costs(run: Measurements) -> Iterator[Promise]:
    for workload, calls in run.one_query.items():
        what = f"one query with {workload.results} results, µs a call"
        yield Promise(what, starts.microseconds(calls).median, 500, at_least=False)
    for name, bound in ((starts.HELP, 100), (starts.IMPORT, 150)):
        value = starts.over_bare(run.starts, name).median
        yield Promise(f"{name}, ms over bare Python", value, bound, at_least=False)


def _memory(run: Measurements) -> Iterator[Promise]:
    peaks = [usage.megabytes for usage in run.memory.values()]
    what = f"memory of the longest stream over the shortest ({max(peaks):.0f} MB)"
    yield Promise(what, peaks[-1] / peaks[0], _FLAT, at_least=False)
