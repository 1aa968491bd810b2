"""``groupwise convert``: data of one format written in another; losses are listed first."""

from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from groupwise.evaluator.cli import streams
from groupwise.evaluator.cli.arguments import CommandParser
from groupwise.evaluator.cli.data import (
    add_data_options,
    add_id_options,
    build_files,
    spell_for_shell,
    usage_errors,
)
from groupwise.evaluator.cli.guard import DONE, FELL_SHORT
from groupwise.evaluator.cli.output import STDOUT, check_folder
from groupwise.evaluator.cli.progress import progress
from groupwise.evaluator.cli.usage import UsageError
from groupwise.evaluator.text import plural, printable

if TYPE_CHECKING:
    from groupwise.evaluator.errors import LossyConversion
    from groupwise.evaluator.evaluation.conversion import Conversion

DESCRIPTION = """\
Write ground truth or results in another format. The format of IN is detected
from its content, that of OUT from its name. What OUT cannot carry is listed
before anything is written, and requires --lossy."""
EXAMPLE = """\
  $ groupwise demo --fixture > first.json
  $ groupwise convert first.json truth.csv --role ground_truth
  $ groupwise convert truth.csv truth.qrels --subtopics --lossy
  $ groupwise convert truth.qrels truth.jsonl --subtopics
"""


def main(arguments: Sequence[str]) -> int:
    """Convert, or list what would be lost."""
    words = _parser().parse_words(arguments)
    if words.target == STDOUT:
        raise UsageError("OUT must be a file or a folder, not standard output")
    check_folder(words.target, words.target)
    if words.to:
        _check_format(words)
    from groupwise.evaluator.errors import InputError, LossyConversion  # noqa: PLC0415

    try:
        done = _convert(words)
    except LossyConversion as error:
        _note_losses(error)
        return FELL_SHORT
    except InputError as error:
        raise spell_for_shell(error) from None
    _report(done, words)
    return DONE


def _parser() -> CommandParser:
    parser = CommandParser("convert", DESCRIPTION, EXAMPLE)
    add = parser.add_argument
    add("source", metavar="IN", help="the file or folder to read; - is stdin")
    add("target", metavar="OUT", help="the file or folder to write, whole or not at all")
    add("--to", metavar="FORMAT", help="the format of OUT (default: by its name)")
    add("--lossy", action="store_true", help="drop what OUT cannot carry")
    parser.add_choice(
        "--role", ("ground_truth", "run"), "what IN holds, or which part of it to convert"
    )
    add_id_options(parser)
    parser.add_quiet("progress, and the summary of what was written; losses and warnings stay")
    add_data_options(parser)
    return parser


def _check_format(words: Namespace) -> None:
    from groupwise.evaluator.formats.targets import choose_target  # noqa: PLC0415

    with usage_errors("--to"):
        choose_target(words.target, words.to, words.role, subtopics=words.subtopics)


def _convert(words: Namespace) -> "Conversion":
    from groupwise.evaluator.evaluation.conversion import convert  # noqa: PLC0415

    (source,) = build_files(words, [words.source], [words.role])
    with progress(quiet=words.quiet) as tell:
        return convert(
            source, words.target, to=words.to, role=words.role, flat=words.flat,
            ids=words.ids, lossy=words.lossy, progress=tell,
        )  # fmt: skip


def _note_losses(error: "LossyConversion") -> None:
    streams.note(f"{error.target} cannot carry everything; nothing was written. It would lose:")
    for loss in error.lost:
        streams.note(f"- {loss}")
    streams.note("write anyway with --lossy")


def _report(done: "Conversion", words: Namespace) -> None:
    for warning in (*done.warnings, *(f"lost: {loss}" for loss in done.lost)):
        streams.note(warning, "warning")
    if words.quiet:
        return
    queries = plural(done.queries, "query", "queries")
    text = f"{words.target}: {queries}, {done.target}"
    if Path(words.target).is_file() or Path(words.target).is_dir():
        streams.say(f"{printable(text)}\n")
    else:  # a pipe, which may be standard output
        streams.note(text)
