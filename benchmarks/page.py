"""The page about a run, docs/explanation/performance.md, written from the measurements alone."""

import os
import platform
import subprocess
import sys
from collections.abc import Iterable, Iterator
from importlib import metadata

from benchmarks import files, starts
from benchmarks.clock import Spread
from benchmarks.engines import ENGINES
from benchmarks.measurements import (
    Measurements,
    beside,
    building,
    evaluate_only,
    of_parsing,
    peak,
    total,
)
from benchmarks.memory import RESULTS
from benchmarks.rounds import Answers
from benchmarks.workloads import CUTOFFS, DEEPEST, METRICS, NAMES, Workload

_PACKAGES = ("groupwise", "numpy", "orjson", "pydantic", "pytrec-eval-terrier", "ranx", "numba",
             "ir-measures", "AutoRAG")  # fmt: skip

_CLOCKS = ("cpu", "wall")

_OPENING = """\
# Performance

<!-- Written by `make bench`; edit benchmarks/page.py, not this file. -->

How fast groupwise is compared with other tools, on the same data, in one run, on one machine.
Compare the ratios rather than the seconds: ratios carry over to other machines, seconds do not.

{versions}

Every ratio is the median of {rounds} rounds, with the lowest and highest round in brackets.
In each round every candidate runs once, in sequence, and ratios are taken between neighbours of the
same round. Times are processor time, summed over all threads, unless a table says otherwise.

The data: UUID-like ids of 36 characters, 1-4 groups of 1-3 alternatives per query, two thirds of
the alternatives somewhere in the ranking. The metrics:
{metrics} at k = {cutoffs},
which makes {count} numbers per query, and their means.

{agreement}
"""

_OBJECTS = """\
## From Python objects

Dicts of lists in, means out. Each engine runs in its own process, is imported and warmed up before
the clock starts (ranx has compiled its code by then, which takes seconds per process and a minute
the very first time), and gets new strings in every round. *Build* is the time to convert the dicts
to the engine's input, *evaluate* is the rest; both are relative to the total time of groupwise.
Averaging over the queries is part of *evaluate* for every engine.

{tables}

For a fair reading:

- Only groupwise and AutoRAG's functions support groups. The others see one flat set of relevant
  documents per query, which is an easier task.
- pytrec_eval computes 22 numbers per query (no F1 and no reciprocal rank at a cutoff), ir_measures
  25 (no F1); the others compute {count}.
- Groupwise and AutoRAG cut the ranking at the largest requested k, {deepest}; pytrec_eval and ranx
  process all results. Where rankings are longer, an extra row shows them with results cut in
  advance; the cutting is then part of their *build*.
- ranx uses {processors} threads here, and its processor time counts them all; hence the column for
  the wall clock. It takes three kinds of input.
  {ranx}
- ranx from Qrels and Run, and ir_measures, are not run on the largest data: they take minutes.
- groupwise checks every id; the others do not.
"""

_FILES = """\
## From a file

One file holds the ground truth and results of every query, as JSONL or as one JSON array. The time
of `groupwise.evaluate(path)`, from opening the file to the finished report with per-query scores,
relative to `orjson`:

{table}

- *Loading whole* is `orjson.loads` of the whole file's bytes, already read: a list of records and
  nothing else. It holds everything in memory and spends much of its time on page faults, which
  flatters streaming readers.
- *Loading by line* is `orjson.loads` of each line, read from the file and discarded: a fairer lower
  bound, since no JSON reader can be faster.
- Peak memory is that of the whole process, including interpreter and libraries, in the worst round.

JSON allows duplicate keys in an object, and `orjson` silently keeps the last. Groupwise rejects
such a file. The check is included in the times above; on its own it takes this share:

{keys}
"""

_FIXED = """\
## Fixed costs

{table}

The first two rows are a loop over `evaluate` for one query with the six metrics, including checks.
"""

_MEMORY = """\
## Memory

`groupwise evaluate FILE --no-per-query --format json` over JSONL with {results} results per query:

{table}

Without `--no-per-query`, the report keeps the scores of every query, and memory grows with them.
"""


