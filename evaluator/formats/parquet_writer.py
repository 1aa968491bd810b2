"""Parquet files in columns of our own, which carry everything."""

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
from groupwise.schemas.values import CANONICAL

ROWS_PER_GROUP = 10_000
OF_QUERIES = {"ground_truth", "results", "answerable"}
LISTS_OF_IDS = {"ground_truth", "results", "not_relevant"}
Fields = dict[str, Any]


def write_parquet(records: Iterable[Record], path: str) -> None:
    """Write records in columns of our own: lists of ids if they are bare, otherwise structs.

    Records are iterated over twice, and never held all at once.
    """
    survey = Survey()
    for record in records:
        survey.add(rename_fields(record))
    types = _own_types(survey, path)
    groups = (_own_columns(rows, survey) for rows in split_records(records))
    write_table(groups, {name: types[name] for name in types if name in survey.names}, path)


@dataclass
class Survey:
    """What must be known of all records before the first is written."""

    names: set[str] = field(default_factory=set)
    id_kinds: set[type] = field(default_factory=set)
    plain_truths: bool = True
    plain_results: bool = True

    def add(self, row: Fields) -> None:
        """Add a record."""
        self.names |= row.keys()
        if not row.keys() & OF_QUERIES:
            self.id_kinds.add(type(row["id"]))
        for group in row.get("ground_truth") or ():
            bare = self._add_ids(group["alternatives"] if _is_full(group) else group)
            self.plain_truths &= bare and not isinstance(group, Mapping)
        self.plain_results &= self._add_ids(row.get("results") or ())
        self._add_ids(row.get("not_relevant") or ())

    def _add_ids(self, listed: Collection[Any]) -> bool:
        """Add the kinds of ids, and return whether all of these are bare ids."""
        kinds = {*map(type, listed)}
        if kinds <= {str, int}:
            self.id_kinds |= kinds
            return True
        self.id_kinds |= {type(in_full(document)["id"]) for document in listed}
        return False

    @property
    def is_of_queries(self) -> bool:
        """Whether these are queries; else they are documents."""
        return bool(self.names & OF_QUERIES)


def split_records(records: Iterable[Record]) -> Iterator[list[Fields]]:
    """Yield records in row groups; if there are none, a single group without rows."""
    rows = map(rename_fields, records)
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
        arrays = [pa.array(columns[field.name], field.type) for field in schema]
    except (TypeError, ValueError, OverflowError) as error:
        raise InputError([Problem(f"cannot be written as parquet: {error}", path)]) from None
    return pa.Table.from_arrays(arrays, schema=schema)


def _writer(file: BinaryIO, first: Any) -> Any:
    """Return a writer whose encoding of columns is chosen by the first row group."""
    leaves = {leaf: first.column(field.name) for field in first.schema
              for leaf in _list_leaves(field.name, field.type)}  # fmt: skip
    return arrow("pyarrow.parquet").ParquetWriter(
        file, first.schema,
        compression={leaf: "NONE" if _holds_ids(leaf) else "SNAPPY" for leaf in leaves},
        use_dictionary=[
            leaf for leaf, column in leaves.items() if not _holds_ids(leaf) or _repeats(column)
        ],
    )  # fmt: skip


def _holds_ids(leaf: str) -> bool:
    """Whether a column has bare ids in lists.

    They hardly compress, and decompressing them would dominate the time of reading.
    """
    name, *within = leaf.split(".")
    return CANONICAL.get(name, name) in LISTS_OF_IDS and {*within} == {"list", "element"}


def _repeats(column: Any) -> bool:
    """Whether ids repeat so often that a dictionary pays off."""
    types = arrow("pyarrow.types")
    (array,) = column.chunks
    while types.is_list(array.type):
        array = array.values
    ids = array.to_pylist()
    return 2 * len({*ids}) <= len(ids)


def _list_leaves(path: str, kind: Any) -> Iterator[str]:
    """Yield the leaf columns that a column of any type consists of, as parquet names them."""
    types = arrow("pyarrow.types")
    if types.is_list(kind):
        yield from _list_leaves(f"{path}.list.element", kind.value_type)
    elif types.is_struct(kind):
        for field in kind:
            yield from _list_leaves(f"{path}.{field.name}", field.type)
    else:
        yield path


def rename_fields(record: Record) -> Fields:
    """Return a record with the canonical names of its fields."""
    return {CANONICAL.get(name, name): value for name, value in record.items()}


def _choose_id_type(kinds: set[type], path: str) -> Any:
    """Return the type of all document ids."""
    pa = arrow("pyarrow", path)
    if len(kinds) > 1:
        message = "ids of both kinds, strings and numbers; a column of parquet can hold only one"
        raise InputError([Problem(message, path)])
    return pa.int64() if kinds == {int} else pa.string()


def _is_full(group: Any) -> bool:
    return isinstance(group, Mapping) and "alternatives" in group


def _own_types(survey: Survey, path: str) -> dict[str, Any]:
    id_type = _choose_id_type(survey.id_kinds, path)
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
        columns["id"] = [str(query) for query in columns["id"]]
    if "ground_truth" in columns:
        as_written = list if survey.plain_truths else _spell_group
        columns["ground_truth"] = [
            [as_written(group) for group in truth or ()] for truth in columns["ground_truth"]
        ]
    if "results" in columns and not survey.plain_results:
        columns["results"] = [
            [_spell_document(in_full(result)) for result in results or ()]
            for results in columns["results"]
        ]
    for name in columns.keys() & {"metadata", "hashes"}:
        columns[name] = [_dump_json(value) for value in columns[name]]
    if "generation_gt" in columns:
        columns["generation_gt"] = [list_answers(answers) for answers in columns["generation_gt"]]
    return columns


def _spell_group(group: Any) -> Fields:
    known = group if _is_full(group) else {}
    return {
        "alternatives": [_spell_document(document) for document in alternatives_of(group)],
        "weight": known.get("weight"),
        "label": known.get("label"),
    }


def _spell_document(fields: Fields) -> Fields:
    """Return an alternative or a result with the name of its document as text."""
    document = fields.get("document")
    return {**fields, "document": None if document is None else str(document)}


def _dump_json(metadata: Any) -> str | None:
    return None if metadata is None else orjson.dumps(metadata, default=str).decode()


def list_answers(generation_gt: Any) -> list[str] | None:
    """Return reference answers as a list of texts, as AutoRAG has them; others become JSON."""
    if generation_gt is None:
        return None
    answers = generation_gt if isinstance(generation_gt, list) else [generation_gt]
    return [
        answer if isinstance(answer, str) else orjson.dumps(answer).decode() for answer in answers
    ]
