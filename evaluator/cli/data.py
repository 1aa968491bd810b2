"""Options for data files, shared by every command that reads them."""

import os
import re
import stat
from argparse import Namespace
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from groupwise.evaluator.cli.arguments import argument
from groupwise.evaluator.cli.usage import UsageError
from groupwise.evaluator.reading.options import AUTO

if TYPE_CHECKING:
    from argparse import ArgumentParser, _ArgumentGroup

    from groupwise.evaluator.cli.arguments import CommandParser
    from groupwise.evaluator.errors import InputError
    from groupwise.evaluator.reading.file import File
    from groupwise.evaluator.reading.options import Role

STDIN = "-"
OPTION = re.compile(r"\b(flat|ids|role|to|format|profile|missing|extra|ties)='([\w-]+)'")
"""An argument of the library in a message."""
SWITCH = re.compile(r"\b(subtopics|cnf|allow_other_data)=True\b")
SAID = re.compile(r"\bFile\(…, (\w+=(?:True|…))\)")
"""What an error says of a file."""
OPEN = re.compile(r"\b(corpus|format|max_bytes|max_record_bytes|baseline)=…")
FLAGS = {
    "format": "from",
    "max_bytes": "max-bytes",
    "max_record_bytes": "max-record-bytes",
    "allow_other_data": "allow-other-data",
}
"""Options whose names differ from the arguments of the library."""
GROUND_TRUTH: Literal["ground_truth"] = "ground_truth"
RUN: Literal["run"] = "run"
SCOPES: dict[str, "Role"] = {"truth": "ground_truth", "run": "run"}
"""The files that a map can be about alone."""
VALUES = {"corpus": " FILE", "baseline": " FILE"}


