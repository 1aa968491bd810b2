"""One reading of a source: plain records in bulk, all others one by one, everything counted."""

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import chain, islice
from typing import Any, NamedTuple

from pydantic import ValidationError

from groupwise.evaluator.errors import InputError
from groupwise.evaluator.intake.bulk import BulkCheck, PlainBatch
from groupwise.evaluator.intake.partition import (
    Partition,
    PlainPart,
    partition,
    partition_rows,
)
from groupwise.evaluator.intake.problems import read_head
from groupwise.evaluator.intake.query_ids import record_with_key
from groupwise.evaluator.native.collector import paused_collector
from groupwise.evaluator.reading.aside import LinesAside
from groupwise.evaluator.reading.detection import detect_roles
from groupwise.evaluator.reading.records import Batch, Reading, Records, find_usual
from groupwise.evaluator.reading.scan import Pointer
from groupwise.evaluator.validation.engine.checklist import Checklist
from groupwise.evaluator.validation.engine.findings import Findings
from groupwise.evaluator.validation.engine.first_kind import select_rows, split_at_first_kind
from groupwise.evaluator.validation.engine.flat_truths import GroupedFields, group_flat
from groupwise.evaluator.validation.engine.mixed_kinds import MixedKinds
from groupwise.evaluator.validation.engine.quick_count import Counted, QuickCount
from groupwise.evaluator.validation.engine.record_count import RecordCount
from groupwise.evaluator.validation.engine.record_search import RecordSearch
from groupwise.evaluator.validation.engine.schema_errors import SchemaRules
from groupwise.evaluator.validation.engine.sweep import (
    can_sweep_rows,
    sweep,
    sweep_columns,
    sweep_fields,
    sweep_rows,
)
from groupwise.evaluator.validation.facts.case import Case, CaseReader
from groupwise.evaluator.validation.facts.draft import Draft, Place, order_steps
from groupwise.evaluator.validation.facts.hashes import Hashes, are_in, hash_all
from groupwise.evaluator.validation.facts.plain import PlainRecords
from groupwise.evaluator.validation.facts.request import Request
from groupwise.evaluator.validation.facts.session import SourceFacts
from groupwise.evaluator.validation.facts.tally import CleanRecords
from groupwise.evaluator.validation.rules.rule import Check, Locator
from groupwise.schemas import FixtureQuery, Id, Kind, Query, RunQuery, Truth
from groupwise.schemas.pairs import split_pairs
from groupwise.schemas.parts import PARTS, TRUTHS

Model = type[Query] | type[RunQuery]
FLAT_LIST = "GT005"
OTHER_KIND = "IO006"
FIRST_BATCHES = 8
"""In how many batches the first records are looked for."""


class Suspect(NamedTuple):
    """The checks that a plain record may fail, and the kinds of its lists if they must agree."""

    checks: list[Check]
    kinds: list[Kind]


