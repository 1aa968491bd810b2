"""A second look at a source, where hashes raised a suspicion: names and places of whom it concerns.

It is not taken when there is none. What was told of a first record is kept only for suspects.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from groupwise.evaluator.reading.records import Reading, Records
from groupwise.evaluator.validation.engine.case import Case, Draft, Understanding
from groupwise.evaluator.validation.engine.findings import Place, Sink
from groupwise.evaluator.validation.engine.normalisation import normal
from groupwise.evaluator.validation.engine.reading import as_data
from groupwise.evaluator.validation.rules.run_rules import UNEQUAL_DEPTH
from groupwise.schemas import FIELD_NAMES
from groupwise.schemas.shape import shortened

Check = Callable[[Case, Place], Iterator[Draft]]
"""From a record and its place to what is to be said of it."""


def second_look(
    records: Records, main: str, checks: Iterable[Check], sink: Sink, understood: Understanding
) -> None:
    """Ask the checks about every record of a source."""
    checks = list(checks)
    if not checks:
        return
    for batch in records.batches(Reading()):
        for number, value in enumerate(batch.values):
            key = None if batch.keys is None else batch.keys[number]
            case = understood.case(as_data(value), key, main)
            place = Place(records.name, case.query, batch, number)
            for check in checks:
                for draft in check(case, place):
                    sink.add(draft, place)


@dataclass
class RepeatedQueries:
    """GT001: query ids that occur twice."""

    suspected: set[int]
    first: dict[str, str] = field(default_factory=dict)

    def __call__(self, case: Case, place: Place) -> Iterator[Draft]:
        """Tell the later ones, with the place of the first."""
        query = case.query
        if query is None or hash(query) not in self.suspected:
            return
        if query in self.first:
            message = f"the query id is repeated{self.first[query]}"
            yield Draft("GT001", message, _field_of(case, "id"), value=query)
        self.first.setdefault(query, place.first_at())


@dataclass
class NearlyEqualIds:
    """GT012: ids that are spelt in several ways."""

    suspected: set[int]
    first: dict[str, str] = field(default_factory=dict)
    told: set[str] = field(default_factory=set)

    def __call__(self, case: Case, _place: Place) -> Iterator[Draft]:
        """Tell each spelling but the first, once."""
        for one in case.listed:
            if not isinstance(one.id, str) or one.id in self.told:
                continue
            form = normal(one.id)
            if hash(form) in self.suspected and self.first.setdefault(form, one.id) != one.id:
                self.told.add(one.id)
                message = (
                    f"the ids {shortened(repr(one.id))} and {shortened(repr(self.first[form]))} "
                    "differ only in spelling; they never meet"
                )
                yield Draft("GT012", message, one.pointer, None, one.id, one.id)


@dataclass
class RepeatedTexts:
    """GT013: queries with the same text."""

    suspected: set[int]
    first: dict[str, tuple[str | None, Any]] = field(default_factory=dict)

    def __call__(self, case: Case, _place: Place) -> Iterator[Draft]:
        """Tell the later ones, and whether their ground truth is the same."""
        form = normal(case.text) if case.text else ""
        if not form or hash(form) not in self.suspected:
            return
        truth = sorted(sorted(map(str, group.ids)) for group in case.groups)
        if form in self.first:
            query, other = self.first[form]
            told = "the same ground truth" if truth == other else "another ground truth"
            message = f"the same text as query {shortened(repr(query))}, with {told}"
            yield Draft("GT013", message, ("query",), value=case.text)
        self.first.setdefault(form, (case.query, truth))


@dataclass(frozen=True)
class Unmatched:
    """RN002, RN003: queries that the other side does not have."""

    code: str
    message: str
    suspected: set[int]

    def __call__(self, case: Case, _place: Place) -> Iterator[Draft]:
        """Tell each of them; a query that nothing answers is not scored and so not missed."""
        if self.code == "RN002" and not case.groups:
            return
        if case.query is not None and hash(case.query) in self.suspected:
            yield Draft(self.code, self.message, _field_of(case, "id"), value=case.query)


@dataclass(frozen=True)
class UnequalDepth:
    """RN006: rankings that are much shorter or longer than the median."""

    median: int

    def __call__(self, case: Case, _place: Place) -> Iterator[Draft]:
        """Tell each of them; an empty one is not short but a failure of its own kind."""
        depth = len(case.results)
        if depth and is_unequal(depth, self.median):
            message = f"a ranking of {depth} results; the median is {self.median}"
            yield Draft("RN006", message, _field_of(case, "results"), value=depth)


def is_unequal(depth: int, median: int) -> bool:
    """Whether a depth is many times the median, or a small part of it."""
    return depth * UNEQUAL_DEPTH <= median or depth >= median * UNEQUAL_DEPTH


def _field_of(case: Case, field: str) -> tuple[str, ...]:
    return tuple(name for name in FIELD_NAMES[field] if name in case.record)[:1]
