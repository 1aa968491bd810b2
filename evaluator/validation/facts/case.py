"""A record as rules see it: its groups and results, each id with its pointer.

Rules look at records that may be unsound, so a case holds what can be understood of a record and
leaves the rest to the models, which report what is wrong with it.
"""

import sys
from collections.abc import Callable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import astuple, dataclass, field
from functools import cached_property
from itertools import chain, repeat
from typing import Any, NamedTuple

from groupwise.evaluator.intake.query_ids import query_of
from groupwise.evaluator.reading.scan import Pointer
from groupwise.schemas import FIELD_NAMES, Id
from groupwise.schemas.ground_truth import is_graded, is_graded_group
from groupwise.schemas.pairs import split_pairs
from groupwise.schemas.parts import BOTH, Part
from groupwise.schemas.result import sort_by_score
from groupwise.schemas.values import as_list, is_number


def list_names(part: Part) -> frozenset[str]:
    """Return the names that the fields of records have in files."""
    return frozenset(chain.from_iterable(FIELD_NAMES.get(each, (each,)) for each in part.fields))


NAMES = list_names(BOTH)
"""The fields of records, under all their names."""


class Listed(NamedTuple):
    """An id and its pointer, relative to the record."""

    id: Id
    pointer: Pointer


def _list_texts(pointer: Pointer, ids: list[Id]) -> Iterator[Listed]:
    """Return the ids of a list with their pointers; there may be hundreds of thousands."""
    pointers = zip(*map(repeat, pointer), range(len(ids)), strict=False)
    return map(Listed._make, zip(ids, pointers, strict=True))


@dataclass(frozen=True)
class CaseGroup:
    """A group: the ids that meet it, in the order listed.

    ``folded`` holds the repeats of the only id of a group, where it comes from a flat list.
    """

    number: int
    pointer: Pointer
    listed: tuple[Listed, ...]
    folded: tuple[Listed, ...] = ()

    @property
    def ids(self) -> list[Id]:
        """The ids as listed."""
        return [listed.id for listed in self.listed]

    @property
    def is_plain(self) -> bool:
        """Whether the ids are texts in one list."""
        return False

    def find(self, place: int) -> Listed:
        """Return an id with its pointer."""
        return self.listed[place]


class _PlainGroup(CaseGroup):
    """A group whose ids are listed when they are first asked for with their pointers.

    There may be a hundred thousand, and most checks ask for ids only.
    """

    def __init__(self, number: int, pointer: Pointer, ids: list[Id]) -> None:
        attributes = vars(self)
        attributes["number"], attributes["pointer"], attributes["_ids"] = number, pointer, ids

    _ids: list[Id]
    __hash__ = CaseGroup.__hash__

    def __eq__(self, other: object) -> bool:
        """Whether another group, however it was read, is the same."""
        return isinstance(other, CaseGroup) and astuple(self) == astuple(other)

    @property
    def ids(self) -> list[Id]:
        """The ids as listed."""
        return self._ids.copy()

    @property
    def is_plain(self) -> bool:
        """Whether the ids are texts in one list."""
        return True

    def find(self, place: int) -> Listed:
        """Return an id with its pointer; the others are not listed for it."""
        return Listed(self._ids[place], (*self.pointer, place))

    @cached_property
    def listed(self) -> tuple[Listed, ...]:
        """The ids with their pointers."""
        return tuple(_list_texts(self.pointer, self._ids))


def describe_all(_code: str) -> int:
    """Return that there is room for every finding."""
    return sys.maxsize


@dataclass(frozen=True, eq=False)
class Case:
    """What can be understood of a record.

    Attributes:
        query: The query id.
        text: The text of the query.
        groups: The groups, without alternatives of grade 0.
        results: The ranking.
        scores: The scores of the results, if each has one.
        record: The record as it was given; empty where the query id is its key in a map.
        truth: The ground truth as it was given.
        truth_pointer: The steps to it.
        room: Returns how many more findings of a code are described; others are only counted.
        only_fixable: Whether findings are fixed, and nobody reads their messages.
    """

    query: str | None = None
    text: str | None = None
    groups: tuple[CaseGroup, ...] = ()
    results: tuple[Listed, ...] = ()
    scores: tuple[float, ...] = ()
    record: Mapping[str, Any] = field(default_factory=dict)
    truth: Any = None
    truth_pointer: Pointer = ()
    room: Callable[[str], int] = field(default=describe_all, repr=False)
    only_fixable: bool = False

    @property
    def ranking(self) -> list[Id]:
        """The ids of the results."""
        return [result.id for result in self.results]

    @property
    def ranking_home(self) -> Pointer | None:
        """The steps to the results, if they are a list of texts; else each has its own pointer."""
        return None

    @property
    def listed(self) -> Iterator[Listed]:
        """All ids of all groups."""
        for group in self.groups:
            yield from group.listed

    def pointer_to(self, field: str) -> tuple[str, ...]:
        """Return the pointer to a field, under the name that it has in the record."""
        return tuple(name for name in FIELD_NAMES[field] if name in self.record)[:1]

    def unknown_fields(self) -> list[str]:
        """Return the names of the fields that the models do not know."""
        return [name for name in self.record if name not in NAMES]


