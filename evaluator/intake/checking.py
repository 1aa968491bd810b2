"""From raw records to what matching takes: checked in bulk where plain, with care where not.

A plain record (lists of ids) is accepted by a few checks at C speed. All else goes through the
schemas, which accept the richer shapes and say of every problem what it is and where.
"""

from collections.abc import Iterator
from typing import Any

from pydantic import ValidationError

from groupwise.evaluator.errors import Problem, Problems
from groupwise.evaluator.intake.bulk import Columns, Plain
from groupwise.evaluator.intake.graded import graded, unfolded
from groupwise.evaluator.intake.kinds import Kinds
from groupwise.evaluator.intake.problems import (
    actual_pointer,
    message_of,
    unknown_field,
)
from groupwise.evaluator.intake.records import query_of, record_with_key
from groupwise.evaluator.intake.rows import Rows
from groupwise.evaluator.intake.seen_ids import SeenIds
from groupwise.evaluator.reading.packed_ids import lengths_of
from groupwise.evaluator.reading.records import Batch, Reading, Records
from groupwise.evaluator.text import json_pointer
from groupwise.schemas import (
    FixtureQuery,
    Id,
    Kind,
    Policies,
    Query,
    RichTruth,
    RunQuery,
)
from groupwise.schemas.result import RankedResults, tokens_of, vectors_of


