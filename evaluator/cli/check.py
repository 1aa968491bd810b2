"""``groupwise check``: fixtures are tests."""

from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from groupwise.evaluator.cli import streams
from groupwise.evaluator.cli.arguments import CommandParser
from groupwise.evaluator.cli.data import (
    STDIN,
    add_reading_options,
    build_files,
    check_formats,
    check_pipes,
    choose_map,
)
from groupwise.evaluator.cli.guard import DONE, FELL_SHORT, INVALID_INPUT, tell_problems
from groupwise.evaluator.cli.output import add_output_options, check_output, deliver, is_file
from groupwise.evaluator.cli.usage import UsageError
from groupwise.evaluator.reading.limits import limiting_records
from groupwise.evaluator.reporting.checks import CHECK_FORMS

if TYPE_CHECKING:
    from groupwise.evaluator.evaluation.checked_files import CheckedFile
    from groupwise.evaluator.evaluation.fixture import FixtureContent
    from groupwise.evaluator.evaluation.fresh_run import FreshRun
    from groupwise.evaluator.matching.lookup import Chunks

DESCRIPTION = """\
Evaluate fixtures and compare the scores with those they expect: numbers, bounds
such as ">= 0.8", or "no_worse". With --run, a fresh run is scored against the
ground truth of the fixture. In a folder, files that are not fixtures, or expect
nothing, are listed as skipped; a file that is not valid JSON is an error."""
EXAMPLE = """\
  $ groupwise demo --fixture > first.json
  $ groupwise check first.json
  $ groupwise convert -q first.json run.jsonl --role run
  $ groupwise check first.json --run run.jsonl
  $ groupwise check first.json --format junit -o check.xml
  $ groupwise check --update --dry-run first.json
"""
PASSED = ("ok", "skipped")
DIFF_LINES = 60


def main(arguments: Sequence[str]) -> int:
    """Check each fixture, then count."""
    words = _parser().parse_words(arguments)
    _check_words(words)
    words.hints = ()
    with limiting_records(words.max_record_bytes):
        found = [_process_path(path, words) for path in words.files]
    files = [file for part in found for file in part]
    if not _is_told_at_once(words):
        deliver(files, words, CHECK_FORMS)
    if words.hints:
        from groupwise.evaluator.cli.hints import tell_hints  # noqa: PLC0415

        tell_hints(words.hints, "check", arguments)
    code = _conclude(files, words)
    is_idle = any(_checks_nothing(part) for part in found)
    return INVALID_INPUT if is_idle and words.require_expected else code


def _parser() -> CommandParser:
    parser = CommandParser("check", DESCRIPTION, EXAMPLE)
    add = parser.add_argument
    add("files", nargs="+", metavar="FIXTURE_OR_FOLDER", help="a file, or a folder to search")
    add("--run", metavar="FILE_OR_FOLDER",
        help="score these results instead of the fixture's own; in a folder, those in the file "
             "that has the name of the fixture; - is stdin")  # fmt: skip
    add("--corpus", metavar="FILE",
        help="look up ids in these chunks, for fixtures that match by text or span")  # fmt: skip
    add("--update", action="store_true",
        help="write the scores found into the fixtures, showing the difference; "
             "bounds stay")  # fmt: skip
    add("--dry-run", action="store_true",
        help="with --update: only show the difference, exit 1 if there is any")  # fmt: skip
    add("--require-expected", action="store_true",
        help="in a folder too, a fixture that expects nothing is an error")  # fmt: skip
    add("--exclude", action="append", default=[], metavar="PATTERN",
        help="skip files and folders of this name, such as 'vendor*'; may be repeated")  # fmt: skip
    add_output_options(parser, CHECK_FORMS)
    parser.add_quiet("fixtures that pass or are skipped, and the totals")
    add_reading_options(parser.add_argument_group("the file of --run"))
    return parser


def _check_words(words: Namespace) -> None:
    """Raise a usage error for what is wrong before any file is read."""
    if STDIN in words.files:
        raise UsageError("check reads files and folders; only --run can be - (stdin)")
    check_pipes(*words.files, words.run, words.corpus)
    if words.dry_run and not words.update:
        raise UsageError("--dry-run goes with --update")
    if words.update and (words.format or words.output):
        raise UsageError("--update prints the difference; it goes without --format and -o")
    if words.run is None:
        _refuse_without_run(words)
    else:
        _check_run(words)
    choose_map(words, "run")
    check_formats(words, ["run"])
    check_output(words, CHECK_FORMS, {})


def _refuse_without_run(words: Namespace) -> None:
    given = {"--from": words.source_format, "--map": words.map, "--max-bytes": words.max_bytes}
    for flag, value in given.items():
        if value is not None:
            raise UsageError(f"{flag} is about the file of --run; there is none")


def _check_run(words: Namespace) -> None:
    if words.update:
        message = "--update writes the scores of the fixture's own results; it goes without --run"
        raise UsageError(message)
    is_one = len(words.files) == 1 and not Path(words.files[0]).is_dir()
    if not is_one and not Path(words.run).is_dir():
        message = "--run FILE goes with one fixture; for several, give a folder of runs"
        raise UsageError(f"{message}, each with the name of its fixture")


def _process_path(path: str, words: Namespace) -> "list[CheckedFile]":
    """Return the outcomes for a file, or for the files in a folder."""
    if not Path(path).is_dir():
        return [_process(path, words, None)]
    from groupwise.evaluator.evaluation.fixture_files import find_files  # noqa: PLC0415

    files = [_process(found, words, path) for found in find_files(path, tuple(words.exclude))]
    if _checks_nothing(files):
        kind = "error" if words.require_expected else "warning"
        streams.note(f"{path}: no fixture in this folder expects anything", kind)
    return files


