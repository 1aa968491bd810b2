"""``groupwise validate``: a linter for ground truth."""

from argparse import ArgumentTypeError, Namespace
from collections.abc import Sequence
from typing import TYPE_CHECKING

from groupwise.evaluator.cli.arguments import parse_count, read_gate
from groupwise.evaluator.cli.data import add_data_options, without_threads
from groupwise.evaluator.cli.guard import DONE, FELL_SHORT
from groupwise.evaluator.cli.output import add_output_options, check_output, deliver
from groupwise.evaluator.cli.usage import UsageError, add_choice, parser_of
from groupwise.evaluator.reporting.findings import FINDINGS_FORMS

if TYPE_CHECKING:
    from argparse import ArgumentParser

DESCRIPTION = """\
Find what is wrong or odd in ground truth: what no result can meet, what is read
in two ways, what the corpus does not have. groupwise rule CODE explains a finding."""
EXAMPLE = """\
  $ groupwise demo --fixture > first.json
  $ groupwise validate first.json
  $ groupwise validate first.json -k 3 --statistics
  $ groupwise validate first.json --diff
  $ groupwise validate first.json --format sarif -o findings.sarif
"""


def main(arguments: Sequence[str]) -> int:
    """Fix what is to be fixed, validate, show, and judge."""
    words = _parser().parse_intermixed_args(arguments)
    _check(words)
    without_threads()
    from groupwise.evaluator.cli.linting import Linting  # noqa: PLC0415

    linting = Linting(words)
    if words.diff:
        return linting.show_fixes()
    if words.fix or words.unsafe_fixes:
        linting.fix()
    report = linting.report()
    deliver(report, words, FINDINGS_FORMS, limit=linting.shown, statistics=words.statistics)
    return FELL_SHORT if linting.fails(report) else DONE


def _parser() -> "ArgumentParser":
    parser = parser_of("validate", DESCRIPTION, EXAMPLE)
    add = parser.add_argument
    add("files", nargs="+", metavar="FILE", help="data sets, fixtures or runs; - is stdin")
    add("--corpus", metavar="FILE",
        help="the documents: JSON, JSON Lines, parquet, TSV, or a list of ids")  # fmt: skip
    add("--run", metavar="FILE", help="the results that belong to the ground truth")
    add("-k", type=parse_count, metavar="K",
        help="the cutoff that results are used at (default: 10)")  # fmt: skip
    add("--profile", metavar="P", help="the meaning of metrics in ceilings and gates")
    add("--gate", action="append", type=read_gate, metavar="EXPR",
        help="ask whether the data can answer this, such as 'recall@5>=0.8'")  # fmt: skip
    add("--select", action="append", type=_codes, metavar="CODES",
        help="only these rules: codes, their beginnings, or names, such as GT,CP001")  # fmt: skip
    add("--ignore", action="append", type=_codes, default=[], metavar="CODES",
        help="not these rules")  # fmt: skip
    graver = "exit 1 for findings of this severity or a graver one (default: warning)"
    add_choice(parser, "--fail-on", ("error", "warning"), graver)
    add("--fix", action="store_true", help="apply the safe fixes to the files")
    add("--unsafe-fixes", action="store_true",
        help="apply all fixes, also those that may change what you meant")  # fmt: skip
    add("--diff", action="store_true", help="only show what the fixes would change")
    add("--baseline", metavar="FILE", help="findings that are known; only new ones count")
    add("--write-baseline", metavar="FILE", help="write all findings as known, and exit 0")
    add_output_options(parser, FINDINGS_FORMS)
    add("--statistics", action="store_true", help="show how often each rule was broken")
    add("--max-findings", type=parse_count, metavar="N",
        help="show at most N findings of each code (default: 20, in other forms 1000)")  # fmt: skip
    add_choice(parser, "--flat", ("any", "all"), "a flat list: one group, or one group per id")
    add_choice(parser, "--ids", ("text",), "compare all ids as strings, also whole numbers")
    add_data_options(parser)
    return parser


def _codes(text: str) -> list[str]:
    """Codes between commas; each must mean a rule."""
    from groupwise.evaluator.validation.settings.selection import selection_of  # noqa: PLC0415

    codes = [part.strip() for part in text.split(",") if part.strip()]
    try:
        selection_of(codes)
    except ValueError as error:
        raise ArgumentTypeError(str(error)) from None
    return codes


def _check(words: Namespace) -> None:
    """Refuse what can be seen to be off before any work is done."""
    if [*words.files, words.run, words.corpus].count("-") > 1:
        raise UsageError("only one of the files can be - (stdin)", "validate")
    fixing = words.fix or words.unsafe_fixes or words.diff
    if fixing and "-" in words.files:
        raise UsageError("what comes from stdin cannot be fixed", "validate")
    check_output(words, FINDINGS_FORMS, "validate")
