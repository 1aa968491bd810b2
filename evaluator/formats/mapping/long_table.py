"""Tables in long form, such as ranx's parquet files and frames: the rows of a query make a record.

Judgements have groups or grades, results have ranks or scores. ranx has scores for both: those of
judgements are whole numbers.
"""

from collections.abc import Generator, Iterable, Mapping
from itertools import chain, islice
from typing import Any, NamedTuple

from groupwise.evaluator.errors import InputError, Problem
from groupwise.evaluator.formats.csv_rows import build_ranking, build_truth
from groupwise.evaluator.formats.mapping.long_columns import (
    describe_missing,
    describe_parts,
    find_columns,
)
from groupwise.evaluator.formats.mapping.long_form import (
    AddProblem,
    BuildRecord,
    LongForm,
    Row,
    parse_number,
)
from groupwise.evaluator.reading.options import ROLE_NAMES, Record, Role
from groupwise.evaluator.reading.records import Batch
from groupwise.evaluator.reading.tables import ROWS_PER_BATCH, ReadColumns, RowBatch
from groupwise.schemas.ids import ACCEPTED
from groupwise.schemas.values import describe

LARGE_ROWS = 1 << 18
JUDGED, RANKED = ("group", "grade"), ("rank", "score")
TEXTS = ("query", "label", "text")
KEYS = ("query_id", "id", "group")
"""What rows are gathered by."""
OF_CORPUS = ("corpus-id", "corpus_id")
"""The names of BEIR's qrels, which have scores for grades."""
FRACTION = (
    "expected a whole number as the grade, got {score}; results of a run have such scores: are the "
    "files in the wrong order?"
)


def are_long(names: Iterable[str]) -> bool:
    """Whether columns are those of a long form: of queries, documents, and a judgement or rank.

    >>> are_long(["q_id", "doc_id", "score"]), are_long(["id", "query", "answer"])
    (True, False)
    """
    found = find_columns(list(names))
    return {"query_id", "id"} <= found.keys() and any(f in found for f in (*JUDGED, *RANKED))


class LongTableRecords(LongForm):
    """The records of a table in long form.

    Args:
        name: The table, for messages.
        columns: The column of each field.
        read: Reads columns.
        build: Builds the record of a query from its rows.
        is_large: Whether the table has many rows.
    """

    def __init__(
        self,
        name: str,
        columns: Mapping[str, str],
        read: ReadColumns,
        build: BuildRecord,
        *,
        is_large: bool,
    ) -> None:
        self.name = name
        self._columns = columns
        self._read = read
        self._build = build
        self.is_large = is_large

    def _list_rows(self, add_problem: AddProblem) -> Generator[Row, None, None]:
        rows = chain.from_iterable(self._read([*self._columns.values()])(ROWS_PER_BATCH))
        for number, row in enumerate(rows, 1):
            line = spell_row(row, self._columns)
            if problem := _find_problem(line):
                add_problem(problem, number)
            else:
                yield line["query_id"], number, line

    def _list_ids(self) -> Generator[Any, None, None]:
        column = self._columns["query_id"]
        for row in chain.from_iterable(self._read([column])(ROWS_PER_BATCH)):
            yield str(row[column]) if type(row[column]).__hash__ is None else row[column]

    def _gather(self, records: list[Record], numbers: list[int]) -> Batch:
        return RowBatch(records, numbers)


def spell_row(row: Record, columns: Mapping[str, str]) -> dict[str, Any]:
    """Return the cells of a row by field, with an empty text for null, as CSV has it."""
    line = {field: row.get(column) for field, column in columns.items()}
    for field, cell in line.items():
        if cell is None:
            line[field] = ""
        elif field in TEXTS:
            line[field] = str(cell)
    return line


def _find_problem(line: Mapping[str, Any]) -> str | None:
    """Return why a row belongs to no query, or to no document."""
    for field in KEYS:
        if type(line.get(field)).__hash__ is None:
            return f"{describe(line[field])} is not an id; {ACCEPTED}"
    return None if str(line["query_id"]).strip() else "no query id"


class LongPlan(NamedTuple):
    """How rows in long form become records: the column of each field, and what builds a record."""

    columns: dict[str, str]
    build: BuildRecord


def read_long_table(
    name: str, names: list[str], read: ReadColumns, role: Role | None, *, is_large: bool = False
) -> LongTableRecords:
    """Return the records of a table in long form, in its role.

    Raises:
        InputError: A column is missing, the id of a document is in two columns, or the table is of
            another role.
    """
    columns, build = plan_long_table(name, names, read, role)
    return LongTableRecords(name, columns, read, build, is_large=is_large)


def plan_long_table(name: str, names: list[str], read: ReadColumns, role: Role | None) -> LongPlan:
    """Return how a table in long form is read in its role; ``read`` is called if that is None.

    Raises:
        InputError: As ``read_long_table``.
    """
    found = find_columns(names)
    missing = describe_missing(names, found, "the columns are")
    if message := missing or describe_parts(names, found["id"]):
        raise InputError([Problem(message, name, code="IO008")])
    columns = {field: names[place] for field, place in found.items()}
    is_truth = _is_truth(columns, read) if role is None else role == "ground_truth"
    _refuse_other_role(columns, name, is_truth=is_truth)
    build = build_truth if is_truth else build_ranking
    if is_truth and "score" in columns and not any(field in columns for field in JUDGED):
        columns["grade"] = columns.pop("score")
        build = build_whole_truth
    return LongPlan(columns, build)


def _is_truth(columns: Mapping[str, str], read: ReadColumns) -> bool:
    """Whether a table of no known role holds judgements."""
    if any(field in columns for field in JUDGED) or columns["id"] in OF_CORPUS:
        return True
    if "rank" in columns:
        return False
    if (score := columns.get("score")) is None:
        return True
    rows = chain.from_iterable(read([score])(ROWS_PER_BATCH))
    return all(type(row[score]) is int for row in islice(rows, ROWS_PER_BATCH))


def _refuse_other_role(columns: Mapping[str, str], name: str, *, is_truth: bool) -> None:
    others = ("rank",) if is_truth else JUDGED
    if other := next((columns[field] for field in others if field in columns), None):
        roles = [ROLE_NAMES["ground_truth"], ROLE_NAMES["run"]]
        expected, got = roles if is_truth else reversed(roles)
        message = (
            f"expected {expected}, got {got}: there is a column {other!r}; "
            "are the files in the wrong order?"
        )
        raise InputError([Problem(message, name, code="IO008")])


def build_whole_truth(query: str, rows: list[Row], add_problem: AddProblem) -> Record:
    """Return the record of a query whose grades are whole numbers; others are scores of a run."""
    for _, line, cells in rows:
        grade = parse_number(str(cells.get("grade", "")).strip())
        if grade is not None and grade != int(grade):
            add_problem(FRACTION.format(score=f"{grade:g}"), line)
    return build_truth(query, rows, add_problem)
