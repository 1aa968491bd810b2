"""From raw records to what matching takes: checked in bulk where plain, with care where not.

A plain record (lists of ids) is accepted by a few checks at C speed. All else goes through the
schemas, which accept the richer shapes and say of every problem what it is and where.
"""

import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from groupwise.evaluator.errors import InputError, Problem, Problems
from groupwise.evaluator.formats.batch import Batch, Reading, Records
from groupwise.evaluator.formats.scan import Pointer
from groupwise.evaluator.repeats import SeenIds
from groupwise.schemas import (
    FIELD_NAMES,
    FixtureHead,
    FixtureQuery,
    Id,
    PlainTruth,
    Policies,
    Query,
    RunQuery,
    plain_kind,
    plain_truth,
)
from groupwise.schemas.shape import is_shallow

NO_TRUTH = PlainTruth([], [])


class Case(NamedTuple):
    """A sound record: what belongs to one query."""

    id: str
    truth: PlainTruth = NO_TRUTH
    results: list[Id] = []  # noqa: RUF012
    expected: Mapping[str, float | None] | None = None


def names_of(model: type[Query] | type[RunQuery]) -> dict[str, str]:
    """The names that a model's fields go by in files, each with its field."""
    fields = list(model.model_fields)
    return {name: field for field in fields for name in FIELD_NAMES.get(field, (field,))}


class Kinds:
    """The kind of all ids; the first place of each kind is kept for the message."""

    def __init__(self, problems: Problems) -> None:
        self.problems = problems
        self.only: type | None = None
        self._first: dict[type, str] = {}

    def note(self, kind: type, example: Id, source: str, query: str) -> None:
        """Remember a kind; a second one is a problem."""
        if kind in self._first:
            return
        self._first[kind] = f"{example!r} ({source}, query {query!r})"
        self.only = kind
        if len(self._first) == 2:
            self.problems.add(Problem(self._text()))

    def _text(self) -> str:
        return (
            f"ids of both kinds: the string {self._first[str]} and the number {self._first[int]}; "
            "use one kind, or ids='text' to compare all as strings"
        )


class Intake:
    """Reads the records of one source, in one role: ground truth, results, or both."""

    def __init__(
        self,
        records: Records,
        model: type[Query] | type[RunQuery],
        policies: Policies,
        problems: Problems,
        kinds: Kinds,
    ) -> None:
        self.records = records
        self.model = model
        self.policies = policies
        self.problems = problems
        self.kinds = kinds
        self.reading = Reading()
        self.seen = SeenIds()
        self._names = names_of(model)
        self._main = "results" if issubclass(model, RunQuery) else "ground_truth"
        self._wants_truth = issubclass(model, Query)
        self._wants_results = model is not Query
        self._context = {"flat": policies.flat, "ids": policies.ids}

    def cases(self) -> Iterator[Case]:
        """The sound cases; problems of the others are collected."""
        for batch in self.records.batches(self.reading):
            self._take_text_problems()
            keys = batch.keys
            for number, value in enumerate(batch.values):
                key = None if keys is None else keys[number]
                case = self._plain(key, value) or self._careful(key, value, batch, number)
                if case is not None:
                    self.seen.add(case.id)
                    yield case
        self._take_text_problems()
        self._name_repeated()

    def _take_text_problems(self) -> None:
        self.problems.add(*self.reading.problems)
        self.reading.problems.clear()

    def _plain(self, key: str | None, value: Any) -> Case | None:
        """The case of a record that needs no closer look."""
        if type(value) is list and type(key) is str and key.strip():
            return self._plain_fields(key, {self._main: value})
        if type(value) is not dict:
            return None
        try:
            fields = {self._names[name]: content for name, content in value.items()}
        except KeyError:
            return None
        if len(fields) != len(value) or (key is not None and "id" in fields):
            return None
        query_id = fields.pop("id", key)
        if type(query_id) is int:
            query_id = str(query_id)
        if type(query_id) is not str or not query_id.strip():
            return None
        return self._plain_fields(query_id, fields)

    def _plain_fields(self, query_id: str, fields: dict[str, Any]) -> Case | None:
        truth, results = NO_TRUTH, []
        if self._wants_truth:
            found = plain_truth(fields.pop("ground_truth", None))
            if found is None:
                return None
            truth = self._of_one_kind(found, query_id)
        if self._wants_results:
            results = fields.pop("results", None)
            if type(results) is not list:
                return None
            if results:
                kind = plain_kind(results)
                if kind is None:
                    return None
                if kind is not self.kinds.only:
                    results = self._noted(kind, results, query_id)
        for name, content in fields.items():
            if not _PLAIN_EXTRAS[name](content, results):
                return None
        return Case(query_id, truth, results, fields.get("expected"))

    def _of_one_kind(self, truth: PlainTruth, query_id: str) -> PlainTruth:
        if truth.kind is None or truth.kind is self.kinds.only:
            return truth
        return truth._replace(ids=self._noted(truth.kind, truth.ids, query_id))

    def _noted(self, kind: type, ids: list[Id], query_id: str) -> list[Id]:
        """The ids, as text where that is asked for; their kind is noted."""
        if self.policies.ids == "text":
            return list(map(str, ids)) if kind is int else ids
        self.kinds.note(kind, ids[0], self.records.name, query_id)
        return ids

    def _careful(self, key: str | None, value: Any, batch: Batch, number: int) -> Case | None:
        """The case of any other record, or None when it has problems."""
        record = value if key is None else self._with_key(key, value)
        try:
            model = self.model.model_validate(record, context=self._context)
        except ValidationError as error:
            found = list(self._problems(error, record, value, batch, number))
            self.problems.add(*found)
            self.problems.count += max(0, error.error_count() - len(found))
            return None
        return self._case(model)

    def _with_key(self, key: str, value: Any) -> Any:
        if isinstance(value, Mapping) and set(value) & set(self._names):
            return {"id": key, **value}
        return {"id": key, self._main: value}

    def _case(self, model: Query | RunQuery) -> Case:
        truth, results, expected = NO_TRUTH, [], None
        if isinstance(model, Query):
            truth = self._of_one_kind(model.ground_truth.plain(), model.id)
        if isinstance(model, RunQuery | FixtureQuery):
            ids = model.ids()
            results = self._noted(type(ids[0]), ids, model.id) if ids else []
        if isinstance(model, FixtureQuery):
            expected = model.expected
        return Case(model.id, truth, results, expected)

    def _problems(
        self, error: ValidationError, record: Any, value: Any, batch: Batch, number: int
    ) -> Iterator[Problem]:
        query = _query_of(record)
        for detail in error.errors(include_url=False, include_input=False)[:20]:
            pointer = actual_pointer(value, detail["loc"])
            line, column = batch.place(number, pointer)
            yield Problem(
                message_of(detail), self.records.name, line or None, column or None, query,
                pointer_text(pointer),
            )  # fmt: skip

    def _name_repeated(self) -> None:
        suspected = self.seen.repeated()
        if suspected:
            self.problems.add(*self._repeats(suspected))

    def _repeats(self, suspected: set[int]) -> Iterator[Problem]:
        first: dict[str, str] = {}
        for batch in self.records.batches(Reading()):
            for number, value in enumerate(batch.values):
                key = None if batch.keys is None else batch.keys[number]
                query = _query_of(value if key is None else {"id": key})
                if query is None or hash(query) not in suspected:
                    continue
                line, column = batch.place(number, [])
                if query in first:
                    message = f"the query id is repeated{first[query]}"
                    yield Problem(message, self.records.name, line or None, column or None, query)
                first.setdefault(query, f" (first at line {line})" if line else "")


