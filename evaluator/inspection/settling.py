"""``fields="auto"``: the one way to read a file that an inspection proposes, or a refusal."""

import os
from collections.abc import Iterator, Mapping
from typing import Any, Literal, NamedTuple, TypeAlias

from groupwise.evaluator.errors import InputError, Problem
from groupwise.evaluator.inspection.refusals import WANTED, Refused, agrees, find_hints
from groupwise.evaluator.reading.options import AUTO, Role
from groupwise.evaluator.reading.records import Batch, Reading, Records
from groupwise.evaluator.reading.source import Source, is_read_once

Fields: TypeAlias = Mapping[str, str] | Literal["auto"] | None
MAPPED = ": read with --map "
"""In the note on how a file is read."""
OBJECT = "fields='auto' takes a file, whose beginning is looked at; give the paths of the fields"


class Settled(NamedTuple):
    """How an input is read.

    Attributes:
        value: The input; standard input or a pipe is now a source that can be read again.
        fields: The path of each field.
        flat: How flat lists are read.
        note: What was chosen, for people; None if nothing was.
    """

    value: Any
    fields: Mapping[str, str]
    flat: Any = None
    note: str | None = None

    @property
    def path(self) -> str:
        """The path of the input, if it is a file."""
        return str(getattr(self.value, "path", None) or os.fspath(self.value))


def settle(value: Any, fields: Fields, flat: Any = None, role: Role | None = None) -> Settled:
    """Return how to read an input: as told, or as an inspection proposes.

    Raises:
        InputError: ``fields`` is ``"auto"``, and there is no proposal, or more than one.
    """
    if not isinstance(fields, str):
        return Settled(value, fields or {}, flat)
    if fields != AUTO:
        raise InputError([Problem(f"fields: expected a mapping or 'auto', got {fields!r}")])
    if not isinstance(value, str | os.PathLike | Source):
        raise InputError([Problem(OBJECT)])
    return _choose(value if isinstance(value, Source) else Source(value), flat, role)


def _choose(source: Source, flat: Any, role: Role | None) -> Settled:
    from groupwise.evaluator.inspection.commands import spell_map  # noqa: PLC0415  (rarely needed)
    from groupwise.evaluator.inspection.inspect import inspect_source  # noqa: PLC0415

    value = source if is_read_once(source.path) else source.path
    found = inspect_source(source)
    if found.format is not None or not found.fields:
        return Settled(value, {}, flat)
    fitting = [
        proposal
        for proposal in found.proposals
        if WANTED[role] & proposal.map.keys() and agrees(proposal.flat, flat)
    ]
    if len(fitting) != 1:
        raise _refuse(source, flat, role, len(fitting))
    chosen = fitting[0]
    flat_note = f" --flat {chosen.flat}" if chosen.flat and not flat else ""
    note = f"{source.name}{MAPPED}{spell_map(chosen.map)}{flat_note}"
    return Settled(value, chosen.map, flat or chosen.flat, note)


def _refuse(source: Source, flat: Any, role: Role | None, count: int) -> InputError:
    found = f"there are {count} ways" if count else "there is no known way"
    message = f"auto: {found} to read this file; say which fields to read"
    return InputError([Problem(message, source.name)]).with_hints(
        find_hints(Refused(source, role), None, flat)
    )


class NotedRecords(Records):
    """Records with a warning of how they are read."""

    def __init__(self, records: Records, note: str) -> None:
        self.records = records
        self.name = records.name
        self.positional = records.positional
        self.editable = records.editable
        self.typed_ids = records.typed_ids
        self.has_head = records.has_head
        self._note = note

    @property
    def has_byte_order_mark(self) -> bool:
        """Whether the source begins with a byte order mark."""
        return self.records.has_byte_order_mark

    def batches(self, reading: Reading) -> Iterator[Batch]:
        """Yield the records, after adding the warning."""
        reading.warnings.append(self._note)
        yield from self.records.batches(reading)


def add_note(records: Records, note: str | None) -> Records:
    """Return records that warn of how they are read, if there is something to say."""
    return records if note is None else NotedRecords(records, note)
