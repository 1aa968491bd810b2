"""How an input is read: as its File says; with ``map="auto"`` as an inspection proposes."""

import os
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple

from groupwise.evaluator.errors import InputError, Problem
from groupwise.evaluator.inspection.refusals import WANTED, Refused, agrees, find_hints
from groupwise.evaluator.reading.file import File, WrappedRecords, unwrap
from groupwise.evaluator.reading.options import AUTO, Options, Role
from groupwise.evaluator.reading.records import Batch, Reading, Records
from groupwise.evaluator.reading.source import Source, is_read_once

MAPPED = ": read with --map "
"""In the note on how a file is read."""
OBJECT = "map='auto' takes a file, whose beginning is looked at; give the paths of the fields"


class Settled(NamedTuple):
    """How an input is read.

    Attributes:
        value: The input, without the File; with ``map="auto"``, standard input or a pipe is now a
            source that can be read again.
        options: What the File says.
        flat: How flat lists are read.
        note: What was chosen, for people; None if nothing was.
        map: The map of the File.
    """

    value: Any
    options: Options
    flat: Any = None
    note: str | None = None
    map: Any = None

    @property
    def refused(self) -> Refused:
        """The input, for an error that refuses it."""
        return Refused(self.value, self.options.role, self.map)

    @property
    def path(self) -> str:
        """The path of the input, if it is a file."""
        return str(getattr(self.value, "path", None) or os.fspath(self.value))


def settle(
    given: Any, flat: Any = None, role: Role | None = None, *, texts: bool = False
) -> Settled:
    """Return how to read an input: as its File says, or as an inspection proposes.

    Raises:
        InputError: The map is ``"auto"``, and there is no proposal, or more than one.
    """
    options = Options(role=role, texts=texts)
    if not isinstance(given, File) or given.map != AUTO:
        value, options = unwrap(given, options)
        return Settled(value, options, flat, map=given.map if isinstance(given, File) else None)
    value = given.path
    if not isinstance(value, str | os.PathLike | Source):
        raise InputError([Problem(OBJECT)])
    source = value if isinstance(value, Source) else Source(value, given.max_bytes)
    return _choose(source, replace(given, map=None).complete(options), flat)


def _choose(source: Source, options: Options, flat: Any) -> Settled:
    from groupwise.evaluator.inspection.commands import spell_map  # noqa: PLC0415  (rarely needed)
    from groupwise.evaluator.inspection.inspect import inspect_source  # noqa: PLC0415

    value = source if is_read_once(source.path) else source.path
    found = inspect_source(source)
    if found.format is not None or not found.fields:
        return Settled(value, options, flat, map=AUTO)
    fitting = [
        proposal
        for proposal in found.proposals
        if WANTED[options.role] & proposal.map.keys() and agrees(proposal.flat, flat)
    ]
    if len(fitting) != 1:
        ways = f"there are {len(fitting)} ways" if fitting else "there is no known way"
        problem = Problem(f"auto: {ways} to read this file; say which fields to read", source.name)
        raise InputError([problem]).with_hints(find_hints(Refused(source, options.role), flat))
    chosen = fitting[0]
    flat_note = f" --flat {chosen.flat}" if chosen.flat and not flat else ""
    note = f"{source.name}{MAPPED}{spell_map(chosen.map)}{flat_note}"
    options = options._replace(fields=chosen.map)
    return Settled(value, options, flat or chosen.flat, note, AUTO)


class NotedRecords(WrappedRecords):
    """Records with a warning of how they are read."""

    def __init__(self, records: Records, note: str) -> None:
        super().__init__(records)
        self._note = note

    def batches(self, reading: Reading) -> Iterator[Batch]:
        """Yield the records, after adding the warning."""
        reading.warnings.append(self._note)
        yield from super().batches(reading)


def add_note(records: Records, note: str | None) -> Records:
    """Return records that warn of how they are read, if there is something to say."""
    return records if note is None else NotedRecords(records, note)
