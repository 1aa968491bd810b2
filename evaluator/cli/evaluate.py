"""``groupwise evaluate``: scores of a fixture, or of results against ground truth."""

from argparse import Namespace
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from groupwise.evaluator.cli import streams
from groupwise.evaluator.cli.arguments import (
    CommandParser,
    parse_count,
    parse_level,
)
from groupwise.evaluator.cli.data import (
    STDIN,
    add_data_options,
    add_jobs_option,
    build_files,
    build_plain,
    check_files,
    list_roles,
    spell_for_shell,
    without_threads,
)
from groupwise.evaluator.cli.gating import (
    add_gate_options,
    check_gate_options,
    choose_gating,
    tell_differences,
    tell_gates,
)
from groupwise.evaluator.cli.output import (
    add_output_options,
    check_output,
    choose_form,
    deliver,
    is_file,
)
from groupwise.evaluator.cli.plotting import (
    add_plot_option,
    ask_for_charts,
    check_plots,
    write_plots,
)
from groupwise.evaluator.cli.progress import progress
from groupwise.evaluator.cli.scoring import (
    add_content_options,
    add_corpus_option,
    add_matching_options,
    add_metric_options,
    add_policies,
    add_provenance_option,
    check_matching,
    choose_scoring,
)
from groupwise.evaluator.cli.usage import UsageError
from groupwise.evaluator.reading.options import AUTO
from groupwise.evaluator.reporting.forms import REPORT_FORMS

if TYPE_CHECKING:
    from groupwise.evaluator.errors import InputError
    from groupwise.evaluator.reporting.forms import Form
    from groupwise.schemas import Report

CURVE_DEPTH = 20
COMPARE = "; groupwise compare takes several runs"
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
  $ groupwise evaluate first.json --plot curve=curve.svg