def without_threads() -> None:
    """Keep NumPy, if it is not loaded yet, from starting threads: only vectors need them."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def add_data_options(parser: "ArgumentParser") -> None:
    """Add the options for data files."""
    group = parser.add_argument_group("data files")
    add_reading_options(group)
    add = group.add_argument
    add("--subtopics", action="store_true", help="TREC qrels: the second column is the group")
    add("--cnf", action="store_true",
        help="expand evidence sets (an OR of ANDs); this changes fractions")  # fmt: skip


def add_id_options(parser: "CommandParser") -> None:
    """Add how ground truth without groups and ids that are numbers are written."""
    parser.add_choice(
        "--flat", ("any", "all"), "ground truth without groups: one group, or one group per id"
    )
    parser.add_choice("--ids", ("text",), "make all ids strings, including whole numbers")


def add_reading_options(group: "_ArgumentGroup") -> None:
    """Add the options for files of either role."""
    add = group.add_argument
    add("--from", dest="source_format", action="append", metavar="FORMAT",
        help="input format (default: detected from the content); may be repeated")  # fmt: skip
    add("--map", action="merge", type=_parse_map, metavar="[FILE:]FIELD=PATH,…",
        help="paths of fields in records of any shape, such as query=inputs.question, "
             "ground_truth=cases[].gold, id=# (numbers the records), "
             "results=docs.*.name+page (joins two parts to an id); auto: "
             "as groupwise inspect proposes; truth:… or run:… is about that file alone, such as "
             "run:id=qid; may be repeated")  # fmt: skip
    add_size_limit(group)


def add_size_limit(parser: "ArgumentParser | _ArgumentGroup") -> None:
    """Add the options that limit what a file may hold."""
    parser.add_argument("--max-bytes", type=_parse_size, metavar="N",
                        help="limit for decompressed data and pipes (default: 16G)")  # fmt: skip
    parser.add_argument("--max-record-bytes", type=_parse_size, metavar="N",
                        help="limit for a line, a row or a record (default: 256M)")  # fmt: skip


def add_jobs_option(parser: "ArgumentParser") -> None:
    """Add in how many processes files are read."""
    parser.add_argument("--jobs", type=_parse_jobs, default=1, metavar="N",
                        help="read parts of large JSON Lines files in N processes; "
                             "the output is the same")  # fmt: skip


@argument
def _parse_jobs(text: str) -> int:
    from groupwise.evaluator.evaluation.plan import MOST_JOBS  # noqa: PLC0415

    word = text.strip()
    if not (word.isascii() and word.isdigit() and len(word) < 5 and 1 <= int(word) <= MOST_JOBS):
        raise ValueError(f"expected a whole number from 1 to {MOST_JOBS}, got {text!r}")
    return int(word)


def build_files(
    words: Namespace, paths: Sequence[str], roles: Sequence["Role | None"]
) -> list["File"]:
    """Return the files of a command, with what its options say of each.

    A named format is required of the files that it can hold; two for one role are a usage error.
    """
    from groupwise.evaluator.reading.file import File  # noqa: PLC0415

    formats, limits = check_formats(words, roles), (words.max_bytes, words.max_record_bytes)
    given = vars(words)  # check has no options for qrels and evidence
    subtopics, cnf = given.get("subtopics", False), given.get("cnf", False)
    return [
        File(path, format_, choose_map(words, role), subtopics, cnf, *limits)
        for path, format_, role in zip(paths, formats, roles, strict=True)
    ]


def list_roles(words: Namespace) -> list["Role | None"]:
    """Return what ground truth and run hold, or the one file that holds both."""
    return [GROUND_TRUTH, RUN] if len(words.files) == 2 else [None]


def build_runs(
    words: Namespace, truth: str, runs: dict[str, str]
) -> tuple["File", dict[str, "File"]]:
    """Return a ground truth, and runs by name, which are read alike."""
    paths = [truth, *runs.values()]
    first, *others = build_files(words, paths, [GROUND_TRUTH, *[RUN] * len(runs)])
    return first, dict(zip(runs, others, strict=True))


def build_plain(words: Namespace, path: str | None) -> Any:
    """Return a file that only the limits are about, if there is one."""
    from groupwise.evaluator.reading.file import File  # noqa: PLC0415

    limits = {"max_bytes": words.max_bytes, "max_record_bytes": words.max_record_bytes}
    return None if path is None else File(path, **limits)


def choose_map(words: Namespace, role: "Role | None") -> "dict[str, str] | Literal['auto'] | None":
    """Return the map of a file, or ``"auto"``; None if there is none.

    Raises:
        UsageError: Both are given.
    """
    chosen: dict[str, str] = {}
    for name, path in (words.map or {}).items():
        scope, field = _split_scope(name)
        if scope is None or role in (None, SCOPES[scope]):
            chosen[field] = path if scope else chosen.get(field, path)
    if AUTO not in chosen:
        return chosen or None
    if len(chosen) > 1:
        raise UsageError("--map auto takes the whole map from the file; give no other --map")
    return AUTO


def _split_scope(text: str) -> tuple[str | None, str]:
    """Return the file that a map is about, or None for all, and the rest."""
    scope, colon, rest = text.strip().partition(":")
    return (scope, rest) if colon and scope in SCOPES else (None, text)


@argument
def _parse_map(text: str) -> dict[str, str]:
    from groupwise.evaluator.formats.mapping.fields import parse_map  # noqa: PLC0415

    scope, rest = _split_scope(text)
    found: dict[str, str] = {AUTO: AUTO} if rest.strip() == AUTO else parse_map(rest)
    return found if scope is None else {f"{scope}:{name}": path for name, path in found.items()}


@argument
def _parse_size(text: str) -> int:
    from groupwise.evaluator.reading.limits import parse_size  # noqa: PLC0415

    return parse_size(text)


def check_files(words: Namespace, roles: Sequence["Role | None"], *others: str | None) -> None:
    """Raise a usage error unless no two files are one pipe, and ``--from`` fits the files.

    Args:
        words: The command line.
        roles: What is looked for in each file.
        others: The files beside ``words.files``.
    """
    check_pipes(*words.files, *others)
    check_formats(words, roles)


def check_pipes(*files: str | None) -> None:
    """Raise a usage error if two files are the same pipe: its second reader would wait forever."""
    if files.count(STDIN) > 1:
        raise UsageError("only one of the files can be - (stdin)")
    given: dict[tuple[int, int], str] = {}
    for file in filter(None, files):
        pipe = _identify_pipe(file)
        if pipe is not None and pipe in given:
            same = file if given[pipe] == file else f"{given[pipe]} and {file}"
            raise UsageError(f"only one of the files can be the pipe {same}: it is read once")
        if pipe is not None:
            given[pipe] = file


def _identify_pipe(file: str) -> tuple[int, int] | None:
    """Return what tells a pipe from others; None for anything else."""
    try:
        found = os.fstat(0) if file == STDIN else Path(file).stat()
    except (OSError, ValueError):
        return None
    return (found.st_dev, found.st_ino) if stat.S_ISFIFO(found.st_mode) else None


def check_formats(words: Namespace, roles: Sequence["Role | None"]) -> list[str | None]:
    """Return the format that is named for each file, given its role."""
    if not words.source_format:
        return [None] * len(roles)
    from groupwise.evaluator.formats.file_options import choose_formats  # noqa: PLC0415

    with usage_errors("--from"):
        return choose_formats(roles, words.source_format)


@contextmanager
def usage_errors(flag: str) -> Iterator[None]:
    """Raise the problems with the value of an option as a usage error."""
    from groupwise.evaluator.errors import InputError  # noqa: PLC0415

    try:
        yield
    except InputError as error:
        message = spell_flags(str(error)).removeprefix(f"{flag}: ")
        raise UsageError(f"{flag}: {message}") from None


def spell_for_shell(error: "InputError") -> "InputError":
    """Return the same problems, with options spelled as on the command line."""
    problems = [found._replace(message=spell_flags(found.message)) for found in error.problems]
    return type(error)(problems, error.count).with_hints(error.hints)


def spell_flags(message: str) -> str:
    """Return a message with options spelled as on the command line.

    >>> spell_flags("say role='run', subtopics=True or corpus=…")
    'say --role run, --subtopics or --corpus FILE'
    """
    message = SAID.sub(r"\1", message)
    message = OPTION.sub(lambda match: f"{_flag(match[1])} {match[2]}", message)
    message = OPEN.sub(lambda match: _flag(match[1]) + VALUES.get(match[1], ""), message)
    return SWITCH.sub(lambda match: _flag(match[1]), message)


def _flag(name: str) -> str:
    return f"--{FLAGS.get(name, name)}"