class SourceCheck:
    """Reads a source from beginning to end, and reports what breaks a rule.

    Attributes:
        records: The source.
        facts: What the reading found out.
    """

    def __init__(
        self,
        records: Records,
        request: Request,
        findings: Findings,
        kinds: MixedKinds,
        gold: Hashes | None = None,
        count: RecordCount | None = None,
        facts: SourceFacts | None = None,
    ) -> None:
        self.records = records
        self.reading = _open_reading(findings, records.name)
        self.facts = facts or SourceFacts(records.name, request)
        self.facts.head, self.facts.head_places = self.reading.head, self.reading.places
        self._findings = findings
        self._kinds = kinds
        self._gold = gold
        self._count_of_records = count or RecordCount()
        room = partial(findings.find_room, file=records.name)
        self._reader = CaseReader(**request.context, room=room, only_fixable=findings.only_fixable)
        self._schema = SchemaRules(findings.rules)
        self._bulk = BulkCheck(Query)
        self._checks = Checklist((), request)
        self._quick = self._count_quickly()
        self._aside = LinesAside(_open_reading(findings, records.name))

    def run(self) -> None:
        """Read the source; text that cannot be read further ends the reading."""
        for read in (self.read_records, self._read_head):
            try:
                read()
            except InputError as error:
                self._findings.count(self.reading.counts, self.facts.name)
                self.reading.clear()
                self.facts.is_sound = False
                self._findings.add_error(error)
        self.facts.has_byte_order_mark = self.records.has_byte_order_mark

    def read_records(self) -> None:
        """Check all records.

        Raises:
            InputError: There is text that cannot be read further.
        """
        try:
            for _ in self.check_batches():
                self.reading.sorts = self.reading.columns
        finally:
            self._check_aside()

    def check_batches(self) -> Iterator[Batch]:
        """Yield each batch after its records were checked."""
        for batch in self.records.batches(self.reading):
            self._report_problems(self.reading)
            if batch.count():
                if not self.facts.has_records:
                    self._choose_checks(batch)
                self._count_of_records.add(self._check_batch(batch))
                yield batch
        self._report_problems(self.reading)

    def peek(self) -> Model | None:
        """Check the first records only, and return the model that they are of; None of none."""
        batches = islice(self.records.batches(self.reading), FIRST_BATCHES)
        first = next((batch for batch in batches if batch.count()), None)
        if first is None:
            return None
        self._choose_checks(first)
        self._check_batch(first)
        return self._bulk.model

    def _read_head(self) -> None:
        if self.reading.head:
            read_head(self.reading, self.records.name)

    def _report_problems(self, reading: Reading) -> None:
        if reading.problems or reading.counts:
            self.facts.is_sound = False
            for problem in reading.problems:
                self._findings.add_problem(problem)
            self._findings.count(reading.counts, self.facts.name)
            reading.clear()

    def _choose_checks(self, batch: Batch) -> None:
        """Learn from the first records what the source holds."""
        self.expect(self._detect_model(batch) if self._gold is None else RunQuery)

    def expect(self, model: Model) -> None:
        """Choose the checks for records of a model."""
        facts = self.facts
        self._bulk = BulkCheck(model)
        facts.has_records, facts.is_run = True, self._bulk.model is RunQuery
        k = facts.request.k or _find_deepest_cutoff(facts.head.get("metrics"))
        facts.request = replace(facts.request, k=k)
        self._checks = Checklist(self._findings.active_rules(facts.name), facts.request)
        self._quick = self._count_quickly()

    def _count_quickly(self) -> QuickCount:
        facts = self.facts
        given = self._bulk, self._checks, facts.request, self._findings, self._kinds, facts.name
        return QuickCount(*given)

    def _detect_model(self, batch: Batch) -> Model:
        """Return the model of records: with ground truth, with results, or both, as the first is.

        Other formats, too, have queries at their root; only those of our own are fixtures.
        """
        if self.records.editable and tuple(batch.root(0))[:1] == ("queries",):
            return FixtureQuery
        if batch.keys is not None and split_pairs(batch.values[0]):
            return RunQuery
        return PARTS.get(detect_roles(_find_first(batch)), TRUTHS).model

    def _check_batch(self, batch: Batch) -> int:
        """Check the records of a batch, but for odd ones that are set aside; return how many."""
        if batch.columns() is not None and (count := self._sweep_columns(batch)):
            return count
        self._check_aside()
        if batch.odd:
            batch.values  # noqa: B018  (parsed as a whole now, with what is wrong with the text)
            self._report_problems(self.reading)
        self._check_values(batch)
        return len(batch.values)

    def _sweep_columns(self, batch: Batch) -> int:
        """Count the clean ones of records in columns, and set the others aside; return how many.

        0 where they cannot be told apart, and where most are not clean: then none is counted.
        """
        if batch.odd is None:
            return batch.count() if self._sweep(batch) else 0
        clean, rows = self._find_clean(batch) or (None, [])
        if clean is None or 2 * (len(rows) + len(batch.odd)) > batch.count():
            return 0
        lines = batch.cut_lines(rows)
        if lines is None:
            return 0
        self._count_clean(clean)
        self._aside.add(lines)
        if self._aside.is_full:
            self._check_aside()
        return batch.count() - len(rows)

    def _check_aside(self) -> None:
        """Check the lines that were set aside so far."""
        batch = self._aside.parse()
        self._report_problems(self._aside.reading)
        if batch is not None:
            rows = range(len(batch.values))
            self._check_rows(batch, rows, self._split_fields(batch))
            self._count_of_records.add(len(rows))

    def _check_values(self, batch: Batch) -> None:
        fields = self._split_fields(batch)
        rows = (
            self._count_usual(batch) if fields is None else self._count_clean_fields(batch, fields)
        )
        if rows is not None:
            self._check_rows(batch, rows, fields)
            return
        if batch.columns() is None and self._sweep(batch, fields):
            return
        self._check_mixed(batch, fields)

    def _check_rows(
        self, batch: Batch, rows: Sequence[int], fields: dict[str, list[Any]] | None
    ) -> None:
        """Check some of the records, which are not clean; ``fields`` are those of all."""
        if left := self._drop_counted(batch, rows):
            parts = partition_rows(self._bulk, batch.values, batch.keys, left, fields)
            self._check_parts(batch, parts)

    def _check_mixed(self, batch: Batch, fields: dict[str, list[Any]] | None) -> None:
        """Check records that cannot be swept by row, or come before the first id of all."""
        bulk = self._bulk
        plain = None if fields is None else bulk.accept_fields(fields, batch.keys)
        if plain is not None:
            whole = PlainPart(list(range(len(plain.ids))), plain)
            self._check_parts(batch, Partition(self._count_clean_rows([whole]), []))
            return
        parts = partition(bulk, batch.values, batch.keys, fields)
        for part in split_at_first_kind(parts, self._kinds):
            self._check_parts(batch, part._replace(plain=self._count_clean_rows(part.plain)))

    def _count_usual(self, batch: Batch) -> list[int] | None:
        """Count the clean ones of the records with the usual fields; return all other numbers.

        None if most records have others, or they cannot be told apart.
        """
        usual = find_usual(batch.values) if batch.keys is None else None
        if usual is None:
            return None
        fields = self._bulk.split_fields([batch.values[number] for number in usual], None)
        rows = None if fields is None else self._count_clean_fields(batch, fields)
        if rows is None:
            return None
        clean = {*usual}.difference(usual[row] for row in rows)
        return [number for number in range(len(batch.values)) if number not in clean]

    def _sweep(self, batch: Batch, fields: dict[str, list[Any]] | None = None) -> bool:
        """Count all records of a batch, if they are clean; return whether they are."""
        limits, with_results = self._checks.limits, self._checks.are_built_in
        grouped = self._group_flat(fields or {})
        known = grouped.fields or None
        clean = limits and sweep(self._bulk, batch, limits, known, with_results=with_results)
        if not clean or self._kinds.is_other(str, self.facts.name):
            return False
        self._count_clean(grouped.add_grades(clean, []))
        return True

    def _group_flat(self, fields: dict[str, list[Any]]) -> GroupedFields:
        """Return fields with groups, where rules need to know no more than the groups.

        For other rules than those of groupwise, a flat list is not the same as its groups.
        """
        flat = self.facts.request.context["flat"] if self._checks.are_built_in else None
        return group_flat(fields, flat)

    def _find_clean(self, batch: Batch) -> tuple[CleanRecords | None, list[int]] | None:
        """Return the clean ones of records in columns, and the rows of the others; else None."""
        limits = self._checks.limits
        if limits is None or not self._kinds.are_texts:
            return None
        with_results = self._checks.are_built_in
        return sweep_columns(self._bulk, batch, limits, with_results=with_results)

    def _count_clean_fields(self, batch: Batch, fields: dict[str, list[Any]]) -> list[int] | None:
        """Count the clean ones of records with the same fields; return the numbers of the others.

        None if they cannot be told apart, or it may matter which id comes first.
        """
        limits = self._checks.limits
        if limits is None or not self._kinds.are_texts:
            return None
        with_results = self._checks.are_built_in
        grouped = self._group_flat(fields)
        given = self._bulk, grouped.fields, batch.keys, limits
        found = sweep_fields(*given, with_results=with_results)
        if found is None:
            return None
        clean, rows = found
        if clean is not None:
            self._count_clean(grouped.add_grades(clean, rows))
        return rows

    def _split_fields(self, batch: Batch) -> dict[str, list[Any]] | None:
        """Return the content of each field, if all records have the same fields; else None."""
        return self._bulk.split_fields(batch.values, batch.keys)

    def _count_clean_rows(self, parts: list[PlainPart]) -> list[PlainPart]:
        """Count the clean ones of plain records, and return the others.

        Where the first kind of ids is not known yet, or another one, none is counted.
        """
        limits, with_results = self._checks.limits, self._checks.are_built_in
        if limits is None or not self._kinds.are_texts:
            return parts
        left: list[PlainPart] = []
        for numbers, plain in parts:
            if not can_sweep_rows(self._bulk, plain, with_results=with_results):
                left.append(PlainPart(numbers, plain))
                continue
            clean, rows = sweep_rows(plain, limits)
            if clean is not None:
                self._count_clean(clean)
            if rows:
                left.append(select_rows(PlainPart(numbers, plain), rows))
        return left

    def _count_clean(self, clean: CleanRecords) -> None:
        """Count records that break no rule by themselves."""
        self.facts.tally.add_clean(clean)
        self.facts.rankings.add(clean.results, [])
        self._note_hits(clean.truths, clean.results)

    def _check_parts(self, batch: Batch, parts: Partition) -> None:
        """Check records in their order; plain ones have been screened, and are counted together."""
        suspects: dict[int, Suspect] = {}
        columns = [PlainRecords(plain) for _, plain in parts.plain]
        for (numbers, plain), records in zip(parts.plain, columns, strict=True):
            suspects |= self._drop_other_kinds(self._screen(numbers, plain, records))
        for number in self._list_unclear(batch, suspects, [*parts.odd, *suspects]):
            if number in suspects:
                self._check_plain_record(batch, number, suspects[number])
            else:
                self._check_record(batch, number)
        for (_, plain), records in zip(parts.plain, columns, strict=True):
            self._count(plain, records)

    def _list_unclear(
        self, batch: Batch, suspects: Container[int], numbers: list[int]
    ) -> Iterator[int]:
        """Yield the numbers of the records to look at, in their order; count the others.

        Once no more findings of a code are kept, or the kind of the first id is known, more of
        those that are left can be counted.
        """
        left, known = numbers, None
        while left:
            if known != (now := (self._findings.full, self._kinds.first_kind)):
                known = now
                odd = sorted(number for number in left if number not in suspects)
                odd = self._drop_counted(batch, odd)
                left = sorted([*odd, *(each for each in left if each in suspects)], reverse=True)
            if left:
                yield left.pop()

    def _drop_counted(self, batch: Batch, numbers: Sequence[int]) -> list[int]:
        """Count the records that need no description; return the numbers of the others."""
        counted, left = self._quick.take(batch, numbers)
        self._count_outlines(counted)
        return left

    def _screen(
        self, numbers: list[int], plain: PlainBatch, records: PlainRecords
    ) -> dict[int, Suspect]:
        """Return the plain records that may break a rule, by their numbers in the batch.

        Where ids are not of the kind that came first, all records are reported.
        """
        found = self._checks.screen(records)
        if not self._kinds.clash(plain.kinds):
            return {numbers[row]: Suspect(checks, []) for row, checks in found.items()}
        return {
            number: Suspect(found.get(row, []), records.list_kinds(row))
            for row, number in enumerate(numbers)
        }

    def _drop_other_kinds(self, suspects: dict[int, Suspect]) -> dict[int, Suspect]:
        """Count what is wrong with ids of the other kind only, if that needs no description."""
        findings = self._findings
        may_skip = findings.can_skip and findings.is_full(OTHER_KIND, self.facts.name)
        if not may_skip or self._kinds.first_kind is None:
            return suspects
        alone = [kinds for checks, kinds in suspects.values() if not checks]
        drafts = [*self._draft_other_kinds(chain.from_iterable(alone))]
        findings.count(Counter(draft.code for draft in drafts), self.facts.name)
        return {number: suspect for number, suspect in suspects.items() if suspect.checks}

    def _check_plain_record(self, batch: Batch, number: int, suspect: Suspect) -> None:
        """Check a plain record, which the models accept, with those checks that it may fail."""
        case, place = self._read_case(batch, number)
        self._report(self._checks.check(case, suspect.checks), place)
        self._note_kinds(suspect.kinds, place)

    def _count(self, plain: PlainBatch, records: PlainRecords) -> None:
        """Count plain records; ``records`` are the same ones."""
        tally = self.facts.tally
        truths, results = self._get_ids(plain, "ground_truth"), self._get_ids(plain, "results")
        tally.add_queries(plain.ids)
        tally.add_truths(truths, records.empty, records.repeating)
        tally.add_columns(plain.columns)
        self.facts.rankings.add(results, plain.columns.get("scores", []))
        self._note_hits(truths, results)
        for kind in plain.kinds:
            self._kinds.is_other(kind or type(None), self.facts.name)

    def _count_outlines(self, counted: Counted) -> None:
        """Count unsound records whose findings need no description."""
        outlines, codes, bare = counted
        if outlines or bare:
            self.facts.is_sound = False
            self._findings.count(codes, self.facts.name)
            self.facts.tally.add_outlines(outlines)
            results = [each.results for each in outlines]
            scores = [each.scores for each in outlines]
            self.facts.rankings.add([*results, *([[]] * bare)], scores)
            self._note_hits([each.groups for each in outlines], results)

    def _get_ids(self, plain: PlainBatch, field: str) -> list[Any]:
        """Return ground truths or rankings, with ids as text where the request says so."""
        values = plain.columns.get(field, [])
        kind = plain.truth_kind if field == "ground_truth" else plain.result_kind
        return _as_text(values) if self.facts.request.ids == "text" and kind is int else values

    def _read_case(self, batch: Batch, number: int) -> tuple[Case, Place]:
        key = None if batch.keys is None else batch.keys[number]
        value = batch.values[number]
        data = value.model_dump() if isinstance(value, Query | RunQuery) else value
        case = self._reader.read(data, key, self._bulk.main)
        return case, Place(self.facts.name, case.query, batch, number)

    def _check_record(self, batch: Batch, number: int) -> None:
        """Check a record by itself: what the models say, then what the rules say."""
        case, place = self._read_case(batch, number)
        drafts = self._checks.check(case)
        truth: Truth | None = None
        try:
            truth = self._validate(batch, number)
        except ValidationError as error:
            self.facts.is_sound = False
            key = None if batch.keys is None else batch.keys[number]
            errors = self._schema.draft(error, batch.values[number], self.facts.request, key)
            drafts += self._drop_known(map(self._add_flat_hint, errors), drafts)
        self._report(drafts, place)
        self._count_case(case, truth)
        found = ({type(each.id) for each in listed} for listed in (case.listed, case.results))
        # The models report both kinds within a list.
        self._note_kinds([kinds.pop() for kinds in found if len(kinds) == 1], place)

    def _add_flat_hint(self, draft: Draft) -> Draft:
        """Return a draft about a flat list with what else the file may be meant to be."""
        if draft.code != FLAT_LIST or not self.records.flat_hint:
            return draft
        return draft._replace(message=draft.message + self.records.flat_hint)

    def _drop_known(self, errors: Iterable[Draft], drafts: list[Draft]) -> list[Draft]:
        """Return the errors that no check has reported or overridden, each once per place."""
        known = {(draft.code, tuple(draft.pointer)) for draft in drafts}
        new: list[Draft] = []
        for draft in errors:
            key = (draft.code, tuple(draft.pointer))
            if key not in known and not self._checks.is_overridden(draft, drafts):
                known.add(key)
                new.append(draft)
        return new

    def _report(self, drafts: list[Draft], place: Place) -> None:
        """Add the findings of a record, in the order of their places."""
        self._findings.add_all(sort_drafts(drafts), place)

    def _validate(self, batch: Batch, number: int) -> Truth | None:
        """Return the ground truth of a sound record; a ValidationError says why it is not."""
        record, bulk = batch.values[number], self._bulk
        if batch.keys is not None:
            record = record_with_key(batch.keys[number], record, bulk.main, bulk.names)
        model = bulk.model.model_validate(record, context=self.facts.request.context)
        return model.ground_truth.truth() if isinstance(model, Query) else None

    def _count_case(self, case: Case, truth: Truth | None) -> None:
        self.facts.tally.add_case(case, truth)
        results = [result.id for result in case.results]
        self.facts.rankings.add([results], [list(case.scores)])
        self._note_hits([[group.ids for group in case.groups]], [results])

    def _note_hits(self, truths: list[list[list[Id]]], results: Sequence[list[Id]]) -> None:
        """Note whether any result is an id of the ground truth; one is enough."""
        if self.facts.has_hit or not results:
            return
        if self._gold is not None:
            hashes = hash_all(chain.from_iterable(results))
            self.facts.has_hit = bool(are_in(hashes, self._gold).any())
        elif truths:
            # row by row: an iteration would create the texts of all rankings, and one is enough
            self.facts.has_hit = any(
                not set(results[row]).isdisjoint(chain.from_iterable(truth))
                for row, truth in enumerate(truths)
            )

    def _note_kinds(self, kinds: Iterable[Kind], place: Place) -> None:
        """Note the kinds of the lists of a record, and report those that are not the first."""
        for draft in self._draft_other_kinds(kinds):
            self._findings.add(draft, place)

    def _draft_other_kinds(self, kinds: Iterable[Kind]) -> Iterator[Draft]:
        """Yield what to report about lists of these kinds."""
        for kind in kinds:
            if self._kinds.is_other(kind, self.facts.name):
                draft = self._kinds.draft(kind, self.facts.name)
                if draft is not None:
                    yield draft

    def relocate(self, locators: Sequence[Locator]) -> None:
        """Ask the locators about every record in a second reading; without any, skip it.

        What ends the reading has been reported by the first one.
        """
        search = RecordSearch(locators, self._findings, self.facts.name, self._read_case)
        with suppress(InputError), paused_collector():
            for batch in self.records.batches(Reading.quiet()) if locators else ():
                search.look_at(batch)
                self._count_of_records.add(batch.count())


