"""``groupwise suggest``: what a ground truth may lack, as a sheet to judge; verdicts merged."""

import os
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from groupwise.evaluator.cli import streams
from groupwise.evaluator.cli.arguments import CommandParser, parse_count
from groupwise.evaluator.cli.data import (
    STDIN,
    add_data_options,
    build_plain,
    build_runs,
    check_files,
    spell_for_shell,
    usage_errors,
    without_threads,
)
from groupwise.evaluator.cli.guard import DONE
from groupwise.evaluator.cli.output import (
    add_output_options,
    check_folder,
    check_output,
    deliver,
    is_file,
)
from groupwise.evaluator.cli.run_names import name_runs, refuse_truth
from groupwise.evaluator.cli.scoring import (
    DEFINITIONS,
    POLICIES,
    add_matching_options,
    check_matching,
    choose_matching,
    parse_number,
)
from groupwise.evaluator.cli.usage import UsageError
from groupwise.evaluator.metrics.profiles import PROFILES
from groupwise.evaluator.reporting.sheet import SHEET_FORMS
from groupwise.evaluator.text import plural, printable

if TYPE_CHECKING:
    from groupwise.evaluator.judging.apply import AppliedSheet
    from groupwise.schemas.judging import Sheet

DESCRIPTION = """\
Propose documents that a ground truth may lack, as a sheet for a person to judge:
chunks of a corpus that hold the text of an alternative, and results of runs that
nobody has judged, those first whose verdict could change the comparison most.
Fill in the column verdict with yes or no (and group, where it is empty), then
merge the verdicts into the ground truth with --apply. A run is FILE or NAME=FILE."""
EXAMPLE = """\
  $ groupwise demo --retrievers demo
  $ groupwise suggest demo/ground_truth.jsonl --run demo/bm25.jsonl -o sheet.csv
  $ groupwise suggest demo/ground_truth.jsonl --run a=demo/bm25.jsonl --run b=demo/tfidf.jsonl
  $ groupwise suggest demo/ground_truth.jsonl --apply sheet.csv -o judged.jsonl
"""
SEARCHING = (
    "corpus", "run", "threshold", "metric", "profile", "depth", "min_runs", "limit",
    "limit_per_query", "match", "match_option", "flat", "ids", "format", "from", "map",
    "subtopics", "cnf",
)  # fmt: skip
"""Options that go without --apply."""


def main(arguments: Sequence[str]) -> int:
    """Write a sheet, or merge one."""
    words = _parser().parse_words(arguments)
    _take_runs(words)
    without_threads()
    if words.apply:
        _check_apply(words)
        _apply(words)
    else:
        _suggest(words, _check(words))
    return DONE


def _parser() -> CommandParser:
    parser = CommandParser("suggest", DESCRIPTION, EXAMPLE)
    add = parser.add_argument
    add("files", nargs="+", metavar="FILE",
        help="GROUND_TRUTH; with --run, further files are runs as well")  # fmt: skip
    add("--corpus", metavar="FILE", help="the documents, with their texts")
    add(
        "--run",
        action="append",
        metavar="RUN",
        help="a run; several may follow, and it may be repeated",
    )
    add("--apply", metavar="SHEET", help="merge the verdicts of this sheet; -o names the new file")
    add("--threshold", type=parse_number, metavar="T",
        help="the share of an alternative's text or span that a chunk must hold "
             "(default: 0.5)")  # fmt: skip
    add("-m", "--metric", metavar="METRIC",
        help="what the runs are compared by (default: ndcg at the depth)")  # fmt: skip
    parser.add_choice("--profile", PROFILES, f"{DEFINITIONS} (default: autorag)")
    add("-k", "--depth", type=parse_count, metavar="K",
        help="how many results of each ranking to look at (default: 10)")  # fmt: skip
    add("--min-runs", type=parse_count, metavar="N",
        help="only results that at least N runs have there (default: 1)")  # fmt: skip
    add("--limit", type=parse_count, metavar="N", help="at most N candidates (default: all)")
    add("--limit-per-query", type=parse_count, metavar="N",
        help="at most N candidates of each query (default: all)")  # fmt: skip
    add_matching_options(parser)
    add_output_options(parser, SHEET_FORMS)
    parser.add_quiet("the summary of what was written; warnings stay")
    for name in ("flat", "ids"):
        parser.add_choice(f"--{name}", *POLICIES[name])
    add_data_options(parser)
    return parser


def _take_runs(words: Namespace) -> None:
    """Take the files after the ground truth as runs: several may follow one ``--run``."""
    truth, *others = words.files
    if others and not words.run:
        names = ", ".join(others)
        raise UsageError(f"expected one ground truth, got {names} as well; runs follow --run")
    words.files, words.run = [truth], [*(words.run or []), *others] or None


