"""Rows that Spark sends to an executor, as records: a row per query, or its rows in long form."""

from collections.abc import Iterator
from typing import Any, NamedTuple, Protocol

from groupwise.evaluator.errors import Problem
from groupwise.evaluator.formats.mapping.long_form import DATA, AddProblem
from groupwise.evaluator.formats.mapping.long_table import LongPlan, spell_row
from groupwise.evaluator.hits.arrays import np
from groupwise.evaluator.reading.arrow import arrow, read_rows
from groupwise.evaluator.reading.layout import Layout, layout_of
from groupwise.evaluator.reading.options import Options
from groupwise.evaluator.reading.records import Batch, NumberedBatch, Reading, Records
from groupwise.evaluator.reading.tables import TableRecords
from groupwise.schemas import Query, RunQuery

KEY, ROWS = "id", "rows"
"""The columns of a query whose rows in long form were gathered."""
PLAIN = {"id", "score"}
RANKED = layout_of(["id", "results", "scores"], "", Options(role="run"))
Model = type[Query] | type[RunQuery]


class Reader(Protocol):
    """Reads the rows of one side: of ground truth, or of a run."""

    @property
    def model(self) -> Model:
        """What the records are."""
        ...

    @property
    def key(self) -> str:
        """The column of the query ids."""
        ...

    def read(self, rows: Any) -> Records:
        """Return the records in a batch of Arrow data, in the columns of this side."""
        ...


class WideReader(NamedTuple):
    """Reads a row per query; columns are called as in the DataFrame."""

    name: str
    model: Model
    layout: Layout

    @property
    def key(self) -> str:
        """The column of the query ids."""
        return self.layout.columns["id"]

    def read(self, rows: Any) -> Records:
        """Return the rows as records."""
        records = read_rows(rows, self.name)
        return TableRecords(self.name, lambda _: iter([records]), self.layout, numbered=False)


class LongReader(NamedTuple):
    """Reads a row per query that holds all its rows of the long form, as structs."""

    name: str
    model: Model
    plan: LongPlan

    @property
    def key(self) -> str:
        """The column of the query ids."""
        return KEY

    def read(self, rows: Any) -> Records:
        """Return the queries as records."""
        ranked = _pivot(rows) if self.model is RunQuery else None
        if ranked is None:
            return GatheredRecords(self.name, rows, self.plan)
        return WideReader(self.name, self.model, RANKED).read(ranked)


class GatheredRecords(Records):
    """Queries whose rows of the long form were gathered; each becomes a record, as in a table."""

    def __init__(self, name: str, rows: Any, plan: LongPlan) -> None:
        self.name = name
        self._rows = rows
        self._plan = plan

    def batches(self, reading: Reading) -> Iterator[Batch]:
        """Yield all queries in one batch; problems name the query, since rows have no numbers."""
        columns = {field: field for field in self._plan.columns if field != "query_id"}
        records = []
        for row in read_rows(self._rows, self.name):
            query, lines = row[KEY], enumerate(row[ROWS], 1)
            gathered = [(query, -number, spell_row(cells, columns)) for number, cells in lines]
            records.append(self._plan.build(query, gathered, self._problem_adder(reading, query)))
        yield UnnumberedBatch(records, [0] * len(records))

    def _problem_adder(self, reading: Reading, query: str) -> AddProblem:
        def add_problem(message: str, _line: int) -> None:
            alike = DATA.sub("", message)
            reading.problems.append(
                Problem(message, self.name, query=query, code="IO008", alike=alike)
            )

        return add_problem


class UnnumberedBatch(NumberedBatch):
    """Records of rows that have no place."""

    def place(self, _number: int, _pointer: Any) -> tuple[int, int]:
        """Return 0, 0."""
        return 0, 0


def _pivot(rows: Any) -> Any:
    """Return rankings in columns, if all their rows have an id and a finite score, and no more."""
    structs = rows.column(ROWS)
    held = structs.flatten()
    if {field.name for field in held.type} != PLAIN or structs.null_count or held.null_count:
        return None
    ids, scores = held.field("id"), held.field("score")
    if not _are_ids(ids) or not _are_finite(scores):
        return None
    pa = arrow()
    ends = pa.array(np.cumsum([0, *structs.value_lengths().to_pylist()]), pa.int32())
    lists = [pa.ListArray.from_arrays(ends, column) for column in (ids, scores)]
    return pa.RecordBatch.from_arrays([rows.column(KEY), *lists], ["id", "results", "scores"])


def _are_ids(ids: Any) -> bool:
    """Whether none is null or blank: that means a query without results."""
    types, compute = arrow("pyarrow.types"), arrow("pyarrow.compute")
    if ids.null_count or types.is_integer(ids.type):
        return not ids.null_count
    return (
        types.is_string(ids.type)
        and not compute.any(compute.equal(compute.utf8_trim_whitespace(ids), "")).as_py()
    )


def _are_finite(scores: Any) -> bool:
    types = arrow("pyarrow.types")
    if scores.null_count or types.is_integer(scores.type):
        return not scores.null_count
    return bool(types.is_floating(scores.type) and np.isfinite(scores.to_numpy()).all())
