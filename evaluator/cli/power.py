"""``groupwise power``: how many queries it takes to see a difference."""

from argparse import Namespace
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from groupwise.evaluator.cli import streams
from groupwise.evaluator.cli.arguments import (
    CommandParser,
    parse_count,
)
from groupwise.evaluator.cli.data import (
    add_data_options,
    build_runs,
    check_files,
    spell_for_shell,
    without_threads,
)
from groupwise.evaluator.cli.guard import DONE
from groupwise.evaluator.cli.output import add_output_options, check_output, deliver, is_file
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
from groupwise.evaluator.reporting.power import POWER_FORMS

if TYPE_CHECKING:
    from groupwise.schemas.power import PowerAnalysis

DESCRIPTION = """\
Say which differences between two runs a data set can show, and how many queries
smaller ones need. With one run, how much differences vary is estimated from it;
without files, --sd or --target plan a data set. A run is FILE or NAME=FILE."""
EXAMPLE = """\
  $ groupwise demo --retrievers demo
  $ groupwise power demo/ground_truth.jsonl demo/bm25.jsonl demo/fusion.jsonl -m recall@5
  $ groupwise power demo/ground_truth.jsonl demo/bm25.jsonl --difference 0.02
  $ groupwise power --sd 0.3 --queries 200
  $ groupwise power --target 0.9
"""
EXPECTED = "expected ground truth and one run or two, or --sd or --target to plan without data"
ARGUMENTS = ("difference", "target", "sd", "queries", "power", "confidence")
FLAGS = {"metrics": "--metrics", "profile": "--profile", "k": "--cutoffs"}


def main(arguments: Sequence[str]) -> int:
    """Analyse the runs, or plan without them, and show the analysis."""
    words = _parser().parse_words(arguments)
    runs = _check(words)
    if not words.vectors:
        without_threads()
    analysis = _analyse(words, runs)
    form = deliver(analysis, words, POWER_FORMS)
    if form is not POWER_FORMS.default or is_file(words.output):
        for warning in analysis.warnings:
            streams.note(warning, "warning")
    return DONE


def _parser() -> CommandParser:
    parser = CommandParser("power", DESCRIPTION, EXAMPLE)
    add = parser.add_argument
    add("files", nargs="*", metavar="FILE", help="GROUND_TRUTH RUN [RUN]")
    add_metric_options(parser)
    _add_statistics(parser)
    add_matching_options(parser)
    add_corpora_option(parser)
    add_content_options(parser)
    add_provenance_option(parser)
    add("--allow-other-data", action="store_true",
        help="accept a saved baseline of other data")  # fmt: skip
    add_output_options(parser, POWER_FORMS)
    parser.add_quiet("progress")
    add_policies(parser)
    add_data_options(parser)
    return parser


def _add_statistics(parser: CommandParser) -> None:
    add = parser.add_argument
    add("--difference", action="extend", type=_parse_numbers, metavar="D",
        help="difference of means to see, such as 0.02; may be repeated "
             "(default: 0.01, 0.02, 0.05, 0.1)")  # fmt: skip
    add("--target", action="extend", type=_parse_numbers, metavar="T",
        help="score that a perfect result should be shown to exceed, such as 0.9; may be repeated "
             "(default: 0.8, 0.85, 0.9, 0.95)")  # fmt: skip
    add("--sd", type=parse_number, metavar="S",
        help="without files: the standard deviation of the differences, such as 0.3")  # fmt: skip
    add("--queries", type=parse_count, metavar="N",
        help="with --sd: the number of queries to plan with")  # fmt: skip
    add("--power", type=parse_number, metavar="P",
        help="how often the test should find the difference (default: 0.8)")  # fmt: skip
    add("--confidence", type=parse_number, metavar="C",
        help="1 minus the level of the two-sided test (default: 0.95)")  # fmt: skip


def _parse_numbers(text: str) -> list[float]:
    return [parse_number(part) for part in text.split(",")]


def _check(words: Namespace) -> dict[str, str]:
    """Return the runs by name; raise a usage error for what is wrong before any file is read."""
    truth, runs = words.files[:1], name_runs(words.files[1:])
    if not truth and words.sd is None and not words.target:
        raise UsageError(EXPECTED)
    if truth and not 1 <= len(runs) <= 2:
        hint = "; groupwise compare takes many" if runs else ""
        raise UsageError(f"{EXPECTED}; got {', '.join(words.files)}{hint}")
    if truth:
        refuse_truth(truth[0], words.files[1:])
    words.files = [*truth, *runs.values()]
    check_output(gather_inputs(words, runs), POWER_FORMS, {})
    check_files(words, ["ground_truth", "run"], *list_corpora(words, runs))
    check_matching(words)
    return runs


def _analyse(words: Namespace, runs: dict[str, str]) -> "PowerAnalysis":
    """Return the analysis, showing progress where a person watches."""
    from groupwise.evaluator.errors import InputError, OptionError  # noqa: PLC0415
    from groupwise.evaluator.evaluation.power import power  # noqa: PLC0415

    given: dict[str, Any] = {name: getattr(words, name) for name in ARGUMENTS}
    truth, files = build_runs(words, words.files[0], runs) if words.files else (None, None)
    try:
        with progress(quiet=words.quiet) as tell:
            return power(
                truth, files, progress=tell,
                allow_other_data=words.allow_other_data,
                **{name: value for name, value in given.items() if value is not None},
                **choose_scoring(words), corpus=build_corpora(words, runs),
            )  # fmt: skip
    except OptionError as error:
        raise UsageError(_spell_options(str(error))) from None
    except InputError as error:
        raise spell_for_shell(error) from None


def _spell_options(message: str) -> str:
    """Return a message about an argument with its name on the command line."""
    for name in ARGUMENTS:
        message = message.replace(f"{name}: expected", f"--{name}: expected", 1)
    for name, flag in FLAGS.items():
        message = message.replace(f"{name}: without", f"{flag}: without", 1)
    planning = message.replace("sd and queries are", "--sd and --queries are", 1)
    return planning.replace("queries needs sd", "--queries needs --sd", 1)
