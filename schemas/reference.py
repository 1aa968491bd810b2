"""What an alternative or a result refers to."""

from typing import NamedTuple

from groupwise.schemas.ids import Id


class Reference(NamedTuple):
    """An id, and where they are given: a text, or a span of a document.

    ``start`` and ``end`` count characters of the document; the end is exclusive.
    """

    id: Id
    text: str | None = None
    document: Id | None = None
    start: int | None = None
    end: int | None = None
