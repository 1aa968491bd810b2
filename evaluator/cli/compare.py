"""``groupwise compare``: several runs beside each other, with intervals and tests."""

from argparse import Namespace
from collections.abc import Sequence
from typing import TYPE_CHECKING

from groupwise.evaluator.cli import streams
from groupwise.evaluator.cli.arguments import (
    CommandParser,
    argument,
    parse_positive,
)
from groupwise.evaluator.cli.data import (
    add_data_options,
    build_runs,
    check_files,
    spell_for_shell,
)
from groupwise.evaluator.cli.guard import DONE
from groupwise.evaluator.cli.output import (
    add_output_options,
    check_output,
    choose_form,
    deliver,
    is_file,
)
from groupwise.evaluator.cli.plotting import add_plot_option, check_plots, write_plots
from groupwise.evaluator.cli.progress import progress
from groupwise.evaluator.cli.run_names import name_runs, refuse_truth
from groupwise.evaluator.cli.scoring import (
    add_content_options,
    add_corpora_option,
    add_matching_options,
    add_metric_options,
    add_policies,
    add_provenance_option,
    build_corpora,
    check_matching,
    choose_scoring,
    gather_inputs,
    list_corpora,
    parse_number,
)
from groupwise.evaluator.cli.usage import UsageError
from groupwise.evaluator.evaluation.comparison_settings import CHANGES, PERMUTATIONS, TUKEY
from groupwise.evaluator.reporting.comparison import COMPARISON_FORMS
from groupwise.evaluator.reporting.comparison.shown import PAIRS_WITH_QUERIES, SHOWN_CHANGES
from groupwise.evaluator.statistics.corrections import CORRECTIONS
from groupwise.evaluator.statistics.paired import TESTS

if TYPE_CHECKING:
    from groupwise.schemas import Comparison

DESCRIPTION = """\
Compare runs on one ground truth: means with intervals, differences with tests,
and the queries that gain and lose the most, with the groups that one run meets
and the other misses. A run is FILE or NAME=FILE; its name
is that of the file without its endings. A baseline that evaluate has saved may
stand for a run. One of the files may be - (stdin)."""
EXAMPLE = """\
  $ groupwise demo --retrievers demo
  $ groupwise compare demo/ground_truth.jsonl demo/bm25.jsonl demo/tfidf.jsonl -k 5
  $ groupwise compare demo/ground_truth.jsonl old=demo/bm25.jsonl new=demo/fusion.jsonl -q
  $ groupwise compare demo/ground_truth.jsonl demo/bm25.jsonl demo/fusion.jsonl -o runs.tex
"""
STATISTICS = (
    "baseline", "test", "correction", "margin", "confidence", "permutations", "seed", "explain"
)  # fmt: skip
EXPECTED = "expected ground truth and two runs or more"


def main(arguments: Sequence[str]) -> int:
    """Compare the runs and show the comparison."""
    words = _parser().parse_words(arguments)
    runs = _check(words)
    comparison = _compare(words, runs)
    form = deliver(comparison, words, COMPARISON_FORMS, quiet=words.quiet, explain=words.explain)
    write_plots(comparison, words.plot)
    if form is not COMPARISON_FORMS.default or is_file(words.output):
        for warning in comparison.warnings:
            streams.note(warning, "warning")
    return DONE


def _parser() -> CommandParser:
    parser = CommandParser("compare", DESCRIPTION, EXAMPLE)
    add = parser.add_argument
    add("files", nargs="+", metavar="FILE", help="GROUND_TRUTH RUN RUN …")
    add_metric_options(parser)
    _add_statistics(parser)
    add_matching_options(parser)
    add_corpora_option(parser)
    add_content_options(parser)
    add_provenance_option(parser)
    add("--allow-other-data", action="store_true",
        help="accept a saved baseline of other data")  # fmt: skip
    add_output_options(parser, COMPARISON_FORMS)
    add_plot_option(parser, "comparison")
    parser.add_quiet("progress, and all but the table of runs")
    add_policies(parser)
    add_data_options(parser)
    return parser


