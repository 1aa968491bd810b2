"""``groupwise check``: fixtures are tests."""

import os
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

from groupwise.evaluator.cli import streams
from groupwise.evaluator.cli.guard import DONE, FELL_SHORT, INVALID_INPUT, tell_problems
from groupwise.evaluator.cli.usage import UsageError, parser_of
from groupwise.evaluator.text import printable

if TYPE_CHECKING:
    from argparse import ArgumentParser

ENDINGS = (".json", ".jsonl", ".ndjson", ".json.gz", ".jsonl.gz", ".ndjson.gz")
EXPECTED = re.compile(rb'"expected"\s*:')
PIECE, OVERLAP = 1 << 20, 64
DESCRIPTION = """\
Evaluate fixtures and compare the scores with those they expect. In a folder,
files that expect nothing are passed over."""
EXAMPLE = """\
  $ groupwise demo --fixture > first.json
  $ groupwise check first.json
  $ groupwise check --update first.json
"""
STYLE_OF = {
    "ok": "met", "failed": "failed", "error": "error", "updated": "bold", "skipped": "dim",
}  # fmt: skip


class Named(NamedTuple):
    """A file to check, and whether the call names it or a folder holds it."""

    path: str
    in_folder: bool


def main(arguments: Sequence[str]) -> int:
    """Check each fixture, then count."""
    words = _parser().parse_intermixed_args(arguments)
    if "-" in words.paths:
        raise UsageError("check reads files and folders, not standard input", "check")
    outcomes = Counter(_outcome(one, update=words.update) for one in _files(words.paths))
    return _verdict(outcomes)


def _parser() -> "ArgumentParser":
    parser = parser_of("check", DESCRIPTION, EXAMPLE)
    add = parser.add_argument
    add("paths", nargs="+", metavar="FIXTURE_OR_FOLDER", help="a file, or a folder to search")
    add("--update", action="store_true",
        help="write the scores found into the fixtures, showing the difference")  # fmt: skip
    return parser


def _files(paths: Sequence[str]) -> Iterator[Named]:
    for path in paths:
        if Path(path).is_dir():
            yield from (Named(found, in_folder=True) for found in files_in(path))
        else:
            yield Named(path, in_folder=False)


def files_in(folder: str) -> list[str]:
    """The files of a folder and its subfolders that may be fixtures, sorted; hidden ones apart."""
    found: list[str] = []
    for where, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        shown = (n for n in names if n.lower().endswith(ENDINGS) and not n.startswith("."))
        found.extend(os.path.join(where, name) for name in shown)  # noqa: PTH118  (as it is typed)
    return sorted(found)


def _outcome(one: Named, *, update: bool) -> str:
    """What became of a fixture, in one word; told as it is found."""
    from groupwise.evaluator.errors import InputError, Problem, UnknownMetric  # noqa: PLC0415

    try:
        return _updated(one) if update else _checked(one)
    except UnknownMetric as error:
        tell_problems(InputError([Problem(str(error), one.path)]))
    except InputError as error:
        placed = [problem if problem.source else problem.at(one.path) for problem in error.problems]
        tell_problems(InputError(placed, error.count))
    return "error"


def _checked(one: Named) -> str:
    from groupwise.evaluator.evaluation.fixture import check_fixture  # noqa: PLC0415

    if one.in_folder and not _expects(one.path):
        return _passed_over(one)
    found = check_fixture(one.path)
    word = "ok" if found.ok else "failed"
    _tell(word, str(found))
    return word


def _passed_over(one: Named) -> str:
    _tell("skipped", f"{one.path}: nothing is expected")
    return "skipped"


def _expects(path: str) -> bool:
    """Whether a file holds expectations; one without the word for them need not be a fixture."""
    from groupwise.evaluator.evaluation.fixture import read_expectations  # noqa: PLC0415
    from groupwise.evaluator.reading.source import Source  # noqa: PLC0415

    with Source(path).open() as stream:
        mentioned = any(map(EXPECTED.search, _overlapping(stream)))
    return mentioned and bool(read_expectations(path)[1])


def _overlapping(stream: BinaryIO) -> Iterator[bytes]:
    """The bytes in pieces, each with the end of the one before it."""
    end = b""
    while piece := stream.read(PIECE):
        yield end + piece
        end = piece[-OVERLAP:]


def _updated(one: Named) -> str:
    from groupwise.evaluator.cli.update import new_text, shown_difference  # noqa: PLC0415
    from groupwise.evaluator.reading.text_file import write_text  # noqa: PLC0415

    if one.in_folder and not _expects(one.path):
        return _passed_over(one)
    old, new = new_text(one.path)
    if old == new:
        _tell("ok", f"{one.path}: nothing to update")
        return "ok"
    streams.say(shown_difference(old, new, one.path))
    write_text(one.path, new)
    _tell("updated", one.path)
    return "updated"


def _tell(word: str, text: str) -> None:
    first, *others = (printable(line) for line in text.split("\n"))
    head = streams.paint(f"{word:<7}", STYLE_OF[word], sys.stdout)
    streams.say("".join(f"{line}\n" for line in [f"{head} {first}", *others]))


def _verdict(outcomes: "Counter[str]") -> int:
    counted = ", ".join(f"{outcomes[word]} {word}" for word in STYLE_OF if outcomes[word])
    if outcomes.total() > 1:
        streams.say(f"{outcomes.total()} files: {counted}\n")
    if outcomes["error"]:
        return INVALID_INPUT
    if not outcomes.total() - outcomes["skipped"]:
        streams.note("no fixture that expects anything was found", "error")
        return INVALID_INPUT
    return FELL_SHORT if outcomes["failed"] else DONE
