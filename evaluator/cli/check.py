"""``groupwise check``: fixtures are tests."""

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from groupwise.evaluator.cli import streams
from groupwise.evaluator.cli.guard import DONE, FELL_SHORT, INVALID_INPUT, tell_problems
from groupwise.evaluator.cli.usage import UsageError, parser_of
from groupwise.evaluator.text import plural, printable

if TYPE_CHECKING:
    from argparse import ArgumentParser

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


class NamedFile(NamedTuple):
    """A file to check, and whether the call names it or a folder holds it."""

    path: str
    in_folder: bool


def main(arguments: Sequence[str]) -> int:
    """Check each fixture, then count."""
    words = _parser().parse_intermixed_args(arguments)
    if "-" in words.paths:
        raise UsageError("check reads files and folders, not standard input", "check")
    if words.dry and not words.update:
        raise UsageError("--dry goes with --update", "check")
    outcomes = Counter(
        _process(file, update=words.update, dry=words.dry) for file in _list_files(words.paths)
    )
    return _conclude(outcomes)


def _parser() -> "ArgumentParser":
    parser = parser_of("check", DESCRIPTION, EXAMPLE)
    add = parser.add_argument
    add("paths", nargs="+", metavar="FIXTURE_OR_FOLDER", help="a file, or a folder to search")
    add("--update", action="store_true",
        help="write the scores found into the fixtures, showing the difference")  # fmt: skip
    add(
        "--dry",
        action="store_true",
        help="with --update: only show the difference, exit 1 if there is any",
    )
    return parser


def _list_files(paths: Sequence[str]) -> Iterator[NamedFile]:
    from groupwise.evaluator.evaluation.fixture_files import find_files  # noqa: PLC0415

    for path in paths:
        if Path(path).is_dir():
            yield from (NamedFile(found, in_folder=True) for found in find_files(path))
        else:
            yield NamedFile(path, in_folder=False)


def _process(file: NamedFile, *, update: bool, dry: bool) -> str:
    """Check or update a fixture, and return the outcome in one word."""
    from groupwise.evaluator.errors import InputError  # noqa: PLC0415

    try:
        fixture = _read(file)
        if fixture is None:
            _tell("skipped", f"{file.path}: nothing is expected")
            return "skipped"
        return _update(fixture, dry=dry) if update else _check(fixture)
    except InputError as error:
        problems = [p if p.source else p.at(file.path) for p in error.problems]
        tell_problems(InputError(problems, error.count))
        return "error"


def _read(file: NamedFile) -> "FixtureContent | None":
    """Return the fixture; None for a file of a folder that expects nothing."""
    from groupwise.evaluator.evaluation.fixture import read_fixture  # noqa: PLC0415
    from groupwise.evaluator.evaluation.fixture_files import read_if_expecting  # noqa: PLC0415

    return read_if_expecting(file.path) if file.in_folder else read_fixture(file.path)


def _check(fixture: "FixtureContent") -> str:
    found = fixture.check()
    outcome = "ok" if found.ok else "failed"
    _tell(outcome, str(found))
    return outcome


def _update(fixture: "FixtureContent", *, dry: bool) -> str:
    from groupwise.evaluator.cli.diff import show_diff  # noqa: PLC0415

    update = fixture.make_update()
    if update.old == update.new:
        _tell("ok", f"{fixture.name}: nothing to update")
        return "ok"
    show_diff(update.old, update.new, fixture.name)
    if not dry:
        update.write()
    outcome = "differs" if dry else "updated"
    _tell(outcome, fixture.name)
    return outcome


def _tell(outcome: str, text: str) -> None:
    first, *others = (printable(line) for line in text.split("\n"))
    head = streams.paint(f"{outcome:<7}", STYLE_OF[outcome], sys.stdout)
    streams.say("".join(f"{line}\n" for line in [f"{head} {first}", *others]))


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
