"""``groupwise demo``: the running example on one screen, from ground truth to six scores."""

import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from groupwise.evaluator.cli import streams
from groupwise.evaluator.cli.guard import DONE
from groupwise.evaluator.cli.usage import parser_of

if TYPE_CHECKING:
    from argparse import ArgumentParser

GROUND_TRUTH = [["test-1", "test-2"], ["test-3"]]
RESULTS = ["test-1", "pred-1", "test-2", "pred-3"]
DESCRIPTION = "Show the whole idea on one screen; --fixture prints its data as a fixture."
EXAMPLE = """\
  $ groupwise demo
  $ groupwise demo --fixture > first.json
"""
WHY = {
    "precision": "2 of 4 results meet a group",
    "recall": "1 of 2 groups is met",
    "f1": "harmonic mean of the two",
    "mrr": "group 1 is met at rank 1, group 2 never: (1/1 + 0) / 2",
    "map": "group 1: (1/1 + 2/3) / 2, group 2: 0; their mean",
    "ndcg": "hits at ranks 1, 3 over hits at ranks 1, 2, 3: 1.5 / 2.1309",
}
NEXT = {
    "groupwise demo --fixture > first.json": "this data as a file",
    "groupwise evaluate first.json -k 1,3": "score it at the cutoffs 1 and 3",
    "groupwise check first.json": "run it as a test",
    "groupwise metrics ndcg": "explain a metric",
}
FIXTURE = """\
{
  "name": "running-example",
  "profile": "autorag",
  "metrics": ["precision", "recall", "f1", "mrr", "map", "ndcg"],
  "queries": [
    {"id": "q1",
     "query": "Which two facts answer this?",
     "ground_truth": [["test-1", "test-2"], ["test-3"]],
     "results": ["test-1", "pred-1", "test-2", "pred-3"]}
  ],
  "expected": {"precision": 0.5, "recall": 0.5, "f1": 0.5, "mrr": 0.5,
               "map": 0.41666666666666663, "ndcg": 0.7039180890341347}
}
"""


def main(arguments: Sequence[str]) -> int:
    """Show the example, or print it as a fixture."""
    words = _parser().parse_args(arguments)
    streams.say(FIXTURE if words.fixture else _build_screen())
    return DONE


def _parser() -> "ArgumentParser":
    parser = parser_of("demo", DESCRIPTION, EXAMPLE, plugins=False)
    parser.add_argument("--fixture", action="store_true", help="print the example as a fixture")
    return parser


def _build_screen() -> str:
    parts = [_show_idea(), _show_ranking(), _show_scores(), _show_next()]
    return "\n".join(parts)


def _show_idea() -> str:
    needed = " and ".join(f"({' or '.join(group)})" for group in GROUND_TRUTH)
    return (
        "A query is answered when every group is met; any alternative meets its group.\n\n"
        f"  {_bold('ground truth')}  {needed}\n"
    )


def _show_ranking() -> str:
    """Return each result with its rank, whether it is a hit, and the group that it meets."""
    from groupwise.evaluator.evaluation.single import hit_vector  # noqa: PLC0415

    hits = hit_vector(GROUND_TRUTH, RESULTS)
    cells = [_join_cells(f"{rank} {name}" for rank, name in enumerate(RESULTS, 1))]
    cells.append(_join_cells(map(str, hits), styles=["met" if hit else "dim" for hit in hits]))
    cells.append(_join_cells(map(_group_met_by, RESULTS)))
    heads = ["results", "hit vector", "meets"]
    lines = [f"  {_bold(f'{head:<12}')}  {row}" for head, row in zip(heads, cells, strict=True)]
    never = "".join(f"  {'':<12}  group {number} is never met\n" for number in _unmet_groups())
    return "".join(f"{line.rstrip()}\n" for line in lines) + never


def _join_cells(texts: Iterable[str], styles: Sequence[str] | None = None) -> str:
    padded = [f"{text:<12}" for text in texts]
    return "".join(
        _paint(text, style) for text, style in zip(padded, styles or [""] * 9, strict=False)
    )


def _group_met_by(result: str) -> str:
    numbers = [number for number, group in enumerate(GROUND_TRUTH, 1) if result in group]
    return f"group {numbers[0]}" if numbers else "-"


def _unmet_groups() -> list[int]:
    return [n for n, group in enumerate(GROUND_TRUTH, 1) if not set(group) & set(RESULTS)]


def _show_scores() -> str:
    from groupwise.evaluator.evaluation.evaluate import evaluate  # noqa: PLC0415

    report = evaluate([GROUND_TRUTH], [RESULTS])
    lines = [
        f"  {name:<11}{_paint(f'{value:.4f}', 'bold')}  {WHY[name]}\n"
        for name, value in report.scores.items()
    ]
    return f"  {_bold(f'metric     value   why (profile {report.profile})')}\n{''.join(lines)}"


def _show_next() -> str:
    lines = [f"  $ {command:<40} {_paint(what, 'dim')}\n" for command, what in NEXT.items()]
    return f"Now type:\n{''.join(lines)}"


def _bold(text: str) -> str:
    return _paint(text, "bold")


def _paint(text: str, style: str) -> str:
    return streams.paint(text, style, sys.stdout)
