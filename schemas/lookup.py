"""Queries by id, for ``dataset["q3"]`` and ``"q3" in run``."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, Generic, NoReturn, Protocol, TypeVar

from groupwise.schemas.values import find_nearest

MOST_COMPARED = 5_000
"""How many ids are compared with one that is not there, to suggest the nearest."""


class HasId(Protocol):
    """A record of a query."""

    @property
    def id(self) -> str:
        """The id of the query."""
        ...


Record = TypeVar("Record", bound=HasId)


class Lookup(Generic[Record]):
    """The places of queries by id, found when the first one is asked for.

    It is no part of a value: models with the same queries are equal, and copies begin anew.
    """

    def __init__(self) -> None:
        self._queries: Sequence[Record] = ()
        self._places: dict[str, list[int]] = {}

    def find(self, queries: Sequence[Record], query_id: object) -> Record:
        """Return the query of an id.

        Raises:
            KeyError: There is no such query, or there are several.
        """
        places = self._index(queries).get(_as_text(query_id) or "", [])
        if not places:
            refuse_unknown(query_id, self._places)
        if len(places) > 1:
            raise KeyError(f"several queries have the id {query_id!r:.60}; see .queries")
        found: Record = queries[places[0]]
        return found

    def has(self, queries: Sequence[Record], query_id: object) -> bool:
        """Whether there is a query of that id."""
        return (_as_text(query_id) or "") in self._index(queries)

    def _index(self, queries: Sequence[Record]) -> dict[str, list[int]]:
        if self._queries is not queries:
            self._places = {}
            for place, query in enumerate(queries):
                self._places.setdefault(query.id, []).append(place)
            self._queries = queries
        return self._places

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Lookup)

    __hash__ = None  # type: ignore[assignment]

    def __deepcopy__(self, _memo: dict[int, Any]) -> "Lookup[Record]":
        return Lookup()

    def __reduce__(self) -> tuple[type["Lookup[Any]"], tuple[()]]:
        return Lookup, ()


def _as_text(query_id: object) -> str | None:
    """Return an id as data sets hold it, whole numbers as text; None if it is no id."""
    return str(query_id) if isinstance(query_id, str) or type(query_id) is int else None


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
    nearest = find_nearest(text, islice(_list_alike(text, known), MOST_COMPARED))
    suggestion = f"did you mean {nearest!r}?" if nearest else hint or _give_example(known)
    raise KeyError("; ".join(part for part in (f"no query {query_id!r:.60}", suggestion) if part))


def _give_example(known: Iterable[str]) -> str:
    first = next(iter(known), None)
    return "" if first is None else f"ids are such as {first!r:.60}"


def _list_alike(text: str, known: Iterable[str]) -> Iterator[str]:
    return (name for name in known if abs(len(name) - len(text)) <= 2)
