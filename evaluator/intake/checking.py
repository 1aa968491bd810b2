"""Raw records to checked rows.

Plain records (lists of ids) are checked many at a time. Any other goes by itself through the
schema, which accepts the richer forms and locates every problem.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from groupwise.evaluator.errors import InputError, Problem, Problems
from groupwise.evaluator.intake.bulk import BulkCheck, PlainBatch
from groupwise.evaluator.intake.kinds import Kinds
from groupwise.evaluator.intake.problems import Place, problems_of
from groupwise.evaluator.intake.query_ids import record_with_key
from groupwise.evaluator.intake.rows import Rows
from groupwise.evaluator.intake.seen_ids import SeenIds, report_repeats
from groupwise.evaluator.reading.records import Batch, Reading, Records
from groupwise.evaluator.text import plural
from groupwise.schemas import Id, Kind, RichTruth
from groupwise.schemas.fixture import RecordModel
from groupwise.schemas.ids import text_of
from groupwise.schemas.shape import find_model

if TYPE_CHECKING:
    from groupwise.schemas import Policies, Query, RunQuery


class Taken(NamedTuple):
    """What an intake has found of a part of a source besides its records."""

    hashes: bytes
    folded: list[int]
    warnings: list[str]


class Intake:
    """Reads the records of one source, in one role: ground truth, results, or both.

    Problems are collected in ``problems``, batch by batch; records with any are skipped, and
    reading stops when there are too many. ``kinds`` may be shared by several sources whose ids must
    be of one kind. ``references`` adds texts and spans to the rows,
    ``metadata`` that of the queries, ``queries`` their texts.
    ``flat_hint`` says what else may be done about ground truth without groups. ``folded`` has, for
    each flat list that repeats ids, how many are repeats. Where records have ground
    truth and results, hits are looked for among the first ``depth`` results when ids are checked.
    """

    def __init__(  # noqa: PLR0913  (what else to read, all by keyword)
        self,
        records: Records,
        model: RecordModel,
        policies: "Policies",
        problems: Problems,
        kinds: Kinds | None = None,
        *,
        references: bool = False,
        metadata: bool = False,
        queries: bool = False,
        flat_hint: str = "",
        depth: int = 0,
    ) -> None:
        self.records = records
        self.policies = policies
        self.problems = problems
        self.kinds = kinds or Kinds()
        self.references = references
        self.metadata = metadata
        self.queries = queries
        self.flat_hint = flat_hint
        self.depth = depth
        self.reading = Reading()
        self.seen = SeenIds()
        self.bulk = BulkCheck(model)
        self.folded: list[int] = []
        self._context = {"flat": policies.flat, "ids": policies.ids, "folded": self.folded}

    def rows(self) -> Iterator[Rows]:
        """Yield the valid records as rows for matching."""
        for batch in self._batches():
            rows = self._check(batch) if batch.values else Rows()
            self.seen.add(rows.ids)
            yield rows

    def _check(self, batch: Batch) -> Rows:
        """Return the valid records of a batch: plain ones all at once, each other by itself."""
        plain = self.bulk.accept(batch.values, batch.keys, self.depth)
        if plain is not None:
            return self._build_rows(plain)
        odd = self.bulk.find_odd(batch.values, batch.keys)
        rows, order = Rows(), [row for row in range(len(batch.values)) if row not in odd]
        keys = batch.keys and [batch.keys[row] for row in order]
        plain = self.bulk.accept([batch.values[row] for row in order], keys) if order else None
        if plain is None or self._may_add_kind(plain):
            odd, order = {*range(len(batch.values))}, []
        else:
            rows = self._build_rows(plain)
        for row in sorted(odd):
            model = self._validate(batch, row)
            if model is not None:
                rows.extend(self._build_row(model))
                order.append(row)
        return rows.only(sorted(range(len(order)), key=order.__getitem__)) if odd else rows

    def _may_add_kind(self, plain: PlainBatch) -> bool:
        """Whether plain records have ids of a new kind, whose first one depends on the order."""
        kinds = {plain.matched.kind, plain.unwanted_kind} - {type(None)}
        return self.policies.ids != "text" and not kinds <= self.kinds.first.keys()

    def models(self) -> "Iterator[Query | RunQuery]":
        """Yield the valid records as models, with all their fields."""
        for batch in self._batches():
            for number in range(len(batch.values)):
                model = self._validate(batch, number)
                if model is not None:
                    self.seen.add([model.id])
                    self._note_kinds(model)
                    yield model

    def read_all(self) -> "tuple[Query | RunQuery, ...]":
        """Return all records as models.

        Raises:
            InputError: Any of them is invalid; all problems are listed.
        """
        models = tuple(self.models())
        self.problems.raise_if_any()
        return models

    def _batches(self) -> Iterator[Batch]:
        """Yield all batches, as far as the text can be read; then report repeated query ids."""
        try:
            for batch in self.records.batches(self.reading):
                yield batch
                self._collect_problems()
                if self.problems.has_more:
                    return
        except InputError as error:
            self._collect_problems()
            self.problems.merge_error(error)
            return
        self._collect_problems()
        self._warn_of_folded()
        if suspected := self.seen.find_repeated():
            report_repeats(self.records, suspected, self.problems)

    def _collect_problems(self) -> None:
        """Add the problems of a batch to those of all sources, in the order of their places."""
        self.reading.problems.sort(key=_find_place)
        self.problems.add(*self.reading.problems)
        self.reading.problems.clear()

    def taken(self) -> Taken:
        """Return what was found besides records, for the intake of the whole source."""
        warnings = self.reading.warnings
        return Taken(self.seen.hashes(), self.folded, warnings[:-1] if self.folded else warnings[:])

    def merge(self, parts: Iterable[Taken]) -> bool:
        """Add what was found in the parts of this source; return whether query ids may repeat."""
        for part in parts:
            self.seen.merge(part.hashes)
            self.folded += part.folded
            new = [each for each in part.warnings if each not in self.reading.warnings]
            self.reading.warnings += new
        self._warn_of_folded()
        return bool(self.seen.find_repeated())

    def _warn_of_folded(self) -> None:
        """Warn of flat lists that repeat ids, if there were any."""
        if self.folded:
            self.reading.warnings.append(describe_folded(self.records.name, self.folded))

    def _build_rows(self, plain: PlainBatch) -> Rows:
        ids, columns = plain.ids, plain.columns
        rows = Rows(
            ids,
            self._convert_ids(columns.get("ground_truth", []), ids, plain.matched.kind),
            self._convert_ids(columns.get("results", []), ids, plain.matched.kind),
            columns.get("expected", []),
            columns.get("scores", []),
            self._convert_ids(columns.get("not_relevant", []), ids, plain.unwanted_kind),
            metadata=columns.get("metadata", []) if self.metadata else [],
            queries=columns.get("query", []) if self.queries else [],
        )
        if rows.truths is columns.get("ground_truth"):
            rows.matched = plain.matched
        return rows

    def _build_row(self, model: Any) -> Rows:
        self._note_kinds(model)
        rows = Rows([model.id])
        if model.has_truth:
            rows.truths = [model.ground_truth.truth()]
            rows.not_relevant = [model.judged_not_relevant()]
            rows.truth_references = [model.ground_truth.references()] if self.references else []
            rows.metadata = [model.metadata] if self.metadata else []
            rows.queries = [model.query] if self.queries else []
        if model.has_results:
            from groupwise.schemas.result import tokens_of, vectors_of  # noqa: PLC0415  (loads pydantic)

            rows.results = [model.ids()]
            rows.scores = [model.given_scores()]
            rows.tokens = [tokens_of(model.results, self.policies.characters_per_token)]
            rows.vectors = [vectors_of(model.results)]
            rows.result_references = [model.references()] if self.references else []
        if model.has_truth and model.has_results:
            rows.expected = [model.expected]
        return rows

    def _validate(self, batch: Batch, number: int) -> "Query | RunQuery | None":
        """Return a record as a model; None if it has problems, which are collected."""
        from pydantic_core import ValidationError  # noqa: PLC0415  (loads pydantic)

        value = record = batch.values[number]
        if batch.keys is not None:
            key = batch.keys[number]
            record = record_with_key(key, value, self.bulk.main, self.bulk.names)
        if self.policies.ids == "text" and find_model(record) is not None:
            record = record.model_dump()  # models keep their ids; they are converted as read
        try:
            return self.bulk.model.model_validate(record, context=self._context)
        except ValidationError as error:
            hint = self.records.flat_hint + self.flat_hint
            at = Place(self.records.name, batch, number, value)
            for problem in problems_of(error, record, at, hint):
                self.reading.report(problem)
            return None

    def _convert_ids(self, values: Any, ids: list[str], kind: Kind | None) -> Any:
        """Return plain ground truths or rankings, with ids as text if asked; note their kind."""
        if kind in (None, type(None)) or not values:
            return values
        if self.policies.ids == "text":
            return values if kind is str else [_as_text(value) for value in values]
        if kind not in self.kinds:
            for row, value in enumerate(values):
                if value:
                    self._note_kind(first_id(value), ids[row])
                    break
        return values

    def _note_kinds(self, model: Any) -> None:
        """Note the kinds of a model's ids; each of its lists has only one."""
        if model.has_truth:
            for document in model.judged_ids()[:1]:
                self._note_kind(document, model.id)
        if model.has_results:
            for result in model.ids()[:1]:
                self._note_kind(result, model.id)

    def _note_kind(self, example: Id, query: str) -> None:
        """Note the kind of an id; a second kind is a problem."""
        kind: Kind = str if isinstance(example, str) else int  # also of a string enum
        if self.kinds.note(kind, self.records.name, example, query):
            self.problems.add(self.kinds.problem())


def describe_folded(name: str, folded: Sequence[int]) -> str:
    """Return a warning about the flat lists of a source that repeat ids, so many each."""
    lists = "flat list repeats ids" if len(folded) == 1 else "flat lists repeat ids"
    fewer = plural(sum(folded), "group")
    return f"{name}: {len(folded):,} {lists}; each id is one group, {fewer} less"


def _find_place(problem: Problem) -> tuple[bool, int, int]:
    return problem.line is None, problem.line or 0, problem.column or 0


def first_id(value: Any) -> Id:
    """Return the first id of a ground truth or of a ranking."""
    groups = value.groups if isinstance(value, RichTruth) else value
    first: Id = next(iter(groups[0])) if isinstance(groups[0], list | dict) else groups[0]
    return first


def _as_text(value: Any) -> Any:
    """Return a plain ground truth or a ranking with all ids as strings."""
    return [_as_text(part) for part in value] if isinstance(value, list) else text_of(value)
