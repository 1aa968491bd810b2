"""``groupwise demo``: the running example on one screen, from ground truth to six scores."""

import re
from collections.abc import Sequence

from groupwise.evaluator.cli import streams
from groupwise.evaluator.cli.arguments import CommandParser
from groupwise.evaluator.cli.guard import DONE
from groupwise.evaluator.cli.retrievers import write_retrievers

GROUND_TRUTH = [["test-1", "test-2"], ["test-3"]]
RESULTS = ["test-1", "pred-1", "test-2", "pred-3"]
DESCRIPTION = """\
Show the whole idea on one screen; --fixture prints its data as a fixture.
--retrievers writes real data to compare: 250 questions, and the results of four
retrievers."""
EXAMPLE = """\
  $ groupwise demo
  $ groupwise demo --fixture > first.json
  $ groupwise demo --retrievers demo
"""
WHY = {
    "precision": "2 of 4 results meet a group",
    "recall": "1 of 2 groups is met",
    "f1": "harmonic mean of the two",
    "mrr": "group 1 is met at rank 1, group 2 never: (1/1 + 0) / 2",
    "map": "group 1: (1/1 + 2/3) / 2, group 2: 0; their mean",
    "ndcg": "hits at ranks 1, 3 over hits at ranks 1, 2, 3: 1.5 / 2.1309",
}
SCREEN = """\
A query is answered when every group is met; any alternative meets its group.

  *ground truth*  (test-1 or test-2) and (test-3)

  *results*       1 test-1    2 pred-1    3 test-2    4 pred-3
  *hit vector*    {hits}
  *meets*         group 1     -           group 1     -
                group 2 is never met

  *metric     value   why (profile autorag)*
{scores}
Now type:
  $ groupwise demo --fixture > first.json    this data as a file
  $ groupwise evaluate first.json -k 1,3     score it at the cutoffs 1 and 3
  $ groupwise check first.json               run it as a test
  $ groupwise metrics ndcg                   explain a metric
  $ groupwise inspect first.json             what a file is: try your own
  $ groupwise demo --retrievers demo         four real retrievers to compare
"""
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
    """Show the example, print it as a fixture, or write the data of four retrievers."""
    words = _parser().parse_words(arguments)
    if words.retrievers is not None:
        write_retrievers(words.retrievers)
    else:
        streams.say(FIXTURE if words.fixture else _build_screen())
    return DONE


def _parser() -> CommandParser:
    parser = CommandParser("demo", DESCRIPTION, EXAMPLE, plugins=False)
    choice = parser.add_mutually_exclusive_group()
    choice.add_argument("--fixture", action="store_true", help="print the example as a fixture")
    choice.add_argument("--retrievers", metavar="DIR",
        help="write ground truth and the runs of four retrievers into a folder")  # fmt: skip
    return parser


def _build_screen() -> str:
    """Return the example with the hits and the scores that groupwise computes for it."""
    from groupwise.evaluator.evaluation.evaluate import evaluate  # noqa: PLC0415
    from groupwise.evaluator.evaluation.single import hit_vector  # noqa: PLC0415

    hits = [
        streams.paint(f"{hit:<12}", "met" if hit else "dim")
        for hit in hit_vector(GROUND_TRUTH, RESULTS)
    ]
    scores = [
        f"  {name:<11}*{value:.4f}*  {WHY[name]}\n"
        for name, value in evaluate([GROUND_TRUTH], [RESULTS]).scores.items()
    ]
    text = SCREEN.format(hits="".join(hits).rstrip(), scores="".join(scores))
    return re.sub(r"\*(.+?)\*", lambda match: streams.bold(match[1]), text)