def _check(words: Namespace) -> dict[str, str]:
    """Return the runs by name; raise a usage error for what is wrong before any file is read."""
    given = words.run or []
    runs = name_runs(given)
    if words.corpus is None and not runs:
        raise UsageError("expected --corpus FILE, --run RUN, or both; candidates come from there")
    refuse_truth(words.files[0], given)
    shown = Namespace(**vars(words) | {"run": None, "files": [*words.files, *runs.values()]})
    check_output(shown, SHEET_FORMS, {})
    check_files(shown, ["ground_truth", *(["run"] if runs else [])], words.corpus)  # type: ignore[list-item]
    check_matching(words)
    return runs


def _suggest(words: Namespace, runs: dict[str, str]) -> None:
    from groupwise.evaluator.errors import InputError, OptionError  # noqa: PLC0415
    from groupwise.evaluator.judging.sheet_reader import refuse_filled_sheet  # noqa: PLC0415
    from groupwise.evaluator.judging.suggest import suggest  # noqa: PLC0415

    if is_file(words.output):
        refuse_filled_sheet(words.output)
    names = ("threshold", "depth", "min_runs", "limit", "limit_per_query")
    given = {name: getattr(words, name) for name in names}
    truth, files = build_runs(words, words.files[0], runs)
    try:
        sheet = suggest(
            truth, corpus=build_plain(words, words.corpus), run=files or None,
            metric=words.metric, profile=words.profile, matching=choose_matching(words),
            flat=words.flat, ids=words.ids,
            **{name: value for name, value in given.items() if value is not None},
        )  # fmt: skip
    except OptionError as error:
        raise UsageError(_spell_options(str(error))) from None
    except InputError as error:
        raise spell_for_shell(error) from None
    deliver(sheet, words, SHEET_FORMS)
    for warning in sheet.warnings:
        streams.note(warning, "warning")
    if not words.quiet:
        _tell_sheet(sheet, words)


def _spell_options(message: str) -> str:
    """Return a message about arguments with their names on the command line."""
    for name in ("threshold", "metric"):
        message = message.replace(f"{name}: ", f"--{name}: ", 1)
    return message


def _tell_sheet(sheet: "Sheet", words: Namespace) -> None:
    """Say how many candidates there are, and what to do with them."""
    from groupwise.evaluator.inspection.commands import spell_command  # noqa: PLC0415

    counts, queries = sheet.counts, len({row.query for row in sheet})
    if not len(sheet):
        streams.note("no candidates found")
        return
    names = {"corpus": "from the corpus", "runs": "from runs", "left_out": "left out by a limit"}
    parts = ", ".join(f"{counts[name]:,} {what}" for name, what in names.items() if counts[name])
    found = f"{plural(len(sheet), 'candidate')} for {plural(queries, 'query', 'queries')}"
    to_file = is_file(words.output)
    streams.note(f"{printable(words.output) if to_file else 'sheet'}: {found} ({parts})")
    if to_file:
        then = spell_command(
            "suggest", words.files, options=["--apply", words.output, "-o", "FILE"]
        )
        streams.note(f"fill in verdict with yes or no, then: {then}")


def _check_apply(words: Namespace) -> None:
    """Raise a usage error for what is wrong before any file is read."""
    given = vars(words) | {"from": words.source_format}
    clash = [name for name in SEARCHING if given[name] not in (None, False, [])]
    if clash:
        flag = f"--{clash[0].replace('_', '-')}"
        raise UsageError(f"--apply merges a sheet that is filled in; it goes without {flag}")
    if not is_file(words.output):
        raise UsageError("--apply needs -o FILE, the ground truth with the verdicts")
    if STDIN in (words.files[0], words.apply):
        raise UsageError("--apply reads files, not standard input")
    check_folder(words.output, f"-o {words.output}")
    _refuse_sheet_as_output(words)
    _check_ending(words.output, words.files[0])


def _refuse_sheet_as_output(words: Namespace) -> None:
    if os.path.realpath(words.output) == os.path.realpath(words.apply):
        raise UsageError(f"-o {words.output} would overwrite the sheet; name the ground truth")


def _check_ending(output: str, truth: str) -> None:
    """Raise a usage error for the name of a file that is not JSON, unless the input has it."""
    from groupwise.evaluator.evaluation.remap import choose_form  # noqa: PLC0415

    new, old = (Path(name.removesuffix(".gz")).suffix for name in (output, truth))
    if new not in ("", old):
        with usage_errors("-o"):
            choose_form(output)


def _apply(words: Namespace) -> None:
    from groupwise.evaluator.judging.apply import apply_sheet  # noqa: PLC0415

    done = apply_sheet(build_plain(words, words.files[0]), words.apply, words.output)
    for warning in done.warnings:
        streams.note(warning, "warning")
    if not words.quiet:
        streams.say(f"{printable(words.output)}: {_describe(done)}\n")


def _describe(done: "AppliedSheet") -> str:
    """Return what a sheet has changed."""
    added = f"{plural(done.alternatives, 'alternative')} and {done.not_relevant:,} not relevant"
    parts = [f"{added} added to {plural(done.queries, 'query', 'queries')}"]
    if not done.has_changed:
        parts = ["nothing to change"]
    if done.known:
        parts.append(f"{plural(done.known, 'verdict')} merged before")
    if done.blank:
        parts.append(f"{plural(done.blank, 'row')} without a verdict")
    return "; ".join(parts)