def _query_of(record: Any) -> str | None:
    """The query id of a record, as far as it can be told."""
    if isinstance(record, Query | RunQuery):
        return record.id
    if not isinstance(record, Mapping):
        return None
    found = [record[name] for name in FIELD_NAMES["id"] if name in record]
    return str(found[0]) if found and isinstance(found[0], str | int) else None


def actual_pointer(value: Any, location: tuple[int | str, ...]) -> Pointer:
    """The way to a place in the input; steps that only the schema knows are left out."""
    pointer: list[int | str] = []
    for step in location:
        name = _name_in(value, step)
        if name is not None:
            pointer.append(name)
            value = value[name]
    return pointer


def _name_in(value: Any, step: int | str) -> int | str | None:
    if isinstance(value, Mapping):
        spellings = FIELD_NAMES.get(str(step), (step,))
        return next((name for name in spellings if name in value), None)
    if isinstance(value, list | tuple) and isinstance(step, int) and step < len(value):
        return step
    return None


def message_of(detail: ErrorDetails) -> str:
    """What the schema says of a problem, in our words where its own are bare."""
    field = next((step for step in reversed(detail["loc"]) if isinstance(step, str)), "")
    if detail["type"] == "missing":
        return f"no {field}"
    message = detail["msg"]
    if message.startswith("Input should be"):
        return f"{field} should be{message.removeprefix('Input should be')}"
    return message


def _plain_scores(content: Any, results: list[Id]) -> bool:
    if type(content) is not list or len(content) != len(results):
        return content is None
    return {*map(type, content)} <= {float, int} and math.isfinite(sum(content))


def _plain_expected(content: Any, _results: list[Id]) -> bool:
    return type(content) is dict and {*map(type, content.values())} <= {float, int}


def _plain_metadata(content: Any, _results: list[Id]) -> bool:
    return type(content) is dict and is_shallow(content)


def _needs_a_look(_content: Any, _results: list[Id]) -> bool:
    return False


_PLAIN_EXTRAS: dict[str, Callable[[Any, list[Id]], bool]] = {
    "query": lambda content, _results: type(content) is str or content is None,
    "scores": _plain_scores,
    "expected": _plain_expected,
    "metadata": _plain_metadata,
    "generation_gt": lambda content, _results: is_shallow(content),
    "not_relevant": _needs_a_look,
    "answerable": _needs_a_look,
    "ground_truth": _needs_a_look,
    "results": _needs_a_look,
    "id": _needs_a_look,
}


def read_head(fields: Mapping[str, Any], name: str) -> FixtureHead:
    """The head of a fixture, or an InputError with its problems."""
    try:
        return FixtureHead.model_validate(fields)
    except ValidationError as error:
        raise InputError(
            [
                Problem(message_of(detail), name, pointer=pointer_text(detail["loc"]))
                for detail in error.errors(include_url=False, include_input=False)
            ]
        ) from None


def pointer_text(steps: Pointer) -> str | None:
    """The steps as a JSON pointer; None where there are none."""
    return "".join(f"/{str(step).replace('~', '~0').replace('/', '~1')}" for step in steps) or None
