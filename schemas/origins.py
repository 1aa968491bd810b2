"""Data sets and runs from what other libraries hold: frames, tables and documents.

How such things are read is another layer's job, bound to these methods by name, so that nothing
here depends on it, nor on any of those libraries.
"""

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Literal, Self

from groupwise.schemas.binding import bound
from groupwise.schemas.shape import Shape


class FromTables(Shape):
    """What data sets and runs share: both are rows, one per query."""

    role: ClassVar[Literal["ground_truth", "run"]]

    @classmethod
    def from_arrow(
        cls,
        table: Any,
        *,
        columns: Mapping[str, str] | None = None,
        flat: Literal["any", "all"] | None = None,
        ids: Literal["text"] | None = None,
    ) -> Self:
        """From anything that offers an Arrow stream (``__arrow_c_stream__``).

        Args:
            table: A table with the columns of groupwise or AutoRAG; others are left alone.
            columns: The column of a field that goes by another name, such as
                ``{"id": "question_id", "ground_truth": "gold"}``.
            flat: For a flat list of ids: one group, or one group per id.
            ids: ``"text"`` takes all ids as strings.

        Raises:
            InputError: A column is missing or of another type, or rows are unsound.
        """
        return cls._from("queries_of_frame", table, columns, flat=flat, ids=ids)

    @classmethod
    def from_pandas(
        cls,
        frame: Any,
        *,
        columns: Mapping[str, str] | None = None,
        flat: Literal["any", "all"] | None = None,
        ids: Literal["text"] | None = None,
    ) -> Self:
        """From a pandas frame; cells may hold lists or NumPy arrays, as ``read_parquet`` has them.

        The arguments and errors are those of ``from_arrow``. An index that is named ``id``,
        ``qid`` or ``query_id`` counts as that column.
        """
        return cls._from("queries_of_frame", frame, columns, flat=flat, ids=ids)

    @classmethod
    def from_polars(
        cls,
        frame: Any,
        *,
        columns: Mapping[str, str] | None = None,
        flat: Literal["any", "all"] | None = None,
        ids: Literal["text"] | None = None,
    ) -> Self:
        """From a polars frame; the arguments and errors are those of ``from_arrow``."""
        return cls._from("queries_of_frame", frame, columns, flat=flat, ids=ids)

    @classmethod
    def from_huggingface(
        cls,
        rows: Iterable[Mapping[str, Any]],
        *,
        columns: Mapping[str, str] | None = None,
        flat: Literal["any", "all"] | None = None,
        ids: Literal["text"] | None = None,
    ) -> Self:
        """From a Hugging Face data set, or from any rows that are mappings, one per query.

        The arguments and errors are those of ``from_arrow``.
        """
        return cls._from("queries_of_rows", rows, columns, flat=flat, ids=ids)

    @classmethod
    def _from(
        cls, reader: str, value: Any, columns: Mapping[str, str] | None, **policies: Any
    ) -> Self:
        queries = bound(reader)(value, cls.role, columns, **policies)
        return cls.model_validate({"queries": queries})


class FromDocuments(FromTables):
    """A run from the documents that retrievers of other libraries return."""

    @classmethod
    def from_langchain(
        cls, documents: Mapping[Any, Iterable[Any]], *, key: str | None = None
    ) -> Self:
        """From LangChain documents by query id, best first; also pairs of document and score.

        Args:
            documents: What the retriever returned, by query id.
            key: The key of the metadata that holds the id; None means the document's own ``id``.

        Raises:
            InputError: A document has no id; the message lists the keys of its metadata.
        """
        return cls._from_documents(documents, key)

    @classmethod
    def from_llama_index(
        cls, nodes: Mapping[Any, Iterable[Any]], *, key: str | None = None
    ) -> Self:
        """From LlamaIndex nodes with scores by query id, best first.

        Without ``key`` the id is that of the node. Arguments and errors are as for LangChain.
        """
        return cls._from_documents(nodes, key)

    @classmethod
    def from_haystack(
        cls, documents: Mapping[Any, Iterable[Any]], *, key: str | None = None
    ) -> Self:
        """From Haystack documents by query id, best first.

        Without ``key`` the id is that of the document. Arguments and errors are as for LangChain.
        """
        return cls._from_documents(documents, key)

    @classmethod
    def _from_documents(cls, documents: Mapping[Any, Iterable[Any]], key: str | None) -> Self:
        queries = bound("queries_of_documents")(documents, key)
        return cls.model_validate({"queries": queries})