"""


def main(arguments: Sequence[str]) -> int:
    """Evaluate, show the report, and judge the gates."""
    words = _parser().parse_words(arguments)
    _check(words)
    if not words.vectors:
        without_threads()
    gating = choose_gating(words)
    report = _evaluate(words, gating)
    _deliver(_omit_unasked(report, words), words)
    if not words.quiet:
        tell_differences(report, gating["baseline"])
    code = tell_gates(report, words)
    write_plots(report, words.plot)
    return code


def _parser() -> CommandParser:
    parser = CommandParser("evaluate", DESCRIPTION, EXAMPLE)
    add = parser.add_argument
    add("files", nargs="+", metavar="FILE", help="FIXTURE, or GROUND_TRUTH RUN")
    add_metric_options(parser)
    add_gate_options(parser)
    add_matching_options(parser)
    add("--curve", nargs="?", type=parse_count, const=CURVE_DEPTH, metavar="K",
        help=f"recall, precision, complete at each cutoff up to K (or {CURVE_DEPTH})")  # fmt: skip
    add("--by", action="append", metavar="FIELD",
        help="scores by a key of the queries' metadata, by groups (their number) or by label; "
             "may be repeated")  # fmt: skip
    add("--confidence", type=parse_level, metavar="LEVEL",
        help="add a confidence interval to each score, such as 0.95")  # fmt: skip
    add("--ceilings", action="store_true",
        help="add what an ideal ranking of k results scores (always for gates)")  # fmt: skip
    add("--bands", action="store_true",
        help="add what a published source calls a score, as advice")  # fmt: skip
    add("--explain", type=parse_count, metavar="N",
        help="explain the N worst queries by the first metric: which groups were missed, "
             "and why")  # fmt: skip
    add_corpus_option(parser)
    add_content_options(parser)
    add("--no-per-query", dest="per_query", action="store_false",
        help="report means only; memory does not grow with the number of queries")  # fmt: skip
    add_provenance_option(parser)
    add("--worst", type=parse_count, metavar="N",
        help="show the N worst queries by the first metric, then by query id "
             "(default: all queries up to 20, else 5)")  # fmt: skip
    add_jobs_option(parser)
    add_output_options(parser, REPORT_FORMS)
    add_plot_option(parser, "report")
    parser.add_quiet("progress, the table of queries and the gates that passed")
    add_policies(parser, bounds_of_ties=True)
    add_data_options(parser)
    return parser


def _check(words: Namespace) -> None:
    """Raise a usage error for what is wrong before any file is read."""
    if len(words.files) > 2:
        found = f"got {len(words.files)} files"
        raise UsageError(f"expected one fixture, or ground truth and run; {found}{COMPARE}")
    parts = {"curve": "--curve"} if words.curve else {}
    parts |= {"explain": "--explain"} if words.explain else {}
    parts |= {"ties": "--ties report"} if words.ties == "report" else {}
    check_output(words, REPORT_FORMS, parts, {"worst": "--worst"} if words.worst else {})
    if words.worst and not words.per_query:
        raise UsageError("--worst needs the scores of each query; it goes without --no-per-query")
    if words.explain and not words.per_query:
        raise UsageError("--explain needs the scores of each query; it goes without --no-per-query")
    check_files(words, list_roles(words), words.corpus)
    check_gate_options(words)
    check_plots(words)
    check_matching(words)


def _evaluate(words: Namespace, gating: dict[str, Any]) -> "Report":
    """Return the report, showing progress where a person watches."""
    from groupwise.evaluator.errors import InputError  # noqa: PLC0415
    from groupwise.evaluator.evaluation.evaluate import evaluate  # noqa: PLC0415

    parts = {
        "curve": words.curve, "explain": words.explain, "confidence": words.confidence,
        "ceilings": words.ceilings,
    }  # fmt: skip
    form = choose_form(words, REPORT_FORMS)
    for name, value in _ask_for(words, form, gating).items():
        parts[name] = value if parts[name] is None else parts[name]
    if form.is_whole:
        parts |= _complete(words)
    files = build_files(words, words.files, list_roles(words))
    try:
        with progress(quiet=words.quiet) as tell:
            return evaluate(
                *files, corpus=build_plain(words, words.corpus), by=words.by,
                bands=words.bands, per_query=words.per_query, progress=tell, jobs=words.jobs,
                **choose_scoring(words) | gating | parts,
            )  # fmt: skip
    except InputError as error:
        raise spell_problems(error, words.files) from None


def _ask_for(words: Namespace, form: "Form[Report]", gating: dict[str, Any]) -> dict[str, Any]:
    """Return what charts show, and what a form says about the worst queries."""
    asked = ask_for_charts(words.plot)
    if form.shows_missed and words.per_query and (gating["gates"].gates or words.worst):
        from groupwise.evaluator.evaluation.explanations import Request  # noqa: PLC0415

        asked["explain"] = Request()
    return asked


def _omit_unasked(report: "Report", words: Namespace) -> "Report":
    """Return the report without what only charts, or the worst queries, need."""
    form = choose_form(words, REPORT_FORMS)
    if form.is_whole:
        return report
    unasked: dict[str, Any] = {} if words.curve else {"curve": None}
    if not (words.explain or form.shows_missed):
        unasked["explanation"] = None
    return report.model_copy(update=unasked)


def _complete(words: Namespace) -> dict[str, Any]:
    """Return what a form that shows a whole report needs; what was asked for stays as it is."""
    from groupwise.evaluator.reporting.html.completion import ask_for_page  # noqa: PLC0415

    asked = ask_for_page(per_query=words.per_query)
    given = {"curve": words.curve, "confidence": words.confidence}
    asked |= {name: value for name, value in given.items() if value is not None}
    return {"provenance": asked.pop("fingerprints"), **asked}


def spell_problems(error: "InputError", files: Sequence[str]) -> "InputError":
    """Return the same problems with command-line spellings, and a hint if the run is missing."""
    problems = list(spell_for_shell(error).problems)
    if len(files) == 1 and all(problem.message == "no results" for problem in problems):
        hint = "no results; if this is ground truth, pass the run as a second file"
        problems[0] = problems[0]._replace(message=hint)
    return type(error)(problems, error.count).with_hints(error.hints)


def _count_worst(report: "Report", words: Namespace) -> int | None:
    """Return how many of the worst queries to show; None leaves it to the form."""
    from groupwise.evaluator.reporting.verdicts import WORST  # noqa: PLC0415

    form = choose_form(words, REPORT_FORMS)
    given: int | None = words.worst
    if form.is_whole:
        return given or words.explain
    if given or words.explain or not form.shows_missed:
        return given
    return 0 if report.passed else WORST


def _deliver(report: "Report", words: Namespace) -> None:
    """Write the report; where it does not show its warnings, write them to stderr."""
    worst = _count_worst(report, words)
    layout = {"worst": worst, "quiet": words.quiet, "ceilings": words.ceilings}
    if words.format == "github" and words.files[0] != STDIN:
        layout["file"] = words.files[0]
    form = deliver(report, words, REPORT_FORMS, **layout)
    if form is not REPORT_FORMS.default or is_file(words.output):
        for warning in report.warnings:
            streams.note(warning, "warning")
    elif AUTO in (words.map or {}).values():
        from groupwise.evaluator.inspection.settling import MAPPED  # noqa: PLC0415

        for warning in report.warnings:
            if MAPPED in warning:
                streams.note(warning, "note", "dim")
