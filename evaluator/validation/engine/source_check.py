"""One reading of a source: record by record, what the models and the rules say about it."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import chain
from typing import Any

from pydantic import ValidationError

from groupwise.evaluator.errors import InputError
from groupwise.evaluator.intake.problems import read_head
from groupwise.evaluator.intake.query_ids import record_with_key
from groupwise.evaluator.reading.detection import detect_roles
from groupwise.evaluator.reading.records import Batch, Reading, Records
from groupwise.evaluator.reading.scan import Pointer
from groupwise.evaluator.validation.engine.findings import Findings
from groupwise.evaluator.validation.engine.schema_errors import SchemaRules
from groupwise.evaluator.validation.facts.case import Case, CaseReader, list_names
from groupwise.evaluator.validation.facts.draft import Draft, Place, order_steps
from groupwise.evaluator.validation.facts.hashes import Hashes, are_in, hash_all
from groupwise.evaluator.validation.facts.request import Request
from groupwise.evaluator.validation.facts.session import SourceFacts
from groupwise.evaluator.validation.rules.io import draft_other_kind
from groupwise.evaluator.validation.rules.registry import list_distinct
from groupwise.evaluator.validation.rules.rule import Locator, Rule
from groupwise.schemas import FixtureQuery, Kind, Query, RunQuery, Truth
from groupwise.schemas.fixture import RECORDS, RecordModel
from groupwise.schemas.result import split_pairs


class RecordCount:
    """Counts records, and tells how many there were so far."""

    def __init__(self, progress: Callable[[int], None] | None = None) -> None:
        self._progress = progress
        self._done = 0

    def add(self, records: int) -> None:
        """Count records."""
        self._done += records
        if self._progress is not None:
            self._progress(self._done)

    def begin_again(self) -> None:
        """Count from 0 on, for another reading."""
        self._done = 0


class MixedKinds:
    """Reports ids of another kind than the first.

    Within a source, each record of the other kind is reported; between sources, the first one.

    Attributes:
        first_kind: The kind of the first id; None if there was none.
    """

    def __init__(self, ids: str | None) -> None:
        self._are_text = ids == "text"
        self._reported: set[str] = set()
        self._home = ""
        self.first_kind: Kind | None = None

    def check(self, kind: Kind, source: str) -> Draft | None:
        """Return the finding about ids of a kind in a source; None if there is none to report."""
        if self._are_text:
            return None
        if self.first_kind is None:
            self.first_kind, self._home = kind, source
        if kind is self.first_kind or (self._home != source and source in self._reported):
            return None
        self._reported.add(source)
        return draft_other_kind(kind, self.first_kind, self._home, source)


class Checklist:
    """The checks that apply to the records of a source."""

    def __init__(self, rules: Iterable[Rule], request: Request) -> None:
        checking = [rule for rule in rules if rule.check is not None]
        self._request = request
        self._checks = list_distinct(rule.check for rule in checking)
        self._overrides = {rule.code: rule.overrides for rule in checking if rule.overrides}

    def check(self, case: Case, most: int) -> tuple[list[Draft], Counter[str]]:
        """Return what is wrong with a record: at most so many drafts of a code, and how many more.

        One record may have millions of findings.
        """
        drafts: list[Draft] = []
        times: Counter[str] = Counter()
        for check in self._checks:
            for draft in check(case, self._request):
                times[draft.code] += 1
                if times[draft.code] <= most:
                    drafts.append(draft)
        return drafts, Counter({code: n - most for code, n in times.items() if n > most})

    def is_overridden(self, draft: Draft, others: Iterable[Draft]) -> bool:
        """Whether another draft with the same pointer overrides this one."""
        return any(
            draft.code in self._overrides.get(other.code, ())
            and tuple(draft.pointer) == tuple(other.pointer)
            for other in others
        )


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
        count: RecordCount | None = None,
    ) -> None:
        self.records = records
        self.reading = Reading()
        self.facts = SourceFacts(records.name, request)
        self.facts.head, self.facts.head_places = self.reading.head, self.reading.places
        self._findings = findings
        self._kinds = kinds
        self._gold = gold
        self._count = count or RecordCount()
        self._reader = CaseReader(**request.context)
        self._schema = SchemaRules(findings.rules)
        self._model: RecordModel = Query
        self._names, self._main = list_names(Query), "ground_truth"
        self._checks = Checklist((), request)

    def run(self) -> None:
        """Read the source; text that cannot be read further ends the reading."""
        for read in (self._read_records, self._read_head):
            try:
                read()
            except InputError as error:
                self._report_problems()
                self.facts.is_sound = False
                self._findings.add_error(error)
        self.facts.has_byte_order_mark = self.records.has_byte_order_mark

    def _read_records(self) -> None:
        for _ in self.check_batches():
            pass

    def check_batches(self) -> Iterator[Batch]:
        """Yield each batch after its records were checked.

        Raises:
            InputError: There is text that cannot be read further.
        """
        for batch in self.records.batches(self.reading):
            self._report_problems()
            if batch.values:
                if not self.facts.has_records:
                    self._choose_checks(batch)
                for number in range(len(batch.values)):
                    self._check_record(batch, number)
                self._count.add(len(batch.values))
                yield batch
        self._report_problems()

    def _read_head(self) -> None:
        if self.reading.head:
            read_head(self.reading, self.records.name)

    def _report_problems(self) -> None:
        for problem in self.reading.problems:
            self.facts.is_sound = False
            self._findings.add_problem(problem)
        self.reading.problems.clear()

    def _choose_checks(self, batch: Batch) -> None:
        """Learn from the first records what the source holds."""
        facts = self.facts
        self._model = self._detect_model(batch) if self._gold is None else RunQuery
        self._names = list_names(self._model)
        self._main = "ground_truth" if self._model.has_truth else "results"
        facts.has_records, facts.is_run = True, self._model is RunQuery
        k = facts.request.k or _find_deepest_cutoff(facts.head.get("metrics"))
        facts.request = replace(facts.request, k=k)
        self._checks = Checklist(self._findings.active_rules(facts.name), facts.request)

    def _detect_model(self, batch: Batch) -> RecordModel:
        """Return what records hold: ground truth, results, or both, as the first does.

        Other formats, too, have queries at their root; only those of our own are fixtures.
        """
        if self.records.editable and tuple(batch.root(0))[:1] == ("queries",):
            return FixtureQuery
        if batch.keys is not None and split_pairs(batch.values[0]):
            return RunQuery
        return RECORDS.get(detect_roles(batch.values[0]), Query)

    def _check_record(self, batch: Batch, number: int) -> None:
        """Check a record: what the models say, and what the rules say."""
        case, place = self._read_case(batch, number)
        drafts, more = self._checks.check(case, self._findings.most_in_record)
        truth: Truth | None = None
        try:
            truth = self._validate(batch, number)
        except ValidationError as error:
            self.facts.is_sound = False
            key = None if batch.keys is None else batch.keys[number]
            errors = self._schema.draft(error, batch.values[number], self.facts.request, key)
            drafts += self._drop_known(map(self._add_flat_hint, errors), drafts)
        self._findings.add_all(sort_drafts(drafts), place)
        self._findings.count(more, self.facts.name)
        self._note(case, truth)
        self._note_kinds(case, place)

    def _read_case(self, batch: Batch, number: int) -> tuple[Case, Place]:
        key = None if batch.keys is None else batch.keys[number]
        value = batch.values[number]
        data = value.model_dump() if isinstance(value, Query | RunQuery) else value
        case = self._reader.read(data, key, self._main)
        return case, Place(self.facts.name, case.query, batch, number)

    def _validate(self, batch: Batch, number: int) -> Truth | None:
        """Return the ground truth of a sound record; a ValidationError says why it is not."""
        record = batch.values[number]
        if batch.keys is not None:
            record = record_with_key(batch.keys[number], record, self._main, self._names)
        model = self._model.model_validate(record, context=self.facts.request.context)
        return model.ground_truth.truth() if isinstance(model, Query) else None

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

    def _note(self, case: Case, truth: Truth | None) -> None:
        """Count a record, and note whether any result is an id of the ground truth."""
        facts, ranking = self.facts, case.results.ids
        facts.tally.add(case, truth)
        facts.rankings.add(ranking, case.scores)
        if facts.has_hit or not ranking:
            return
        if self._gold is not None:
            facts.has_hit = bool(are_in(hash_all(ranking), self._gold).any())
        else:
            relevant = chain.from_iterable(group.ids for group in case.groups)
            facts.has_hit = not set(ranking).isdisjoint(relevant)

    def _note_kinds(self, case: Case, place: Place) -> None:
        """Report lists whose ids are not of the kind that came first of all.

        The models report both kinds within a list.
        """
        for ids in (chain.from_iterable(group.ids for group in case.groups), case.results.ids):
            kinds = {*map(type, ids)}
            if len(kinds) == 1 and (draft := self._kinds.check(kinds.pop(), self.facts.name)):
                self._findings.add(draft, place)

    def relocate(self, locators: Sequence[Locator]) -> None:
        """Ask the locators about every record in a second reading; without any, skip it.

        What ends the reading has been reported by the first one.
        """
        with suppress(InputError):
            for batch in self.records.batches(Reading()) if locators else ():
                for number in range(len(batch.values)):
                    case, place = self._read_case(batch, number)
                    for locate in locators:
                        for draft in locate(case, place):
                            self._findings.add(draft, place)
                self._count.add(len(batch.values))


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
