"""The section "Fixed costs": a start of the interpreter, an import, a command, one query."""

import importlib.util
from pathlib import Path

from benchmarks.clock import Span, Spread, ratio, spread
from benchmarks.context import Context
from benchmarks.engines import ENGINES
from benchmarks.processes import Usage, command, measure_process
from benchmarks.store import Store
from benchmarks.worker import Numbers
from benchmarks.workloads import Workload, complete

BARE = "bare Python"
LIBRARIES = "`import numpy, pydantic, orjson`"
IMPORT, HELP = "`import groupwise`", "`groupwise --help`"
FIRST_NAME = "`from groupwise import evaluate`"
SMALL_JSONL = "`groupwise evaluate` of 3 queries in JSONL"
SMALL_TREC = "`groupwise evaluate` of 3 queries in TREC files"
PEER_TREC = "`ir_measures` of the same TREC files"

Words = tuple[str, ...]
Starts = dict[str, list[Usage]]


def list_commands(data: Path) -> dict[str, Words]:
    """Return the commands to start by name; those of peers that are installed."""
    return {
        BARE: ("-c", "pass"),
        LIBRARIES: ("-c", "import numpy, pydantic, orjson"),
        IMPORT: ("-c", "import groupwise"),
        FIRST_NAME: ("-c", "from groupwise import evaluate"),
        **_list_imports(),
        HELP: ("-m", "groupwise", "--help"),
        **_list_cold_commands(data),
    }


def _list_imports() -> dict[str, Words]:
    modules = [entry.module for name, entry in ENGINES.items() if name != "groupwise"]
    present = [module for module in modules if module and importlib.util.find_spec(module)]
    return {f"`import {module}`": ("-c", f"import {module}") for module in present}


def _list_cold_commands(data: Path) -> dict[str, Words]:
    jsonl, qrels, run = write_small(data)
    evaluate = ("-m", "groupwise", "evaluate")
    trec = (*evaluate, qrels, run, "--profile", "trec", "-m", "ndcg@10")
    commands = {SMALL_JSONL: (*evaluate, jsonl), SMALL_TREC: trec}
    if importlib.util.find_spec("ir_measures"):
        commands[PEER_TREC] = ("-m", "ir_measures", qrels, run, "nDCG@10")
    return commands


def write_small(data: Path) -> tuple[str, str, str]:
    """Write three queries as JSONL, qrels and a run; return the paths."""
    small = data / "small"
    texts = {
        "small.jsonl": '{"id": "q%d", "ground_truth": [["a", "b"], ["c"]], "results": ["a", "x"]}',
        "small.qrels": "q%d 0 a 1",
        "small.run": "q%d Q0 a 1 0.5 tag",
    }
    for name, text in texts.items():
        with complete(small / name) as file:
            file.writelines(f"{text % number}\n" for number in range(3))
    jsonl, qrels, run = (str(small / name) for name in texts)
    return jsonl, qrels, run


def measure_starts(store: Store, context: Context) -> None:
    """Measure starts of processes, then calls for one query."""
    store.keep("starts", _measure_commands, context)
    for workload in context.workloads[:2]:
        key = f"one query of {workload.results} results"
        store.keep(key, _measure_calls, workload, context)


def _measure_commands(context: Context) -> dict[str, list[Numbers]]:
    """Start each command in turn, after one start that warms the disk cache."""
    rounds = context.rounds
    context.say(f"starts, {rounds} rounds")
    commands = list_commands(context.data)
    for words in commands.values():
        command(*words)
    runs = [
        {name: command(*words).numbers for name, words in commands.items()} for _ in range(rounds)
    ]
    return {name: [run[name] for run in runs] for name in commands}


def _measure_calls(workload: Workload, context: Context) -> list[Numbers]:
    """Time a call for the first query of a file and the six metrics, in a loop."""
    context.say(f"one query of {workload.results} results in a loop, {context.rounds} rounds")
    path = context.lines(workload)
    return [measure_process("one-query", path).numbers for _ in range(context.rounds)]


def over_bare(starts: Starts, name: str, clock: str = "cpu") -> Spread:
    """Return the milliseconds that a command adds to bare Python, per round."""
    pairs = zip(_times(starts[name], clock), _times(starts[BARE], clock), strict=True)
    return spread([(time - bare) * 1e3 for time, bare in pairs])


def over_libraries(starts: Starts, name: str) -> Spread:
    """Return the time of a whole process over that of one that imports the libraries."""
    return ratio(_times(starts[name]), _times(starts[LIBRARIES]))


def _times(usages: list[Usage], clock: str = "cpu") -> list[float]:
    return [getattr(usage.span, clock) for usage in usages]


def microseconds(calls: list[Span], clock: str = "cpu") -> Spread:
    """Sum up the calls."""
    return spread([getattr(span, clock) * 1e6 for span in calls])
