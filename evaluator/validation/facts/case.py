"""A record as rules see it: its groups and results, each id with its pointer.

Rules look at records that may be unsound, so a case holds what can be understood of a record and
leaves the rest to the models, which report what is wrong with it.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, NamedTuple, TypeAlias

from groupwise.evaluator.intake.query_ids import query_of
from groupwise.evaluator.reading.scan import Pointer
from groupwise.schemas import FIELD_NAMES, FixtureQuery, Id
from groupwise.schemas.fixture import RecordModel
from groupwise.schemas.ground_truth import is_graded, is_graded_group
from groupwise.schemas.result import sort_by_score, split_pairs
from groupwise.schemas.values import as_list, is_number


def list_names(model: RecordModel) -> frozenset[str]:
    """Return the names that the fields of records have in files."""
    return frozenset(
        chain.from_iterable(FIELD_NAMES.get(each, (each,)) for each in model.model_fields)
    )


NAMES = list_names(FixtureQuery)
"""The fields of records, under all their names."""

Found: TypeAlias = tuple[Sequence[Id], Sequence[Pointer] | None]
"""Ids, and the steps to each from what holds them; None where they are the elements of a list."""


class Listed(NamedTuple):
    """An id and its pointer, relative to the record."""

    id: Id
    pointer: Pointer


@dataclass(frozen=True, slots=True)
class IdList:
    """Ids in the order listed.

    Attributes:
        pointer: The steps from the record to the list.
        ids: The ids.
        steps: The steps from the list to each id; None where they are the elements of the list.
    """

    pointer: Pointer = ()
    ids: Sequence[Id] = ()
    steps: Sequence[Pointer] | None = None

    def point(self, place: int) -> Pointer:
        """Return the pointer to an id."""
        return (*self.pointer, *((place,) if self.steps is None else self.steps[place]))

    def __iter__(self) -> Iterator[Listed]:
        return (Listed(each, self.point(place)) for place, each in enumerate(self.ids))

    @property
    def listed(self) -> tuple[Listed, ...]:
        """The ids with their pointers."""
        return tuple(self)


@dataclass(frozen=True, slots=True)
class CaseGroup(IdList):
    """A group: the ids that meet it.

    Attributes:
        number: Its number, from 0.
        repeats: The pointers to the repeats of its only id, where it comes from a flat list.
    """

    number: int = 0
    repeats: Sequence[Pointer] = ()


NO_IDS = IdList()


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
    """

    query: str | None = None
    text: str | None = None
    groups: Sequence[CaseGroup] = ()
    results: IdList = NO_IDS
    scores: Sequence[float] = ()
    record: Mapping[str, Any] = field(default_factory=dict)
    truth: Any = None
    truth_pointer: Pointer = ()

    @property
    def listed(self) -> Iterator[Listed]:
        """All ids of all groups."""
        for group in self.groups:
            yield from group

    def pointer_to(self, field: str) -> tuple[str, ...]:
        """Return the pointer to a field, under the name that it has in the record."""
        return tuple(name for name in FIELD_NAMES[field] if name in self.record)[:1]

    def unknown_fields(self) -> list[str]:
        """Return the names of the fields that the models do not know."""
        return [name for name in self.record if name not in NAMES]


@dataclass(frozen=True)
class CaseReader:
    """Builds cases, with flat lists and ids interpreted as the request says."""

    flat: str | None = None
    ids: str | None = None

    def read(self, record: Any, key: Any = None, main: str = "ground_truth") -> Case:
        """Return the case of a record; ``key`` is its query id where that stands outside."""
        is_record = isinstance(record, Mapping) and (key is None or not NAMES.isdisjoint(record))
        if is_record:
            home, truth = get_field(record, "ground_truth")
            results, scores = get_field(record, "results"), get_field(record, "scores")[1]
            query, text = query_of(record) if key is None else key, _get_text(record.get("query"))
        elif key is None:
            return Case()
        else:
            value = as_list(record)
            home, truth = (), None if main == "results" else value
            results, scores = ((), value if main == "results" else None), None
            query, text, record = key, None, {}
        return Case(
            query=_get_text(query),
            text=text,
            groups=[*self._read_groups(home, truth)],
            results=IdList(results[0], *self._read_ids(results[1])),
            scores=_get_scores_within(results[1]) if scores is None else _get_numbers(scores),
            record=record,
            truth=truth,
            truth_pointer=home,
        )

    def _read_groups(self, pointer: Pointer, truth: Any) -> Iterator[CaseGroup]:
        """Yield the groups of a ground truth."""
        is_flat = isinstance(truth, list) and truth and all(map(_makes_flat, truth))
        if is_graded(truth) or (is_flat and self.flat):
            yield from self._read_flat(pointer, truth) if self.flat else ()
            return
        for number, group in enumerate(truth if isinstance(truth, list) else ()):
            yield CaseGroup((*pointer, number), *self._read_alternatives(group), number)

    def _read_flat(self, pointer: Pointer, truth: Any) -> Iterator[CaseGroup]:
        """Yield the groups that a flat list, or a map of grades by id, stands for."""
        read = self._read_grades if isinstance(truth, Mapping) else self._read_ids
        group = CaseGroup(pointer, *read(truth))
        if self.flat == "any":
            yield from [group] if group.ids else []
            return
        same: dict[Id, list[Pointer]] = {}
        for document, place in group:
            same.setdefault(document, []).append(place)
        for number, (document, (first, *others)) in enumerate(same.items()):
            yield CaseGroup(first, [document], [()], number, others)

    def _read_alternatives(self, group: Any) -> Found:
        if isinstance(group, Mapping) and "alternatives" in group:
            ids, steps = self._read_ids(as_list(group["alternatives"]))
            steps = [(place,) for place in range(len(ids))] if steps is None else steps
            return ids, [("alternatives", *each) for each in steps]
        if is_graded_group(group):
            return self._read_grades({key: n for key, n in group.items() if is_number(n)})
        group = sorted(group, key=str) if isinstance(group, AbstractSet) else group
        return self._read_ids(as_list(group))

    def _read_grades(self, grades: Mapping[Any, Any]) -> Found:
        """Return the ids that are keys of a grade above 0."""
        return self._collect((key, (key,)) for key, grade in grades.items() if not grade <= 0)

    def _read_ids(self, values: Any) -> Found:
        """Return the ids of a list of alternatives or results, in any form."""
        if are_texts(values):
            return values, None
        if (pairs := split_pairs(values)) is not None:
            return self._collect((each, (place, 0)) for place, each in enumerate(pairs[0]))
        if is_graded(values):
            return self._collect((each["id"], (each["id"],)) for each in sort_by_score(values))
        return self._collect(_list_values(values if isinstance(values, list) else ()))

    def _collect(self, values: Iterable[tuple[Any, Pointer]]) -> Found:
        """Return those of the values that are ids, with their steps."""
        ids: list[Id] = []
        steps: list[Pointer] = []
        for value, step in values:
            if (found := _get_id(value)) is not None:
                ids.append(str(found) if self.ids == "text" else found)
                steps.append(step)
        return ids, steps


def _list_values(values: Iterable[Any]) -> Iterator[tuple[Any, Pointer]]:
    """Yield what stands for the id of each value, if it is not judged not relevant."""
    for place, value in enumerate(values):
        if not isinstance(value, Mapping):
            yield value, (place,)
        elif value.get("grade", 1) != 0:
            yield value.get("id"), (place, "id")


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