class Intake:
    """Reads the records of one source, in one role: ground truth, results, or both."""

    def __init__(
        self,
        records: Records,
        model: type[Query] | type[RunQuery],
        policies: Policies,
        problems: Problems,
        kinds: Kinds | None = None,
        *,
        references: bool = False,
    ) -> None:
        self.records = records
        self.model = model
        self.policies = policies
        self.problems = problems
        self.kinds = kinds or Kinds()
        self.references = references
        self.reading = Reading()
        self.seen = SeenIds()
        self.columns = Columns(model)
        self._context = {"flat": policies.flat, "ids": policies.ids}

    def rows(self) -> Iterator[Rows]:
        """The sound records; problems of the others are collected."""
        for batch in self._batches():
            rows = (
                self._in_columns(batch)
                or self._in_bulk(batch.values, batch.keys)
                or self._one_by_one(batch)
            )
            self.seen.add(rows.ids)
            yield rows

    def _take_text_problems(self) -> None:
        if self.reading.problems:
            self.problems.add(*self.reading.problems)
            self.reading.problems.clear()

    def _in_bulk(self, values: list[Any], keys: list[str] | None) -> Rows | None:
        """All of these records at once, if they are plain and alike; else None."""
        if keys is not None:
            values = unfolded(values, self.columns.main, self.columns.names, self.policies.flat)
        found = graded(values, self.policies.flat) if issubclass(self.model, Query) else None
        plain = self.columns.plain(values if found is None else found.values, keys)
        if plain is None:
            return None
        rows = self._plain_rows(plain)
        rows.truths = rows.truths if found is None else found.truths
        return rows

    def _in_columns(self, batch: Batch) -> Rows | None:
        """The rows of a table, if they are plain; then they need not become records."""
        fields = batch.columns()
        plain = None if fields is None else self.columns.plain_fields(fields, batch.keys)
        return None if plain is None else self._plain_rows(plain)

    def _plain_rows(self, plain: Plain) -> Rows:
        ids, columns = plain.ids, plain.columns
        truths, results = columns.get("ground_truth", []), columns.get("results", [])
        return Rows(
            ids,
            self._as_asked(truths, ids, plain.truth_kind),
            self._as_asked(results, ids, plain.result_kind),
            columns.get("expected", []),
            columns.get("scores", []),
            columns.get("not_relevant", []),
        )

    def _as_asked(self, values: Any, ids: list[str], kind: Kind | None) -> Any:
        """Ground truths or rankings, as text where that is asked for; their kind is noted."""
        if kind in (None, type(None)) or not values:
            return values
        if self.policies.ids == "text":
            return values if kind is str else [_as_text(value) for value in values]
        if kind not in self.kinds:
            row = next(row for row, length in enumerate(lengths_of(values)) if length)
            self._note_kind(first_id(values[row]), ids[row])
        return values

    def _note_kind(self, example: Id, query: str) -> None:
        """Remember the kind of an id; a second kind is a problem."""
        if self.kinds.note(type(example), example, self.records.name, query):
            self.problems.add(self.kinds.problem())

    def _one_by_one(self, batch: Batch) -> Rows:
        """Each record by itself: in bulk of one if it is plain, with care if not."""
        rows = Rows()
        for number, value in enumerate(batch.values):
            key = None if batch.keys is None else batch.keys[number : number + 1]
            found = self._in_bulk([value], key) or self._careful(key, value, batch, number)
            if found:
                rows.extend(found)
        return rows

    def _careful(self, key: list[str] | None, value: Any, batch: Batch, number: int) -> Rows | None:
        """The row of any other record, or None when it has problems."""
        model = self._model(key, value, batch, number)
        return None if model is None else self._row(model)

    def models(self) -> Iterator[Query | RunQuery]:
        """The sound records with all they hold; problems of the others are collected."""
        for batch in self._batches():
            yield from self._models_of(batch)

    def contents(self) -> Iterator[Plain | Query | RunQuery]:
        """The same, but plain records together, without becoming models."""
        for batch in self._batches():
            plain = self._plain_contents(batch)
            if plain is None:
                yield from self._models_of(batch)
            else:
                yield plain

    def _batches(self) -> Iterator[Batch]:
        """All batches, and then the problems that can be told only at the end."""
        for batch in self.records.batches(self.reading):
            self._take_text_problems()
            yield batch
        self._take_text_problems()
        self._name_repeated()

    def _models_of(self, batch: Batch) -> Iterator[Query | RunQuery]:
        for number, value in enumerate(batch.values):
            key = None if batch.keys is None else batch.keys[number : number + 1]
            model = self._model(key, value, batch, number)
            if model is not None:
                self._note_model(model)
                yield model

    def _plain_contents(self, batch: Batch) -> Plain | None:
        """The records of a batch, if they are plain and stay as they are."""
        plain = self._plain_columns(batch)
        if plain is None or "expected" in plain.columns:
            return None
        if self.policies.ids == "text" and not plain.is_text():
            return None
        self._note_plain(plain)
        return plain

    def _note_plain(self, plain: Plain) -> None:
        """Remember the ids, and the kinds of their documents."""
        self.seen.add(plain.ids)
        for name, kind in (("ground_truth", plain.truth_kind), ("results", plain.result_kind)):
            self._as_asked(plain.columns.get(name, []), plain.ids, kind)

    def _plain_columns(self, batch: Batch) -> Plain | None:
        fields = batch.columns()
        if fields is not None:
            return self.columns.plain_fields(fields, batch.keys)
        return self.columns.plain(self._listed(batch), batch.keys)

    def _listed(self, batch: Batch) -> list[Any]:
        """The records of a batch, scores by id as results in their order."""
        if batch.keys is None or self.columns.main != "results":
            return batch.values
        return unfolded(batch.values, self.columns.main, self.columns.names, None)

    def _note_model(self, model: Query | RunQuery) -> None:
        """Remember the id, and the kind of its documents: each model has but one by itself."""
        self.seen.add([model.id])
        examples: list[Id] = []
        if isinstance(model, Query):
            examples += [one.id for one in model.ground_truth.alternatives[:1]]
        if isinstance(model, RankedResults):
            examples += model.ids()[:1]
        for one in examples:
            self._note_kind(one, model.id)

    def _model(
        self, key: list[str] | None, value: Any, batch: Batch, number: int
    ) -> Query | RunQuery | None:
        record = (
            value
            if key is None
            else record_with_key(key[0], value, self.columns.main, self.columns.names)
        )
        try:
            return self.model.model_validate(record, context=self._context)
        except ValidationError as error:
            found = list(self._problems(error, record, value, batch, number))
            self.problems.add(*found)
            self.problems.count += max(0, error.error_count() - len(found))
            return None

    def _row(self, model: Query | RunQuery) -> Rows:
        rows = Rows([model.id])
        if isinstance(model, Query):
            rows.truths = self._as_asked([model.ground_truth.truth()], rows.ids, model.kind())
            rows.not_relevant = [model.judged_not_relevant()]
            rows.truth_references = [model.ground_truth.references()] if self.references else []
        if isinstance(model, RunQuery | FixtureQuery):
            ids = model.ids()
            rows.results = self._as_asked([ids], rows.ids, type(ids[0]) if ids else None)
            rows.scores = [model.given_scores()]
            rows.tokens = [tokens_of(model.results, self.policies.characters_per_token)]
            rows.vectors = [vectors_of(model.results)]
            rows.result_references = [model.references()] if self.references else []
        if isinstance(model, FixtureQuery):
            rows.expected = [model.expected]
        return rows

    def _problems(
        self, error: ValidationError, record: Any, value: Any, batch: Batch, number: int
    ) -> Iterator[Problem]:
        query = query_of(record)
        for detail in error.errors(include_url=False, include_input=False)[:20]:
            pointer = actual_pointer(value, (*detail["loc"], *unknown_field(detail)))
            line, column = batch.place(number, pointer)
            yield Problem(
                message_of(detail), self.records.name, line or None, column or None, query,
                json_pointer(pointer),
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
                query = query_of(value if key is None else {"id": key})
                if query is None or hash(query) not in suspected:
                    continue
                line, column = batch.place(number, [])
                if query in first:
                    message = f"the query id is repeated{first[query]}"
                    yield Problem(message, self.records.name, line or None, column or None, query)
                first.setdefault(query, f" (first at line {line})" if line else "")


def first_id(value: Any) -> Id:
    """The first id of a ground truth or of a ranking."""
    groups = value.groups if isinstance(value, RichTruth) else value
    first: Id = groups[0][0] if isinstance(groups[0], list) else groups[0]
    return first


def _as_text(value: Any) -> Any:
    """All ids of a ground truth or a ranking as strings."""
    if isinstance(value, RichTruth):
        return value._replace(groups=_as_text(value.groups))
    return [_as_text(one) for one in value] if isinstance(value, list) else str(value)
