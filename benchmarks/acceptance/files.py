"""From a file: against parsers, in bounded memory, validated."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks.acceptance.promise import Promise, at_most, shown
from benchmarks.clock import Span, ratio, spread
from benchmarks.context import Context
from benchmarks.measurements import list_times
from benchmarks.memory import MEANS_ONLY
from benchmarks.processes import Usage, command, measure_process
from benchmarks.workloads import LARGE, QUICK, STANDARD, Workload

Measure = Callable[[], Usage]
WHOLE_BOUND, LINES_BOUND = 0.9, 1.5
MEGABYTES_BOUND, VALIDATION_BOUND = 100.0, 2.2


def choose_workload(context: Context) -> Workload:
    """Return the data of these promises."""
    return QUICK[1] if context.quick else LARGE


def take_turns(ways: dict[str, Measure], context: Context, what: str) -> dict[str, list[Usage]]:
    """Measure every way once in each round."""
    usage: dict[str, list[Usage]] = {name: [] for name in ways}
    for number in range(1, context.rounds + 1):
        context.say(f"{what}, round {number} of {context.rounds}")
        for name, measure in ways.items():
            usage[name].append(measure())
    return usage


def promise_files(context: Context) -> Iterator[Promise]:
    """Yield the time to a report, and of validation, over that of two ways to parse."""
    workload = choose_workload(context)
    yield from _promise_beside_whole(workload, context)
    yield from _promise_beside_lines(workload, context)


def _promise_beside_whole(workload: Workload, context: Context) -> Iterator[Promise]:
    """Yield the time to a report over that of loading all; each in a process, since it is large."""
    jsonl, array = context.lines(workload), context.array(workload)
    ways: dict[str, Measure] = {
        "JSONL": lambda: measure_process("report", jsonl),
        "JSON": lambda: measure_process("report", array),
        "whole": lambda: measure_process("whole", array),
    }
    usage = take_turns(ways, context, f"{workload.name} from files")
    for form in ("JSONL", "JSON"):
        what = f"{form} {workload.name} to report, times orjson.loads of the whole file"
        times = (list_times(usage[name]) for name in (form, "whole"))
        yield at_most(what, ratio(*times), WHOLE_BOUND)


def _promise_beside_lines(workload: Workload, context: Context) -> Iterator[Promise]:
    """Yield the time to a report, and of validation, over that of parsing, all in one process.

    Lines are parsed as people write it, with the buffer that Python chooses; what it would be with
    a large one is shown as well.
    """
    jsonl, array = str(context.lines(workload)), str(context.array(workload))
    words = ["lines-by-default", jsonl, "lines", jsonl]
    words += ["report", jsonl, "report", array, "validate", jsonl]
    context.say(f"{workload.name} beside parsing line by line, {context.rounds} rounds")
    found = [[span.cpu for span in way] for way in measure_beside(context.rounds, *words)]
    lines, buffered, *others = found
    names = ("JSONL {} to report", "JSON {} to report", "validate JSONL {}")
    bounds = (LINES_BOUND, LINES_BOUND, VALIDATION_BOUND)
    for name, times, bound in zip(names, others, bounds, strict=True):
        what = f"{name.format(workload.name)}, times orjson.loads line by line"
        yield at_most(f"{what}, in one process", ratio(times, lines), bound)
        yield shown(f"{what} from a buffer of 256 KiB", ratio(times, buffered))


def measure_beside(rounds: int, *words: str) -> list[list[Span]]:
    """Run `benchmarks.acceptance.beside`: the times of each way, by round."""
    command = [sys.executable, "-m", "benchmarks.acceptance.beside", str(rounds), *words]
    output = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout
    return [[Span(*span) for span in way] for way in zip(*json.loads(output), strict=True)]


def promise_memory(context: Context) -> Iterator[Promise]:
    """Yield the peak memory of the command on a short and on a long file."""
    sizes = QUICK[:2] if context.quick else (STANDARD[1], LARGE)
    for workload in sizes:
        paths = {"JSONL": context.lines(workload), "JSON": context.array(workload)}
        for form, path in paths.items():
            context.say(f"memory of {form} {workload.name}")
            peaks = spread([_command("evaluate", path, *MEANS_ONLY)().megabytes])
            what = f"evaluate --no-per-query, {form} {workload.name}, peak MB"
            yield at_most(what, peaks, MEGABYTES_BOUND)


def _command(verb: str, path: Path, *options: str) -> Measure:
    return lambda: command("-m", "groupwise", verb, str(path), *options)
