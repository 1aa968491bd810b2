"""A record as rules see it: its groups and results, each id with the way to it.

Rules look at records that may be unsound, so a case takes from a record what can be understood and
leaves the rest to the schema, which says what is wrong with it.
"""

from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from groupwise.evaluator.intake.bulk import names_of
from groupwise.evaluator.reading.scan import Pointer
from groupwise.schemas import FIELD_NAMES, FixtureQuery, Id
from groupwise.schemas.ground_truth import is_graded, is_graded_group
from groupwise.schemas.result import sort_by_score
from groupwise.schemas.shape import as_list, is_number

NAMES = frozenset(names_of(FixtureQuery))
"""The fields of records, under all their names."""


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
    """What can be understood of a record; ``truth`` is its ground truth as it is written."""

    query: str | None = None
    text: str | None = None
    groups: tuple[CaseGroup, ...] = ()
    results: tuple[Listed, ...] = ()
    scores: tuple[float, ...] = ()
    record: Mapping[str, Any] = field(default_factory=dict)
    truth: Any = None
    way: Pointer = ()

    @property
    def listed(self) -> Iterator[Listed]:
        """All ids of all groups."""
        for group in self.groups:
            yield from group.listed


@dataclass(frozen=True)
class Understanding:
    """How flat lists and whole numbers are taken, as the caller answered."""

    flat: str | None = None
    ids: str | None = None

    def case(self, record: Any, key: Any = None, main: str = "ground_truth") -> Case:
        """The case of a record; ``key`` is its query id where that stands outside."""
        is_record = isinstance(record, Mapping) and (key is None or not NAMES.isdisjoint(record))
        if not is_record:
            return Case() if key is None else self._keyed(record, key, main)
        (way, truth), (where, results), (_, scores) = (
            _field(record, name) for name in ("ground_truth", "results", "scores")
        )
        text = record.get("query")
        return Case(
            query=_query_id(record) if key is None else _text(key),
            text=_text(text),
            groups=tuple(self._groups(way, truth)),
            results=tuple(self._ids(where, results)),
            scores=_numbers(scores) if scores is not None else _scores_within(results),
            record=record,
            truth=truth,
            way=way,
        )

    def _keyed(self, value: Any, key: Any, main: str) -> Case:
        value = as_list(value)
        if main == "results":
            results = tuple(self._ids((), value))
            return Case(query=_text(key), results=results, scores=_scores_within(value))
        return Case(query=_text(key), groups=tuple(self._groups((), value)), truth=value)

    def _groups(self, way: Pointer, truth: Any) -> Iterator[CaseGroup]:
        flat = is_graded(truth) or (isinstance(truth, list) and truth and all(map(_is_flat, truth)))
        if flat and (self.flat or is_graded(truth)):
            yield from self._flat_groups(way, truth) if self.flat else ()
            return
        for number, group in enumerate(truth if isinstance(truth, list) else ()):
            here = (*way, number)
            yield CaseGroup(number, here, tuple(self._alternatives(here, group)))

    def _flat_groups(self, way: Pointer, ids: Any) -> Iterator[CaseGroup]:
        """Groups of a flat list, or of grades by id, as it was answered how they are meant."""
        listed = tuple(self._graded(way, ids) if isinstance(ids, Mapping) else self._ids(way, ids))
        if self.flat == "any":
            yield from [CaseGroup(0, way, listed)] if listed else []
        else:
            for number, one in enumerate(listed):
                yield CaseGroup(number, one.pointer, (one,))

    def _alternatives(self, way: Pointer, group: Any) -> Iterator[Listed]:
        if isinstance(group, Mapping) and "alternatives" in group:
            yield from self._ids((*way, "alternatives"), as_list(group["alternatives"]))
        elif is_graded_group(group):
            yield from self._graded(way, {k: g for k, g in group.items() if is_number(g)})
        else:
            group = sorted(group, key=str) if isinstance(group, AbstractSet) else group
            yield from self._ids(way, as_list(group))

    def _graded(self, way: Pointer, grades: Mapping[Any, Any]) -> Iterator[Listed]:
        """The ids that are keys of a grade above 0."""
        kept = {key: _as_id(key) for key, grade in grades.items() if not grade <= 0}
        found = ((key, one) for key, one in kept.items() if one is not None)
        yield from (self._listed(one, (*way, key)) for key, one in found)

    def _ids(self, way: Pointer, values: Any) -> Iterator[Listed]:
        if is_graded(values):
            ordered = {one["id"]: 1 for one in sort_by_score(values)}
            yield from self._graded(way, ordered)
        for number, value in enumerate(values if isinstance(values, list) else ()):
            full = isinstance(value, Mapping)
            if full and value.get("grade", 1) == 0:
                continue
            one = _as_id(value.get("id") if full else value)
            if one is not None:
                yield self._listed(one, (*way, number, "id") if full else (*way, number))

    def _listed(self, one: Id, way: Pointer) -> Listed:
        return Listed(str(one) if self.ids == "text" else one, way)


def case_of(record: Any, key: str | None = None, main: str = "ground_truth") -> Case:
    """The case of a record where nothing was answered; see ``Understanding.case``."""
    return Understanding().case(record, key, main)


def _field(record: Mapping[str, Any], field: str) -> tuple[Pointer, Any]:
    name = next((name for name in FIELD_NAMES[field] if name in record), field)
    value = as_list(record.get(name))
    if field == "ground_truth" and isinstance(value, Mapping) and set(value) == {"groups"}:
        return (name, "groups"), as_list(value["groups"])
    return (name,), value


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _query_id(record: Mapping[str, Any]) -> str | None:
    _, value = _field(record, "id")
    return str(value) if isinstance(value, str | int) else None


def _is_flat(value: Any) -> bool:
    """Whether an element of a ground truth makes it a flat list, as the schema sees it."""
    return isinstance(value, str | int) and value is not True


def _as_id(value: Any) -> Id | None:
    """The value as an id, if it is one; a blank one is none."""
    value = value.item() if type(value).__module__ == "numpy" and hasattr(value, "item") else value
    if type(value) is int:
        return value
    return value if isinstance(value, str) and value.strip() else None


def _scores_within(results: Any) -> tuple[float, ...]:
    """The scores of results that have one each."""
    results = sort_by_score(results) if is_graded(results) else results
    if not isinstance(results, list) or not all(isinstance(one, Mapping) for one in results):
        return ()
    return _numbers([one.get("score") for one in results])


def _numbers(values: Any) -> tuple[float, ...]:
    found = values if isinstance(values, list) else []
    return tuple(found) if set(map(type, found)) <= {int, float} else ()
