"""The documents that ground truth and results refer to."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, ClassVar

from pydantic import AfterValidator, BeforeValidator
from pydantic_core import PydanticCustomError

from groupwise.schemas.ids import DocumentId, DocumentName, Offset
from groupwise.schemas.shape import LISTING, Shape, SparseShape, refuse_unfit
from groupwise.schemas.values import DOCUMENT_NAMES, SPAN, as_flat, describe, names_in


def _check_text(value: Any) -> Any:
    if value is not None and not isinstance(value, str):
        raise PydanticCustomError(
            "text", "expected a text, got {found}", {"found": describe(value)}
        )
    return value


class Document(SparseShape):
    """A document, or a passage of one: an id, and a text where it is known.

    Only the text counts as content. Fields that groupwise does not know are ignored, unlike those
    of queries: exports of a corpus have many.
    """

    described_as: ClassVar[str] = "a document"

    id: DocumentId
    text: Annotated[str | None, BeforeValidator(_check_text)] = None
    document: DocumentName | None = None
    start: Offset | None = None
    end: Offset | None = None
    metadata: Annotated[dict[str, Any], AfterValidator(refuse_unfit)] | None = None

    @classmethod
    def reshape(cls, value: Any) -> Any:
        """Return the known fields; a value that is not an object is an id."""
        if not isinstance(value, Mapping):
            return {"id": value}
        names = names_in(value)
        if "id" not in names:
            known = ", ".join(DOCUMENT_NAMES["id"])
            raise PydanticCustomError(
                "no_id", "no id; its field is one of {known}", {"known": known}
            )
        return {**_span_of(value), **{field: value[name] for field, name in names.items()}}


def _span_of(record: Mapping[str, Any]) -> dict[str, Any]:
    span = record.get(SPAN)
    if not isinstance(span, list | tuple) or len(span) != 2:
        return {}
    return {"start": span[0], "end": span[1]}


class Corpus(Shape):
    """All documents, from a list of documents or ids, or texts by id."""

    described_as: ClassVar[str] = "a corpus"

    documents: Annotated[tuple[Document, ...], LISTING]

    @classmethod
    def reshape(cls, value: Any) -> Any:
        """Return documents from a list of them, or from texts or documents by id."""
        if isinstance(value, Mapping) and set(value) == {"documents"}:
            return value
        if isinstance(value, Mapping):
            value = [with_id(key, content) for key, content in value.items()]
        return {"documents": as_flat(value)}

    def facts(self) -> dict[str, Any]:
        """Return how many documents there are."""
        return {"documents": len(self.documents)}

    def __iter__(self) -> Iterator[Document]:  # type: ignore[override]
        return iter(self.documents)

    def __len__(self) -> int:
        return len(self.documents)


def with_id(key: Any, content: Any) -> dict[str, Any]:
    """Return the document under an id: a text, or the other fields."""
    if isinstance(content, Mapping):
        return {**content, "id": key}
    return {"id": key, "text": content}