class _UnreadCase(Case):
    """A case whose groups, results and scores are read when they are first asked for.

    Most checks of most records ask for one of them.
    """

    def __init__(self, reader: "CaseReader", places: "_Fields", **fields: Any) -> None:
        vars(self).update(fields, _reader=reader, _places=places)

    _reader: "CaseReader"
    _places: "_Fields"

    @cached_property
    def groups(self) -> tuple[CaseGroup, ...]:
        """The groups, without alternatives of grade 0."""
        return tuple(self._reader.read_groups(*self._places.truth))

    @cached_property
    def results(self) -> tuple[Listed, ...]:
        """The ranking."""
        return tuple(self._reader.read_ids(*self._places.results))

    @property
    def ranking(self) -> list[Id]:
        """The ids of the results; those of plain ones are not listed with their pointers."""
        return super().ranking if self.ranking_home is None else [*self._places.results[1]]

    @cached_property
    def ranking_home(self) -> Pointer | None:
        """The steps to the results, if they are a list of texts."""
        home, results = self._places.results
        return home if are_texts(results) else None

    @cached_property
    def scores(self) -> tuple[float, ...]:
        """The scores of the results, if each has one."""
        scores = self._places.scores
        return (
            _get_scores_within(self._places.results[1]) if scores is None else _get_numbers(scores)
        )


class _Fields(NamedTuple):
    """Ground truth and results as they were given, with the steps to them, and the scores."""

    truth: tuple[Pointer, Any] = ((), None)
    results: tuple[Pointer, Any] = ((), None)
    scores: Any = None


