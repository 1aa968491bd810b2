"""The long form: a line per judgement or result, and the lines of a query make one record.

A small file is read whole, so that a query may come back later in it. A large one is first looked
through: if the lines of each query stand together it is streamed, and else read whole as well.
"""

import math
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from functools import cached_property
from itertools import chain, groupby, islice
from operator import itemgetter
from typing import Any, BinaryIO, TypeAlias

from groupwise.evaluator.errors import InputError, Problem
from groupwise.evaluator.reading.options import Record
from groupwise.evaluator.reading.records import Batch, FileRecords, NumberedBatch, Reading
from groupwise.evaluator.reading.source import Source
from groupwise.evaluator.text import shorten

Row: TypeAlias = tuple[Any, ...]
"""What a line, or some of a query, say: query, number of the first line, the rest by format."""
Rows: TypeAlias = Generator[Sequence[Row], None, None]
"""The rows of a file, some at a time."""
Tell: TypeAlias = Callable[[str, int], None]
"""Takes what is wrong with a line, and its number."""
LARGE_BYTES = 1 << 24
RECORDS_PER_BATCH = 256
ROWS_PER_BLOCK = 1024
SHOWN_TEXT = 80


class LongRecords(FileRecords):
    """The records of a source in long form.

    ``rows`` reads the lines, ``made`` makes a record of those of a query; both tell problems.
    ``queries``, if given, is a quicker way to see which query each line is of.
    """

    def __init__(
        self,
        source: Source,
        rows: Callable[[BinaryIO, Tell], Rows],
        made: Callable[[str, list[Row], Tell], Record],
        queries: Callable[[BinaryIO], Generator[Any, None, None]] | None = None,
    ) -> None:
        super().__init__(source)
        self._rows = rows
        self._made = made
        self._queries = queries or self._queries_of_rows

    def batches(self, reading: Reading) -> Iterator[Batch]:
        """The queries in the order in which they first occur."""
        streamed = self.source.size > LARGE_BYTES and self._is_grouped
        tell = self._teller(reading)
        with self.source.open() as stream, closing(self._rows(stream, tell)) as blocks:
            rows = chain.from_iterable(blocks)
            queries = _adjacent(rows) if streamed else _gathered(rows)
            while some := list(islice(queries, RECORDS_PER_BATCH)):
                records = [self._made(query, lines, tell) for query, lines in some]
                yield NumberedBatch(records, [lines[0][1] for _, lines in some])

    def _teller(self, reading: Reading) -> Tell:
        def tell(message: str, line: int) -> None:
            reading.problems.append(Problem(message, self.name, line, code="IO008"))

        return tell

    @cached_property
    def _is_grouped(self) -> bool:
        """Whether no query comes back after another one."""
        seen: set[Any] = set()
        with self.source.open() as stream, closing(self._queries(stream)) as queries:
            for query, _ in groupby(queries):
                if query in seen:
                    return False
                seen.add(query)
        return True

    def _queries_of_rows(self, stream: BinaryIO) -> Generator[Any, None, None]:
        with closing(self._rows(stream, _silent)) as blocks:
            yield from map(itemgetter(0), chain.from_iterable(blocks))


def in_blocks(rows: Iterator[Row]) -> Rows:
    """Rows that come one by one."""
    while some := list(islice(rows, ROWS_PER_BLOCK)):
        yield some


def _silent(_message: str, _line: int) -> None:
    """Problems are told when the lines are read in earnest."""


def _adjacent(rows: Iterable[Row]) -> Iterator[tuple[str, list[Row]]]:
    for query, lines in groupby(rows, itemgetter(0)):
        yield query, list(lines)


def _gathered(rows: Iterable[Row]) -> Iterator[tuple[str, list[Row]]]:
    found: dict[str, list[Row]] = {}
    for query, lines in groupby(rows, itemgetter(0)):
        found.setdefault(query, []).extend(lines)
    yield from found.items()


def shown(text: str) -> str:
    """The text of a line for a message: safe to show, and not too long."""
    return repr(shorten(text.rstrip("\r\n"), SHOWN_TEXT))


def decoded(line: bytes, number: int, name: str) -> str:
    """A line as text.

    Raises:
        InputError: It is not UTF-8.
    """
    try:
        return line.decode()
    except UnicodeDecodeError as error:
        message = f"not UTF-8: the byte {line[error.start]:#04x}; save the file as UTF-8"
        raise InputError([Problem(message, name, number, code="IO002")]) from None


def finite(text: str) -> float | None:
    """A finite number, whole where it is written so; None where it is not one."""
    try:
        value = int(text) if text.isdigit() else float(text)
        return value if math.isfinite(value) else None
    except (ValueError, OverflowError):
        return None


def flat_record(query: str, judgements: Iterable[tuple[int, str, float]], tell: Tell) -> Record:
    """A record without groups: the grades of what is relevant, and what is judged not to be.

    Like trec_eval it takes what is graded below 0 for not judged.
    """
    grades: dict[str, float] = {}
    for line, document, grade in judgements:
        if grades.setdefault(document, grade) != grade:
            tell(_contradiction(query, document, grades[document], grade), line)
    relevant = {one: grade for one, grade in grades.items() if grade > 0}
    zero = [one for one, grade in grades.items() if grade == 0]
    return {"id": query, "ground_truth": relevant, **({"not_relevant": zero} if zero else {})}


def grouped_record(
    query: str, judgements: Iterable[tuple[int, str, str, float]], tell: Tell
) -> dict[str, Any]:
    """A record whose groups are named by its lines: (line, group, document, grade)."""
    groups: dict[str, dict[str, float]] = {}
    for line, group, document, grade in judgements:
        grades = groups.setdefault(group, {})
        if grades.setdefault(document, grade) != grade:
            tell(_contradiction(query, document, grades[document], grade), line)
    relevant = [{one: g for one, g in some.items() if g > 0} for some in groups.values()]
    met = {one for some in relevant for one in some}
    zero = {one: 0 for some in groups.values() for one, g in some.items() if g == 0}
    others = [one for one in zero if one not in met]
    named = {name: some for name, some in zip(groups, relevant, strict=True) if some}
    record = {"id": query, "ground_truth": named}
    return {**record, "not_relevant": others} if others else record


def _contradiction(query: str, document: str, first: float, second: float) -> str:
    return (
        f"query {shorten(query, 60)!r}: the document {shorten(document, 60)!r} has the grade "
        f"{first:g} and, here, {second:g}; give one"
    )
