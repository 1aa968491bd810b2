"""Findings as checks report them, before line and column are known, and errors of the models."""

import sys
from typing import TYPE_CHECKING, Any, NamedTuple

from groupwise.evaluator.text import json_pointer

if TYPE_CHECKING:
    from groupwise.evaluator.reading.records import Batch
    from groupwise.evaluator.reading.scan import Pointer
    from groupwise.schemas import Id
if TYPE_CHECKING:
    from groupwise.evaluator.reading.scan import Pointer
    from groupwise.evaluator.validation.facts.request import Request


class Draft(NamedTuple):
    """A finding without its place.

    Attributes:
        code: The code of the rule.
        message: What is wrong, for a person.
        pointer: The steps from the record to the offending value.
        group: The number of the group, from 0.
        id: The offending id.
        value: The offending value; the fingerprint is computed from it.
        fixable: Whether the rule's fix applies to this finding.
        more: How many further findings of this kind there are, without a message of their own.
    """

    code: str
    message: str
    pointer: "Pointer" = ()
    group: int | None = None
    id: "Id | None" = None
    value: Any = None
    fixable: bool = True
    more: int = 0


class Place(NamedTuple):
    """A file, or a record of it; line and column of anything in a record are looked up on request.

    Attributes:
        file: The name of the source.
        query: The query id of the record.
        batch: The batch of the record; None for a place outside of records.
        number: The number of the record in its batch.
        known: Line and column of a place outside of records; 0 where unknown.
    """

    file: str
    query: str | None = None
    batch: "Batch | None" = None
    number: int = 0
    known: tuple[int, int] = (0, 0)

    def json_pointer(self, pointer: "Pointer") -> str | None:
        """Return the JSON pointer from the document to a place in the record."""
        if self.batch is None:
            return json_pointer(pointer)
        root, found = self.batch.root(self.number), self.batch.trace(self.number, pointer)
        return json_pointer((*root, *found))

    def line_and_column(self, pointer: "Pointer" = ()) -> tuple[int | None, int | None]:
        """Return line and column of what the pointer leads to, from 1; None where unknown."""
        line, column = self.batch.place(self.number, pointer) if self.batch else self.known
        return line or None, column or None


def order_steps(pointer: "Pointer") -> list[tuple[int, str]]:
    """Return what sorts pointers: numbers before names."""
    return [(step, "") if isinstance(step, int) else (sys.maxsize, str(step)) for step in pointer]


class SchemaError(NamedTuple):
    """What is wrong with the shape of a record.

    Attributes:
        type: The type of the error, such as ``"empty_group"``.
        field: The field that it is about.
        location: The steps to it in the model.
        pointer: The steps to it in the record as it was given.
        message: What is wrong, for a person.
        value: What the pointer leads to.
        record: The whole record.
        request: What the validation was asked for.
    """

    type: str
    field: str
    location: tuple[int | str, ...]
    pointer: "Pointer"
    message: str
    value: Any
    record: Any
    request: "Request"
