"""Rows of a table that belong together, merged into one record."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, islice
from typing import Any, TypeAlias

from groupwise.evaluator.errors import InputError, Problem
from groupwise.evaluator.formats.mapping.long_form import TooManyRows, hold_rows
from groupwise.evaluator.reading.limits import ROW_BYTES, describe_large
from groupwise.evaluator.reading.options import Record
from groupwise.evaluator.reading.records import Batch, Reading, Records
from groupwise.evaluator.reading.scan import Pointer

RECORDS_PER_BATCH = 256


Origin: TypeAlias = tuple[Batch, int]
"""A batch of rows, and the number of one of them."""


@dataclass
class MergedBatch(Batch):
    """Records, each with its first row; the line of one is found when it is asked for."""

    values: list[Any]
    origins: Sequence[Origin]
    keys: list[str] | None = None

    def place(self, number: int, _pointer: Pointer) -> tuple[int, int]:
        """Return the line of a record, which begins there."""
        batch, row = self.origins[number]
        return batch.place(row, ())[0], 1


class MergedRecords(Records):
    """The records of a source, of which adjacent rows with the same key are one.

    Args:
        records: The rows.
        key: Returns what rows of one record have in common; None for a row that is a whole record.
        merge: Builds the record from its rows.
    """

    def __init__(
        self,
        records: Records,
        key: Callable[[Any], Any],
        merge: Callable[[list[Record]], Record],
    ) -> None:
        self.name = records.name
        self._records = records
        self._key = key
        self._merge = merge

    @property
    def has_byte_order_mark(self) -> bool:
        """Whether the source begins with a byte order mark."""
        return self._records.has_byte_order_mark

    def batches(self, reading: Reading) -> Iterator[Batch]:
        """Yield the merged records, each with the line of its first row."""
        merged = self._merge_all(reading)
        while some := list(islice(merged, RECORDS_PER_BATCH)):
            yield MergedBatch([record for record, _ in some], [origin for _, origin in some])

    def _merge_all(self, reading: Reading) -> Iterator[tuple[Any, Origin]]:
        for key, group in groupby(self._list_rows(reading), lambda row: row[0]):
            try:
                rows = [*hold_rows(group)]
            except TooManyRows:
                message = describe_large("rows of one record", f" ({ROW_BYTES} bytes or more each)")
                raise InputError([Problem(message, self.name, code="IO010")]) from None
            if isinstance(key, _Whole):
                yield rows[0][1:]
            else:
                yield self._merge([record for _, record, _ in rows]), rows[0][2]

    def _list_rows(self, reading: Reading) -> Iterator[tuple[Any, Any, Origin]]:
        for batch in self._records.batches(reading):
            for number, value in enumerate(batch.values):
                key = self._key(value)
                yield _Whole() if key is None else key, value, (batch, number)


class _Whole:
    """The key of a row that is a whole record: equal to no other."""
