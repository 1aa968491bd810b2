"""Mutations of parquet files: rows are changed as values, and written anew."""

import io
from random import Random
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from fuzz.mutations.pieces import KEYS
from fuzz.mutations.trees import Pair, Pairs, Raw, mutate_tree

ROWS = 30
CODECS = ("none", "snappy", "gzip", "zstd")


def mutate_table(draw: Random, data: bytes) -> bytes:
    """Change cells of a table, names of its columns, and how it is written.

    Raises:
        ValueError, TypeError, NotImplementedError, OverflowError: What was made is no table.
        OSError: The data is none.
    """
    table = pq.read_table(io.BytesIO(data)).slice(0, ROWS)
    columns = dict(zip(table.schema.names, table.columns, strict=True))
    for name in draw.sample(list(columns), min(len(columns), draw.choice((0, 1, 1, 2)))):
        columns[name] = _change(draw, columns[name])
    names = [draw.choice(KEYS) if draw.random() < 0.05 else name for name in columns]
    sink = io.BytesIO()
    pq.write_table(
        pa.Table.from_arrays(list(columns.values()), names),
        sink,
        compression=draw.choice(CODECS),
        use_dictionary=draw.random() < 0.5,
        row_group_size=draw.choice((1, 3, 1000)),
        store_schema=draw.random() < 0.8,
    )
    return sink.getvalue()


def _change(draw: Random, column: Any) -> Any:
    kind = draw.randrange(4)
    if kind == 0:
        return column.combine_chunks().dictionary_encode()
    values = _as_tree(column.to_pylist())
    changed = _as_python(mutate_tree(draw, values, None))
    listed = changed if isinstance(changed, list) else [changed]
    padded = (listed + [None] * len(values))[: len(values)]
    if kind == 1:
        return pa.array(padded, column.type)
    return pa.array([_as_text(value) for value in padded] if kind == 2 else padded)


def _as_text(value: Any) -> Any:
    return value if value is None else str(value).encode("utf-8", "replace").decode()


def _as_tree(value: Any) -> Any:
    if isinstance(value, dict):
        return Pairs(Pair((key, _as_tree(part))) for key, part in value.items())
    return [_as_tree(part) for part in value] if isinstance(value, list) else value


def _as_python(value: Any) -> Any:
    if isinstance(value, Pairs):
        return {str(key): _as_python(part) for key, part in value}
    if isinstance(value, Raw):
        return str(value)
    return [_as_python(part) for part in value] if isinstance(value, list) else value
