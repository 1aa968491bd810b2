"""``groupwise evaluate``: scores of a fixture, or of results against ground truth."""

from argparse import Namespace
from collections.abc import Sequence
from typing import TYPE_CHECKING

from groupwise.evaluator.cli import streams
from groupwise.evaluator.cli.data import add_data_options, without_threads
from groupwise.evaluator.cli.gates import gate, judged
from groupwise.evaluator.cli.guard import DONE, FELL_SHORT, INVALID_INPUT
from groupwise.evaluator.cli.names import check_names, cutoffs, depth, positive, split_names
from groupwise.evaluator.cli.output import add_output_options, check_output, deliver, is_file
from groupwise.evaluator.cli.usage import UsageError, add_choice, parser_of
from groupwise.evaluator.reporting.forms import REPORT_FORMS
from groupwise.evaluator.statistics.gates import Gate

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from groupwise.schemas import Report

STDIN = "-"
CURVE_DEPTH = 20
POLICIES = {
    "missing": (("zero", "skip", "error"), "a query without results (default: zero)"),
    "extra": (("ignore", "error"), "a query in the results only (default: ignore)"),
    "empty_results": (("zero", "skip"), "an empty result (default: zero; AutoRAG: skip)"),
    "unanswerable": (("skip", "error"), "a query without groups (default: skip)"),
    "flat": (("any", "all"), "a flat list of ids: one group, or one group per id"),
    "ids": (("text",), "compare all ids as strings, also whole numbers"),
    "ties": (
        ("score", "input", "report"),
        "order of results with scores in the trec profile; report: and the bounds of ties",
    ),
}
DESCRIPTION = """\
Score results against grouped ground truth. FILE is one fixture, or a ground
truth and a run: JSON, JSON Lines, TREC, BEIR, CSV and other formats, also
gzipped; one of them may be - (stdin)."""
EXAMPLE = """\
  $ groupwise demo --fixture > first.json
  $ groupwise evaluate first.json -m recall,ndcg -k 1,3
  $ groupwise evaluate first.json --format json -o report.json
  $ groupwise evaluate first.json --gate "recall@3 >= 0.5"
  $ groupwise evaluate first.json --profile coverage --curve 5
"""


def main(arguments: Sequence[str]) -> int:
    """Evaluate, show, and judge."""
    words = _parser().parse_intermixed_args(arguments)
    _check(words)
    if not words.vectors:
        without_threads()
    from groupwise.evaluator.cli.measuring import report_on  # noqa: PLC0415

    report = report_on(words, {name: getattr(words, name) for name in POLICIES})
    _deliver(report, words)
    return _verdict(report, words.gate)


def _parser() -> "ArgumentParser":
    parser = parser_of("evaluate", DESCRIPTION, EXAMPLE)
    add = parser.add_argument
    add("files", nargs="+", metavar="FILE", help="FIXTURE, or GROUND_TRUTH RUN")
    add("-m", "--metrics", action="append", type=split_names, metavar="NAMES",
        help="such as recall,ndcg@10; may be repeated (default: the profile's six)")  # fmt: skip
    add("-k", "--cutoffs", action="append", type=cutoffs, metavar="K",
        help="cutoffs for the metrics that name none, such as 1,3,5,10")  # fmt: skip
    add("--profile", metavar="P", help="the meaning of the names (default: autorag)")
    add("--gate", action="append", type=gate, default=[], metavar="EXPR",
        help="exit 1 unless this holds, such as 'recall@5>=0.8'; may be repeated")  # fmt: skip
    add("--curve", nargs="?", type=depth, const=CURVE_DEPTH, metavar="K",
        help=f"recall, precision, complete at every cutoff up to K ({CURVE_DEPTH})")  # fmt: skip
    add("--vectors", metavar="FILE",
        help="for ild and novelty_ndcg: NAME.npy with NAME.ids.txt, or JSON Lines")  # fmt: skip
    add("--characters-per-token", type=positive, metavar="N",
        help="for budgets such as recall@2000t, where results carry only their text")  # fmt: skip
    add("--no-per-query", dest="per_query", action="store_false",
        help="means only: memory does not grow with the number of queries")  # fmt: skip
    add_output_options(parser, REPORT_FORMS)
    for name, (choices, explained) in POLICIES.items():
        add_choice(parser, f"--{name.replace('_', '-')}", choices, explained)
    add_data_options(parser)
    return parser


def _check(words: Namespace) -> None:
    """Refuse what can be seen to be off before any work is done."""
    if len(words.files) > 2:
        given = f"{len(words.files)} files"
        raise UsageError(f"{given}; it is one fixture, or a ground truth and a run", "evaluate")
    if words.files.count(STDIN) > 1:
        raise UsageError("only one of the files can be - (stdin)", "evaluate")
    check_output(words, REPORT_FORMS, "evaluate")
    check_names(words)


def _deliver(report: "Report", words: Namespace) -> None:
    """Write the report; where it does not show its warnings, write them to stderr."""
    form = deliver(report, words, REPORT_FORMS)
    if form is not REPORT_FORMS.default or is_file(words.output):
        for warning in report.warnings:
            streams.note(warning, "warning")


def _verdict(report: "Report", gates: list[Gate]) -> int:
    """Scores that do not exist outweigh gates that fail."""
    verdicts = [judged(one, report) for one in gates]
    if not report.counts.scored:
        streams.note("no query could be scored", "error")
        return INVALID_INPUT
    if None in verdicts:
        return INVALID_INPUT
    return DONE if all(verdicts) else FELL_SHORT
