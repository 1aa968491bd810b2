"""``groupwise check``: fixtures are tests."""

from argparse import Namespace
from collections import Counter
from collections.abc import Iterator, Sequence
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
files that expect nothing are skipped."""
EXAMPLE = """\
  $ groupwise demo --fixture > first.json
  $ groupwise check first.json
  $ groupwise check --update first.json
"""
STYLE_OF = {
    "ok": "met", "failed": "failed", "error": "error", "updated": "bold", "differs": "bold",
    "skipped": "dim",
}  # fmt: skip


def main(arguments: Sequence[str]) -> int:
    """Check each fixture, then count."""
    words = _parser().parse_intermixed_args(arguments)
    if STDIN in words.paths:
        raise UsageError("check reads files and folders, not standard input")
    if words.dry and not words.update:
        raise UsageError("--dry goes with --update")
    return _conclude(Counter(_process(*file, words) for file in _list_files(words.paths)))


def _parser() -> CommandParser:
    parser = CommandParser("check", DESCRIPTION, EXAMPLE)
    add = parser.add_argument
    add("paths", nargs="+", metavar="FIXTURE_OR_FOLDER", help="a file, or a folder to search")
    add("--update", action="store_true",
        help="write the scores found into the fixtures, showing the difference")  # fmt: skip
    add("--dry", action="store_true",
        help="with --update: only show the difference, exit 1 if there is any")  # fmt: skip
    return parser


def _list_files(paths: Sequence[str]) -> Iterator[tuple[str, bool]]:
    """Yield each file, and whether a folder holds it."""
    from groupwise.evaluator.evaluation.fixture_files import find_files  # noqa: PLC0415

    for path in paths:
        if Path(path).is_dir():
            yield from ((found, True) for found in find_files(path))
        else:
            yield path, False


def _process(path: str, in_folder: bool, words: Namespace) -> str:  # noqa: FBT001
    """Check or update a fixture, and return the outcome in one word."""
    from groupwise.evaluator.errors import InputError  # noqa: PLC0415
    from groupwise.evaluator.evaluation.fixture import read_fixture  # noqa: PLC0415
    from groupwise.evaluator.evaluation.fixture_files import read_if_expecting  # noqa: PLC0415

    try:
        fixture = read_if_expecting(path) if in_folder else read_fixture(path)
        if fixture is None:
            return _tell("skipped", f"{path}: nothing is expected")
        return _update(fixture, dry=words.dry) if words.update else _check(fixture)
    except InputError as error:
        problems = [p if p.source else p.at(path) for p in error.problems]
        tell_problems(InputError(problems, error.count))
        return "error"


def _check(fixture: "FixtureContent") -> str:
    found = fixture.check()
    return _tell("ok" if found.ok else "failed", str(found))


def _update(fixture: "FixtureContent", *, dry: bool) -> str:
    from groupwise.evaluator.cli.diff import show_diff  # noqa: PLC0415

    update = fixture.make_update()
    if update.old == update.new:
        return _tell("ok", f"{fixture.name}: nothing to update")
    show_diff(update.old, update.new, fixture.name)
    if not dry:
        update.write()
    return _tell("differs" if dry else "updated", fixture.name)


def _tell(outcome: str, text: str) -> str:
    """Show the outcome for a fixture, and return it."""
    first, *others = (printable(line) for line in text.split("\n"))
    head = streams.paint(f"{outcome:<7}", STYLE_OF[outcome])
    streams.say("".join(f"{line}\n" for line in [f"{head} {first}", *others]))
    return outcome


def _conclude(outcomes: "Counter[str]") -> int:
    """Count the outcomes, and return the exit code."""
    counts = ", ".join(f"{outcomes[word]} {word}" for word in STYLE_OF if outcomes[word])
    if outcomes.total() > 1:
        streams.say(f"{plural(outcomes.total(), 'file')}: {counts}\n")
    if outcomes["error"]:
        return INVALID_INPUT
    if not outcomes.total() - outcomes["skipped"]:
        streams.note("found no fixture that expects anything", "error")
        return INVALID_INPUT
    return FELL_SHORT if outcomes["failed"] or outcomes["differs"] else DONE
