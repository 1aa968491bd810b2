"""The section "From Python objects" of the page."""

from collections.abc import Iterator

from benchmarks.engines import ENGINES
from benchmarks.measurements import beside, building, evaluate_only, total
from benchmarks.measures import DEEPEST, NAMES
from benchmarks.objects import read_answers
from benchmarks.rounds import Answers
from benchmarks.store import Store
from benchmarks.tables import format_number, format_spread, table

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
- ranx uses a thread per processor, and its processor time counts them all; hence the column for
  the wall clock. It takes three kinds of input.
  {ranx}
- ranx from Qrels and Run is not run where there are more than a million results: it takes minutes
  and many gigabytes.
- groupwise checks every id; the others do not.
"""


def show_objects(store: Store) -> str:
    """Return the section."""
    answers = {name: read_answers(point) for name, point in store.points.items()}
    return _OBJECTS.format(
        tables="\n\n".join(_show_workload(name, found) for name, found in answers.items()),
        count=len(NAMES),
        deepest=DEEPEST,
        ranx=_find_fastest_ranx(list(answers.values())),
    )


def _show_workload(name: str, answers: Answers) -> str:
    head = ["", "build", "evaluate", "**total**", "total, wall clock", "peak MB"]
    return f"### {name}\n\n{table(head, _list_rows(answers))}"


def _list_rows(answers: Answers) -> Iterator[list[str]]:
    for engine, rounds in answers.items():
        yield [
            ENGINES[engine].label,
            format_number(beside(answers, engine, building).median),
            format_number(beside(answers, engine, evaluate_only).median),
            f"**{format_spread(beside(answers, engine, total))}**",
            format_spread(beside(answers, engine, total, "wall")),
            f"{max(answer.megabytes for answer in rounds):,.0f}",
        ]


def _find_fastest_ranx(measured: list[Answers]) -> str:
    answers = measured[min(1, len(measured) - 1)]
    inputs = [engine for engine in answers if engine.startswith("ranx")]
    if not inputs:
        return "It is not installed here."
    whole = min(inputs, key=lambda engine: beside(answers, engine, total).median)
    given = min(inputs, key=lambda engine: beside(answers, engine, evaluate_only).median)
    return (
        f"The fastest, building included, is *{ENGINES[whole].label}*;\n"
        f"  with the input already built it is *{ENGINES[given].label}*."
    )
