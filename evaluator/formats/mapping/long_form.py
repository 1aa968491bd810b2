"""The long form: one line per judgement or result; the lines of a query make one record.

A small file is read completely, because a query may reappear later in it. A large one is scanned
first: if the lines of each query are contiguous it is streamed, otherwise read completely as well.
What is held until a query is complete counts as a record, whose size is limited.
"""

import math
import re
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing, suppress
from functools import cached_property
from itertools import chain, groupby, islice
from operator import itemgetter
from typing import Any, BinaryIO, TypeAlias

from groupwise.evaluator.errors import KEPT_PROBLEMS, InputError, Problem
from groupwise.evaluator.reading.limits import ROW_BYTES, describe_large, find_record_limit
from groupwise.evaluator.reading.options import Record
from groupwise.evaluator.reading.records import (
    Batch,
    FileRecords,
    NumberedBatch,
    Reading,
    Records,
)
from groupwise.evaluator.reading.source import Source
from groupwise.evaluator.text import quote, shorten

Row: TypeAlias = tuple[Any, ...]
"""The content of a line, or of adjacent lines of a query: query, first line number, the rest."""
Rows: TypeAlias = Generator[Sequence[Row], None, None]
"""The rows of a file, some at a time."""
Queries: TypeAlias = Generator[tuple[str, list[Row]], None, None]
"""Queries with all of their rows."""
AddProblem: TypeAlias = Callable[[str, int], None]
"""Called with a message about a line, and the number of the line."""
ReadRows: TypeAlias = Callable[[BinaryIO, str, AddProblem], Rows]
BuildRecord: TypeAlias = Callable[[str, list[Row], AddProblem], Record]
LARGE_BYTES = 1 << 24
RECORDS_PER_BATCH = 256
MOST_PROBLEMS = 100_000
"""Reading stops here: a file in which hardly a line is right is of another format."""
SHOWN_TEXT = 80
DATA = re.compile(r"'(?:[^'\\]|\\.)*+'|\"(?:[^\"\\]|\\.)*+\"|-?\d[\d.e+-]*+")
"""What messages about lines quote from them: texts and numbers."""


class TooManyProblems(Exception):  # noqa: N818  (ends the first pass; the second reports them)
    """A file has so many problems that reading stops."""


class TooManyRows(Exception):  # noqa: N818  (the file is read otherwise, if that is possible)
    """Rows that wait for others of their query take more memory than a record may have."""


class LongForm(Records):
    """Records made of rows: each has all rows of a query.

    Attributes:
        is_large: Whether to find out first if the rows of each query are adjacent, so that only
            those of one query are held.
    """

    is_large: bool = False
    _build: BuildRecord

    def batches(self, reading: Reading, size: int = RECORDS_PER_BATCH) -> Iterator[Batch]:
        """Yield the queries in the order of their first row."""
        add_problem = problem_adder(self.name, reading)
        with closing(self._list_queries(reading)) as queries:
            while some := list(islice(queries, size)):
                records = [self._build(query, rows, add_problem) for query, rows in some]
                yield self._gather(records, [rows[0][1] for _, rows in some])

    def _list_queries(self, reading: Reading) -> Queries:
        """Yield each query with all of its rows."""
        add_problem, before = problem_adder(self.name, reading), len(reading.problems)
        if not (self.is_large and self._is_grouped):
            try:
                with closing(self._list_rows(add_problem)) as rows:
                    queries = group_all(hold_rows(rows))
            except TooManyRows:
                if not self._is_grouped:
                    raise self._error("unsorted rows", ", or sort them by query") from None
                del reading.problems[before:]
            else:
                yield from queries.items()
                return
        with closing(self._list_rows(add_problem)) as rows:
            for query, same in groupby(rows, itemgetter(0)):
                try:
                    yield query, [*hold_rows(same)]
                except TooManyRows:
                    raise self._error(f"query {quote(query)}: rows") from None

    def _error(self, what: str, advice: str = "") -> InputError:
        message = describe_large(what, f" ({ROW_BYTES} bytes or more per row)")
        return InputError([Problem(message + advice, self.name, code="IO010")])

    @cached_property
    def _is_grouped(self) -> bool:
        """Whether no query reappears after another one."""
        with suppress(TooManyProblems), closing(self._list_ids()) as ids:
            return are_adjacent(ids)
        return False

    def _list_rows(self, add_problem: AddProblem) -> Generator[Row, None, None]:
        """Yield all rows; whatever is wrong with one becomes a problem."""
        raise NotImplementedError

    def _list_ids(self) -> Generator[Any, None, None]:
        """Yield the query of each row."""
        raise NotImplementedError

    def _gather(self, records: list[Record], numbers: list[int]) -> Batch:
        """Return records that begin at these rows as a batch."""
        return NumberedBatch(records, numbers)


