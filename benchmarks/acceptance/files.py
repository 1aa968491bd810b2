"""From a file: against parsers, with two processes, in bounded memory, validated."""

from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks.acceptance.promise import Promise, at_most, skipped
from benchmarks.clock import ratio, spread
from benchmarks.context import Context
from benchmarks.measurements import list_times
from benchmarks.memory import MEANS_ONLY
from benchmarks.processes import Usage, command, measure_process
from benchmarks.scale import has_jobs
from benchmarks.workloads import LARGE, QUICK, STANDARD, Workload

Measure = Callable[[], Usage]
WHOLE_BOUND, LINES_BOUND, JOBS_BOUND = 0.9, 1.5, 0.55
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
    jsonl, array = context.lines(workload), context.array(workload)
    ways: dict[str, Measure] = {
        "JSONL": lambda: measure_process("report", jsonl),
        "JSON": lambda: measure_process("report", array),
        "validation": lambda: measure_process("validate", jsonl),
        "whole": lambda: measure_process("whole", array),
        "lines": lambda: measure_process("lines", jsonl),
    }
    usage = take_turns(ways, context, f"{workload.name} from files")
    times = {name: list_times(found) for name, found in usage.items()}
    for form in ("JSONL", "JSON"):
        what = f"{form} {workload.name} to report, times orjson.loads"
        yield at_most(f"{what} of the whole file", ratio(times[form], times["whole"]), WHOLE_BOUND)
        yield at_most(f"{what} line by line", ratio(times[form], times["lines"]), LINES_BOUND)
    what = f"validate JSONL {workload.name}, times orjson.loads line by line"
    yield at_most(what, ratio(times["validation"], times["lines"]), VALIDATION_BOUND)


def promise_jobs(context: Context) -> Iterator[Promise]:
    """Yield the wall-clock time of two processes over that of one, as whole commands."""
    workload = choose_workload(context)
    for verb, options in (("evaluate", MEANS_ONLY), ("validate", ())):
        name = f"{verb} JSONL {workload.name}"
        if has_jobs(verb):
            usage = _measure_jobs(verb, context.lines(workload), options, context)
            yield from judge_jobs(name, usage)
        else:
            note = f"`groupwise {verb}` has no option --jobs"
            yield skipped(f"{name}, two jobs over one, wall clock", JOBS_BOUND, note)


def judge_jobs(name: str, usage: dict[str, list[Usage]]) -> Iterator[Promise]:
    """Yield the promises about the usage with one job and with two."""
    one, two = (list_times(usage[jobs], "wall") for jobs in ("1", "2"))
    yield at_most(f"{name}, two jobs over one, wall clock", ratio(two, one), JOBS_BOUND)
    peaks = spread([used.megabytes for used in usage["2"]])
    yield at_most(f"{name}, two jobs, peak MB of a process", peaks, MEGABYTES_BOUND)


def _measure_jobs(
    verb: str, path: Path, options: tuple[str, ...], context: Context
) -> dict[str, list[Usage]]:
    ways = {jobs: _command(verb, path, *options, "--jobs", jobs) for jobs in ("1", "2")}
    return take_turns(ways, context, f"{verb} with jobs")


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
