"""Data sets and runs from objects of other libraries: frames, tables and documents.

Other layers read them, bound to these methods by name, so that nothing here depends on those layers
or libraries.
"""

import os
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Literal, Self, TypedDict, Unpack

from groupwise.schemas.binding import find_bound
from groupwise.schemas.shape import Shape


class TableOptions(TypedDict, total=False):
    """How to read the rows of a table."""

    fields: Mapping[str, str] | None
    flat: Literal["any", "all"] | None
    ids: Literal["text"] | None
    columns: Mapping[str, str] | None


class FromTables(Shape):
    """Constructors that data sets and runs share: both are tables with a row per query."""

    role: ClassVar[Literal["ground_truth", "run"]]

    @classmethod
    def load(cls, path: str | os.PathLike[str], **options: Any) -> Self:
        """Read a file of any format that groupwise knows.

        Args:
            path: The file; ``-`` is standard input.
            options: Those of ``read``, such as ``format``, ``flat``, ``ids`` and ``fields``.

        Raises:
            InputError: The file is invalid, or holds something else; all problems are listed.
        """
        loaded: Self = find_bound("read_as")(cls, path, cls.role, **options)
        return loaded

    @classmethod
    def from_arrow(cls, table: Any, **options: Unpack[TableOptions]) -> Self:
        """Build from an object with an Arrow stream (``__arrow_c_stream__``).

        Args:
            table: A table with the columns of groupwise or AutoRAG; other columns are ignored.
            options: ``fields`` are the columns of fields with other names, such as
                ``{"id": "question_id", "ground_truth": "gold"}``; ``columns`` is its old name.
                ``flat`` makes a flat list of ids one group (``"any"``) or one group per id
                (``"all"``). ``ids="text"`` reads all ids as strings.

        Raises:
            InputError: A column is missing or has the wrong type, or rows are invalid.
        """
        return cls._from("queries_of_frame", table, **options)

    @classmethod
    def from_pandas(cls, frame: Any, **options: Unpack[TableOptions]) -> Self:
        """Build from a pandas frame; cells may hold lists or NumPy arrays.

        The options and errors are those of ``from_arrow``. An index named ``id``, ``qid`` or
        ``query_id`` counts as that column.
        """
        return cls._from("queries_of_frame", frame, **options)

    @classmethod
    def from_polars(cls, frame: Any, **options: Unpack[TableOptions]) -> Self:
        """Build from a polars frame; the options and errors are those of ``from_arrow``."""
        return cls._from("queries_of_frame", frame, **options)

    @classmethod
    def from_huggingface(
        cls, rows: Iterable[Mapping[str, Any]], **options: Unpack[TableOptions]
    ) -> Self:
        """Build from a Hugging Face data set, or from any iterable of mappings, one per query.

        The options and errors are those of ``from_arrow``.
        """
        return cls._from("queries_of_rows", rows, **options)

    @classmethod
    def _from(
        cls,
        reader: str,
        value: Any,
        *,
        fields: Mapping[str, str] | None = None,
        columns: Mapping[str, str] | None = None,
        **policies: Any,
    ) -> Self:
        queries = find_bound(reader)(value, cls.role, fields or columns, **policies)
        return cls.model_validate({"queries": queries})


class FromDocuments(FromTables):
    """Constructors from the documents that retrievers of other libraries return."""

    @classmethod
    def from_langchain(
        cls, documents: Mapping[Any, Iterable[Any]], *, key: str | None = None
    ) -> Self:
        """Build from LangChain documents by query id, best first; also pairs of document and score.

        Args:
            documents: What the retriever returned, by query id.
            key: The metadata key of the id; None: the document's own ``id``.

        Raises:
            InputError: A document has no id; the message lists the keys of its metadata.
        """
        return cls._from_documents(documents, key)

    @classmethod
    def from_llama_index(
        cls, nodes: Mapping[Any, Iterable[Any]], *, key: str | None = None
    ) -> Self:
        """Build from LlamaIndex nodes with scores by query id, best first.

        Without ``key``, the id is the node's. Arguments and errors are those of LangChain.
        """
        return cls._from_documents(nodes, key)

    @classmethod
    def from_haystack(
        cls, documents: Mapping[Any, Iterable[Any]], *, key: str | None = None
    ) -> Self:
        """Build from Haystack documents by query id, best first.

        Without ``key``, the id is the document's. Arguments and errors are those of LangChain.
        """
        return cls._from_documents(documents, key)

    @classmethod
    def _from_documents(cls, documents: Mapping[Any, Iterable[Any]], key: str | None) -> Self:
        queries = find_bound("queries_of_documents")(documents, key)
        return cls.model_validate({"queries": queries})
