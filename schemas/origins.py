"""Tables of queries: data sets and runs, by the id of a query and from objects of other libraries.

Other rooms read those objects, bound to these methods by name: nothing here depends on libraries.
"""

import os
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, ClassVar, Literal, NoReturn, Self, TypedDict, Unpack

from pydantic import PrivateAttr

from groupwise.schemas.binding import find_bound
from groupwise.schemas.shape import Shape
from groupwise.schemas.values import CANONICAL, find_nearest

MOST_COMPARED = 5_000
"""How many ids are compared with one that is not there, to suggest the nearest."""


class TableOptions(TypedDict, total=False):
    """How to read the rows of a table."""

    fields: Mapping[str, str] | None
    flat: Literal["any", "all"] | None
    ids: Literal["text"] | None
    columns: Mapping[str, str] | None


class Places(dict[str, list[int]]):
    """The places of queries by id. They are no part of a value: all are equal, copies are empty."""

    queries: tuple[Any, ...] = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Places)

    __hash__ = None

    def __deepcopy__(self, _memo: dict[int, Any]) -> "Places":
        return Places()

    def __reduce__(self) -> tuple[type["Places"], tuple[()]]:
        return Places, ()


class FromTables(Shape):
    """What data sets and runs share: both are tables with a row per query."""

    role: ClassVar[Literal["ground_truth", "run"]]

    queries: tuple[Any, ...]
    _places: Places = PrivateAttr(default_factory=Places)

    @classmethod
    def reshape(cls, value: Any) -> Any:
        """Accept a list of records, or ground truths or results by query id."""
        if isinstance(value, Mapping) and set(value) != {"queries"}:
            field = "ground_truth" if cls.role == "ground_truth" else "results"
            value = [_build_record(query, content, field) for query, content in value.items()]
        return value if isinstance(value, Mapping) else {"queries": value}

    def __getitem__(self, query_id: str) -> Any:
        places = self._index().get(_as_text(query_id), [])
        if not places:
            refuse_unknown(query_id, self._index())
        if len(places) > 1:
            raise KeyError(f"several queries have the id {query_id!r:.60}; see .queries")
        return self.queries[places[0]]

    def __contains__(self, query: object) -> bool:
        if isinstance(query, Shape):
            return query in self.queries
        return _as_text(query) in self._index()

    def __iter__(self) -> Iterator[Any]:  # type: ignore[override]
        return iter(self.queries)

    def __len__(self) -> int:
        return len(self.queries)

    def _index(self) -> dict[str, list[int]]:
        """Return the places of queries by id, found when the first one is asked for."""
        if self._places.queries is not self.queries:
            self._places.clear()
            for place, query in enumerate(self.queries):
                self._places.setdefault(query.id, []).append(place)
            self._places.queries = self.queries
        return self._places

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
        return cls._from(table, **options)

    @classmethod
    def from_pandas(cls, frame: Any, **options: Unpack[TableOptions]) -> Self:
        """Build from a pandas frame; cells may hold lists or NumPy arrays.

        The options and errors are those of ``from_arrow``. An index named ``id``, ``qid`` or
        ``query_id`` counts as that column.
        """
        return cls._from(frame, **options)

    @classmethod
    def from_polars(cls, frame: Any, **options: Unpack[TableOptions]) -> Self:
        """Build from a polars frame; the options and errors are those of ``from_arrow``."""
        return cls._from(frame, **options)

    @classmethod
    def from_huggingface(
        cls, rows: Iterable[Mapping[str, Any]], **options: Unpack[TableOptions]
    ) -> Self:
        """Build from a Hugging Face data set, or from any iterable of mappings, one per query.

        The options and errors are those of ``from_arrow``.
        """
        return cls._from(rows, rows=True, **options)

    @classmethod
    def _from(cls, table: Any, *, rows: bool = False, **options: Any) -> Self:
        columns = options.pop("columns", None)
        fields = options.pop("fields", None) or columns
        read = find_bound("queries_of_table")
        return cls(queries=read(table, cls.role, fields, rows=rows, **options))


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
        return cls(queries=find_bound("queries_of_documents")(documents, key))

    @classmethod
    def from_llama_index(
        cls, nodes: Mapping[Any, Iterable[Any]], *, key: str | None = None
    ) -> Self:
        """Build from LlamaIndex nodes with scores by query id, best first.

        Without ``key``, the id is the node's. Arguments and errors are those of LangChain.
        """
        return cls.from_langchain(nodes, key=key)

    @classmethod
    def from_haystack(
        cls, documents: Mapping[Any, Iterable[Any]], *, key: str | None = None
    ) -> Self:
        """Build from Haystack documents by query id, best first.

        Without ``key``, the id is the document's. Arguments and errors are those of LangChain.
        """
        return cls.from_langchain(documents, key=key)


def _build_record(query_id: Any, content: Any, field: str) -> dict[str, Any]:
    names = {CANONICAL.get(name) for name in content} if isinstance(content, Mapping) else set()
    return {"id": query_id, **content} if field in names else {"id": query_id, field: content}


def _as_text(query_id: object) -> str:
    """Return an id as data sets hold it, whole numbers as text; a blank string if it is no id."""
    return str(query_id) if isinstance(query_id, str) or type(query_id) is int else ""


def refuse_unknown(query_id: object, known: Iterable[str], hint: str = "") -> NoReturn:
    """Raise a KeyError for an id that no query has; it suggests the nearest.

    Args:
        query_id: What was asked for.
        known: The ids that there are.
        hint: What to say if none is near.
    """
    if not isinstance(query_id, str | int):
        raise KeyError(f"expected the id of a query, got {query_id!r:.60}")
    text = str(query_id)
    alike = (name for name in known if abs(len(name) - len(text)) <= 2)
    example = next((f"ids are such as {first!r:.60}" for first in known), "")
    nearest = find_nearest(text, islice(alike, MOST_COMPARED))
    suggestion = f"did you mean {nearest!r}?" if nearest else hint or example
    raise KeyError("; ".join(part for part in (f"no query {query_id!r:.60}", suggestion) if part))
