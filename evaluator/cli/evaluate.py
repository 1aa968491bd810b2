"""``groupwise evaluate``: scores of a fixture, or of results against ground truth."""

from argparse import Namespace
from collections.abc import Sequence
from typing import TYPE_CHECKING

from groupwise.evaluator.cli import streams
from groupwise.evaluator.cli.arguments import (
    CommandParser,
    parse_count,
    parse_cutoffs,
    parse_positive,
    parse_setting,
    read_gate,
    split_names,
)
from groupwise.evaluator.cli.data import (
    add_data_options,
    check_files,
    data_options,
    spell_for_shell,
    usage_errors,
    without_threads,
)
from groupwise.evaluator.cli.guard import DONE, FELL_SHORT, INVALID_INPUT
from groupwise.evaluator.cli.output import add_output_options, check_output, deliver, is_file
from groupwise.evaluator.cli.progress import progress
from groupwise.evaluator.cli.usage import UsageError
from groupwise.evaluator.metrics.profiles import PROFILES
from groupwise.evaluator.reading.options import AUTO
from groupwise.evaluator.reporting.forms import REPORT_FORMS

if TYPE_CHECKING:
    from groupwise.evaluator.errors import InputError
    from groupwise.schemas import Report

CURVE_DEPTH = 20
DEFINITIONS = (
    "whose definitions the metrics have: AutoRAG's, trec_eval's, or those in which each group "
    "counts once and a perfect ranking scores 1"
)
POLICIES = {
    "missing": (("zero", "skip", "error"), "a query without results (default: zero)"),
    "extra": (("ignore", "error"), "a query in the results only (default: ignore)"),
    "empty_results": (("zero", "skip"), "an empty result (default: zero; AutoRAG: skip)"),
    "unanswerable": (
        ("skip", "zero", "error"),
        "a query without groups (default: skip; trec_eval: zero)",
    ),
    "flat": (("any", "all"), "a flat list of ids: one group, or one group per id"),
    "ids": (("text",), "compare all ids as strings, including whole numbers"),
    "ties": (
        ("score", "input", "report"),
        "how the trec profile orders scored results; report adds the bounds of ties",
    ),
}
DESCRIPTION = """\
Score results against grouped ground truth. FILE is a fixture, or ground
truth and a run: JSON, JSON Lines, TREC, BEIR, CSV and other formats, optionally
gzipped; one of them may be - (stdin)."""
EXAMPLE = """\
  $ groupwise demo --fixture > first.json
  $ groupwise evaluate first.json -m recall,ndcg -k 1,3
  $ groupwise evaluate first.json --format json -o report.json
  $ groupwise evaluate first.json --gate "recall@3 >= 0.5"
  $ groupwise evaluate first.json --profile coverage --curve 5
"""


def main(arguments: Sequence[str]) -> int:
    """Evaluate, show the report, and judge the gates."""
    words = _parser().parse_words(arguments)
    _check(words)
    if not words.vectors:
        without_threads()
    report = _evaluate(words)
    _deliver(report, words)
    return _conclude(report, words)


def _parser() -> CommandParser:
    parser = CommandParser("evaluate", DESCRIPTION, EXAMPLE)
    add = parser.add_argument
    add("files", nargs="+", metavar="FILE", help="FIXTURE, or GROUND_TRUTH RUN")
    add("-m", "--metrics", action="extend", type=split_names, metavar="NAMES",
        help="such as recall,ndcg@10; may be repeated (default: the profile's six)")  # fmt: skip
    add("-k", "--cutoffs", action="extend", type=parse_cutoffs, metavar="K",
        help="cutoffs for the metrics that name none, such as 1,3,5,10")  # fmt: skip
    parser.add_choice("--profile", PROFILES, f"{DEFINITIONS} (default: autorag)")
    add("--gate", action="append", type=read_gate, default=[], metavar="EXPR",
        help="exit 1 unless this holds, such as 'recall@5>=0.8'; may be repeated")  # fmt: skip
    add("--match", metavar="NAME",
        help="how results meet groups: exact (default), normalised, span, text")  # fmt: skip
    add("--match-option", action="merge", type=parse_setting, metavar="NAME=VALUE",
        help="an option of the matcher; may be repeated")  # fmt: skip
    add("--curve", nargs="?", type=parse_count, const=CURVE_DEPTH, metavar="K",
        help=f"recall, precision, complete at each cutoff up to K (or {CURVE_DEPTH})")  # fmt: skip
    add("--by", action="append", metavar="FIELD",
        help="scores by a key of the queries' metadata, by groups (their number) or by label; "
             "may be repeated")  # fmt: skip
    add(
        "--explain",
        type=parse_count,
        metavar="N",
        help="explain the N worst queries by the first metric: which groups were missed, and why",
    )
    add("--vectors", metavar="FILE",
        help="for ild and novelty_ndcg: NAME.npy with NAME.ids.txt, or JSON Lines")  # fmt: skip
    add("--characters-per-token", type=parse_positive, metavar="N",
        help="estimate tokens from texts, for budgets such as recall@2000t")  # fmt: skip
    add("--no-per-query", dest="per_query", action="store_false",
        help="report means only; memory does not grow with the number of queries")  # fmt: skip
    add("--worst", type=parse_count, metavar="N",
        help="show the N worst queries by the first metric, then by query id "
             "(default: all queries up to 20, else 5)")  # fmt: skip
    add_output_options(parser, REPORT_FORMS)
    parser.add_quiet("progress, the table of queries and the gates that passed")
    for name, (choices, explanation) in POLICIES.items():
        parser.add_choice(f"--{name.replace('_', '-')}", choices, explanation)
    add_data_options(parser)
    return parser


