"""Lines of text, read in blocks and decoded."""

import io
from collections.abc import Iterable, Iterator
from typing import BinaryIO

from groupwise.evaluator.errors import InputError, Problem
from groupwise.evaluator.reading.limits import describe_large, find_record_limit

BLOCK_BYTES = 1 << 17


def read_blocks(stream: BinaryIO, name: str) -> Iterator[bytes]:
    """Yield whole lines, as many as fit into a block, without the last line break.

    Raises:
        InputError: A line is too long.
    """
    while block := read_block(stream, name):
        yield block.removesuffix(b"\n")


def read_block(stream: BinaryIO, name: str, size: int | None = None) -> bytes:
    """Return the next whole lines, as many as fit into a block; nothing at the end.

    Raises:
        InputError: A line is too long.
    """
    longest, size = find_record_limit(), size or BLOCK_BYTES
    block = stream.read(size)
    if block and not block.endswith(b"\n"):
        block += stream.readline(longest)
    if len(block) > longest and not block.endswith(b"\n"):
        raise InputError([Problem(describe_large("a line"), name, code="IO010")])
    return block


def split_lines(block: bytes) -> list[bytes]:
    """Return lines with their ends; faster than ``split``, which looks at each byte by itself."""
    return io.BytesIO(block).readlines()


def decode_blocks(stream: BinaryIO, name: str) -> Iterator[str]:
    """Yield whole lines as text, as many as fit into a block.

    Raises:
        InputError: Lines are not UTF-8, or too long.
    """
    problems: list[Problem] = []
    for lines in read_lines(stream, name, problems):
        if problems:
            raise InputError(problems)
        yield "\n".join(lines)


def read_lines(stream: BinaryIO, name: str, problems: list[Problem]) -> Iterator[list[str]]:
    """Yield lists of lines as text; a line that is not UTF-8 is a problem, and left blank."""
    first = 1
    for block in read_blocks(stream, name):
        try:
            lines = block.decode().split("\n")
        except UnicodeDecodeError:
            lines = list(_decode_each(block.split(b"\n"), first, name, problems))
        yield lines
        first += len(lines)


def _decode_each(
    lines: Iterable[bytes], first: int, name: str, problems: list[Problem]
) -> Iterator[str]:
    for number, line in enumerate(lines, first):
        try:
            yield decode_line(line, number, name)
        except InputError as error:
            problems.extend(error.problems)
            yield ""


def decode_line(line: bytes, number: int, name: str) -> str:
    """Return a line as text.

    Raises:
        InputError: It is not UTF-8.
    """
    try:
        return line.decode()
    except UnicodeDecodeError as error:
        column = len(line[: error.start].decode()) + 1
        problem = Problem(describe_byte(error), name, number, column, code="IO002")
        raise InputError([problem]) from None


def describe_byte(error: UnicodeDecodeError) -> str:
    """Return a message for a byte that is not UTF-8."""
    return f"not UTF-8: the byte {error.object[error.start]:#04x}; save the file as UTF-8"
