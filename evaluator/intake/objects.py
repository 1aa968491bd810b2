"""Python objects and paths as records: whatever ``evaluate`` accepts."""

import os
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from groupwise.evaluator.errors import InputError, Problem, Problems
from groupwise.evaluator.formats.opening import records_in
from groupwise.evaluator.intake.query_ids import are_records
from groupwise.evaluator.reading.file import limit_records, unwrap
from groupwise.evaluator.reading.limits import limiting_records
from groupwise.evaluator.reading.options import AS_IT_IS, Options, Role
from groupwise.evaluator.reading.records import Batch, Reading, Records
from groupwise.evaluator.reading.scan import Pointer
from groupwise.evaluator.reading.source import Source
from groupwise.schemas.ids import as_plain, text_of
from groupwise.schemas.values import CANONICAL, describe, sort_set

if TYPE_CHECKING:
    from groupwise.schemas import Query, RunQuery

OBJECTS_PER_BATCH = 64
"""Few enough to stay in the processor's cache from checking to matching."""


SCALARS = frozenset({str, int, float, bool, type(None)})
ORDERED = ("results", "scores")


@dataclass
class ObjectBatch(Batch):
    """A batch of Python objects, which have no lines."""

    values: list[Any]
    keys: list[str] | None
    first: int = 0

    def place(self, _number: int, _pointer: Pointer) -> tuple[int, int]:
        """Return 0, 0: objects have no lines."""
        return 0, 0

    def root(self, number: int) -> Pointer:
        """Return the path to a record: its query id, or its number."""
        return (self.first + number,) if self.keys is None else (self.keys[number],)


class Objects(Records):
    """Records from Python objects; ``keys`` are their query ids, if outside the records."""

    def __init__(self, name: str, values: Sequence[Any], keys: Sequence[Any] | None) -> None:
        self.name = name
        self._values = values
        self._keys = keys

    def batches(self, _reading: Reading, size: int = OBJECTS_PER_BATCH) -> Iterator[Batch]:
        """Yield the objects in batches."""
        for start in range(0, len(self._values), size):
            end = start + size
            keys = None if self._keys is None else [*self._keys[start:end]]
            yield ObjectBatch([*self._values[start:end]], keys, start)


def as_records(value: Any, name: str, options: Options = AS_IT_IS) -> Records:
    """Return the records in a path, a model, a mapping by query id, a list, or a data frame.

    Raises:
        InputError: The value is none of them, or a file cannot be read.
    """
    value, options = unwrap(value, options)
    if (queries := _queries_of(value)) is not None:
        return Objects(name, queries, None)
    if options.fields and (mapped := _map_objects(value, name, options)) is not None:
        return mapped
    if isinstance(value, Mapping):
        return Objects(name, list(value.values()), _query_ids(value))
    if isinstance(value, list | tuple):
        ids = [str(number) for number in range(len(value))] if is_positional(value) else None
        return Objects(name, value, ids)
    accepted = "a mapping by query id, a list, a Dataset, a Run, a data frame or a path"
    return open_table(value, name, options, accepted)


def _queries_of(value: Any) -> Sequence[Any] | None:
    """Return the queries of a model; None if this is anything else."""
    if isinstance(value, str | os.PathLike | Source | Mapping | list | tuple):
        return None
    from groupwise.schemas import Dataset, Fixture, Run  # noqa: PLC0415  (loads pydantic)

    return value.queries if isinstance(value, Dataset | Run | Fixture) else None


def _map_objects(value: Any, name: str, options: Options) -> Records | None:
    """Return objects with mapped fields, if they are a list of objects or have such a list."""
    from groupwise.evaluator.formats.mapping.field_records import FieldRecords  # noqa: PLC0415  (rarely needed)
    from groupwise.evaluator.formats.mapping.fields import choose_paths, plan_fields  # noqa: PLC0415

    if not isinstance(value, Mapping | list | tuple) or not (paths := choose_paths(options)):
        return None
    plan = plan_fields(paths, options)
    if isinstance(value, Mapping):
        is_wrapped = plan.wrappers and not plan.is_each
        return FieldRecords(Objects(name, [value], None), plan) if is_wrapped else None
    has_objects = bool(value) and all(isinstance(part, Mapping) for part in value)
    return FieldRecords(Objects(name, value, None), plan) if has_objects else None


def open_table(value: Any, name: str, options: Options, accepted: str) -> Records:
    """Return the records in a path or a data frame.

    Raises:
        InputError: The value is neither; the message says what is accepted.
    """
    if isinstance(value, str | os.PathLike | Source):
        return records_in(value, options)
    from groupwise.evaluator.formats.frames import frame_records, is_frame  # noqa: PLC0415  (rarely needed)

    if is_frame(value):
        with limiting_records(options.max_record_bytes):
            return limit_records(frame_records(value, name, options), options)
    raise InputError([Problem(f"expected {accepted}; got {describe(value)}", name)])


def list_sets(value: Any) -> Any:
    """Return objects with their sets as lists, for readers that know JSON only.

    Results and scores stay as they are: a set has no order, which the schema refuses.
    """
    if isinstance(value, AbstractSet):
        return [*map(list_sets, sort_set(value))]
    if type(value) is dict:
        return {
            name: part if CANONICAL.get(name) in ORDERED else list_sets(part)
            for name, part in value.items()
        }
    is_nested = type(value) is list and not SCALARS.issuperset(map(type, value))
    return [*map(list_sets, value)] if is_nested else value


def is_positional(value: Any) -> bool:
    """Whether this is a list of bare ground truths or results, identified by position."""
    return isinstance(value, list | tuple) and not (value and are_records(value))


def _query_ids(mapping: Mapping[Any, Any]) -> list[Any]:
    """Return the keys of a mapping, whole numbers as text."""
    if {*map(type, mapping)} <= {str}:
        return [*mapping]
    keys = map(as_plain, mapping)
    return [text_of(key) if type(key) is int or isinstance(key, str) else key for key in keys]


def queries_of_table(
    table: Any, role: Role, chosen: Mapping[str, str] | None, *, rows: bool = False, **policies: Any
) -> "tuple[Query | RunQuery, ...]":
    """Return the rows of a frame as models, in their order, or ``rows`` that are mappings.

    Raises:
        InputError: Rows are invalid; each problem names its row.
    """
    from groupwise.evaluator.formats.frames import frame_records, row_records  # noqa: PLC0415  (rarely needed)
    from groupwise.evaluator.intake.check import Intake  # noqa: PLC0415  (rarely needed)
    from groupwise.schemas import Policies, Query, RunQuery  # noqa: PLC0415  (loads pydantic)

    read, name = (row_records, "rows") if rows else (frame_records, "frame")
    records = read(table, name, Options(role=role, fields=chosen or {}))
    model = RunQuery if role == "run" else Query
    return Intake(records, model, Policies(**policies), Problems()).read_all()