class LongRecords(FileRecords, LongForm):
    """The records of a file in long form.

    Args:
        source: The file.
        rows: Reads the lines of an open file with a name.
        build: Builds the record of a query from its rows.
        queries: Yields the query of each line, if there is a quicker way than ``rows``.
    """

    def __init__(
        self,
        source: Source,
        rows: ReadRows,
        build: BuildRecord,
        queries: Callable[[BinaryIO, str], Generator[Any, None, None]] | None = None,
    ) -> None:
        super().__init__(source)
        self._rows = rows
        self._build = build
        self._queries = queries or self._queries_of_rows

    @property
    def is_large(self) -> bool:  # type: ignore[override]  # asked when it is read
        """Whether the file is large."""
        return self.source.size > LARGE_BYTES

    def _list_rows(self, add_problem: AddProblem) -> Generator[Row, None, None]:
        with (
            self.source.open() as stream,
            closing(self._rows(stream, self.name, add_problem)) as blocks,
        ):
            yield from chain.from_iterable(blocks)

    def _list_ids(self) -> Generator[Any, None, None]:
        with (
            self.source.open() as stream,
            closing(self._queries(stream, self.name)) as queries,
        ):
            yield from queries

    def _queries_of_rows(self, stream: BinaryIO, name: str) -> Generator[Any, None, None]:
        found = 0

        def count_problem(_message: str, _line: int) -> None:
            nonlocal found
            found += 1
            if found > MOST_PROBLEMS:
                raise TooManyProblems

        with closing(self._rows(stream, name, count_problem)) as blocks:
            yield from map(itemgetter(0), chain.from_iterable(blocks))


def problem_adder(name: str, reading: Reading) -> AddProblem:
    """Return a function that takes the problems of a file; it stops reading at too many."""

    def add_problem(message: str, line: int) -> None:
        alike = DATA.sub("", message) if len(reading.problems) < KEPT_PROBLEMS else ""
        reading.problems.append(Problem(message, name, line, code="IO008", alike=alike))
        if len(reading.problems) > MOST_PROBLEMS:
            message = f"more than {MOST_PROBLEMS:,} problems; the rest of the file was not read"
            raise InputError([Problem(message, name, line), *reading.problems])

    return add_problem


def are_adjacent(queries: Iterable[Any]) -> bool:
    """Whether no query reappears after another one, up to one with too many rows to be read."""
    seen, most = set[Any](), find_record_limit() // ROW_BYTES
    for query, same in groupby(queries):
        if query in seen:
            return False
        if next(islice(same, most, None), None) is not None:
            return True
        seen.add(query)
    return True


def group_all(rows: Iterable[Row]) -> dict[str, list[Row]]:
    """Return the rows of each query, wherever they are."""
    found: dict[str, list[Row]] = {}
    for row in rows:
        lines = found.get(row[0])
        if lines is None:
            found[row[0]] = [row]
        else:
            lines.append(row)
    return found


def hold_rows(rows: Iterable[Row]) -> Iterator[Row]:
    """Yield rows that are kept in memory.

    Raises:
        TooManyRows: They take more than a record may.
    """
    most, size = find_record_limit(), 0
    for row in rows:
        content = row[-1]
        if isinstance(content, list):
            size += ROW_BYTES * len(content)
        else:
            cells = content.values() if isinstance(content, dict) else ()
            size += max(ROW_BYTES, sum(len(cell) for cell in cells if type(cell) is str))
        if size > most:
            raise TooManyRows
        yield row


def quote_line(text: str) -> str:
    """Return the text of a line for a message: safe to show, and not too long."""
    return repr(shorten(text.rstrip("\r\n"), SHOWN_TEXT))


def parse_number(text: str) -> float | None:
    """Return a finite number, whole if it is written so; None if it is not one."""
    try:
        value = int(text) if text.removeprefix("-").isdigit() else float(text)
        return value if math.isfinite(value) else None
    except (ValueError, OverflowError):
        return None


def flat_record(
    query: str, judgements: Iterable[tuple[int, str, float]], add_problem: AddProblem
) -> Record:
    """Return a record without groups: grades of what is relevant, and what is judged not to be.

    Args:
        query: The query id.
        judgements: Line, document and grade of each; below 0 means not judged, as in trec_eval.
        add_problem: Takes contradictions.
    """
    grades: dict[str, float] = {}
    for line, document, grade in judgements:
        if grades.setdefault(document, grade) != grade:
            add_problem(_contradiction(query, document, grades[document], grade), line)
    if all(grade > 0 for grade in grades.values()):
        return {"id": query, "ground_truth": grades}
    relevant = _above_zero(grades)
    zero = [document for document, grade in grades.items() if grade == 0]
    return {"id": query, "ground_truth": relevant, **({"not_relevant": zero} if zero else {})}


def grouped_record(
    query: str, judgements: Iterable[tuple[int, str, str, float]], add_problem: AddProblem
) -> dict[str, Any]:
    """Return a record whose lines name their groups: line, group, document, grade."""
    groups: dict[str, dict[str, float]] = {}
    has_others = False
    for line, group, document, grade in judgements:
        grades = groups.setdefault(group, {})
        if grades.setdefault(document, grade) != grade:
            add_problem(_contradiction(query, document, grades[document], grade), line)
        has_others = has_others or not grade > 0
    if not has_others:
        return {"id": query, "ground_truth": groups}
    relevant = {name: _above_zero(grades) for name, grades in groups.items()}
    met = {document for grades in relevant.values() for document in grades}
    zero = [doc for grades in groups.values() for doc, grade in grades.items() if grade == 0]
    others = [document for document in dict.fromkeys(zero) if document not in met]
    record = {"id": query, "ground_truth": {name: g for name, g in relevant.items() if g}}
    return {**record, "not_relevant": others} if others else record


def _above_zero(grades: dict[str, float]) -> dict[str, float]:
    return {document: grade for document, grade in grades.items() if grade > 0}


def _contradiction(query: str, document: str, first: float, second: float) -> str:
    names = [repr(shorten(str(name), 60)) for name in (query, document)]
    return (
        f"query {names[0]}: the document {names[1]} has the grade {first:g} and, here, "
        f"{second:g}; give one"
    )