def page(run: Measurements) -> str:
    """Write the page."""
    return "\n".join(
        [_opening(run), _objects(run), _files(run), _show_fixed_costs(run), _memory(run)]
    )


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Lay out a Markdown table: the first column is text, the others are numbers."""
    head = list(head)
    rule = ["---", *("---:" for _ in head[1:])]
    return "\n".join(f"| {' | '.join(row)} |" for row in (head, rule, *rows))


def format_spread(value: Spread) -> str:
    """Write a ratio with its spread."""
    return f"{_number(value.median)} ({_number(value.low)}-{_number(value.high)})"


def _number(value: float) -> str:
    decimals = 2 if value < 2 else 1 if value < 10 else 0
    return f"{value:,.{decimals}f}"


def _opening(run: Measurements) -> str:
    return _OPENING.format(
        versions=versions(),
        rounds=run.rounds,
        metrics=", ".join(METRICS),
        cutoffs=", ".join(map(str, CUTOFFS)),
        count=len(NAMES),
        agreement=_agreement(run),
    )


def versions() -> str:
    """Name Python and the packages that are installed, with their versions."""
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return f"Versions: {', '.join([python, *_list_packages()])}; {os.cpu_count()} processors."


def _list_packages() -> Iterator[str]:
    for package in _PACKAGES:
        part = _part() if package == "groupwise" else ""
        try:
            yield f"{package} {metadata.version(package)}{part}"
        except metadata.PackageNotFoundError:
            continue


def _part() -> str:
    """Whether groupwise has its compiled part; asked elsewhere, for this process stays small."""
    script = "from groupwise.evaluator.native.loader import COMPILED; print(COMPILED)"
    said = subprocess.run([sys.executable, "-c", script], check=True, stdout=subprocess.PIPE).stdout
    return " with its compiled part" if said.strip() == b"True" else " without its compiled part"


def _agreement(run: Measurements) -> str:
    if not run.agreement:
        return "The numbers were not compared with AutoRAG's: it is not installed."
    autorag, single, precisions = run.agreement
    return (
        f"Before the clock started, all {autorag.numbers} numbers of {autorag.queries} queries "
        f"agreed with AutoRAG's\nto 1e-9, and those of the tutorial functions where the "
        f"definitions coincide: all {single.numbers} of the {single.queries}\nqueries reduced to "
        f"one relevant document, precision of all {precisions.queries}."
    )


def _objects(run: Measurements) -> str:
    return _OBJECTS.format(
        tables="\n\n".join(_workload(each, answers) for each, answers in run.objects.items()),
        count=len(NAMES),
        deepest=DEEPEST,
        processors=os.cpu_count(),
        ranx=_fastest_ranx(run),
    )


def _workload(workload: Workload, answers: Answers) -> str:
    head = ["", "build", "evaluate", "**total**", "total, wall clock", "peak MB"]
    return f"### {workload.name}\n\n{table(head, _engines(answers))}"


def _engines(answers: Answers) -> Iterator[list[str]]:
    for engine, rounds in answers.items():
        yield [
            ENGINES[engine].label,
            _number(beside(answers, engine, building).median),
            _number(beside(answers, engine, evaluate_only).median),
            f"**{format_spread(beside(answers, engine, total))}**",
            format_spread(beside(answers, engine, total, "wall")),
            f"{max(answer.megabytes for answer in rounds):,.0f}",
        ]


def _fastest_ranx(run: Measurements) -> str:
    answers = list(run.objects.values())[1]
    inputs = [engine for engine in answers if engine.startswith("ranx")]
    if not inputs:
        return "It is not installed here."
    whole = min(inputs, key=lambda engine: beside(answers, engine, total).median)
    given = min(inputs, key=lambda engine: beside(answers, engine, evaluate_only).median)
    return (
        f"The fastest, building included, is *{ENGINES[whole].label}*;\n"
        f"  with the input already built it is *{ENGINES[given].label}*."
    )


def _files(run: Measurements) -> str:
    head = [
        "",
        "times loading whole",
        "times loading by line",
        "peak MB",
        "peak MB of loading whole",
    ]
    ways = (files.JSONL, files.ARRAY)
    rows = (_file_row(each, usage, way) for each, usage in run.files.items() for way in ways)
    return _FILES.format(table=table(head, rows), keys=_keys(run))


def _file_row(workload: Workload, usage: files.FileUsage, way: str) -> list[str]:
    return [
        f"{workload.name}, {way}",
        format_spread(of_parsing(usage, way, files.WHOLE)),
        format_spread(of_parsing(usage, way, files.LINES)),
        f"{peak(usage[way]):,.0f}",
        f"{peak(usage[files.WHOLE]):,.0f}",
    ]


def _keys(run: Measurements) -> str:
    head = ["", "of loading whole", "of loading by line"]
    floors = (files.WHOLE, files.LINES)
    rows = (
        [each.name, *(format_spread(of_parsing(usage, files.KEYS, floor)) for floor in floors)]
        for each, usage in run.files.items()
    )
    return table(head, rows)


def _show_fixed_costs(run: Measurements) -> str:
    head = ["", "processor time", "wall clock", "rounds"]
    return _FIXED.format(table=table(head, [*_calls(run), *_starts(run.starts)]))


def _calls(run: Measurements) -> Iterator[list[str]]:
    for workload, calls in run.one_query.items():
        clocks = (format_spread(starts.microseconds(calls, clock)) for clock in _CLOCKS)
        yield [f"one query of {workload.results} results, µs a call", *clocks, str(len(calls))]


def _starts(measured: starts.Starts) -> Iterator[list[str]]:
    for name, spans in measured.items():
        if name != starts.BARE:
            clocks = (format_spread(starts.over_bare(measured, name, clock)) for clock in _CLOCKS)
            yield [f"{name}, ms over bare Python", *clocks, str(len(spans))]


def _memory(run: Measurements) -> str:
    rows = (
        [f"{count:,}", f"{usage.megabytes:,.0f}", f"{usage.span.cpu / count * 1e6:.1f}"]
        for count, usage in run.memory.items()
    )
    head = ["queries", "peak MB", "µs a query, start included"]
    return _MEMORY.format(results=RESULTS, table=table(head, rows))
