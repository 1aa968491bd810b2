"""``groupwise check``: fixtures are tests."""

from argparse import Namespace
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from groupwise.evaluator.cli import streams
from groupwise.evaluator.cli.arguments import CommandParser
from groupwise.evaluator.cli.data import STDIN
from groupwise.evaluator.cli.guard import DONE, FELL_SHORT, INVALID_INPUT, tell_problems
from groupwise.evaluator.cli.usage import UsageError
from groupwise.evaluator.text import plural, printable

if TYPE_CHECKING:
    from groupwise.evaluator.evaluation.fixture import FixtureContent

DESCRIPTION = """\
Evaluate fixtures and compare the scores with those they expect. In a folder,
files that are not fixtures, or expect nothing, are listed as skipped; a file
that is not valid JSON is an error."""
EXAMPLE = """\
  $ groupwise demo --fixture > first.json
  $ groupwise check first.json
  $ groupwise check --update first.json
"""
PASSED = ("ok", "skipped")
STYLE_OF = {
    "ok": "met", "failed": "failed", "error": "error", "updated": "bold", "differs": "bold",
    "skipped": "dim",
}  # fmt: skip


def main(arguments: Sequence[str]) -> int:
    """Check each fixture, then count."""
    words = _parser().parse_words(arguments)
    if STDIN in words.paths:
        raise UsageError("check reads files and folders, not standard input")
    if words.dry and not words.update:
        raise UsageError("--dry goes with --update")
    found = [_process_path(path, words) for path in words.paths]
    code = _conclude(sum(found, Counter()), quiet=words.quiet)
    is_idle = any(_checks_nothing(outcomes) for outcomes in found)
    return INVALID_INPUT if is_idle and words.require_expected else code


def _parser() -> CommandParser:
    parser = CommandParser("check", DESCRIPTION, EXAMPLE)
    add = parser.add_argument
    add("paths", nargs="+", metavar="FIXTURE_OR_FOLDER", help="a file, or a folder to search")
    add("--update", action="store_true",
        help="write the scores found into the fixtures, showing the difference")  # fmt: skip
    add("--dry", action="store_true",
        help="with --update: only show the difference, exit 1 if there is any")  # fmt: skip
    add("--require-expected", action="store_true",
        help="in a folder too, a fixture that expects nothing is an error")  # fmt: skip
    add("--exclude", action="append", default=[], metavar="PATTERN",
        help="skip files and folders of this name, such as 'vendor*'; may be repeated")  # fmt: skip
    parser.add_quiet("fixtures that pass or are skipped, and the totals")
    return parser


def _process_path(path: str, words: Namespace) -> "Counter[str]":
    """Return the outcomes for a file, or for the files in a folder."""
    if not Path(path).is_dir():
        return Counter([_process(path, words, in_folder=False)])
    from groupwise.evaluator.evaluation.fixture_files import find_files  # noqa: PLC0415

    files = find_files(path, tuple(words.exclude))
    outcomes = Counter(_process(found, words, in_folder=True) for found in files)
    if _checks_nothing(outcomes):
        kind = "error" if words.require_expected else "warning"
        streams.note(f"{path}: no fixture in this folder expects anything", kind)
    return outcomes


def _checks_nothing(outcomes: "Counter[str]") -> bool:
    return outcomes.total() == outcomes["skipped"]


def _process(path: str, words: Namespace, *, in_folder: bool) -> str:
    """Check or update a fixture, show the outcome, and return it in one word."""
    from groupwise.evaluator.errors import InputError  # noqa: PLC0415
    from groupwise.evaluator.evaluation.fixture import (  # noqa: PLC0415
        read_fixture,
        read_fixture_text,
    )
    from groupwise.evaluator.evaluation.fixture_files import read_if_fixture  # noqa: PLC0415

    try:
        read = read_fixture_text if words.update else read_fixture
        fixture = read_if_fixture(path) if in_folder else read(path)
        if fixture is None:
            outcome, text = "skipped", f"{path}: not a fixture"
        elif in_folder and not fixture.expected and not words.require_expected:
            outcome, text = "skipped", f"{path}: nothing is expected"
        else:
            outcome, text = _update(fixture, dry=words.dry) if words.update else _check(fixture)
    except InputError as error:
        problems = [p if p.source else p.at(path) for p in error.problems]
        tell_problems(InputError(problems, error.count))
        return "error"
    if not (words.quiet and outcome in PASSED):
        _tell(outcome, text)
    return outcome


def _check(fixture: "FixtureContent") -> tuple[str, str]:
    found = fixture.check()
    return "ok" if found.ok else "failed", str(found)


def _update(fixture: "FixtureContent", *, dry: bool) -> tuple[str, str]:
    from groupwise.evaluator.cli.diff import show_diff  # noqa: PLC0415

    update = fixture.make_update()
    if update.old == update.new:
        return "ok", f"{fixture.name}: nothing to update"
    show_diff(update.old, update.new, fixture.name)
    if not dry:
        update.write()
    return "differs" if dry else "updated", fixture.name


def _tell(outcome: str, text: str) -> None:
    """Show the outcome for a fixture."""
    first, *others = (printable(line) for line in text.split("\n"))
    head = streams.paint(f"{outcome:<7}", STYLE_OF[outcome])
    streams.say("".join(f"{line}\n" for line in [f"{head} {first}", *others]))


def _conclude(outcomes: "Counter[str]", *, quiet: bool) -> int:
    """Count the outcomes, and return the exit code."""
    counts = ", ".join(f"{outcomes[word]} {word}" for word in STYLE_OF if outcomes[word])
    if outcomes.total() > 1 and not quiet:
        streams.say(f"{plural(outcomes.total(), 'file')}: {counts}\n")
    if outcomes["error"]:
        return INVALID_INPUT
    if _checks_nothing(outcomes):
        streams.note("nothing was checked", "error")
        return INVALID_INPUT
    return FELL_SHORT if outcomes["failed"] or outcomes["differs"] else DONE
