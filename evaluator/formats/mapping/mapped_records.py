"""Records of another shape, turned into ours while they are read."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from groupwise.evaluator.errors import Problem
from groupwise.evaluator.reading.options import Record
from groupwise.evaluator.reading.records import Batch, Reading, Records
from groupwise.evaluator.reading.scan import Pointer
from groupwise.evaluator.text import json_pointer


class Unfit(ValueError):  # noqa: N818  (a record, not a failure of ours)
    """A record does not have the shape of its format; ``pointer`` says where in it."""

    def __init__(self, message: str, pointer: Pointer = (), code: str = "IO008") -> None:
        super().__init__(message)
        self.pointer = pointer
        self.code = code


Mapped: TypeAlias = tuple[Record, Pointer]
"""A record of ours, and the pointer to what it was made from."""


@dataclass
class MappedBatch(Batch):
    """Records made from others, each with the number of its origin and the pointer within it."""

    batch: Batch
    values: list[Any] = field(default_factory=list)
    origins: list[tuple[int, Pointer]] = field(default_factory=list)
    keys: list[str] | None = None

    def place(self, number: int, _pointer: Pointer) -> tuple[int, int]:
        """Return line and column of what the record was made from."""
        origin, pointer = self.origins[number]
        return self.batch.place(origin, pointer)

    def root(self, number: int) -> Pointer:
        """Return the pointer to what the record was made from."""
        origin, pointer = self.origins[number]
        return (*self.batch.root(origin), *pointer)


class MappedRecords(Records):
    """The records of a source through a function; those it rejects with Unfit are problems."""

    def __init__(self, records: Records, convert: Callable[[Any], Record]) -> None:
        self.records = records
        self.name = records.name
        self._convert = convert

    @property
    def has_byte_order_mark(self) -> bool:
        """Whether the source begins with a byte order mark."""
        return self.records.has_byte_order_mark

    def batches(self, reading: Reading) -> Iterator[Batch]:
        """Yield the same batches, with records of our shape."""
        return self.map_batches(reading, lambda value: [(self._convert(value), ())])

    def map_batches(
        self, reading: Reading, convert: Callable[[Any], Iterable[Mapped | Unfit]]
    ) -> Iterator[Batch]:
        """Yield the same batches, with any number of records for each one that is read."""
        for batch in self.records.batches(reading):
            mapped = MappedBatch(batch)
            for number, value in enumerate(batch.values):
                for made in _collect(convert, value):
                    if isinstance(made, Unfit):
                        reading.report(self._problem(made, batch, number))
                    else:
                        mapped.values.append(made[0])
                        mapped.origins.append((number, made[1]))
            yield mapped

    def _problem(self, error: Unfit, batch: Batch, number: int) -> Problem:
        line, column = batch.place(number, error.pointer)
        pointer = json_pointer((*batch.root(number), *error.pointer))
        return Problem(
            str(error), self.name, line or None, column or None, pointer=pointer, code=error.code
        )


def _collect(
    convert: Callable[[Any], Iterable[Mapped | Unfit]], value: Any
) -> Iterator[Mapped | Unfit]:
    try:
        yield from convert(value)
    except Unfit as error:
        yield error
