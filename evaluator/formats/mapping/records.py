"""Records of another shape, each turned into one of ours while it is read."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from groupwise.evaluator.errors import Problem
from groupwise.evaluator.reading.records import Batch, Reading, Records
from groupwise.evaluator.reading.scan import Pointer


class Unfit(ValueError):  # noqa: N818  (a record, not a failure of ours)
    """A record is not of the shape that its format has; ``pointer`` says where in it."""

    def __init__(self, message: str, pointer: Pointer = (), code: str = "IO008") -> None:
        super().__init__(message)
        self.pointer = pointer
        self.code = code


@dataclass
class MappedBatch(Batch):
    """Records made of others; places are those of the records they were made of."""

    values: list[Any]
    origins: list[int]
    batch: Batch
    keys: list[str] | None = None

    def place(self, number: int, _pointer: Pointer) -> tuple[int, int]:
        """Line and column of the record that this one was made of."""
        return self.batch.place(self.origins[number], ())

    def root(self, number: int) -> Pointer:
        """The way to the record that this one was made of."""
        return self.batch.root(self.origins[number])


class MappedRecords(Records):
    """The records of a source, each through a function; those it cannot take are problems."""

    def __init__(self, records: Records, made: Callable[[Any], dict[str, Any]]) -> None:
        self.records = records
        self.name = records.name
        self._made = made

    @property
    def has_byte_order_mark(self) -> bool:
        """Whether the source begins with a byte order mark."""
        return self.records.has_byte_order_mark

    def batches(self, reading: Reading) -> Iterator[Batch]:
        """The same batches, with records of our shape."""
        for batch in self.records.batches(reading):
            mapped = MappedBatch([], [], batch)
            for number, value in enumerate(batch.values):
                try:
                    mapped.values.append(self._made(value))
                except Unfit as error:
                    reading.problems.append(self._problem(error, batch, number))
                    continue
                mapped.origins.append(number)
            yield mapped

    def _problem(self, error: Unfit, batch: Batch, number: int) -> Problem:
        line, column = batch.place(number, error.pointer)
        pointer = "".join(f"/{step}" for step in (*batch.root(number), *error.pointer)) or None
        return Problem(
            str(error), self.name, line or None, column or None, pointer=pointer, code=error.code
        )
