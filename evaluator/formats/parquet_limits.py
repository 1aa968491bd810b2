"""Limits on what a parquet file decodes to.

A dictionary holds a text once, and any number of rows refer to it: 5 KB can decode to 40 GB. So
columns whose texts are long are read with their dictionaries, and what a batch decodes to is
computed before it is decoded.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, NamedTuple

from groupwise.evaluator.errors import InputError, Problem
from groupwise.evaluator.reading.arrow import arrow
from groupwise.evaluator.reading.lines import LONGEST_LINE
from groupwise.evaluator.reading.source import Source, refuse_growth

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
    """The texts of a column in a row group."""

    path: str
    group: int
    size: int
    values_per_row: float
    has_deltas: bool

    def decoded(self, rows: int, longest: int) -> float:
        """Return the most bytes that this many rows decode to."""
        return rows * self.values_per_row * longest


def plan_batches(metadata: Any, columns: Sequence[str], rows: int, open_file: Open) -> BatchPlan:
    """Return how to read columns, so that no batch decodes to much more than ``TEXT_PER_BATCH``."""
    chunks = list(_list_chunks(metadata, columns))
    suspects = [chunk for chunk in chunks if chunk.decoded(rows, chunk.size) > TEXT_PER_BATCH]
    has_deltas = any(chunk.has_deltas for chunk in chunks)
    if not suspects:
        return BatchPlan(rows, has_deltas=has_deltas)
    deltas = [(chunk, chunk.size) for chunk in suspects if chunk.has_deltas]
    others = [chunk for chunk in suspects if not chunk.has_deltas]
    with open_file([chunk.path for chunk in others]) as file:
        known = [(chunk, _longest_text(file, chunk)) for chunk in others]
    long = [found for found in known if found[0].decoded(rows, found[1]) > TEXT_PER_BATCH]
    most = max((chunk.decoded(1, length) for chunk, length in (*long, *deltas)), default=1)
    paths = dict.fromkeys(chunk.path for chunk, _ in long)
    fewer = max(1, int(TEXT_PER_BATCH // max(1, most)))
    return BatchPlan(min(rows, fewer), tuple(paths), has_deltas)


def _list_chunks(metadata: Any, columns: Sequence[str]) -> Iterator[Chunk]:
    """Yield the chunks of texts that may decode to more than there is."""
    for number in range(metadata.num_row_groups):
        group = metadata.row_group(number)
        for at in range(group.num_columns if group.num_rows else 0):
            chunk = group.column(at)
            is_asked = chunk.path_in_schema.partition(".")[0] in columns
            has_deltas = "DELTA_BYTE_ARRAY" in chunk.encodings
            if is_asked and chunk.physical_type == "BYTE_ARRAY":
                size = int(chunk.total_uncompressed_size)
                per_row = max(1.0, chunk.num_values / group.num_rows)
                if has_deltas or chunk.has_dictionary_page:
                    yield Chunk(chunk.path_in_schema, number, size, per_row, has_deltas)


def _longest_text(file: Any, chunk: Chunk) -> int:
    """Return the length of the longest text in the dictionary of a chunk, in bytes."""
    column = chunk.path.partition(".")[0]
    batch = next(file.iter_batches(1, row_groups=[chunk.group], columns=[column]), None)
    if batch is None:
        return 0
    dictionaries = _dictionaries_in(batch.column(0))
    return max((_max_length(found.dictionary) for found in dictionaries), default=chunk.size)


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
        size = _decoded_size(batch) + (batch.nbytes if self.has_deltas else 0)
        if size <= LONGEST_LINE:
            self._add(size)
            yield batch
        elif batch.num_rows == 1:
            message = "a row of more than 256 MiB"
            raise InputError([Problem(message, self.source.name, code="IO010")])
        else:
            for row in range(batch.num_rows):
                yield from self.split(batch.slice(row, 1))

    def _add(self, size: int) -> None:
        self.decoded += size
        with self.source.explain_errors():
            refuse_growth(self.decoded, self.size, self.source.max_bytes, "parquet")


def _decoded_size(batch: Any) -> int:
    """Return what the dictionaries of a batch decode to, in bytes."""
    return sum(_text_size(found) for column in batch.columns for found in _dictionaries_in(column))


def _text_size(array: Any) -> int:
    compute = arrow("pyarrow.compute")
    lengths = compute.binary_length(array.dictionary).cast("int64")
    return int(compute.sum(lengths.take(array.indices)).as_py() or 0)