def _open_reading(findings: Findings, name: str) -> Reading:
    """Return a reading in which problems of the text are only counted once there are enough."""
    described: Counter[str] = Counter()
    enough = partial(_have_enough, findings, name, described)
    return Reading(enough, described=described, columns=True)


def _have_enough(findings: Findings, name: str, described: Counter[str], code: str) -> bool:
    """Whether there are enough findings with a code, together with those of this block."""
    return findings.can_skip and findings.is_full(code, name, described[code])


def _find_first(batch: Batch) -> Any:
    """Return the first record."""
    columns = batch.columns()
    return {name: columns[name][0] for name in columns} if columns else batch.values[0]


def _as_text(values: list[Any]) -> list[Any]:
    return [_as_text(value) if isinstance(value, list) else str(value) for value in values]


def _find_deepest_cutoff(metrics: Any) -> int | None:
    """Return the deepest cutoff by rank of metrics; None if any of them has none."""
    names = metrics if isinstance(metrics, list) else []
    cutoffs = [str(name).rpartition("@")[2] for name in names]
    return max(map(int, cutoffs)) if cutoffs and all(map(str.isdecimal, cutoffs)) else None


def sort_drafts(drafts: list[Draft]) -> list[Draft]:
    """Return drafts sorted by pointer, numbers before names, then by code."""
    steps = chain.from_iterable(draft.pointer for draft in drafts)
    if {*map(type, steps)} <= {int, str}:
        with suppress(TypeError):  # numbers and names are not comparable
            return sorted(drafts, key=_get_pointer)
    return sorted(drafts, key=_order_drafts)


def _get_pointer(draft: Draft) -> tuple[Pointer, str]:
    return tuple(draft.pointer), draft.code


def _order_drafts(draft: Draft) -> tuple[list[tuple[int, str]], str]:
    return order_steps(draft.pointer), draft.code
