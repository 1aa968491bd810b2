"""What an alternative or a result refers to: an id, a text, a span of a document."""

from typing import NamedTuple, Protocol

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


class Referring(Protocol):
    """An alternative or a result in full."""

    @property
    def id(self) -> Id: ...  # noqa: D102
    @property
    def text(self) -> str | None: ...  # noqa: D102
    @property
    def document(self) -> Id | None: ...  # noqa: D102
    @property
    def start(self) -> int | None: ...  # noqa: D102
    @property
    def end(self) -> int | None: ...  # noqa: D102


def reference_of(value: Id | Referring) -> Reference:
    """Return the reference of a bare id, or of an alternative or a result in full."""
    if isinstance(value, str | int):
        return Reference(value)
    return Reference(value.id, value.text, value.document, value.start, value.end)