def _add_statistics(parser: CommandParser) -> None:
    """Add the options of tests and intervals."""
    add = parser.add_argument
    add("--baseline", metavar="NAME",
        help="compare the others with this run (default: all pairs of runs)")  # fmt: skip
    parser.add_choice("--test", list(TESTS), "the paired test (default: randomisation)")
    parser.add_choice("--correction", [*CORRECTIONS, TUKEY],
        "of the p-values of a metric; tukey: randomised Tukey HSD (default: holm)")  # fmt: skip
    add("--margin", type=parse_positive, metavar="D",
        help="also test whether a run is worse by less than D, such as 0.01")  # fmt: skip
    add("--confidence", type=parse_number, metavar="C",
        help="of the intervals; the level of the tests is 1 - C (default: 0.95)")  # fmt: skip
    add("--permutations", type=_parse_whole, metavar="N",
        help=f"how many the test draws (default: {PERMUTATIONS:,})")  # fmt: skip
    add("--seed", type=_parse_whole, metavar="N", help="of permutations and resamples (default: 0)")
    add("--by", action="append", metavar="FIELD",
        help="also compare by a field of metadata, groups or label; may be repeated")  # fmt: skip
    add("--explain", type=_parse_whole, metavar="N",
        help="list the N queries that gain, and lose, the most, of each pair and metric, with the "
             f"groups that differ; 0: none (default: {SHOWN_CHANGES} of the first metric and "
             f"up to {PAIRS_WITH_QUERIES} pairs in tables, {CHANGES} of each in json)")  # fmt: skip


@argument
def _parse_whole(text: str) -> int:
    digits = text.strip().removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 18):
        raise ValueError(f"expected a whole number, such as 10000, got {text!r}")
    return int(text)


def _check(words: Namespace) -> dict[str, str]:
    """Return the runs by name; raise a usage error for what is wrong before any file is read."""
    truth, *others = words.files
    runs = name_runs(others)
    if len(runs) < 2:
        found = f"got {', '.join(words.files)}"
        hint = "; groupwise evaluate scores a single run" if runs else ""
        raise UsageError(f"{EXPECTED}; {found}{hint}")
    refuse_truth(truth, others)
    words.files = [truth, *runs.values()]
    named = gather_inputs(Namespace(**vars(words) | {"baseline": None}), runs)
    check_output(named, COMPARISON_FORMS, {})
    check_plots(named)
    check_files(words, ["ground_truth", "run"], *list_corpora(words, runs))
    check_matching(words)
    return runs


def _compare(words: Namespace, runs: dict[str, str]) -> "Comparison":
    """Return the comparison, showing progress where a person watches."""
    from groupwise.evaluator.errors import InputError, OptionError  # noqa: PLC0415
    from groupwise.evaluator.evaluation.compare import compare  # noqa: PLC0415

    names = (*STATISTICS, "by")
    given = {name: getattr(words, name) for name in names}
    truth, files = build_runs(words, words.files[0], runs)
    try:
        with progress(quiet=words.quiet) as tell:
            return compare(
                truth, files, progress=tell, allow_other_data=words.allow_other_data,
                **{name: value for name, value in given.items() if value is not None},
                **choose_scoring(words) | _complete(words), corpus=build_corpora(words, runs),
            )  # fmt: skip
    except OptionError as error:
        raise UsageError(_spell_options(str(error))) from None
    except InputError as error:
        raise spell_for_shell(error) from None


def _complete(words: Namespace) -> dict[str, bool]:
    """Return what a form that shows a whole comparison needs: fingerprints."""
    is_whole = choose_form(words, COMPARISON_FORMS).is_whole
    return {"provenance": True} if is_whole else {}


def _spell_options(message: str) -> str:
    """Return a message about arguments with their names on the command line."""
    for name in STATISTICS:
        message = message.replace(f"{name}: ", f"--{name}: ", 1)
        message = message.replace(f"{name}=", f"--{name} ", 1)
    return message.replace("evaluate scores", "groupwise evaluate scores", 1)
