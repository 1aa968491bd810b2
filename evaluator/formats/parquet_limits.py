"""Limits on what a parquet file decodes to.

A dictionary holds a text once, and any number of rows refer to it: 5 KB can decode to 40 GB. So
columns whose texts are long are read with their dictionaries, and what a batch decodes to is
computed before it is decoded.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, NamedTuple

from groupwise.evaluator.reading.arrow import arrow, split_large
from groupwise.evaluator.reading.limits import ITEM_BYTES
from groupwise.evaluator.reading.source import Source

TEXT_PER_BATCH = 1 << 26
"""What the texts of a column may decode to, batch by batch, without being looked at first."""

Open = Callable[[Sequence[str]], AbstractContextManager[Any]]
"""Opens the file; of these columns, texts are read with their dictionaries."""


class BatchPlan(NamedTuple):
    """How many rows to read at once, and the columns to read with their dictionaries.

    ``has_deltas``: Some texts are written as what they add to the text before.
    """

    rows: int
    dictionaries: tuple[str, ...] = ()
    has_deltas: bool = False


class Chunk(NamedTuple):
    """The texts of a column in a row group; ``longest`` is the most bytes that one of them has."""

    path: str
    longest: int
    values_per_row: float
    has_deltas: bool

    def decoded(self, rows: int) -> float:
        """Return the most bytes that this many rows decode to."""
        return rows * self.values_per_row * max(self.longest, ITEM_BYTES)


def plan_batches(metadata: Any, columns: Sequence[str], rows: int, open_file: Open) -> BatchPlan:
    """Return how to read columns, so that no batch decodes to much more than ``TEXT_PER_BATCH``."""
    with open_file(()) as file:
        leaves = list(_list_leaves(file, columns))
    chunks = _inspect_all(leaves, metadata, open_file) if leaves else []
    long = [chunk for chunk in chunks if chunk.decoded(rows) > TEXT_PER_BATCH]
    most = max((chunk.decoded(1) for chunk in long), default=1)
    paths = dict.fromkeys(chunk.path for chunk in long if not chunk.has_deltas)
    fewer = max(1, int(TEXT_PER_BATCH // max(1, most)))
    return BatchPlan(min(rows, fewer), tuple(paths), any(chunk.has_deltas for chunk in chunks))


class Leaf(NamedTuple):
    """A column of texts in a parquet schema: its number, its path and the column that it is of."""

    number: int
    path: str
    column: str


def _list_leaves(file: Any, columns: Sequence[str]) -> Iterator[Leaf]:
    for number in range(len(file.schema)):
        leaf = file.schema.column(number)
        column = leaf.path.partition(".")[0]
        if leaf.physical_type == "BYTE_ARRAY" and column in columns:
            yield Leaf(number, leaf.path, column)


def _inspect_all(leaves: list[Leaf], metadata: Any, open_file: Open) -> list[Chunk]:
    """Return what is known of the texts in all row groups, from the first row of each."""
    try:
        return list(_inspect(leaves, metadata, open_file))
    except (OSError, NotImplementedError):
        # Deltas have no dictionary; a damaged column fails again.
        return [chunk for leaf in leaves for chunk in _inspect_alone(leaf, metadata, open_file)]


def _inspect_alone(leaf: Leaf, metadata: Any, open_file: Open) -> list[Chunk]:
    try:
        return list(_inspect([leaf], metadata, open_file))
    except (OSError, NotImplementedError):
        return list(_inspect([leaf], metadata, open_file, has_deltas=True))


def _inspect(
    leaves: list[Leaf], metadata: Any, open_file: Open, *, has_deltas: bool = False
) -> Iterator[Chunk]:
    """Yield what is known of each column in each row group.

    pyarrow aborts the process if it is asked about a damaged column, but raises an error when it
    reads one: so a row is read first.
    """
    columns = list(dict.fromkeys(leaf.column for leaf in leaves))
    with open_file(() if has_deltas else [leaf.path for leaf in leaves]) as file:
        for number in range(metadata.num_row_groups):
            group = metadata.row_group(number)
            row: Any = next(file.iter_batches(1, row_groups=[number], columns=columns), None)
            for leaf in leaves if row is not None else ():
                chunk = group.column(leaf.number)
                longest = _longest_text(row.column(columns.index(leaf.column)))
                size = int(chunk.total_uncompressed_size) if has_deltas else longest
                per_row = max(1.0, chunk.num_values / group.num_rows)
                yield Chunk(leaf.path, size, per_row, has_deltas)


def _longest_text(array: Any) -> int:
    """Return the length of the longest text in the dictionaries of a column, in bytes."""
    return max((_max_length(found.dictionary) for found in _dictionaries_in(array)), default=0)


def _max_length(texts: Any) -> int:
    compute = arrow("pyarrow.compute")
    return int(compute.max(compute.binary_length(texts)).as_py() or 0)


def _dictionaries_in(array: Any) -> Iterator[Any]:
    """Yield the arrays of texts that have a dictionary, in a column of any type."""
    types = arrow("pyarrow.types")
    if types.is_dictionary(array.type):
        if _has_lengths(array.type.value_type):
            yield array
    elif types.is_struct(array.type):
        for field in array.flatten():
            yield from _dictionaries_in(field)
    elif hasattr(array, "flatten") and types.is_nested(array.type):
        yield from _dictionaries_in(array.flatten())


def _has_lengths(kind: Any) -> bool:
    types = arrow("pyarrow.types")
    checks = (types.is_string, types.is_large_string, types.is_binary, types.is_large_binary)
    return any(check(kind) for check in checks)


@dataclass
class Growth:
    """Watches over what the batches of a file decode to."""

    source: Source
    size: int
    has_deltas: bool = False
    decoded: int = 0

    def split(self, batch: Any) -> Iterator[Any]:
        """Yield a batch, in single rows if it is large.

        Raises:
            InputError: A row is too large, or the file decodes to more than its limit.
        """
        for part in split_large(batch, self.source.name, self._measure):
            self.decoded += self._measure(part)
            self.source.limit(self.decoded, self.size, "parquet")
            yield part

    def _measure(self, batch: Any) -> int:
        return _decoded_size(batch) + (batch.nbytes if self.has_deltas else 0)


def _decoded_size(batch: Any) -> int:
    """Return what the dictionaries of a batch decode to, in bytes."""
    return sum(_text_size(found) for column in batch.columns for found in _dictionaries_in(column))


def _text_size(array: Any) -> int:
    compute = arrow("pyarrow.compute")
    lengths = compute.binary_length(array.dictionary).cast("int64")
    return int(compute.sum(lengths.take(array.indices)).as_py() or 0)
