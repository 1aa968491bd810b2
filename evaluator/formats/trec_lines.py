"""TREC's lines, with cells separated by white space: parsed in blocks if they are plain.

Other lines are parsed one by one, with the same result, or their problems are reported. As in
trec_eval 10, lines that begin with ``#`` are comments; within an id it is a character like others.
"""

import io
import math
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, groupby
from typing import Any, BinaryIO, TypeAlias

from groupwise.evaluator.formats.mapping.long_form import (
    AddProblem,
    Row,
    Rows,
    parse_number,
    quote_line,
)
from groupwise.evaluator.reading.lines import decode_line, read_blocks

MARK = b"\0"
COMMENT = b"#"
EXACT = 2**53
"""Whole numbers from here on are not distinguished by doubles."""
LineColumns: TypeAlias = list[Sequence[Any]]


@dataclass(frozen=True)
class LineShape:
    """The cells of a line: the query first, others that are kept, and a number.

    ``rows`` builds rows from the columns that are kept: query, number of the line, texts, number.
    ``is_open`` allows for further cells, which are ignored.
    """

    names: tuple[str, ...]
    texts: tuple[int, ...]
    number: int
    rows: Callable[..., Iterator[Row]]
    is_open: bool = False

    def fits(self, cells: int) -> bool:
        """Whether a line may have so many cells."""
        return cells == len(self.names) or (self.is_open and cells > len(self.names))


def read_rows(stream: BinaryIO, name: str, add_problem: AddProblem, *, shape: LineShape) -> Rows:
    """Yield the rows of the lines; lines with other cells, or without a number, are problems."""
    first = 1
    for block in read_blocks(stream, name):
        columns = _split_block(block, first, shape)
        if columns is None:
            columns = _split_lines(block, first, shape, add_problem, name)
        yield list(shape.rows(*columns))
        first += block.count(b"\n") + 1


def row_per_line(*columns: Sequence[Any]) -> Iterator[Row]:
    """Return a row for each line."""
    return zip(*columns, strict=True)


def row_per_query(
    queries: Sequence[str], lines: Sequence[int], *columns: Sequence[Any]
) -> Iterator[Row]:
    """Yield a row for all adjacent lines of a query, with their cells in lists."""
    end = 0
    for query, same in groupby(queries):
        start, end = end, end + len(list(same))
        yield query, lines[start], *(column[start:end] for column in columns)


def read_queries(stream: BinaryIO, name: str) -> Generator[bytes, None, None]:
    """Yield the query of each line that differs from that of the line before."""
    known = MARK
    for line in chain.from_iterable(block.split(b"\n") for block in read_blocks(stream, name)):
        if not line.startswith(known) and (parts := split_content(line, 1)):
            yield parts[0]
            known = line[: len(line) - len(parts[1])] if len(parts) > 1 else MARK


def split_content(line: bytes, most: int = -1) -> list[bytes]:
    """Return the cells of a line, separated by ASCII white space; none of a comment."""
    cells = line.split(None, most)
    return [] if cells and cells[0].startswith(COMMENT) else cells


def _split_block(block: bytes, first: int, shape: LineShape) -> LineColumns | None:
    """Return the columns of some lines at C speed, if they are plain; otherwise None."""
    width = len(shape.names)
    cells = _split_cells(block, width)
    if cells is None:
        return None
    try:
        query, *texts = (_decode_column(cells[at :: width + 1]) for at in shape.texts)
        if _has_comment(cells[:: width + 1]):
            return None
        numbers = [*map(float, cells[shape.number :: width + 1])]
    except ValueError:
        return None
    # A NaN, which cannot be ordered, makes the sum NaN.
    is_sound = math.isfinite(sum(numbers)) and min(numbers) > -EXACT and max(numbers) < EXACT
    return [query, range(first, first + len(query)), *texts, numbers] if is_sound else None


def _split_cells(block: bytes, width: int) -> list[bytes] | None:
    """Return the cells of all lines and a mark after each line; None if the widths differ."""
    if MARK in block:
        return None
    cells = block.replace(b"\n", b" " + MARK + b" ").split()
    cells.append(MARK)
    lines = block.count(b"\n") + 1
    marks = cells[width :: width + 1]
    return cells if len(cells) == (width + 1) * lines and marks.count(MARK) == lines else None


def _has_comment(firsts: list[bytes]) -> bool:
    """Whether any line begins with ``#``, by the first cell of each."""
    return b"\n#" in b"\n" + b"\n".join(firsts)


def _decode_column(column: list[bytes]) -> list[str]:
    return b"\n".join(column).decode().split("\n")


def _split_lines(
    block: bytes, first: int, shape: LineShape, add_problem: AddProblem, name: str
) -> LineColumns:
    """Return the columns of the lines that are sound; the others are problems."""
    rows = list(_read_lines(block, first, shape, add_problem, name))
    return [*zip(*rows, strict=True)] if rows else [()] * (len(shape.texts) + 2)


def _read_lines(
    block: bytes, first: int, shape: LineShape, add_problem: AddProblem, name: str
) -> Iterator[Row]:
    for number, line in enumerate(io.BytesIO(block), first):
        parts = _decode_cells(line, number, name)
        if shape.fits(len(parts)):
            value = parse_number(parts[shape.number])
            if value is None:
                add_problem(_no_number(parts, shape), number)
            else:
                query, *texts = (parts[at] for at in shape.texts)
                yield query, number, *texts, value
        elif parts:
            least = " or more" * shape.is_open
            expected = f"expected {len(shape.names)}{least} columns ({' '.join(shape.names)})"
            text = quote_line(decode_line(line, number, name))
            add_problem(f"{expected}, got {len(parts)} in {text}", number)


def _no_number(parts: list[str], shape: LineShape) -> str:
    what, found = shape.names[shape.number], parts[shape.number][:40]
    return f"the {what} {found!r} in {quote_line(' '.join(parts))} is not a finite number"


def _decode_cells(line: bytes, number: int, name: str) -> list[str]:
    """Return the cells of a line as text; none of a comment."""
    try:
        return [part.decode() for part in split_content(line)]
    except UnicodeDecodeError:
        return [decode_line(line, number, name)]