@dataclass(frozen=True)
class CaseReader:
    """Builds cases, with flat lists and ids interpreted as the request says."""

    flat: str | None = None
    ids: str | None = None
    room: Callable[[str], int] = describe_all
    only_fixable: bool = False

    def read(self, record: Any, key: Any = None, main: str = "ground_truth") -> Case:
        """Return the case of a record; ``key`` is its query id where that stands outside."""
        is_mapping = type(record) is dict or isinstance(record, Mapping)
        is_record = is_mapping and (key is None or not NAMES.isdisjoint(record))
        if not is_record:
            return Case() if key is None else self._read_value(record, key, main)
        truth = get_field(record, "ground_truth")
        places = _Fields(truth, get_field(record, "results"), get_field(record, "scores")[1])
        return _UnreadCase(
            self,
            places,
            query=query_of(record) if key is None else _get_text(key),
            text=_get_text(record.get("query")),
            record=record,
            truth=truth[1],
            truth_pointer=truth[0],
            room=self.room,
            only_fixable=self.only_fixable,
        )

    def _read_value(self, value: Any, key: Any, main: str) -> Case:
        """Return the case of a ground truth or a ranking in a map by query id."""
        value = as_list(value)
        fields: dict[str, Any] = {
            "query": _get_text(key),
            "record": {},
            "room": self.room,
            "only_fixable": self.only_fixable,
        }
        if main == "results":
            return _UnreadCase(self, _Fields(results=((), value)), **fields)
        return _UnreadCase(self, _Fields(truth=((), value)), truth=value, **fields)

    def read_groups(self, pointer: Pointer, truth: Any) -> Iterator[CaseGroup]:
        """Yield the groups of a ground truth."""
        if type(truth) is list and truth and all(map(are_texts, truth)):
            for number, group in enumerate(truth):
                yield _PlainGroup(number, (*pointer, number), group)
            return
        is_flat = isinstance(truth, list) and truth and all(map(_makes_flat, truth))
        if is_graded(truth) or (is_flat and self.flat):
            yield from self._read_flat(pointer, truth) if self.flat else ()
            return
        for number, group in enumerate(truth if isinstance(truth, list) else ()):
            here = (*pointer, number)
            yield CaseGroup(number, here, tuple(self._read_alternatives(here, group)))

    def _read_flat(self, pointer: Pointer, ids: Any) -> Iterator[CaseGroup]:
        """Yield the groups that a flat list, or a map of grades by id, stands for."""
        read = self._read_grades if isinstance(ids, Mapping) else self.read_ids
        listed = tuple(read(pointer, ids))
        if self.flat == "any":
            yield from [CaseGroup(0, pointer, listed)] if listed else []
        else:
            same: dict[Id, list[Listed]] = {}
            for alternative in listed:
                same.setdefault(alternative.id, []).append(alternative)
            for number, (first, *others) in enumerate(same.values()):
                yield CaseGroup(number, first.pointer, (first,), tuple(others))

    def _read_alternatives(self, pointer: Pointer, group: Any) -> Iterator[Listed]:
        if type(group) is list:
            yield from self.read_ids(pointer, group)
        elif isinstance(group, Mapping) and "alternatives" in group:
            yield from self.read_ids((*pointer, "alternatives"), as_list(group["alternatives"]))
        elif is_graded_group(group):
            grades = {key: grade for key, grade in group.items() if is_number(grade)}
            yield from self._read_grades(pointer, grades)
        else:
            group = sorted(group, key=str) if isinstance(group, AbstractSet) else group
            yield from self.read_ids(pointer, as_list(group))

    def _read_grades(self, pointer: Pointer, grades: Mapping[Any, Any]) -> Iterator[Listed]:
        """Yield the ids that are keys of a grade above 0."""
        for key, grade in grades.items():
            if not grade <= 0 and (found := _get_id(key)) is not None:
                yield self._list(found, (*pointer, key))

    def read_ids(self, pointer: Pointer, values: Any) -> Iterator[Listed]:
        """Yield the ids of a list of alternatives or results, in any form."""
        if are_texts(values):
            yield from _list_texts(pointer, values)
            return
        if (pairs := split_pairs(values)) is not None:
            for number, found in enumerate(map(_get_id, pairs[0])):
                if found is not None:
                    yield self._list(found, (*pointer, number, 0))
            return
        if is_graded(values):
            ranked = {result["id"]: 1 for result in sort_by_score(values)}
            yield from self._read_grades(pointer, ranked)
        for number, value in enumerate(values if isinstance(values, list) else ()):
            in_full = isinstance(value, Mapping)
            if in_full and value.get("grade", 1) == 0:
                continue
            found = _get_id(value.get("id") if in_full else value)
            if found is not None:
                steps = (number, "id") if in_full else (number,)
                yield self._list(found, (*pointer, *steps))

    def _list(self, found: Id, pointer: Pointer) -> Listed:
        return Listed(str(found) if self.ids == "text" else found, pointer)


def get_field(record: Mapping[str, Any], field: str) -> tuple[Pointer, Any]:
    """Return the steps to a field of a record, under any of its names, and its value."""
    name = field
    if field not in record:
        name = next((name for name in FIELD_NAMES[field][1:] if name in record), field)
    value = record.get(name)
    if type(value) is list:
        return (name,), value
    value = as_list(value)
    if field == "ground_truth" and isinstance(value, Mapping) and set(value) == {"groups"}:
        return (name, "groups"), as_list(value["groups"])
    return (name,), value


def are_texts(values: Any) -> bool:
    """Whether a value is a list of texts, none of which is blank."""
    return type(values) is list and {*map(type, values)} == {str} and all(map(str.strip, values))


def _get_text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _makes_flat(value: Any) -> bool:
    """Whether an element of a ground truth makes it a flat list, as in the models."""
    return isinstance(value, str | int) and value is not True


def _get_id(value: Any) -> Id | None:
    """Return the value if it is an id; a blank one is not."""
    value = value.item() if type(value).__module__ == "numpy" and hasattr(value, "item") else value
    if type(value) is int:
        return value
    return value if isinstance(value, str) and value.strip() else None


def _get_scores_within(results: Any) -> tuple[float, ...]:
    """Return the scores of results that have one each."""
    if (pairs := split_pairs(results)) is not None:
        return _get_numbers(pairs[1])
    results = sort_by_score(results) if is_graded(results) else results
    if not isinstance(results, list) or not all(isinstance(value, Mapping) for value in results):
        return ()
    return _get_numbers([value.get("score") for value in results])


def _get_numbers(values: Any) -> tuple[float, ...]:
    found = values if isinstance(values, list) else []
    return tuple(found) if set(map(type, found)) <= {int, float} else ()
