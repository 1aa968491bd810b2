"""The long form: one line per judgement or result; the lines of a query make one record.

A small file is read completely, because a query may reappear later in it. A large one is scanned
first: if the lines of each query are contiguous it is streamed, otherwise read completely as well.
"""

import math
import re
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing, suppress
from functools import cached_property
from itertools import chain, groupby, islice
from operator import itemgetter
from typing import Any, BinaryIO, NamedTuple, TypeAlias

from groupwise.evaluator.errors import KEPT_PROBLEMS, InputError, Problem
from groupwise.evaluator.native.collector import paused_collector
from groupwise.evaluator.reading.options import Record
from groupwise.evaluator.reading.records import Batch, FileRecords, NumberedBatch, Reading
from groupwise.evaluator.reading.source import Source
from groupwise.evaluator.text import shorten

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


class _Whole(NamedTuple):
    """The rows of each query of a file, and the problems of its lines."""

    queries: list[tuple[str, list[Row]]]
    problems: list[tuple[str, int]]


class LongRecords(FileRecords):
    """The records of a source in long form.

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
        self._whole: _Whole | None = None

    def batches(self, reading: Reading) -> Iterator[Batch]:
        """Yield the queries in the order of their first line."""
        is_streamed = self.source.size > LARGE_BYTES and self._is_grouped
        add_problem = problem_adder(self.name, reading)
        with closing((self._stream if is_streamed else self._read_whole)(add_problem)) as queries:
            while some := list(islice(queries, RECORDS_PER_BATCH)):
                records = [self._build(query, lines, add_problem) for query, lines in some]
                yield NumberedBatch(records, [lines[0][1] for _, lines in some])
        self._whole = None

    def _stream(self, add_problem: AddProblem) -> Queries:
        with (
            self.source.open() as stream,
            closing(self._rows(stream, self.name, add_problem)) as rows,
        ):
            yield from group_adjacent(chain.from_iterable(rows))

    def _read_whole(self, add_problem: AddProblem) -> Queries:
        """Yield the queries of a small file.

        What was read is kept until it has been used to its end: the first record is looked at
        before all are read.
        """
        whole = self._whole
        if whole is None:
            self._whole = whole = self._group_whole(add_problem)
        else:
            for problem in whole.problems:
                add_problem(*problem)
        yield from whole.queries

    def _group_whole(self, add_problem: AddProblem) -> _Whole:
        problems: list[tuple[str, int]] = []

        def note_problem(message: str, line: int) -> None:
            problems.append((message, line))
            add_problem(message, line)

        with (
            paused_collector(),
            self.source.open() as stream,
            closing(self._rows(stream, self.name, note_problem)) as rows,
        ):
            return _Whole([*group_all(chain.from_iterable(rows))], problems)

    @cached_property
    def _is_grouped(self) -> bool:
        """Whether no query reappears after another one."""
        with (
            suppress(TooManyProblems),
            self.source.open() as stream,
            closing(self._queries(stream, self.name)) as queries,
        ):
            return are_adjacent(queries)
        return False

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
    """Whether no query reappears after another one."""
    seen: set[Any] = set()
    for query, _ in groupby(queries):
        if query in seen:
            return False
        seen.add(query)
    return True


def group_adjacent(rows: Iterable[Row]) -> Iterator[tuple[str, list[Row]]]:
    """Yield each query with its rows, which are adjacent."""
    for query, lines in groupby(rows, itemgetter(0)):
        yield query, list(lines)


def group_all(rows: Iterable[Row]) -> Iterator[tuple[str, list[Row]]]:
    """Yield each query with its rows, wherever they are."""
    found: dict[str, list[Row]] = {}
    for row in rows:
        lines = found.get(row[0])
        if lines is None:
            found[row[0]] = [row]
        else:
            lines.append(row)
    yield from found.items()


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
