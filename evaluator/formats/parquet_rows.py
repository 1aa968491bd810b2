"""The rows of a parquet file, streamed in small batches with pyarrow."""

import io
import os
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from groupwise.evaluator.errors import InputError, Problem
from groupwise.evaluator.formats.parquet_limits import Growth, plan_batches
from groupwise.evaluator.reading.arrow import arrow, first_line, read_rows
from groupwise.evaluator.reading.detection import ENCRYPTED_PARQUET, PARQUET
from groupwise.evaluator.reading.limits import ITEM_BYTES
from groupwise.evaluator.reading.meter import METER
from groupwise.evaluator.reading.options import Record
from groupwise.evaluator.reading.source import Source
from groupwise.evaluator.reading.tables import (
    ReadRows,
    RowRecords,
)

SHORTEST = 12
BUFFER_BYTES = 1 << 18
BYTES_PER_BATCH = 1 << 22


@dataclass(frozen=True)
class ParquetRows:
    """A parquet file whose schema was read; its rows are read when asked for."""

    source: Source
    schema: Any
    metadata: Any

    def check_size(self) -> None:
        """Raise an InputError for a file that says it decompresses to too much.

        A row that is repeated takes no space in a file.
        """
        rows = ITEM_BYTES * int(self.metadata.num_rows)
        size = _measure_content(self.metadata)
        self.source.limit(size, _measure(self.source), "parquet", rows)

    def reader_of(self, names: Sequence[str]) -> ReadRows:
        """Return a function that yields the rows with these columns, some at a time."""
        return partial(self._read, names)

    def _read(self, names: Sequence[str], most: int) -> Generator[list[dict[str, Any]], None, None]:
        source, metadata, meter, rows = self.source, self.metadata, METER.get(), 0
        open_file, size = partial(_open_parquet, source, metadata), _measure(source)
        with _explain_damage(source.name):
            plan = plan_batches(metadata, names, _limit_rows(metadata, most), open_file)
        growth = Growth(source, size, plan.has_deltas)
        with open_file(plan.dictionaries) as file:
            batches = file.iter_batches(plan.rows, columns=[*names], use_threads=False)
            while True:
                with _explain_damage(source.name):
                    batch = next(batches, None)
                if batch is None:
                    break
                yield from (read_rows(part, source.name) for part in growth.split(batch))
                rows += batch.num_rows
                if meter is not None:
                    meter.note(source.path, size * rows // metadata.num_rows, size)

    def records(self) -> RowRecords:
        """Return the rows as they are, with all their columns."""
        self.check_size()
        return RowRecords(self.source.name, self.reader_of(self.schema.names))

    def first_row(self) -> Record:
        """Return the first row, with all its columns; empty if there is none."""
        self.check_size()
        with closing(self._read(self.schema.names, 1)) as batches:
            return next((rows[0] for rows in batches if rows), {})


def open_rows(source: Source) -> ParquetRows:
    """Return a parquet file, of which only the schema is read.

    Raises:
        InputError: It is no parquet file, or a damaged one.
    """
    with _open_parquet(source) as file:
        return ParquetRows(source, file.schema_arrow, file.metadata)


class Beginning(NamedTuple):
    """The first rows of a parquet file as a file of their own, and how many rows there are."""

    data: bytes
    rows: int
    total: int


def copy_beginning(source: Source, most: int) -> Beginning:
    """Return the first rows of a parquet file as another, small one; no more than ``most``.

    Only the first row group is looked at.

    Raises:
        InputError: It is no parquet file, a damaged one, or decompresses to too much.
    """
    file = open_rows(source)
    file.check_size()
    metadata, open_file = file.metadata, partial(_open_parquet, source, file.metadata)
    with _explain_damage(source.name):
        rows = _limit_rows(metadata, most)
        plan = plan_batches(FirstGroup(metadata), file.schema.names, rows, open_file)
        with open_file(plan.dictionaries) as opened:
            batches = list(islice(opened.iter_batches(plan.rows, use_threads=False), 1))
    growth = Growth(source, _measure(source), plan.has_deltas)
    parts = [part for batch in batches for part in growth.split(batch)]
    with _explain_damage(source.name):
        return Beginning(_write(parts, file.schema), sum(map(len, parts)), int(metadata.num_rows))


def _write(batches: Sequence[Any], schema: Any) -> bytes:
    """Return the bytes of a parquet file with these rows."""
    stream = io.BytesIO()
    table = arrow().Table.from_batches(batches) if batches else schema.empty_table()
    arrow("pyarrow.parquet").write_table(table, stream)
    return stream.getvalue()


@dataclass(frozen=True)
class FirstGroup:
    """The metadata of a file as if it had no more than its first row group."""

    metadata: Any

    @property
    def num_row_groups(self) -> int:
        """1, or 0 if there is none."""
        return min(1, int(self.metadata.num_row_groups))

    def row_group(self, number: int) -> Any:
        """Return the metadata of a row group."""
        return self.metadata.row_group(number)


def _measure(source: Source) -> int:
    """Return the number of bytes in a parquet file."""
    with source.open_seekable() as found:
        return Path(found).stat().st_size if isinstance(found, str) else found.seek(0, os.SEEK_END)


def _limit_rows(metadata: Any, most: int) -> int:
    """Return how many rows to read at once: fewer if rows are very long."""
    size = _measure_content(metadata)
    return max(1, min(most, BYTES_PER_BATCH * int(metadata.num_rows) // max(1, size)))


def _measure_content(metadata: Any) -> int:
    """Return how many bytes all columns have, decompressed."""
    groups = [metadata.row_group(number) for number in range(metadata.num_row_groups)]
    return sum(int(group.total_byte_size) for group in groups)


@contextmanager
def _open_parquet(
    source: Source, metadata: Any = None, dictionaries: Sequence[str] = ()
) -> Iterator[Any]:
    """Yield the file, whose pages are read when their rows are asked for.

    Texts in the columns ``dictionaries`` are not decoded.
    """
    parquet = arrow("pyarrow.parquet", source.name)
    with source.open_seekable() as found:
        # For a file on disk, pyarrow's own reader is faster than calls into Python.
        stream = arrow().OSFile(found) if isinstance(found, str) else found
        if metadata is None:
            _refuse_other_content(stream, source.name)
        with _explain_damage(source.name):
            file = parquet.ParquetFile(
                stream, metadata=metadata, pre_buffer=False, buffer_size=BUFFER_BYTES,
                read_dictionary=[*dictionaries],
            )  # fmt: skip
        yield file


def _refuse_other_content(stream: Any, name: str) -> None:
    """Raise an InputError for the usual accidents, which pyarrow does not explain."""
    start, length = stream.read(4), stream.seek(0, os.SEEK_END)
    stream.seek(max(0, length - 4))
    end = stream.read(4)
    stream.seek(0)
    if not length:
        raise _unsound("the file is empty", name, "IO009")
    if ENCRYPTED_PARQUET in (start, end):
        raise _unsound("the file is encrypted; groupwise reads parquet that is not", name)
    if start != PARQUET:
        raise _unsound("this is not parquet: the file does not begin with PAR1", name)
    if end != PARQUET or length < SHORTEST:
        raise _unsound("the parquet file is cut short: it does not end with PAR1", name)


@contextmanager
def _explain_damage(name: str) -> Iterator[None]:
    """Turn what pyarrow raises on a damaged file into an InputError of one line."""
    try:
        yield
    except (OSError, ValueError, NotImplementedError, TypeError, KeyError) as error:
        reason = first_line(error)
        if "crypt" in reason.lower():
            message = "a column is encrypted; groupwise reads parquet that is not"
            raise _unsound(message, name) from None
        raise _unsound(f"the parquet file is damaged: {reason}", name) from None


def _unsound(message: str, name: str, code: str = "IO010") -> InputError:
    return InputError([Problem(message, name, code=code)])
