"""Raw records to checked rows: in bulk where they are plain, one by one where they are not.

A plain record (lists of ids) is accepted by a few checks at C speed. All others are validated by
the schemas, which accept the richer forms and locate every problem.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from groupwise.evaluator.errors import InputError, Problems
from groupwise.evaluator.intake.bulk import BulkCheck, PlainBatch
from groupwise.evaluator.intake.defects import DefectFinder
from groupwise.evaluator.intake.graded import expand_by_id, split_grades
from groupwise.evaluator.intake.kinds import Kinds
from groupwise.evaluator.intake.partition import Columns, Partition, partition, sort_columns
from groupwise.evaluator.intake.problems import Place, problems_of
from groupwise.evaluator.intake.query_ids import record_with_key
from groupwise.evaluator.intake.rows import Check, Rows
from groupwise.evaluator.intake.seen_ids import SeenIds, report_repeats
from groupwise.evaluator.intake.shortening import shorten
from groupwise.evaluator.reading.aside import LinesAside
from groupwise.evaluator.reading.packed_ids import lengths_of
from groupwise.evaluator.reading.records import Batch, Reading, Records, split_columns
from groupwise.evaluator.text import plural
from groupwise.schemas import Id, Kind, RichTruth
from groupwise.schemas.ids import text_of
from groupwise.schemas.parts import BOTH, RESULTS, Model, find_part

if TYPE_CHECKING:
    from groupwise.schemas import Policies, Query, RunQuery


ID_FIELDS = ("ground_truth", "results", "not_relevant")
"""Fields with ids of documents, in the order of the kinds of plain records."""


class Taken(NamedTuple):
    """What an intake has found of a part of a source besides its records."""

    hashes: bytes
    folded: list[int]
    warnings: list[str]


class Intake:
    """Reads the records of one source, in one role: ground truth, results, or both.

    Problems are collected in ``problems``; records with any are skipped. ``kinds`` may be shared by
    several sources whose ids must be of one kind. ``references`` adds texts and spans to the rows,
    ``metadata`` that of the queries, ``queries`` their texts.
    ``flat_hint`` says what else may be done about ground truth without groups. ``folded`` has, for
    each flat list that repeats ids, how many are repeats. ``check`` checks plain ids where a record
    has ground truth and results, and may find more than their kind; after a problem it is not
    asked, as it looks at all records even if the first one is not plain.
    """

    def __init__(  # noqa: PLR0913  (what else to read, all by keyword)
        self,
        records: Records,
        model: Model,
        policies: "Policies",
        problems: Problems,
        kinds: Kinds | None = None,
        *,
        references: bool = False,
        metadata: bool = False,
        queries: bool = False,
        flat_hint: str = "",
        check: Check | None = None,
    ) -> None:
        self.records = records
        self.policies = policies
        self.problems = problems
        self.kinds = kinds or Kinds()
        self.references = references
        self.metadata = metadata
        self.queries = queries
        self.flat_hint = flat_hint
        self.check = check
        self.reading = Reading.limited(problems)
        self._aside = LinesAside(Reading.limited(problems))
        self.seen = SeenIds()
        self.bulk = BulkCheck(model)
        self.part = self.bulk.part
        self._defects = DefectFinder(self.part, policies.flat, policies.ids)
        self._fields: Columns | None = None  # of records that could not be taken in bulk
        self.folded: list[int] = []
        self._context = {"flat": policies.flat, "ids": policies.ids, "folded": self.folded}

    def rows(self) -> Iterator[Rows]:
        """Yield the valid records as rows for matching."""
        self.reading.columns = True
        for batch in self._batches():
            rows = None if batch.odd is None else self._take_sorted(batch)
            if rows is None:
                yield from map(self._take, self._parse_aside())
                rows = self._take(batch)
            else:
                self.seen.add(rows.ids)
            del batch
            yield rows
            del rows
            self.reading.sorts = self.problems.count > 0

    def _take(self, batch: Batch) -> Rows:
        """Return the valid records of a batch as rows."""
        rows = (
            self._take_columns(batch)
            or self._take_in_bulk(batch.values, batch.keys)
            or self._take_each(batch)
        )
        self.seen.add(rows.ids)
        self._fields = None
        return rows

    def _take_sorted(self, batch: Batch) -> Rows | None:
        """Return the plain ones of records in columns as rows, and set all other lines aside.

        After a problem, only what else is wrong matters, and no longer the order of rows. None if
        it cannot be told which are plain, most are not, or their ids are of a new kind.
        """
        columns = batch.columns()
        found = None if columns is None else sort_columns(self.bulk, columns)
        if found is None or batch.odd is None or self._may_add_kind([found.plain]):
            return None
        if 2 * (len(found.odd) + len(batch.odd)) > batch.count():
            return None
        lines = batch.cut_lines(found.odd)
        if lines is None:
            return None
        self._aside.add(lines)
        return self._build_rows(found.plain)

    def _parse_aside(self) -> Iterator[Batch]:
        """Yield the records in the lines that were set aside, if there are any."""
        batch = self._aside.parse()
        self._aside.reading.move_to(self.problems)
        if batch is not None:
            yield batch

    def models(self) -> "Iterator[Query | RunQuery]":
        """Yield the valid records as models, with all their fields."""
        for batch in self._batches():
            yield from self._build_models(batch)

    def read_all(self) -> "tuple[Query | RunQuery, ...]":
        """Return all records as models.

        Raises:
            InputError: Any of them is invalid; all problems are listed.
        """
        models = tuple(self.models())
        self.problems.raise_if_any()
        return models

    def contents(self) -> "Iterator[PlainBatch | Query | RunQuery]":
        """Yield the valid records: plain ones a batch at a time, all others as models."""
        for batch in self._batches():
            plain = self._plain_contents(batch)
            if plain is None:
                yield from self._build_models(batch)
            else:
                yield plain

    def _build_models(self, batch: Batch) -> "Iterator[Query | RunQuery]":
        """Yield models of a batch: all at once if its records are plain, else each by itself."""
        from groupwise.evaluator.intake import assembly  # noqa: PLC0415  (loads pydantic)

        plain = assembly.accept(self.bulk, batch, self.policies.flat)
        if plain is not None:
            yield from assembly.assemble(self._note_plain(plain), self.part)
        else:
            yield from self._models_of(batch)

    def _batches(self) -> Iterator[Batch]:
        """Yield all batches, as far as the text can be read; then report repeated query ids."""
        try:
            for batch in self.records.batches(self.reading):
                self.reading.move_to(self.problems)
                yield batch
                del batch
                if self._aside.is_full:
                    yield from self._parse_aside()
            yield from self._parse_aside()
        except InputError as error:
            yield from self._parse_aside()
            self.problems.merge_error(error)
            if not self.reading.is_ended:
                self.problems.count += self.reading.counts.total()
            self.reading.clear()
            return
        self.reading.move_to(self.problems)
        self._warn_of_folded()
        if suspected := self.seen.find_repeated():
            report_repeats(self.records, suspected, self.problems)

    @property
    def has_notes(self) -> bool:
        """Whether reading has found something so far that its warnings are about."""
        return bool(self.folded or self.reading.warnings)

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

    def _take_columns(self, batch: Batch) -> Rows | None:
        """Return the rows of a table, if they are plain, without creating records."""
        fields = None if batch.odd else batch.columns()
        plain = None if fields is None else self.bulk.accept_columns(fields, batch.keys)
        return None if plain is None else self._build_rows(plain)

    def _take_in_bulk(self, values: list[Any], keys: list[str] | None) -> Rows | None:
        """Return the rows of all these records, if they are plain and alike; else None."""
        self._fields = None
        if keys is not None:
            values = expand_by_id(values, self.bulk.main, self.bulk.names, self.policies.flat)
        elif self.bulk.lacks_results(values):
            return None
        graded = split_grades(values, self.policies.flat) if self.part.has_truth else None
        if graded is None:
            fields = self.bulk.split_fields(values, keys)
            self._fields = fields if keys is None else None
            check = None if self.problems.count else self.check
            plain = None if fields is None else self.bulk.accept_fields(fields, keys, check)
        else:
            plain = self.bulk.accept(graded.values, keys)
        if plain is None:
            return self._take_full_results(values, keys)
        rows = self._build_rows(plain)
        rows.truths = rows.truths if graded is None else graded.truths
        return rows

    def _take_full_results(self, values: list[Any], keys: list[str] | None) -> Rows | None:
        """Return the rows of records whose results are objects, if they are plain and alike."""
        if self.part is not RESULTS or self.policies.characters_per_token is not None:
            return None
        from groupwise.evaluator.intake.full_results import split_results  # noqa: PLC0415

        columns = self.bulk.split_fields(values, keys)
        full = None if columns is None or "scores" in columns else split_results(columns["results"])
        if columns is None or full is None:
            return None
        plain = self.bulk.accept_columns({**columns, "results": full.ids}, keys)
        if plain is None:
            return None
        rows = self._build_rows(plain)
        rows.scores = full.scores or []  # type: ignore[assignment]
        rows.tokens = full.tokens or []  # type: ignore[assignment]
        if self.references:
            rows.result_references = full.references(rows.results)  # type: ignore[assignment]
        return rows

    def _build_rows(self, plain: PlainBatch) -> Rows:
        ids, columns = plain.ids, plain.columns
        return Rows(
            ids,
            self._convert_ids(columns.get("ground_truth", []), ids, plain.truth_kind),
            self._convert_ids(columns.get("results", []), ids, plain.result_kind),
            columns.get("expected", []),
            columns.get("scores", []),
            self._convert_ids(columns.get("not_relevant", []), ids, plain.unwanted_kind),
            metadata=columns.get("metadata", []) if self.metadata else [],
            queries=columns.get("query", []) if self.queries else [],
            walked=plain.walked,
        )

    def _take_each(self, batch: Batch) -> Rows:
        """Return the rows of the valid records: plain ones together, each other by itself."""
        fields, self._fields = self._fields, None
        if self._report_without_fields(batch):
            return Rows()
        parts = partition(self.bulk, batch.values, batch.keys, fields)
        if self._may_add_kind(part.records for part in parts.plain):
            parts = Partition([], list(range(len(batch.values))))
        rows, order = Rows(), list[int]()
        for part in parts.plain:
            rows.extend(self._build_rows(part.records))
            order.extend(part.numbers)
        for number in self._drop_defective(batch, parts.odd):
            found = self._take_odd(batch, number)
            if found is not None:
                rows.extend(found)
                order.append(number)
        if order == sorted(order):
            return rows
        return rows.only(sorted(range(len(order)), key=order.__getitem__))

    def _drop_defective(self, batch: Batch, numbers: list[int]) -> list[int]:
        """Count the problems of records, field by field, if no more are kept; return the others."""
        if self.problems.room > 0 or batch.keys is not None:
            return numbers
        columns = split_columns([batch.values[number] for number in numbers])
        found = None if columns is None else self._defects.find_all(columns)
        if found is None:
            return numbers
        self.problems.count += sum(map(len, filter(None, found)))
        return [number for number, defects in zip(numbers, found, strict=True) if not defects]

    def _may_add_kind(self, parts: Iterable[PlainBatch]) -> bool:
        """Whether plain records have ids of a new kind: then the order of records matters."""
        kinds = {kind for part in parts for kind in part.kinds} - {None, type(None)}
        return self.policies.ids != "text" and not kinds <= self.kinds.first.keys()

    def _take_odd(self, batch: Batch, number: int) -> Rows | None:
        """Return the row of a record by itself; None if it has problems."""
        value = batch.values[number]
        if self._count_without_fields(batch, value):
            return None
        if self._count_defects(self._get_record(batch, number)):
            return None
        found = self._take_in_bulk([value], _key_at(batch, number))
        if found is not None:
            return found
        model = self._validate(value, batch, number)
        return None if model is None else self._build_row(model)

    def _get_record(self, batch: Batch, number: int) -> Any:
        """Return a record of a batch, with its query id."""
        value = batch.values[number]
        if batch.keys is None:
            return value
        return record_with_key(batch.keys[number], value, self.bulk.main, self.bulk.names)

    def _report_without_fields(self, batch: Batch) -> bool:
        """Report the problems of values that all have no fields; return whether they are such."""
        values = batch.values
        count = 0 if batch.keys is not None else self._defects.count_in_each(values)
        number = 0
        while count and number < len(values) and self.problems.room > 0:
            self._validate(values[number], batch, number)
            number += 1
        self.problems.count += count * (len(values) - number)
        return count > 0

    def _count_without_fields(self, batch: Batch, value: Any) -> int:
        """Count the problems of a value without fields, if no more are kept; return how many."""
        if self.problems.room > 0 or batch.keys is not None:
            return 0
        count = self._defects.count_without_fields(value)
        self.problems.count += count
        return count

    def _count_defects(self, record: Any) -> bool:
        """Count the problems of a record, if no more are kept and they can be told apart."""
        defects = None if self.problems.room > 0 else self._defects.find(record)
        self.problems.count += len(defects or ())
        return bool(defects)

    def _build_row(self, model: Any) -> Rows:
        self._note_kinds(model)
        rows, part = Rows([model.id]), find_part(model) or self.part
        if part.has_truth:
            rows.truths = [model.ground_truth.truth()]
            rows.not_relevant = [model.judged_not_relevant()]
            rows.truth_references = [model.ground_truth.references()] if self.references else []
            rows.metadata = [model.metadata] if self.metadata else []
            rows.queries = [model.query] if self.queries else []
        if part.has_results:
            from groupwise.schemas.result import tokens_of, vectors_of  # noqa: PLC0415  (loads pydantic)

            rows.results = [model.ids()]
            rows.scores = [model.given_scores()]
            rows.tokens = [tokens_of(model.results, self.policies.characters_per_token)]
            rows.vectors = [vectors_of(model.results)]
            rows.result_references = [model.references()] if self.references else []
        if part is BOTH:
            rows.expected = [model.expected]
        return rows

    def _models_of(self, batch: Batch) -> "Iterator[Query | RunQuery]":
        if self._report_without_fields(batch):
            return
        for number, value in enumerate(batch.values):
            if self._count_without_fields(batch, value):
                continue
            model = self._validate(value, batch, number)
            if model is not None:
                self.seen.add([model.id])
                self._note_kinds(model)
                yield model

    def _plain_contents(self, batch: Batch) -> PlainBatch | None:
        """Return the records of a batch, if they are plain."""
        plain = self._plain_records(batch)
        return self._note_plain(plain) if plain and "expected" not in plain.columns else None

    def _note_plain(self, plain: PlainBatch) -> PlainBatch:
        """Note ids and kinds of plain records, and return them, with ids as text if asked."""
        self.seen.add(plain.ids)
        columns = dict(plain.columns)
        for name, kind in zip(ID_FIELDS, plain.kinds, strict=True):
            if name in columns:
                columns[name] = self._convert_ids(columns[name], plain.ids, kind)
        if self.policies.ids != "text" or plain.is_text():
            return plain
        truths, results, others = (str if kind is int else kind for kind in plain.kinds)
        return PlainBatch(plain.ids, columns, truths, results, others)

    def _plain_records(self, batch: Batch) -> PlainBatch | None:
        if (fields := batch.columns()) is not None:
            return self.bulk.accept_columns(fields, batch.keys)
        values = batch.values
        if batch.keys is not None:
            values = expand_by_id(values, self.bulk.main, self.bulk.names, flat=None)
        elif self.part.has_truth and (graded := split_grades(values, self.policies.flat)):
            is_plain = {*map(type, graded.truths)} == {list}  # all grades are 1
            return self.bulk.accept(graded.values, None) if is_plain else None
        return self.bulk.accept(values, batch.keys)

    def _validate(self, value: Any, batch: Batch, number: int) -> "Query | RunQuery | None":
        """Return a record as a model; None if it has problems, which are collected."""
        from pydantic_core import ValidationError  # noqa: PLC0415  (loads pydantic)

        record = self._get_record(batch, number)
        if self.policies.ids == "text" and find_part(record) is not None:
            record = record.model_dump()  # models keep their ids; they are converted as read
        if self._count_defects(record):
            return None
        short = shorten(self._defects, record, self.problems.room)
        try:
            given = record if short is None else short.record
            return self.bulk.model.model_validate(given, context=self._context)
        except ValidationError as error:
            if self.problems.room:
                hint = self.records.flat_hint + self.flat_hint
                restore = tuple if short is None else short.restore
                at = Place(self.records.name, batch, number, value, restore)
                found = problems_of(error, record, at, hint)
                self.problems.kept.extend(islice(found, self.problems.room))
            self.problems.count += short.defects if short else error.error_count()
            return None

    def _convert_ids(self, values: Any, ids: list[str], kind: Kind | None) -> Any:
        """Return plain ground truths or rankings, with ids as text if asked; note their kind."""
        if kind in (None, type(None)) or not values:
            return values
        if self.policies.ids == "text":
            return values if kind is str else [_as_text(value) for value in values]
        if kind not in self.kinds:
            row = next(row for row, length in enumerate(lengths_of(values)) if length)
            self._note_kind(first_id(values[row]), ids[row])
        return values

    def _note_kinds(self, model: Any) -> None:
        """Note the kinds of a model's ids; each of its lists has only one."""
        part = find_part(model) or self.part
        if part.has_truth:
            for document in model.judged_ids()[:1]:
                self._note_kind(document, model.id)
        if part.has_results:
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


def _key_at(batch: Batch, number: int) -> list[str] | None:
    return None if batch.keys is None else batch.keys[number : number + 1]


def first_id(value: Any) -> Id:
    """Return the first id of a ground truth or of a ranking."""
    groups = value.groups if isinstance(value, RichTruth) else value
    first: Id = next(iter(groups[0])) if isinstance(groups[0], list | dict) else groups[0]
    return first


def _as_text(value: Any) -> Any:
    """Return a plain ground truth or a ranking with all ids as strings."""
    return [_as_text(part) for part in value] if isinstance(value, list) else text_of(value)
