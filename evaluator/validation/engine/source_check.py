"""One reading of a source: plain records in bulk, all others one by one, everything counted."""

import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import chain
from typing import Any

from pydantic import ValidationError

from groupwise.evaluator.errors import InputError
from groupwise.evaluator.intake.bulk import BulkCheck, PlainBatch
from groupwise.evaluator.intake.problems import read_head
from groupwise.evaluator.intake.query_ids import record_with_key
from groupwise.evaluator.reading.detection import MODELS, detect_roles
from groupwise.evaluator.reading.records import Batch, Reading, Records
from groupwise.evaluator.validation.engine.checklist import Checklist
from groupwise.evaluator.validation.engine.findings import Findings
from groupwise.evaluator.validation.engine.mixed_kinds import MixedKinds
from groupwise.evaluator.validation.engine.schema_errors import SchemaRules
from groupwise.evaluator.validation.engine.sweep import sweep
from groupwise.evaluator.validation.facts.case import Case, CaseReader
from groupwise.evaluator.validation.facts.draft import Draft, Place
from groupwise.evaluator.validation.facts.hashes import Hashes, are_in, hash_all
from groupwise.evaluator.validation.facts.plain import PlainRecords
from groupwise.evaluator.validation.facts.request import Request
from groupwise.evaluator.validation.facts.session import SourceFacts
from groupwise.evaluator.validation.rules.rule import Locator
from groupwise.schemas import FixtureQuery, Id, Query, RunQuery, Truth
from groupwise.schemas.result import split_pairs

