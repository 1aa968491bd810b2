"""Options for data files, shared by every command that reads them."""

import os
import re
from argparse import ArgumentTypeError, Namespace
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from groupwise.evaluator.cli.usage import UsageError

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from groupwise.evaluator.errors import InputError
    from groupwise.evaluator.reading.options import Options, Role

SIZE = re.compile(r"(\d{1,15})([KMGT]?)(i?B)?", re.IGNORECASE)
POWERS = {"": 0, "K": 10, "M": 20, "G": 30, "T": 40}
FLAGS = {"format": "from", "fields": "map", "matching": "match", "gates": "gate"}
"""Options whose names differ from the arguments of the library."""
_OPTION = re.compile(r"\b([a-z_]+)='([\w-]+)'")


def without_threads() -> None:
    """Keep NumPy, if it is not loaded yet, from starting threads: only vectors need them."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def add_data_options(parser: "ArgumentParser") -> None:
    """Add the options for data files."""
    add = parser.add_argument_group("data files").add_argument
    add("--from", dest="source_format", action="append", metavar="FORMAT",
        help="input format (default: detected from the content); may be repeated")  # fmt: skip
    add("--map", type=_parse_map, metavar="FIELD=PATH,…",
        help="paths of fields in records of any shape, such as query=inputs.question")  # fmt: skip
    add("--subtopics", action="store_true", help="TREC qrels: the second column is the group")
    add("--cnf", action="store_true",
        help="expand evidence sets (an OR of ANDs); this changes fractions")  # fmt: skip
    add("--max-bytes", type=_parse_size, metavar="N",
        help="limit for decompressed data (default: 16G)")  # fmt: skip


def _parse_map(text: str) -> dict[str, str]:
    from groupwise.evaluator.formats.mapping.fields import parse_map  # noqa: PLC0415

    try:
        return parse_map(text)
    except ValueError as error:
        raise ArgumentTypeError(str(error)) from None


def _parse_size(text: str) -> int:
    match = SIZE.fullmatch(text.strip())
    if match is None or not int(match[1]):
        raise ArgumentTypeError(
            f"expected a number of bytes, such as 4G or 4294967296, got {text!r}"
        )
    return int(match[1]) << POWERS[match[2].upper()]


def options_of(words: Namespace, roles: Sequence["Role | None"], command: str) -> list["Options"]:
    """Return how to read each of the files, by what is looked for in it.

    A named format is required of the files that it can hold; two for one role are a usage error.
    """
    from groupwise.evaluator.errors import InputError  # noqa: PLC0415
    from groupwise.evaluator.formats.choosing import options_for_files  # noqa: PLC0415
    from groupwise.evaluator.reading.options import Options  # noqa: PLC0415

    common = Options(
        fields=words.map or {}, subtopics=words.subtopics, cnf=words.cnf, max_bytes=words.max_bytes
    )
    try:
        return options_for_files(roles, common, words.source_format)
    except InputError as error:
        message = str(spell_for_shell(error))
        raise UsageError(f"--from: {message.removeprefix('--from: ')}", command) from None


def spell_for_shell(error: "InputError") -> "InputError":
    """Return the same problems, with options as they are typed."""
    from groupwise.evaluator.errors import InputError  # noqa: PLC0415

    return InputError(
        [
            replace(found, message=_OPTION.sub(_spell_flag, found.message))
            for found in error.problems
        ],
        error.count,
    )


def _spell_flag(match: re.Match[str]) -> str:
    name = FLAGS.get(match[1], match[1].replace("_", "-"))
    return f"--{name} {match[2]}"
