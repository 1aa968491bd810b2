"""``groupwise remap``: ground truth moved to a corpus with other chunks."""

import os
import sys
from argparse import Namespace
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from groupwise.evaluator.cli import streams
from groupwise.evaluator.cli.arguments import CommandParser
from groupwise.evaluator.cli.data import (
    add_data_options,
    add_id_options,
    build_files,
    build_plain,
    check_files,
    spell_for_shell,
    usage_errors,
    without_threads,
)
from groupwise.evaluator.cli.guard import DONE, FELL_SHORT
from groupwise.evaluator.cli.output import check_target, is_file
from groupwise.evaluator.cli.progress import progress
from groupwise.evaluator.cli.usage import UsageError
from groupwise.evaluator.reporting.remap import REMAP_FORMS
from groupwise.evaluator.text import plural, printable

if TYPE_CHECKING:
    from groupwise.schemas.remap import Remapped

DESCRIPTION = """\
Move ground truth to a corpus that was cut into other chunks. Every alternative
becomes the new chunks that hold its text: by document, start and end where both
corpora have them, else by text. If anything is lost or ambiguous, it is listed,
nothing is written, and the exit code is 1; --lossy writes the rest."""
EXAMPLE = """\
  $ printf '{"id": "c1", "text": "To be, or not to be:"}\\n' > old.jsonl
  $ printf '{"id": "c2", "text": "that is the question."}\\n' >> old.jsonl
  $ printf '{"id": "n1", "text": "To be, or not to be: that is the question."}\\n' > new.jsonl
  $ printf '{"id": "q1", "ground_truth": [["c2"]]}\\n' > qa.jsonl
  $ groupwise remap qa.jsonl --old old.jsonl --new new.jsonl -o moved.jsonl
"""


def main(arguments: Sequence[str]) -> int:
    """Move the ground truth, show what happened, and write it."""
    words = _parser().parse_words(arguments)
    _check(words)
    without_threads()
    report = _remap(words)
    _show(report, words)
    is_enough = report.is_complete or words.lossy
    if is_enough and words.output:
        report.save_ground_truth(words.output)
    for note in _list_notes(report, words):
        streams.note(note)
    return DONE if is_enough else FELL_SHORT


def _parser() -> CommandParser:
    parser = CommandParser("remap", DESCRIPTION, EXAMPLE)
    add = parser.add_argument
    add("files", nargs=1, metavar="GROUND_TRUTH", help="the ground truth to move; - is stdin")
    add("--old", required=True, metavar="CORPUS",
        help="the corpus it refers to: JSON, JSON Lines, parquet, TSV or CSV")  # fmt: skip
    add("--new", required=True, metavar="CORPUS", help="the corpus with other chunks")
    add("-o", "--output", metavar="FILE",
        help="write the new ground truth to FILE, JSON Lines or JSON")  # fmt: skip
    parser.add_choice(
        "--split", ("span", "groups"),
        "a text that several new chunks share: keep its document, start and end, for --match span "
        "with together=true; or make a group of each chunk (default: it is ambiguous)",
    )  # fmt: skip
    add("--lossy", action="store_true",
        help="write even if alternatives are lost or ambiguous")  # fmt: skip
    add("--report", metavar="FILE", help="write the report to FILE: JSON, CSV, Markdown or text")
    parser.add_choice("--format", [*REMAP_FORMS.built_in], "the report on stdout (default: table)")
    add_id_options(parser)
    parser.add_quiet("progress and notes")
    add_data_options(parser)
    return parser


def _check(words: Namespace) -> None:
    """Raise a usage error for what is wrong before any file is read."""
    inputs = [*words.files, words.old, words.new]
    check_files(words, ["ground_truth"], words.old, words.new)
    if words.output is not None:
        if not is_file(words.output):
            raise UsageError("-o: expected a file; the report goes to stdout")
        check_target("-o", words.output, inputs)
        _check_name(words.output)
    if words.report is not None:
        check_target("--report", words.report, inputs)
        _refuse_one_file(words.output, words.report)
        _choose_report_form(words.report)


def _refuse_one_file(output: str | None, report: str) -> None:
    if output is not None and os.path.realpath(output) == os.path.realpath(report):
        raise UsageError(f"-o and --report name the same file, {report}; expected two")


def _check_name(path: str) -> None:
    from groupwise.evaluator.evaluation.remap import choose_form  # noqa: PLC0415

    with usage_errors("-o"):
        choose_form(path)


def _choose_report_form(path: str) -> None:
    try:
        REMAP_FORMS.choose(None, path)
    except ValueError as error:
        message = str(error).replace("choose one with --format", "expected one of")
        raise UsageError(f"--report {path}: {message}") from None


def _remap(words: Namespace) -> "Remapped":
    """Return the report, showing progress where a person watches."""
    from groupwise.evaluator.errors import InputError  # noqa: PLC0415
    from groupwise.evaluator.evaluation.remap import remap  # noqa: PLC0415

    (truth,) = build_files(words, words.files, ["ground_truth"])
    try:
        with progress(quiet=words.quiet) as tell:
            return remap(
                truth, old=build_plain(words, words.old), new=build_plain(words, words.new),
                split=words.split, lossy=words.lossy, flat=words.flat, ids=words.ids,
                progress=tell,
            )  # fmt: skip
    except InputError as error:
        raise spell_for_shell(error) from None


def _show(report: "Remapped", words: Namespace) -> None:
    """Write the report to its file, and show it on stdout."""
    if words.report is not None:
        report.save(words.report)
    form = REMAP_FORMS.choose(words.format)
    layout = {"width": streams.width(), "colour": streams.has_colour(sys.stdout)}
    rendered = REMAP_FORMS.render(report, form, **layout)
    if form is REMAP_FORMS.default:
        streams.say(str(rendered))
    else:
        streams.emit(str(rendered).encode())
        for warning in report.warnings:
            streams.note(warning, "warning")


def _list_notes(report: "Remapped", words: Namespace) -> Iterator[str]:
    """Yield what was written, or what to do so that something is."""
    if report.is_complete or words.lossy:
        if not words.quiet:
            queries = plural(report.queries, "query", "queries")
            written = f"{printable(words.output)}: {queries}" if words.output else ""
            yield written or "nothing was written; name a file with -o FILE"
        return
    from groupwise.evaluator.evaluation.moved_truth import SPLIT_OVER  # noqa: PLC0415

    counts = report.counts
    yield f"nothing was written: {counts.ambiguous:,} ambiguous, {counts.lost:,} lost"
    shared = sum((each.reason or "").startswith(SPLIT_OVER) for each in report.list_open())
    if shared and words.split is None:
        yield (
            f"{plural(shared, 'text')} split over several new chunks: --split span keeps their "
            "places, for --match span; --split groups makes a group of each chunk"
        )
    yield (
        "write anyway with --lossy: ambiguous alternatives become all chunks listed, groups whose "
        "alternatives are lost count as missed"
    )