Model = type[Query] | type[RunQuery]
FLAT_LIST = "GT005"


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
    ) -> None:
        self.records = records
        self.reading = Reading()
        self.facts = SourceFacts(records.name, request)
        self.facts.head, self.facts.head_places = self.reading.head, self.reading.places
        self._findings = findings
        self._kinds = kinds
        self._gold = gold
        self._reader = CaseReader(**request.context)
        self._schema = SchemaRules(findings.rules)
        self._bulk = BulkCheck(Query)
        self._checks = Checklist((), request)

    def run(self) -> None:
        """Read the source; text that cannot be read further ends the reading."""
        for read in (self._read_batches, self._read_head):
            try:
                read()
            except InputError as error:
                self.reading.problems.clear()
                self.facts.is_sound = False
                self._findings.add_error(error)
        self.facts.has_byte_order_mark = self.records.has_byte_order_mark

    def _read_batches(self) -> None:
        for batch in self.records.batches(self.reading):
            self._report_problems()
            if batch.values:
                if not self.facts.has_records:
                    self._choose_checks(batch)
                self._check_batch(batch)
        self._report_problems()

    def _read_head(self) -> None:
        if self.reading.head:
            read_head(self.reading, self.records.name)

    def _report_problems(self) -> None:
        self.facts.is_sound = self.facts.is_sound and not self.reading.problems
        for problem in self.reading.problems:
            self._findings.add_problem(problem)
        self.reading.problems.clear()

    def _choose_checks(self, batch: Batch) -> None:
        """Learn from the first records what the source holds, and which checks apply."""
        facts = self.facts
        self._bulk = BulkCheck(self._detect_model(batch) if self._gold is None else RunQuery)
        facts.has_records, facts.is_run = True, self._bulk.model is RunQuery
        k = facts.request.k or _find_deepest_cutoff(facts.head.get("metrics"))
        facts.request = replace(facts.request, k=k)
        self._checks = Checklist(self._findings.active_rules(facts.name), facts.request)

    def _detect_model(self, batch: Batch) -> Model:
        """Return the model of records: with ground truth, with results, or both, as the first is.

        Other formats, too, have queries at their root; only those of our own are fixtures.
        """
        if self.records.editable and tuple(batch.root(0))[:1] == ("queries",):
            return FixtureQuery
        if batch.keys is not None and split_pairs(batch.values[0]):
            return RunQuery
        return MODELS.get(detect_roles(batch.values[0]), Query)

    def _check_batch(self, batch: Batch) -> None:
        limits = self._checks.limits
        clean = limits and sweep(self._bulk, batch.values, batch.keys, limits)
        if clean and not self._kinds.is_other(str, self.facts.name):
            self.facts.tally.add_clean(clean)
            return
        plain = self._bulk.accept(batch.values, batch.keys)
        if plain is not None:
            self._check_plain_records(batch, plain)
            return
        for number, value in enumerate(batch.values):
            key = None if batch.keys is None else batch.keys[number : number + 1]
            plain = self._bulk.accept([value], key)
            if plain is None:
                self._check_record(batch, number)
            else:
                self._check_plain_records(batch, plain, number)

    def _check_plain_records(self, batch: Batch, plain: PlainBatch, first: int = 0) -> None:
        """Check plain records, the first of which has this number in the batch."""
        numbers = range(len(plain.ids))
        # If kinds differ, the first one decides, so records are checked one by one, in order.
        is_mixed = self._kinds.clash(plain.kinds)
        suspects = {*numbers} if is_mixed else self._find_suspects(PlainRecords(plain))
        for number in numbers if self._checks.unscreened else sorted(suspects):
            if number in suspects:
                self._check_record(batch, first + number)
            else:
                case, place = self._read_case(batch, first + number)
                self._report(self._checks.check(case, is_screened=True), place)
        if len(suspects) < len(numbers):
            clean = [number for number in numbers if number not in suspects]
            self._count(_select_records(plain, clean) if suspects else plain)

    def _find_suspects(self, plain: PlainRecords) -> set[int]:
        """Return the records that may break a rule, or cannot be counted in bulk."""
        return {*self._checks.screen(plain), *plain.empty, *plain.repeating}

    def _count(self, plain: PlainBatch) -> None:
        """Count plain records that break no rule with a check in bulk."""
        tally = self.facts.tally
        truths, results = self._get_ids(plain, "ground_truth"), self._get_ids(plain, "results")
        tally.add_queries(plain.ids)
        if truths:
            tally.add_plain(truths)
        tally.add_columns(plain.columns)
        self.facts.rankings.add(results, plain.columns.get("scores", []))
        self._note_hits(truths, results)
        for kind in plain.kinds:
            self._kinds.is_other(kind or type(None), self.facts.name)

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
            errors = self._schema.draft(error, batch.values[number], self.facts.request)
            drafts += self._drop_known(map(self._add_flat_hint, errors), drafts)
        self._report(drafts, place)
        self._count_case(case, truth)
        self._note_kinds(case, place)

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
        for draft in sorted(drafts, key=_order_drafts):
            self._findings.add(draft, place)

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

    def _note_hits(self, truths: list[list[list[Id]]], results: list[list[Id]]) -> None:
        """Note whether any result is an id of the ground truth; one is enough."""
        if self.facts.has_hit or not results:
            return
        if self._gold is not None:
            hashes = hash_all(chain.from_iterable(results))
            self.facts.has_hit = bool(are_in(hashes, self._gold).any())
        elif truths:
            both = zip(truths, results, strict=True)
            self.facts.has_hit = any(
                not set(ranking).isdisjoint(chain.from_iterable(truth)) for truth, ranking in both
            )

    def _note_kinds(self, case: Case, place: Place) -> None:
        for listed in (case.listed, case.results):
            found = {type(each.id) for each in listed}
            # The models report both kinds within a list.
            if len(found) == 1 and self._kinds.is_other(kind := found.pop(), self.facts.name):
                draft = self._kinds.draft(kind, self.facts.name)
                if draft is not None:
                    self._findings.add(draft, place)

    def relocate(self, locators: Sequence[Locator]) -> None:
        """Ask the locators about every record in a second reading; without any, skip it.

        What ends the reading has been reported by the first one.
        """
        with suppress(InputError):
            for batch in self.records.batches(Reading()) if locators else ():
                for number in range(len(batch.values)):
                    self._relocate(locators, *self._read_case(batch, number))

    def _relocate(self, locators: Sequence[Locator], case: Case, place: Place) -> None:
        for locate in locators:
            for draft in locate(case, place):
                self._findings.add(draft, place)


def _as_text(values: list[Any]) -> list[Any]:
    return [_as_text(value) if isinstance(value, list) else str(value) for value in values]


def _select_records(plain: PlainBatch, numbers: list[int]) -> PlainBatch:
    columns = {
        name: [content[number] for number in numbers] for name, content in plain.columns.items()
    }
    ids = [plain.ids[number] for number in numbers]
    return PlainBatch(ids, columns, *plain.kinds)


def _find_deepest_cutoff(metrics: Any) -> int | None:
    """Return the deepest cutoff by rank of metrics; None if any of them has none."""
    names = metrics if isinstance(metrics, list) else []
    cutoffs = [str(name).rpartition("@")[2] for name in names]
    return max(map(int, cutoffs)) if cutoffs and all(map(str.isdecimal, cutoffs)) else None


def _order_drafts(draft: Draft) -> tuple[list[tuple[int, str]], str]:
    """Sort by pointer, numbers before names, then by code."""
    steps = [
        (step, "") if isinstance(step, int) else (sys.maxsize, str(step)) for step in draft.pointer
    ]
    return steps, draft.code
