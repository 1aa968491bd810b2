"""A record as rules see it: its groups and results, each id with the way to it.

Rules look at records that may be unsound, so a case takes from a record what can be understood and
leaves the rest to the schema, which says what is wrong with it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from groupwise.evaluator.formats.scan import Pointer
from groupwise.schemas import FIELD_NAMES, Id


class Draft(NamedTuple):
    """A finding before its place is looked up; the pointer is relative to the record.

    ``value`` is what is offensive: the fingerprint is made of it.
    """

    code: str
    message: str
    pointer: Pointer = ()
    group: int | None = None
    id: Id | None = None
    value: Any = None
    fixable: bool = True


class Listed(NamedTuple):
    """An id, and the way to it."""

    id: Id
    pointer: Pointer


@dataclass(frozen=True)
class CaseGroup:
    """A group: the ids that meet it, in the order listed."""

    number: int
    pointer: Pointer
    listed: tuple[Listed, ...]

    @property
    def ids(self) -> list[Id]:
        """The ids as listed."""
        return [one.id for one in self.listed]


@dataclass(frozen=True)
class Case:
    """What can be understood of a record."""

    query: str | None = None
    text: str | None = None
    groups: tuple[CaseGroup, ...] = ()
    results: tuple[Listed, ...] = ()
    scores: tuple[float, ...] = ()
    record: Mapping[str, Any] = field(default_factory=dict)

    @property
    def listed(self) -> Iterator[Listed]:
        """All ids of all groups."""
        for group in self.groups:
            yield from group.listed


def case_of(record: Any, key: str | None = None, main: str = "ground_truth") -> Case:
    """The case of a record; ``key`` is its query id where that stands outside."""
    if key is not None and not _is_record(record, main):
        return _keyed(record, key, main)
    if not isinstance(record, Mapping):
        return Case(query=key)
    truth, results, scores = (
        _field(record, name) for name in ("ground_truth", "results", "scores")
    )
    text = record.get("query")
    return Case(
        query=key if key is not None else _query_id(record),
        text=text if isinstance(text, str) else None,
        groups=tuple(_groups(*truth)),
        results=tuple(_results(*results)),
        scores=_numbers(scores[1]),
        record=record,
    )


def _keyed(value: Any, key: str, main: str) -> Case:
    if main == "results":
        return Case(query=key, results=tuple(_results((), value)))
    return Case(query=key, groups=tuple(_groups((), value)))


def _is_record(value: Any, main: str) -> bool:
    return isinstance(value, Mapping) and any(name in value for name in FIELD_NAMES[main])


def _field(record: Mapping[str, Any], field: str) -> tuple[Pointer, Any]:
    name = next((name for name in FIELD_NAMES[field] if name in record), field)
    return (name,), record.get(name)


def _query_id(record: Mapping[str, Any]) -> str | None:
    _, value = _field(record, "id")
    return str(value) if isinstance(value, str | int) else None


def _groups(way: Pointer, truth: Any) -> Iterator[CaseGroup]:
    for number, group in enumerate(truth if isinstance(truth, list) else ()):
        here = (*way, number)
        yield CaseGroup(number, here, tuple(_alternatives(here, group)))


def _alternatives(way: Pointer, group: Any) -> Iterator[Listed]:
    if isinstance(group, Mapping) and "alternatives" in group:
        yield from _alternatives((*way, "alternatives"), group["alternatives"])
    elif isinstance(group, Mapping):
        yield from (Listed(key, (*way, key)) for key, grade in group.items() if grade != 0)
    else:
        yield from _results(way, group)


def _results(way: Pointer, values: Any) -> Iterator[Listed]:
    for number, value in enumerate(values if isinstance(values, list) else ()):
        here = (*way, number)
        if _is_id(value):
            yield Listed(value, here)
        elif isinstance(value, Mapping) and _is_id(value.get("id")) and value.get("grade") != 0:
            yield Listed(value["id"], (*here, "id"))


def _is_id(value: Any) -> bool:
    return type(value) is int or (isinstance(value, str) and bool(value.strip()))


def _numbers(values: Any) -> tuple[float, ...]:
    found = values if isinstance(values, list) else []
    return tuple(found) if set(map(type, found)) <= {int, float} else ()
