"""DataFrames of Spark: which column is which field, and how two of them are joined by query id.

Everything is checked by the schema, before Spark reads a row.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from groupwise.evaluator.errors import InputError, Problem
from groupwise.evaluator.evaluation.engines.spark.modules import (
    Column,
    DataFrame,
    functions,
    sql,
    types,
)
from groupwise.evaluator.evaluation.engines.spark.pairing import SIDE
from groupwise.evaluator.evaluation.engines.spark.records import (
    KEY,
    ROWS,
    LongReader,
    Reader,
    WideReader,
)
from groupwise.evaluator.evaluation.part import NAMES
from groupwise.evaluator.formats.frames import may_be_known
from groupwise.evaluator.formats.mapping.long_table import (
    RANKED,
    LongPlan,
    are_long,
    plan_long_table,
)
from groupwise.evaluator.reading.arrow import arrow
from groupwise.evaluator.reading.layout import (
    ID,
    METADATA,
    NUMBER,
    TEXT,
    Content,
    Layout,
    layout_of,
)
from groupwise.evaluator.reading.options import Options
from groupwise.evaluator.reading.tables import OBJECTS
from groupwise.schemas import Query, RunQuery
from groupwise.schemas.values import describe

JOINED = "query_id"
"""The column that ground truth and run are joined and sorted by."""
NO_ORDER = "the rows of a Spark DataFrame have no order"
NO_IDS = f"no column of query ids ('id', 'query_id' or 'qid'): {NO_ORDER}, so results need the id"
NO_RANKS = f"no column 'rank' or 'score': {NO_ORDER}, so results in long form need one of them"
NUMERIC = Content("numbers, or their text", (*NUMBER.types, *TEXT.types, "decimal"))
LONG_CONTENTS = {"query_id": ID, "id": ID, "group": ID, "query": TEXT, "label": TEXT, "text": TEXT}


class SparkSide(NamedTuple):
    """A DataFrame in its role: its rows, a row per query, and what reads them in an executor."""

    rows: DataFrame
    reader: Reader


class JoinedFrames(NamedTuple):
    """Rows of both sides, sorted by query id, ground truth first; and the names of their columns.

    The rows of a query are in one partition.
    """

    rows: DataFrame
    truths: dict[str, str]
    rankings: dict[str, str]


def open_side(frame: Any, model: type[Query] | type[RunQuery], options: Options) -> SparkSide:
    """Return a DataFrame as ground truth or as a run.

    Raises:
        InputError: This is not a DataFrame, or a column is missing or has the wrong type.
    """
    name = NAMES[model]
    if not isinstance(frame, sql.DataFrame):
        message = f"expected a Spark DataFrame, got {describe(frame)}"
        raise InputError([Problem(message, name)])
    if may_be_known(frame.columns, options) and are_long(frame.columns):
        return _open_long(frame, model, options)
    layout = layout_of(frame.columns, name, options)
    if "id" not in layout.columns:
        raise InputError([Problem(NO_IDS, name, code="IO008")])
    contents = {column: field.content for field, column in layout.found.items()}
    _check_columns(frame, contents, name)
    columns = [_spell_column(frame, layout, column) for column in layout.names]
    return SparkSide(frame.select(*columns), WideReader(name, model, layout))


def _spell_column(frame: DataFrame, layout: Layout, name: str) -> Column:
    """Return a column as it is read; maps, such as metadata, become JSON objects."""
    fields = {field for field, column in layout.columns.items() if column == name}
    is_map = isinstance(_type_of(frame, name), types.MapType)
    column = (
        functions.to_json(_column(name))
        if is_map and not fields.isdisjoint(OBJECTS)
        else _column(name)
    )
    return column.alias(name)


def _open_long(
    frame: DataFrame, model: type[Query] | type[RunQuery], options: Options
) -> SparkSide:
    """Return the rows of the long form, gathered by query."""
    name = NAMES[model]
    plan = plan_long_table(
        name, frame.columns, lambda _columns: lambda _size: iter(()), options.role
    )
    if model is RunQuery and not any(field in plan.columns for field in RANKED):
        raise InputError([Problem(NO_RANKS, name, code="IO008")])
    contents = {column: LONG_CONTENTS.get(field, NUMERIC) for field, column in plan.columns.items()}
    _check_columns(frame, contents, name)
    return SparkSide(_gather(frame, plan, model), LongReader(name, model, plan))


def _gather(frame: DataFrame, plan: LongPlan, model: type[Query] | type[RunQuery]) -> DataFrame:
    """Return a row per query with its rows in one order, whatever order they came in.

    Results are ordered by rank, then by score, both as numbers, then by id, descending: so ties are
    broken as trec_eval does it.
    """
    cells = {field: _column(name).alias(field) for field, name in plan.columns.items()}
    key = cells.pop("query_id").cast("string").alias(KEY)
    order = [*_order_results(plan)] if model is RunQuery else [*cells.values()]
    row = functions.struct(
        functions.struct(*order).alias("order"), functions.struct(*cells.values()).alias("row")
    )
    gathered = functions.sort_array(functions.collect_list(row), asc=model is not RunQuery)
    rows = functions.transform(gathered, lambda each: each["row"]).alias(ROWS)
    return frame.groupBy(key).agg(rows)


def _order_results(plan: LongPlan) -> Iterator[Column]:
    """Yield what results are sorted by, descending."""
    if "rank" in plan.columns:
        yield -_column(plan.columns["rank"]).try_cast("double")
    if "score" in plan.columns:
        yield _column(plan.columns["score"]).try_cast("double")
    yield _column(plan.columns["id"]).cast("string")


def _check_columns(frame: DataFrame, contents: Mapping[str, Content | None], name: str) -> None:
    """Raise an InputError if columns have types that they cannot have, or names that are alike."""
    problems = [*_find_ambiguous(frame.columns, contents), *_find_unfit(frame, contents)]
    if problems:
        raise InputError([Problem(message, name, code="IO008") for message in problems])


def _find_ambiguous(names: Sequence[str], used: Iterable[str]) -> Iterator[str]:
    """Yield a message for each column that Spark cannot tell from another one."""
    for column in used:
        alike = [name for name in names if name.lower() == column.lower()]
        if len(alike) > 1:
            yield f"the columns {' and '.join(map(repr, alike))} have one name; rename one of them"


def _find_unfit(frame: DataFrame, contents: Mapping[str, Content | None]) -> Iterator[str]:
    """Yield a message for each column of a type that it cannot have."""
    for column, content in contents.items():
        kind = _type_of(frame, column)
        is_object = content is METADATA and isinstance(kind, types.MapType)
        if content is not None and not is_object and not content.accepts(_to_arrow(kind)):
            yield (
                f"the column {column!r} is of type {kind.simpleString()}; "
                f"it should hold {content.described}"
            )


def _type_of(frame: DataFrame, name: str) -> "types.DataType":
    """Return the type of a column; of several with one name, the first."""
    return next(field.dataType for field in frame.schema if field.name == name)


def _to_arrow(kind: "types.DataType") -> Any:
    """Return the Arrow type that stands for a type of Spark in the checks of contents."""
    pa = arrow()
    if isinstance(kind, types.ArrayType):
        return pa.list_(_to_arrow(kind.elementType))
    known: list[tuple[type[types.DataType], Any]] = [
        (types.StructType, pa.struct([])),
        (types.StringType, pa.string()),
        (types.CharType, pa.string()),
        (types.VarcharType, pa.string()),
        (types.IntegralType, pa.int64()),
        (types.DecimalType, pa.decimal128(38)),
        (types.FractionalType, pa.float64()),
        (types.BooleanType, pa.bool_()),
        (types.NullType, pa.null()),
    ]
    return next((found for spark, found in known if isinstance(kind, spark)), pa.binary())


def join_frames(truths: SparkSide, rankings: SparkSide) -> JoinedFrames:
    """Return the rows of both sides, those of a query beside each other."""
    left, right = _tag_rows(truths, 0), _tag_rows(rankings, 1)
    rows = left[0].unionByName(right[0], allowMissingColumns=True)
    joined = rows.repartition(JOINED).sortWithinPartitions(JOINED, SIDE)
    return JoinedFrames(joined, left[1], right[1])


def _tag_rows(side: SparkSide, number: int) -> tuple[DataFrame, dict[str, str]]:
    """Return the rows with their query id and the number of their side, and their new names.

    Query ids are compared as text, byte by byte, whatever the collation of their column.
    """
    names = {f"column_{number}_{place}": name for place, name in enumerate(side.rows.columns)}
    columns = [_column(name).alias(new) for new, name in names.items()]
    key = functions.collate(_column(side.reader.key).cast("string"), "UTF8_BINARY")
    tags = [key.alias(JOINED), functions.lit(number).cast("byte").alias(SIDE)]
    return side.rows.select(*tags, *columns), names


def _column(name: str) -> Column:
    """Return the column of this name, which may have dots in it."""
    quoted = name.replace("`", "``")
    return functions.col(f"`{quoted}`")
