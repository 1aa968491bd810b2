"""What identifies the inputs of an evaluation: their content, not their names or dates."""

import os
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

from groupwise.evaluator.errors import InputError, OptionError, Problem
from groupwise.evaluator.reading.records import Records
from groupwise.evaluator.reading.source import Source, describe_failure, is_read_once
from groupwise.schemas.values import describe

READ_AT_ONCE = 1 << 20
NO_FILE = (
    "resume: {role} must be a file, whose content can be compared when the evaluation goes on; got "
    "{found}; save it to a file first"
)
PIPED = "resume: {role} must be JSON Lines or JSON if it is piped in; save it to a file first"
"""Other formats are read by readers that do not give a pipe back."""
READ_TWICE = "resume: {role} is read twice, which a pipe cannot be; save it to a file first"


def digest_input(role: str, given: Any, records: Records | None = None) -> str:
    """Return the digest of a whole input.

    Args:
        role: What it is, for the message.
        given: The path.
        records: What reads it, if it may be standard input.

    Raises:
        OptionError: It is not a file.
        InputError: It cannot be read.
    """
    source = getattr(records, "source", given if isinstance(given, Source) else None)
    if isinstance(source, Source) and not Path(source.path).is_dir():
        return _digest_source(source)
    if not isinstance(given, str | os.PathLike):
        found = NO_FILE.format(role=role, found=describe(given))
        raise OptionError([Problem(found)])
    if is_read_once(given):
        message = READ_TWICE if records is None else PIPED
        raise OptionError([Problem(message.format(role=role))])
    return _digest_files(Path(given))


def _digest_source(source: Source) -> str:
    digest = sha256()
    with source.open() as stream:
        while data := stream.read(READ_AT_ONCE):
            digest.update(data)
    return digest.hexdigest()


def _digest_files(path: Path) -> str:
    """Return the digest of a file, or of the names and contents of all files in a folder."""
    digest = sha256()
    try:
        for file in _list_files(path):
            if file != path:
                digest.update(f"\0{file.relative_to(path).as_posix()}\0".encode())
            with file.open("rb") as stream:
                while data := stream.read(READ_AT_ONCE):
                    digest.update(data)
    except OSError as error:
        raise InputError([Problem(describe_failure(error), os.fspath(path))]) from None
    return digest.hexdigest()


def _list_files(path: Path) -> Iterator[Path]:
    if path.is_dir():
        yield from sorted(file for file in path.rglob("*") if file.is_file())
    else:
        yield path