def _checks_nothing(files: "Sequence[CheckedFile]") -> bool:
    return all(file.result == "skipped" for file in files)


def _process(path: str, words: Namespace, folder: str | None) -> "CheckedFile":
    """Check or update a fixture, show the outcome, and return it."""
    from groupwise.evaluator.errors import InputError  # noqa: PLC0415
    from groupwise.evaluator.evaluation.checked_files import CheckedFile  # noqa: PLC0415

    try:
        file = _check_file(path, words, folder)
    except InputError as error:
        problems = [p if p.source else p.at(path) for p in error.problems]
        named = InputError(problems, error.count)
        tell_problems(named)
        words.hints += error.hints
        return CheckedFile(path, "error", problems=tuple(problems), problem_count=error.count)
    _tell(file, words)
    return file


def _check_file(path: str, words: Namespace, folder: str | None) -> "CheckedFile":
    from groupwise.evaluator.evaluation.checked_files import CheckedFile  # noqa: PLC0415

    fixture = _read(path, words, in_folder=folder is not None)
    if fixture is None:
        return CheckedFile(path, "skipped", "not a fixture")
    if folder is not None and not fixture.expected and not words.require_expected:
        return CheckedFile(path, "skipped", "nothing is expected")
    if words.update:
        return _update(fixture, dry_run=words.dry_run)
    return _check(fixture, _find_run(path, words, folder), words)


def _read(path: str, words: Namespace, *, in_folder: bool) -> "FixtureContent | None":
    """Return a fixture; None if a file of a folder is something else."""
    from groupwise.evaluator.evaluation.fixture import (  # noqa: PLC0415
        read_fixture,
        read_fixture_text,
    )
    from groupwise.evaluator.evaluation.fixture_files import read_if_fixture  # noqa: PLC0415

    corpus = _open_corpus(words)
    if in_folder:
        return read_if_fixture(path, corpus)
    return read_fixture_text(path, corpus) if words.update else read_fixture(path, corpus)


def _open_corpus(words: Namespace) -> "Chunks | None":
    """Return the corpus, which all fixtures share: it is read once, by the first that needs it."""
    from groupwise.evaluator.matching.lookup import Chunks  # noqa: PLC0415

    if isinstance(words.corpus, str):
        words.corpus = Chunks(words.corpus)
    return words.corpus  # type: ignore[no-any-return]


def _find_run(path: str, words: Namespace, folder: str | None) -> "FreshRun | None":
    """Return the run that belongs to a fixture; None if its own results are checked."""
    from groupwise.evaluator.evaluation.fresh_run import FreshRun, find_run  # noqa: PLC0415

    if words.run is None:
        return None
    is_folder = Path(words.run).is_dir()
    base = folder or str(Path(path).parent)
    run = find_run(words.run, path, base) if is_folder else words.run
    return FreshRun(*build_files(words, [run], ["run"]))


def _check(fixture: "FixtureContent", run: "FreshRun | None", words: Namespace) -> "CheckedFile":
    from groupwise.evaluator.evaluation.checked_files import (  # noqa: PLC0415
        NO_LINES,
        CheckedFile,
        find_lines,
    )

    check = fixture.check(run=run)
    lines = NO_LINES if _is_told_at_once(words) else find_lines(fixture, check)
    result = "ok" if check.ok else "failed" if check.is_complete else "error"
    return CheckedFile(fixture.name, result, check=check, lines=lines)  # type: ignore[arg-type]


def _update(fixture: "FixtureContent", *, dry_run: bool) -> "CheckedFile":
    """Update a fixture; bounds that are not met stay, and are told."""
    from groupwise.evaluator.cli.diff import show_diff  # noqa: PLC0415
    from groupwise.evaluator.evaluation.checked_files import CheckedFile  # noqa: PLC0415

    update = fixture.make_update()
    broken = fixture.check(require=False).only_bounds()
    is_same = update.old == update.new
    if not is_same:
        show_diff(update.old, update.new, fixture.name, DIFF_LINES)
    if not is_same and not dry_run:
        update.write()
    if broken.outcomes:
        return CheckedFile(fixture.name, "failed" if broken.is_complete else "error", check=broken)
    if is_same:
        return CheckedFile(fixture.name, "ok", "nothing to update")
    return CheckedFile(fixture.name, "differs" if dry_run else "updated")


def _is_told_at_once(words: Namespace) -> bool:
    """Whether outcomes are shown as they are found, and not in a form at the end."""
    return words.format in (None, CHECK_FORMS.default.name) and not is_file(words.output)


def _tell(file: "CheckedFile", words: Namespace) -> None:
    """Show the outcome for a fixture, and what was odd about the run."""
    from groupwise.evaluator.reporting.checks.text import format_file  # noqa: PLC0415

    if _is_told_at_once(words) and not (words.quiet and file.result in PASSED):
        streams.say(format_file(file, streams.paint))
    for warning in file.check.warnings if file.check else ():
        streams.note(f"{file.path}: {warning}", "warning")


def _conclude(files: "Sequence[CheckedFile]", words: Namespace) -> int:
    """Count the outcomes, and return the exit code."""
    from groupwise.evaluator.evaluation.checked_files import (  # noqa: PLC0415
        count_results,
        describe_results,
    )

    counts = count_results(files)
    if len(files) > 1 and not words.quiet and _is_told_at_once(words):
        streams.say(f"{describe_results(counts)}\n")
    if counts["error"]:
        return INVALID_INPUT
    if _checks_nothing(files):
        streams.note("nothing was checked", "error")
        return INVALID_INPUT
    return FELL_SHORT if counts["failed"] or counts["differs"] else DONE
