"""Python objects and paths as records: what ``evaluate`` takes."""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from groupwise.evaluator.errors import InputError, Problem
from groupwise.evaluator.formats.opening import records_in
from groupwise.evaluator.intake.records import is_record
from groupwise.evaluator.reading.options import AS_IT_IS, Options
from groupwise.evaluator.reading.records import Batch, Reading, Records
from groupwise.evaluator.reading.scan import Pointer
from groupwise.schemas import Dataset, Fixture, Run
from groupwise.schemas.shape import describe

OBJECTS_PER_BATCH = 64
"""Few enough to stay in the processor's cache from checking to matching."""


@dataclass
class ObjectBatch(Batch):
    """Python objects; they have no lines."""

    values: list[Any]
    keys: list[str] | None
    first: int = 0

    def place(self, _number: int, _pointer: Pointer) -> tuple[int, int]:
        """Nowhere in a file."""
        return 0, 0

    def root(self, number: int) -> Pointer:
        """The query id, or the number of the record."""
        return (self.first + number,) if self.keys is None else (self.keys[number],)


class Objects(Records):
    """Records from Python objects, with their query ids where these are known otherwise."""

    def __init__(
        self,
        name: str,
        values: Sequence[Any],
        keys: Sequence[Any] | None,
        per_batch: int = OBJECTS_PER_BATCH,
    ) -> None:
        self.name = name
        self._values = values
        self._keys = keys
        self._per_batch = per_batch

    def batches(self, _reading: Reading) -> Iterator[Batch]:
        """The objects in batches."""
        values, keys = iter(self._values), None if self._keys is None else iter(self._keys)
        first = 0
        while batch := list(islice(values, self._per_batch)):
            given = None if keys is None else list(islice(keys, len(batch)))
            yield ObjectBatch(batch, given, first)
            first += len(batch)


def as_records(value: Any, name: str, options: Options = AS_IT_IS) -> Records:
    """Records from a path, a model, a mapping by query id, a list, or a frame."""
    if isinstance(value, str | os.PathLike):
        return records_in(value, options)
    if isinstance(value, Dataset | Run | Fixture):
        return Objects(name, value.queries, None)
    if isinstance(value, Mapping):
        return Objects(name, list(value.values()), _as_text(value))
    if isinstance(value, list | tuple):
        return _listed(value, name)
    return _tabled(value, name, options)


def _tabled(value: Any, name: str, options: Options) -> Records:
    """Records from a frame, the last thing that it may be."""
    from groupwise.evaluator.intake.frames import frame_records, is_frame  # noqa: PLC0415  (rarely needed)

    if is_frame(value):
        return frame_records(value, name, options.role)
    accepted = "a mapping by query id, a list, a Dataset, a Run, a frame or a path"
    message = f"{describe(value)}; it is {accepted}"
    raise InputError([Problem(message, name)])


def is_positional(value: Any) -> bool:
    """Whether this is a list of ground truths or results, told apart by their place in it."""
    return isinstance(value, list | tuple) and not (value and all(map(is_record, value)))


def _listed(value: Sequence[Any], name: str) -> Objects:
    if not is_positional(value):
        return Objects(name, value, None)
    return Objects(name, value, [str(number) for number in range(len(value))])


def _as_text(mapping: Mapping[Any, Any]) -> list[str]:
    """Query ids as text; whole numbers are read as they are written."""
    keys = list(mapping)
    if {*map(type, keys)} <= {str}:
        return keys
    return [str(key) if type(key) is int else key for key in keys]
