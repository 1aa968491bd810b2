"""``groupwise inspect``: what a file is, and the command that reads it."""

from argparse import Namespace
from collections.abc import Sequence

from groupwise.evaluator.cli.arguments import CommandParser
from groupwise.evaluator.cli.data import (
    add_size_limit,
    build_plain,
    check_pipes,
    without_threads,
)
from groupwise.evaluator.cli.guard import DONE
from groupwise.evaluator.cli.output import add_output_options, check_output, deliver
from groupwise.evaluator.reporting.inspection import INSPECTION_FORMS

DESCRIPTION = """\
Look at the beginning of a file: its format, or its fields with an example and
what each could be; and the command line to go on with. With RUN, the commands
evaluate it. Nothing is guessed where a list could mean any or all: both are shown."""
EXAMPLE = """\
  $ printf '{"question": "Who?", "gold_ids": ["d1", "d7"]}\\n' > golden.jsonl
  $ groupwise inspect golden.jsonl
  $ groupwise inspect golden.jsonl --format json
"""


def main(arguments: Sequence[str]) -> int:
    """Show what a file is, its fields, and how to read them."""
    words = _parser().parse_words(arguments)
    _check(words)
    without_threads()
    from groupwise.evaluator.inspection.inspect import inspect  # noqa: PLC0415

    found = inspect(build_plain(words, words.path), build_plain(words, words.run))
    deliver(found, words, INSPECTION_FORMS)
    return DONE


def _parser() -> CommandParser:
    parser = CommandParser("inspect", DESCRIPTION, EXAMPLE)
    add = parser.add_argument
    add("path", metavar="FILE", help="a file or a folder; - is stdin")
    add("run", nargs="?", metavar="RUN", help="the results that belong to it, for the commands")
    add_output_options(parser, INSPECTION_FORMS)
    add_size_limit(parser)
    return parser


def _check(words: Namespace) -> None:
    """Raise a usage error for what is wrong before any file is read."""
    words.files = [words.path]
    check_pipes(words.path, words.run)
    check_output(words, INSPECTION_FORMS, {})
