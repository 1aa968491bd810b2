"""Parquet files of records, in columns of our own, which carry everything."""

import io
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import orjson

from groupwise.evaluator.errors import InputError, Problem
from groupwise.evaluator.formats.arrow import arrow
from groupwise.evaluator.formats.registry import Record
from groupwise.evaluator.formats.writing import write_whole
from groupwise.schemas.shape import CANONICAL

ROWS_PER_GROUP = 10_000
LISTS_OF_IDS = {"ground_truth", "results", "not_relevant"}
Fields = dict[str, Any]


def write_parquet(records: Iterable[Record], path: str) -> None:
    """Write records in columns of our own: lists of ids where that is all, else structs."""
    rows = [canonical(record) for record in records]
    id_type = _id_type(rows, path)
    types = _own_types(rows, id_type)
    columns = [name for name in types if any(name in row for row in rows)]
    write_table(_own_columns(rows, columns), {name: types[name] for name in columns}, path)


def write_table(columns: Mapping[str, list[Any]], types: Mapping[str, Any], path: str) -> None:
    """Write columns as one parquet file, whole or not at all.

    Raises:
        InputError: A value is not of its column's type, such as ids of both kinds.
    """
    pa, parquet = arrow("pyarrow", path), arrow("pyarrow.parquet", path)
    try:
        arrays = [pa.array(columns[name], kind) for name, kind in types.items()]
    except (TypeError, ValueError, OverflowError) as error:
        raise InputError([Problem(f"cannot be written as parquet: {error}", path)]) from None
    table = pa.Table.from_arrays(arrays, schema=pa.schema(list(types.items())))
    data = io.BytesIO()
    leaves = {leaf: array for array, (name, kind) in zip(arrays, types.items(), strict=True)
              for leaf in _leaves(name, kind)}  # fmt: skip
    parquet.write_table(
        table, data, row_group_size=ROWS_PER_GROUP,
        compression={leaf: "NONE" if _holds_ids(leaf) else "SNAPPY" for leaf in leaves},
        use_dictionary=[
            leaf for leaf, array in leaves.items() if not _holds_ids(leaf) or _repeats(array)
        ],
    )  # fmt: skip
    write_whole(path, data.getvalue())


def _holds_ids(leaf: str) -> bool:
    """Whether a column has bare ids in lists.

    They hardly shrink, and unpacking them takes longer than all else in reading them.
    """
    name, *within = leaf.split(".")
    return CANONICAL.get(name, name) in LISTS_OF_IDS and {*within} == {"list", "element"}


def _repeats(array: Any) -> bool:
    """Whether ids come again so often that each is better written once, and then by number."""
    types = arrow("pyarrow.types")
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


def _id_type(rows: list[Fields], path: str) -> Any:
    """The one type of all document ids."""
    pa = arrow("pyarrow", path)
    kinds = {type(one) for row in rows for one in _document_ids(row)}
    if len(kinds) > 1:
        message = "ids of both kinds, strings and numbers; a column of parquet holds one kind"
        raise InputError([Problem(message, path)])
    return pa.int64() if kinds == {int} else pa.string()


def _document_ids(row: Fields) -> Iterable[Any]:
    if not row.keys() & {"ground_truth", "results", "answerable"}:
        yield row["id"]
    for group in row.get("ground_truth") or ():
        yield from (one["id"] for one in alternatives_of(group))
    yield from (as_result(one)["id"] for one in row.get("results") or ())
    yield from row.get("not_relevant") or ()


def alternatives_of(group: Any) -> list[Fields]:
    """The alternatives of a group in full, however it is written."""
    if isinstance(group, Mapping) and "alternatives" not in group:
        return [{"id": one, "grade": float(grade)} for one, grade in group.items()]
    listed = group["alternatives"] if isinstance(group, Mapping) else group
    return [dict(one) if isinstance(one, Mapping) else {"id": one} for one in listed]


def as_result(result: Any) -> Fields:
    """A result in full, however it is written."""
    return dict(result) if isinstance(result, Mapping) else {"id": result}


def _is_plain(rows: list[Fields]) -> bool:
    """Whether every group is a list of ids."""
    groups = [group for row in rows for group in row.get("ground_truth") or ()]
    return not any(isinstance(one, Mapping) for group in groups for one in (group, *group))


def _has_plain_results(rows: list[Fields]) -> bool:
    return not any(isinstance(one, Mapping) for row in rows for one in row.get("results") or ())


def _own_types(rows: list[Fields], id_type: Any) -> dict[str, Any]:
    pa = arrow()
    queries = any(row.keys() & {"ground_truth", "results", "answerable"} for row in rows)
    return {
        "id": pa.string() if queries else id_type,
        "query": pa.string(),
        "ground_truth": _truth_type(id_type, plain=_is_plain(rows)),
        "results": pa.list_(id_type if _has_plain_results(rows) else _result_type(id_type)),
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


def _own_columns(rows: list[Fields], names: list[str]) -> dict[str, list[Any]]:
    columns = {name: [row.get(name) for row in rows] for name in names}
    if columns.get("id") and any("results" in row or "ground_truth" in row for row in rows):
        columns["id"] = [str(one) for one in columns["id"]]
    if "ground_truth" in columns:
        full = not _is_plain(rows)
        columns["ground_truth"] = [
            [_in_full(group) if full else list(group) for group in truth or ()]
            for truth in columns["ground_truth"]
        ]
    if "results" in columns and not _has_plain_results(rows):
        columns["results"] = [list(map(as_result, one or ())) for one in columns["results"]]
    for name in columns.keys() & {"metadata", "hashes"}:
        columns[name] = [_as_json(one) for one in columns[name]]
    if "generation_gt" in columns:
        columns["generation_gt"] = [answers_of(one) for one in columns["generation_gt"]]
    return columns


def _in_full(group: Any) -> Fields:
    known = group if isinstance(group, Mapping) and "alternatives" in group else {}
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
