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
    from groupwise.evaluator.reading.options import Options, Role

STDIN = "-"
OPTION = re.compile(r"\b(flat|ids|role|to|format|profile|missing|extra|ties)='([\w-]+)'")
"""An argument of the library in a message."""
SWITCH = re.compile(r"\b(subtopics|cnf|allow_other_data)=True\b")
OPEN = re.compile(r"\b(corpus|format|max_bytes|max_record_bytes|baseline)=…")
FLAGS = {
    "format": "from",
    "max_bytes": "max-bytes",
    "max_record_bytes": "max-record-bytes",
    "allow_other_data": "allow-other-data",
}
"""Options whose names differ from the arguments of the library."""
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
    add("--map", action="merge", type=_parse_map, metavar="FIELD=PATH,…",
        help="paths of fields in records of any shape, such as query=inputs.question, "
             "ground_truth=cases[].gold, id=# (numbers the records), "
             "results=docs.*.name+page (joins two parts to an id); auto: "
             "as groupwise inspect proposes; may be repeated")  # fmt: skip
    add_size_limit(group)


def add_size_limit(parser: "ArgumentParser | _ArgumentGroup") -> None:
    """Add the options that limit what a file may hold."""
    parser.add_argument("--max-bytes", type=_parse_size, metavar="N",
                        help="limit for decompressed data and pipes (default: 16G)")  # fmt: skip
    parser.add_argument("--max-record-bytes", type=_limit_records, metavar="N",
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


def data_options(words: Namespace) -> dict[str, Any]:
    """Return the options for data files as the library takes them."""
    return {
        "format": words.source_format, "fields": choose_fields(words),
        "subtopics": words.subtopics,
        "cnf": words.cnf, "max_bytes": words.max_bytes,
    }  # fmt: skip


def choose_fields(words: Namespace) -> "dict[str, str] | Literal['auto'] | None":
    """Return the map, or ``"auto"``.

    Raises:
        UsageError: Both are given.
    """
    fields: dict[str, str] | None = words.map
    if not fields or AUTO not in fields:
        return fields
    if len(fields) > 1:
        raise UsageError("--map auto takes the whole map from the file; give no other --map")
    return AUTO


@argument
def _parse_map(text: str) -> dict[str, str]:
    from groupwise.evaluator.formats.mapping.fields import parse_map  # noqa: PLC0415

    return {AUTO: AUTO} if text.strip() == AUTO else parse_map(text)


@argument
def _parse_size(text: str) -> int:
    from groupwise.evaluator.reading.limits import parse_size  # noqa: PLC0415

    return parse_size(text)


@argument
def _limit_records(text: str) -> int:
    """Set the limit for this process and those that it starts."""
    from groupwise.evaluator.reading.limits import RECORD, parse_size  # noqa: PLC0415

    size = parse_size(text)
    os.environ[str(RECORD.variable)] = str(size)
    return size


def check_files(words: Namespace, roles: Sequence["Role | None"], *others: str | None) -> None:
    """Raise a usage error unless no two files are one pipe, and ``--from`` fits the files.

    Args:
        words: The command line.
        roles: What is looked for in each file.
        others: The files beside ``words.files``.
    """
    check_pipes(*words.files, *others)
    if words.source_format:
        choose_options(words, roles)


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


def choose_options(words: Namespace, roles: Sequence["Role | None"]) -> list["Options"]:
    """Return the read options of each file, given its role.

    A named format is required of the files that it can hold; two for one role are a usage error.
    """
    from groupwise.evaluator.formats.file_options import options_for_files  # noqa: PLC0415
    from groupwise.evaluator.reading.options import Options  # noqa: PLC0415

    common = Options(
        fields={} if AUTO in (words.map or {}) else words.map or {},
        subtopics=words.subtopics,
        cnf=words.cnf,
        max_bytes=words.max_bytes,
    )
    with usage_errors("--from"):
        return options_for_files(roles, common, words.source_format)


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
    message = OPTION.sub(lambda match: f"{_flag(match[1])} {match[2]}", message)
    message = OPEN.sub(lambda match: _flag(match[1]) + VALUES.get(match[1], ""), message)
    return SWITCH.sub(lambda match: _flag(match[1]), message)


def _flag(name: str) -> str:
    return f"--{FLAGS.get(name, name)}"
