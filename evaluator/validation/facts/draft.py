"""Findings as checks report them, before line and column are known."""

from typing import TYPE_CHECKING, Any, NamedTuple

from groupwise.evaluator.text import json_pointer

if TYPE_CHECKING:
    from groupwise.evaluator.reading.records import Batch
    from groupwise.evaluator.reading.scan import Pointer
    from groupwise.schemas import Id


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
    """

    code: str
    message: str
    pointer: "Pointer" = ()
    group: int | None = None
    id: "Id | None" = None
    value: Any = None
    fixable: bool = True


class Placed(NamedTuple):
    """A draft about a whole file or a place outside its records.

    ``more`` counts further findings of this kind that have no message of their own.
    """

    draft: Draft
    file: str
    line: int | None = None
    column: int | None = None
    pointer: str | None = None
    query: str | None = None
    more: int = 0


class Place(NamedTuple):
    """A record of a source; line and column of anything in it are looked up on request."""

    file: str
    query: str | None
    batch: "Batch | None" = None
    number: int = 0

    def pointer(self, draft: Draft) -> str | None:
        """Return the JSON pointer from the document to the offending value."""
        root = self.batch.root(self.number) if self.batch else ()
        return json_pointer((*root, *draft.pointer))

    def line_and_column(self, pointer: "Pointer" = ()) -> tuple[int | None, int | None]:
        """Return line and column of what the pointer leads to, from 1; None where unknown."""
        if self.batch is None:
            return None, None
        line, column = self.batch.place(self.number, pointer)
        return line or None, column or None
