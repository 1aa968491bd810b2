"""Parquet files of records, in columns of our own, which carry everything."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain, islice
from typing import Any, BinaryIO

import orjson

from groupwise.evaluator.errors import InputError, Problem
from groupwise.evaluator.formats.mapping.judgements import alternatives_of, in_full
from groupwise.evaluator.reading.arrow import arrow
from groupwise.evaluator.reading.options import Record
from groupwise.evaluator.reading.writing import new_file
from groupwise.schemas.shape import CANONICAL

ROWS_PER_GROUP = 10_000
OF_QUERIES = {"ground_truth", "results", "answerable"}
LISTS_OF_IDS = {"ground_truth", "results", "not_relevant"}
Fields = dict[str, Any]


def write_parquet(records: Iterable[Record], path: str) -> None:
    """Write records in columns of our own: lists of ids where that is all, else structs.

    They are gone through twice, and never held all at once.
    """
    survey = Survey()
    for record in records:
        survey.note(canonical(record))
    types = _own_types(survey, path)
    groups = (_own_columns(rows, survey) for rows in in_groups(records))
    write_table(groups, {name: types[name] for name in types if name in survey.names}, path)


@dataclass
class Survey:
    """What must be known of all records before the first one is written."""

    names: set[str] = field(default_factory=set)
    id_kinds: set[type] = field(default_factory=set)
    plain_truths: bool = True
    plain_results: bool = True

    def note(self, row: Fields) -> None:
        """Look at one more record."""
        self.names |= row.keys()
        if not row.keys() & OF_QUERIES:
            self.id_kinds.add(type(row["id"]))
        for group in row.get("ground_truth") or ():
            bare = self._note_ids(group["alternatives"] if _is_full(group) else group)
            self.plain_truths &= bare and not isinstance(group, Mapping)
        self.plain_results &= self._note_ids(row.get("results") or ())
        self._note_ids(row.get("not_relevant") or ())

    def _note_ids(self, listed: Collection[Any]) -> bool:
        """Take note of the kinds of ids; whether all of these are bare ids."""
        kinds = {*map(type, listed)}
        if kinds <= {str, int}:
            self.id_kinds |= kinds
            return True
        self.id_kinds |= {type(in_full(one)["id"]) for one in listed}
        return False

    @property
    def is_of_queries(self) -> bool:
        """Whether these are queries; else they are documents."""
        return bool(self.names & OF_QUERIES)


def in_groups(records: Iterable[Record]) -> Iterator[list[Fields]]:
    """The records, as many at a time as a row group has; none are one group without rows."""
    rows = map(canonical, records)
    yield list(islice(rows, ROWS_PER_GROUP))
    while more := list(islice(rows, ROWS_PER_GROUP)):
        yield more


def write_table(
    groups: Iterable[Mapping[str, list[Any]]], types: Mapping[str, Any], path: str
) -> None:
    """Write columns as one parquet file, a row group at a time, whole or not at all.

    Raises:
        InputError: A value is not of its column's type, such as ids of both kinds.
    """
    schema = arrow("pyarrow", path).schema(list(types.items()))
    tables = (_table(columns, schema, path) for columns in groups)
    first = next(tables)
    with new_file(path) as file, _writer(file, first) as writer:
        for table in chain([first], tables):
            writer.write_table(table, row_group_size=ROWS_PER_GROUP)


def _table(columns: Mapping[str, list[Any]], schema: Any, path: str) -> Any:
    pa = arrow()
    try:
        arrays = [pa.array(columns[one.name], one.type) for one in schema]
    except (TypeError, ValueError, OverflowError) as error:
        raise InputError([Problem(f"cannot be written as parquet: {error}", path)]) from None
    return pa.Table.from_arrays(arrays, schema=schema)


def _writer(file: BinaryIO, first: Any) -> Any:
    """A writer that packs columns as the first row group has them."""
    leaves = {leaf: first.column(one.name) for one in first.schema
              for leaf in _leaves(one.name, one.type)}  # fmt: skip
    return arrow("pyarrow.parquet").ParquetWriter(
        file, first.schema,
        compression={leaf: "NONE" if _holds_ids(leaf) else "SNAPPY" for leaf in leaves},
        use_dictionary=[
            leaf for leaf, column in leaves.items() if not _holds_ids(leaf) or _repeats(column)
        ],
    )  # fmt: skip


def _holds_ids(leaf: str) -> bool:
    """Whether a column has bare ids in lists.

    They hardly shrink, and unpacking them takes longer than all else in reading them.
    """
    name, *within = leaf.split(".")
    return CANONICAL.get(name, name) in LISTS_OF_IDS and {*within} == {"list", "element"}


def _repeats(column: Any) -> bool:
    """Whether ids come again so often that each is better written once, and then by number."""
    types = arrow("pyarrow.types")
    (array,) = column.chunks
    while types.is_list(array.type):
        array = array.values
    ids = array.to_pylist()
    return 2 * len({*ids}) <= len(ids)


def _leaves(path: str, kind: Any) -> Iterator[str]:
    """The columns of values that a column of any type consists of, as parquet names them."""
    types = arrow("pyarrow.types")
    if types.is_list(kind):
        yield from _leaves(f"{path}.list.element", kind.value_type)
    elif types.is_struct(kind):
        for one in kind:
            yield from _leaves(f"{path}.{one.name}", one.type)
    else:
        yield path


def canonical(record: Record) -> Fields:
    """A record with its fields by their canonical names."""
    return {CANONICAL.get(name, name): value for name, value in record.items()}


def _id_type(kinds: set[type], path: str) -> Any:
    """The one type of all document ids."""
    pa = arrow("pyarrow", path)
    if len(kinds) > 1:
        message = "ids of both kinds, strings and numbers; a column of parquet holds one kind"
        raise InputError([Problem(message, path)])
    return pa.int64() if kinds == {int} else pa.string()


def _is_full(group: Any) -> bool:
    return isinstance(group, Mapping) and "alternatives" in group


def _own_types(survey: Survey, path: str) -> dict[str, Any]:
    id_type = _id_type(survey.id_kinds, path)
    pa = arrow()
    return {
        "id": pa.string() if survey.is_of_queries else id_type,
        "query": pa.string(),
        "ground_truth": _truth_type(id_type, plain=survey.plain_truths),
        "results": pa.list_(id_type if survey.plain_results else _result_type(id_type)),
        "scores": pa.list_(pa.float64()),
        "not_relevant": pa.list_(id_type),
        "answerable": pa.bool_(),
        "metadata": pa.string(),
        "hashes": pa.string(),
        "corpus": pa.string(),
        "generation_gt": pa.list_(pa.string()),
        "text": pa.string(),
        "document": pa.string(),
        "start": pa.int64(),
        "end": pa.int64(),
    }


def _truth_type(id_type: Any, *, plain: bool) -> Any:
    pa = arrow()
    if plain:
        return pa.list_(pa.list_(id_type))
    alternative = pa.struct(
        {
            "id": id_type,
            "grade": pa.float64(),
            "text": pa.string(),
            "document": pa.string(),
            "start": pa.int64(),
            "end": pa.int64(),
        }
    )
    return pa.list_(
        pa.struct(
            {"alternatives": pa.list_(alternative), "weight": pa.float64(), "label": pa.string()}
        )
    )


def _result_type(id_type: Any) -> Any:
    pa = arrow()
    return pa.struct(
        {
            "id": id_type,
            "score": pa.float64(),
            "text": pa.string(),
            "document": pa.string(),
            "start": pa.int64(),
            "end": pa.int64(),
            "tokens": pa.int64(),
            "vector": pa.list_(pa.float64()),
        }
    )


def _own_columns(rows: list[Fields], survey: Survey) -> dict[str, list[Any]]:
    columns = {name: [row.get(name) for row in rows] for name in survey.names}
    if survey.is_of_queries:
        columns["id"] = [str(one) for one in columns["id"]]
    if "ground_truth" in columns:
        as_written = list if survey.plain_truths else _in_full
        columns["ground_truth"] = [
            [as_written(group) for group in truth or ()] for truth in columns["ground_truth"]
        ]
    if "results" in columns and not survey.plain_results:
        columns["results"] = [list(map(in_full, one or ())) for one in columns["results"]]
    for name in columns.keys() & {"metadata", "hashes"}:
        columns[name] = [_as_json(one) for one in columns[name]]
    if "generation_gt" in columns:
        columns["generation_gt"] = [answers_of(one) for one in columns["generation_gt"]]
    return columns


def _in_full(group: Any) -> Fields:
    known = group if _is_full(group) else {}
    return {
        "alternatives": [_typed(one) for one in alternatives_of(group)],
        "weight": known.get("weight"),
        "label": known.get("label"),
    }


def _typed(alternative: Fields) -> Fields:
    """Numbers as a column of fractions takes them, and a document as text."""
    document = alternative.get("document")
    return {**alternative, "document": None if document is None else str(document)}


def _as_json(metadata: Any) -> str | None:
    return None if metadata is None else orjson.dumps(metadata, default=str).decode()


def answers_of(generation_gt: Any) -> list[str] | None:
    """Reference answers as AutoRAG keeps them: a list of texts; others are written as JSON."""
    if generation_gt is None:
        return None
    answers = generation_gt if isinstance(generation_gt, list) else [generation_gt]
    return [one if isinstance(one, str) else orjson.dumps(one).decode() for one in answers]