def _check(words: Namespace) -> None:
    """Raise a usage error for what is wrong before any file is read."""
    if len(words.files) > 2:
        found = f"got {len(words.files)} files"
        raise UsageError(f"expected one fixture, or ground truth and run; {found}")
    parts = {"curve": "--curve"} if words.curve else {}
    parts |= {"explain": "--explain"} if words.explain else {}
    parts |= {"ties": "--ties report"} if words.ties == "report" else {}
    check_output(words, REPORT_FORMS, parts, {"worst": "--worst"} if words.worst else {})
    if words.worst and not words.per_query:
        raise UsageError("--worst needs the scores of each query; it goes without --no-per-query")
    if words.explain and not words.per_query:
        raise UsageError("--explain needs the scores of each query; it goes without --no-per-query")
    check_files(words, ["ground_truth", "run"] if len(words.files) == 2 else [None])
    check_matching(words)


def check_matching(words: Namespace) -> None:
    """Raise a usage error for a matcher or an option of it that does not exist."""
    if words.match_option and not words.match:
        raise UsageError("--match-option goes with --match")
    if words.match:
        from groupwise.evaluator.matching import Matching  # noqa: PLC0415

        with usage_errors("--match"):
            Matching.parse(choose_matching(words))


def choose_matching(words: Namespace) -> "dict[str, str] | None":
    """Return the matcher with its options, as the library takes them."""
    return {**(words.match_option or {}), "type": words.match} if words.match else None


def _evaluate(words: Namespace) -> "Report":
    """Return the report, showing progress where a person watches."""
    from groupwise.evaluator.errors import InputError  # noqa: PLC0415
    from groupwise.evaluator.evaluation.evaluate import evaluate  # noqa: PLC0415

    try:
        with progress(quiet=words.quiet) as tell:
            return evaluate(
                *words.files, metrics=words.metrics, profile=words.profile, k=words.cutoffs,
                gates=words.gate, matching=choose_matching(words), curve=words.curve,
                by=words.by, explain=words.explain, vectors=words.vectors,
                per_query=words.per_query, progress=tell,
                characters_per_token=words.characters_per_token,
                **data_options(words) | {name: getattr(words, name) for name in POLICIES},
            )  # fmt: skip
    except InputError as error:
        raise spell_problems(error, words.files) from None


def spell_problems(error: "InputError", files: Sequence[str]) -> "InputError":
    """Return the same problems with command-line spellings, and a hint if the run is missing."""
    problems = list(spell_for_shell(error).problems)
    if len(files) == 1 and all(problem.message == "no results" for problem in problems):
        hint = "no results; if this is ground truth, pass the run as a second file"
        problems[0] = problems[0]._replace(message=hint)
    return type(error)(problems, error.count).with_hints(error.hints)


def _deliver(report: "Report", words: Namespace) -> None:
    """Write the report; where it does not show its warnings, write them to stderr."""
    form = deliver(report, words, REPORT_FORMS, worst=words.worst, quiet=words.quiet)
    if form is not REPORT_FORMS.default or is_file(words.output):
        for warning in report.warnings:
            streams.note(warning, "warning")
    elif words.map == {AUTO: AUTO}:
        from groupwise.evaluator.inspection.settling import MAPPED  # noqa: PLC0415

        for warning in report.warnings:
            if MAPPED in warning:
                streams.note(warning, "note", "dim")


def _conclude(report: "Report", words: Namespace) -> int:
    """Tell which gates are passed, and return the exit code.

    A score that does not exist outweighs a gate that fails.
    """
    from groupwise.evaluator.evaluation.verdicts import judge_gates  # noqa: PLC0415

    verdicts = judge_gates(report, words.gate)
    for verdict in verdicts:
        if verdict.value is None:
            streams.note(f"gate {verdict}", "error")
        elif not (words.quiet and verdict.passed):
            streams.note(f"gate {verdict}", style="met" if verdict.passed else "failed")
    if not report.counts.scored:
        streams.note("no query could be scored", "error")
        return INVALID_INPUT
    if any(verdict.value is None for verdict in verdicts):
        return INVALID_INPUT
    return DONE if all(verdict.passed for verdict in verdicts) else FELL_SHORT
