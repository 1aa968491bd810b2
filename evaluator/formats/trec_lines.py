"""TREC's lines, with cells between white space: many of them at a time where they are plain.

What needs a closer look is read line by line: it means the same, or it is told what is wrong.
"""

import io
import math
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, groupby
from typing import Any, BinaryIO, TypeAlias

from groupwise.evaluator.formats.mapping.long_form import Row, Rows, Tell, decoded, finite, shown

BLOCK_BYTES = 1 << 18
MARK = b"\0"
EXACT = 2**53
"""Whole numbers from here on are not told apart by doubles."""
Columns: TypeAlias = list[Sequence[Any]]


@dataclass(frozen=True)
class LineShape:
    """What the cells of a line are: the query first, others that are kept, and a number.

    ``rows`` makes rows of the columns that are kept: query, number of the line, texts, number.
    ``walked`` makes them of a block at once, or gives None where a line is not plain.
    """

    names: tuple[str, ...]
    texts: tuple[int, ...]
    number: int
    rows: Callable[..., Iterator[Row]]
    walked: Callable[[bytes, int], Sequence[Row] | None] | None = None


def rows_of(stream: BinaryIO, tell: Tell, *, name: str, shape: LineShape) -> Rows:
    """What the lines say; a line with other cells, or without a number, is told."""
    first = 1
    for block in _blocks(stream):
        rows = shape.walked(block, first) if shape.walked else None
        if rows is None:
            columns = _in_bulk(block, first, shape)
            if columns is None:
                columns = _line_by_line(block, first, shape, tell, name)
            rows = list(shape.rows(*columns))
        yield rows
        first += block.count(b"\n")


def a_row_each(*columns: Sequence[Any]) -> Iterator[Row]:
    """A row for each line."""
    return zip(*columns, strict=True)


def a_row_per_query(
    queries: Sequence[str], lines: Sequence[int], *columns: Sequence[Any]
) -> Iterator[Row]:
    """A row for all neighbouring lines of a query, with what each line says in lists."""
    end = 0
    for query, same in groupby(queries):
        start, end = end, end + len(list(same))
        yield query, lines[start], *(column[start:end] for column in columns)


def queries_in(stream: BinaryIO) -> Generator[bytes, None, None]:
    """The query of each line that has another one than the line before."""
    known = MARK
    for line in chain.from_iterable(block.split(b"\n") for block in _blocks(stream)):
        if not line.startswith(known) and (parts := line.split(None, 1)):
            yield parts[0]
            known = line[: len(line) - len(parts[1])] if len(parts) > 1 else MARK


def _blocks(stream: BinaryIO) -> Iterator[bytes]:
    """Whole lines, many at a time."""
    while block := stream.read(BLOCK_BYTES):
        yield block + stream.readline()


def _in_bulk(block: bytes, first: int, shape: LineShape) -> Columns | None:
    """The columns of some lines at C speed, if they are plain; None if they need a closer look."""
    width = len(shape.names)
    cells = _cells(block, width)
    if cells is None:
        return None
    try:
        query, *texts = (_texts(cells[one :: width + 1]) for one in shape.texts)
        numbers = [*map(float, cells[shape.number :: width + 1])]
    except ValueError:
        return None
    # The sum tells what is not a number, which has no place in an order.
    sound = math.isfinite(sum(numbers)) and min(numbers) > -EXACT and max(numbers) < EXACT
    return [query, range(first, first + len(query)), *texts, numbers] if sound else None


def _cells(block: bytes, width: int) -> list[bytes] | None:
    """The cells of all lines and a mark after each line, if all have so many cells; else None."""
    if MARK in block:
        return None
    ended = block if block.endswith(b"\n") else block + b"\n"
    cells = ended.replace(b"\n", b" " + MARK + b" ").split()
    lines = ended.count(b"\n")
    marks = cells[width :: width + 1]
    return cells if len(cells) == (width + 1) * lines and marks.count(MARK) == lines else None


def _texts(column: list[bytes]) -> list[str]:
    return b"\n".join(column).decode().split("\n")


def _line_by_line(block: bytes, first: int, shape: LineShape, tell: Tell, name: str) -> Columns:
    """The columns of the lines that are sound; what is wrong with the others is told."""
    rows = list(_sound_lines(block, first, shape, tell, name))
    return [*zip(*rows, strict=True)] if rows else [()] * (len(shape.texts) + 2)


def _sound_lines(
    block: bytes, first: int, shape: LineShape, tell: Tell, name: str
) -> Iterator[Row]:
    for number, line in enumerate(io.BytesIO(block), first):
        parts = _parts(line, number, name)
        if len(parts) == len(shape.names):
            value = finite(parts[shape.number])
            if value is None:
                tell(_no_number(parts, shape), number)
            else:
                query, *texts = (parts[one] for one in shape.texts)
                yield query, number, *texts, value
        elif parts:
            wanted = f"{len(shape.names)} columns, {' '.join(shape.names)}"
            tell(f"{len(parts)} columns in {shown(decoded(line, number, name))}; {wanted}", number)


def _no_number(parts: list[str], shape: LineShape) -> str:
    what, found = shape.names[shape.number], parts[shape.number][:40]
    return f"the {what} {found!r} in {shown(' '.join(parts))} is not a finite number"


def _parts(line: bytes, number: int, name: str) -> list[str]:
    """The cells of a line, between ASCII's white space only."""
    try:
        return [part.decode() for part in line.split()]
    except UnicodeDecodeError:
        return [decoded(line, number, name)]
