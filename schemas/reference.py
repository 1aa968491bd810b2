"""What an alternative or a result refers to: an id, a text, a span of a document."""

from typing import TYPE_CHECKING, NamedTuple

from groupwise.schemas.ids import Id

if TYPE_CHECKING:
    from groupwise.schemas.corpus import Document
    from groupwise.schemas.ground_truth import Alternative
    from groupwise.schemas.result import Result


class Reference(NamedTuple):
    """An id, and where they are given: a text, or a span of a document.

    ``start`` and ``end`` count characters of the document; the end is exclusive.
    """

    id: Id
    text: str | None = None
    document: Id | None = None
    start: int | None = None
    end: int | None = None


def reference_of(value: "Id | Alternative | Result | Document") -> Reference:
    """Return the reference of a bare id, or of an alternative, a result or a document in full."""
    if isinstance(value, str | int):
        return Reference(value)
    return Reference(value.id, value.text, value.document, value.start, value.end)
