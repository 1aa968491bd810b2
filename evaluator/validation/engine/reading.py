"""One pass over a source: plain records in bulk, all others one by one, everything counted."""

import sys
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

from pydantic import ValidationError

from groupwise.evaluator.errors import InputError, Problem
from groupwise.evaluator.intake.bulk import Columns, Plain
from groupwise.evaluator.intake.problems import read_head
from groupwise.evaluator.reading.detection import MODELS, detect_roles
from groupwise.evaluator.reading.records import Batch, Reading, Records
from groupwise.evaluator.reading.scan import Pointer
from groupwise.evaluator.validation.engine.bulk import suspects
from groupwise.evaluator.validation.engine.case import Case, Draft
from groupwise.evaluator.validation.engine.findings import Place, Sink
from groupwise.evaluator.validation.engine.hashes import Hashes, holds_any
from groupwise.evaluator.validation.engine.kinds import KindOfIds
from groupwise.evaluator.validation.engine.rankings import Rankings
from groupwise.evaluator.validation.engine.request import DEFAULT_K, Asked
from groupwise.evaluator.validation.engine.sweep import sweep
from groupwise.evaluator.validation.engine.tally import JUDGED_ON, Tally
from groupwise.evaluator.validation.rules.run_checks import run_checks
from groupwise.evaluator.validation.rules.schema_checks import schema_checks
from groupwise.evaluator.validation.rules.truth_checks import truth_checks
from groupwise.schemas import FixtureQuery, Id, Query, RunQuery, Truth
from groupwise.schemas.shape import FIELD_NAMES

Model = type[Query] | type[RunQuery]


class Pass:
    """Reads a source from its beginning to its end, and tells what it finds."""

    def __init__(
        self,
        records: Records,
        asked: Asked,
        sink: Sink,
        model: Model | None,
        kinds: KindOfIds,
        gold: Hashes | None = None,
    ) -> None:
        self.records = records
        self.asked = asked
        self.sink = sink
        self.model = model
        self.kinds = kinds
        self.tally = Tally()
        self.rankings = Rankings()
        self.reading = Reading()
        self.k = asked.k or DEFAULT_K
        self.gold = gold
        self.met = False
        self.is_sound = True
        self._columns: Columns | None = None

    @property
    def is_run(self) -> bool:
        """Whether the source holds results only."""
        return self.model is RunQuery

    @property
    def has_results(self) -> bool:
        """Whether the source holds results, alone or beside ground truth."""
        return self.model is not Query

    def go(self) -> None:
        """Read all there is; text that cannot be read further ends the pass."""
        self._read()
        self._close()

    def _read(self) -> None:
        try:
            for batch in self.records.batches(self.reading):
                self._take_problems()
                self._begin(batch)
                self._take(batch)
        except InputError as error:
            self.reading.problems.clear()
            self._end_early(error)
        self._take_problems()

    def _take_problems(self) -> None:
        self.is_sound = self.is_sound and not self.reading.problems
        for problem in self.reading.problems:
            self.sink.add_problem(problem)
        self.reading.problems.clear()

    def _end_early(self, error: InputError) -> None:
        """What has a code is a finding; a source that cannot be read at all is not."""
        self.is_sound = False
        for problem in error.problems:
            if not problem.code:
                raise error
            self.sink.add_problem(problem)

    def _begin(self, batch: Batch) -> None:
        """Learn from the first records what the source holds."""
        if self._columns is not None or not batch.values:
            return
        self.model = self.model or model_of(batch)
        self._columns = Columns(self.model)
        self.k = self.asked.k or _deepest(self.reading.head.get("metrics")) or DEFAULT_K

    def _take(self, batch: Batch) -> None:
        if self._columns is None:
            return
        swept = sweep(self._columns, batch.values, batch.keys, self.k)
        if swept is not None and not self.kinds.is_other(str, self.records.name):
            self.tally.add_swept(swept)
            return
        plain = self._columns.plain(batch.values, batch.keys)
        if plain is not None:
            self._take_plain(batch, plain)
            return
        for number, value in enumerate(batch.values):
            key = None if batch.keys is None else batch.keys[number : number + 1]
            plain = self._columns.plain([value], key)
            if plain is None:
                self._look_at(batch, number)
            else:
                self._take_plain(batch, plain, number)

    def _take_plain(self, batch: Batch, plain: Plain, first: int = 0) -> None:
        """Plain records from a number of the batch on."""
        kinds = (plain.truth_kind, plain.result_kind)
        # Where kinds differ, the one that came first counts: then records are taken in their order.
        clash = self.kinds.clash(kinds)
        found = {*range(len(plain.ids))} if clash else suspects(plain, self.k)
        for number in sorted(found):
            self._look_at(batch, first + number)
        rest = [number for number in range(len(plain.ids)) if number not in found]
        if rest:
            self._count(_only(plain, rest) if found else plain)

    def _count(self, plain: Plain) -> None:
        """Count plain records that break no rule."""
        truths, texts = self._ids_of(plain, "ground_truth"), plain.columns.get("query", [])
        self.tally.add_queries(plain.ids)
        if truths:
            self.tally.add_plain(truths)
        self.tally.add_texts(texts)
        self.tally.hashed = self.tally.hashed or not plain.columns.keys().isdisjoint(JUDGED_ON)
        results = self._ids_of(plain, "results")
        self.rankings.add(results, plain.columns.get("scores", []))
        self._note_meeting(truths, results)
        for kind in (plain.truth_kind, plain.result_kind):
            self.kinds.is_other(kind or type(None), self.records.name)

    def _ids_of(self, plain: Plain, field: str) -> list[Any]:
        """Ground truths or rankings, with ids as text where that is asked for."""
        values = plain.columns.get(field, [])
        kind = plain.truth_kind if field == "ground_truth" else plain.result_kind
        return _as_text(values) if self.asked.ids == "text" and kind is int else values

    def _look_at(self, batch: Batch, number: int) -> None:
        """A record by itself: what the schema says, then what the rules say."""
        value = batch.values[number]
        key = None if batch.keys is None else batch.keys[number]
        main = self._columns.main if self._columns else "ground_truth"
        case = self.asked.understanding.case(as_data(value), key, main)
        place = Place(self.records.name, case.query, batch, number)
        said = list(truth_checks(case, self.k)) + list(run_checks(case))
        split = self._split(said)
        truth: Truth | None = None
        try:
            truth = self._truth(value, key)
        except ValidationError as error:
            self.is_sound = False
            drafts = schema_checks(error, value, self.asked.flat)
            said += [one for one in drafts if not (one.code == "GT005" and one.pointer in split)]
        for draft in _most_telling(said):
            self.sink.add(draft, place)
        self.tally.add_case(case, truth)
        self.rankings.add([[one.id for one in case.results]], [list(case.scores)])
        groups = [group.ids for group in case.groups]
        self._note_meeting([groups], [[one.id for one in case.results]])
        self._note_kind(case, place)

    def _split(self, said: list[Draft]) -> list[Pointer]:
        """Where ids were split: there, nobody asks how a flat list is meant, if that is told."""
        if not self.sink.wants("GT018", self.records.name):
            return []
        return [list(draft.pointer) for draft in said if draft.code == "GT018"]

    def _note_meeting(self, truths: list[list[list[Id]]], results: list[list[Id]]) -> None:
        """Note whether any result is an id of the ground truth; once is enough."""
        if self.met or not results or (self.gold is None and not truths):
            return
        if self.gold is not None:
            self.met = holds_any(chain.from_iterable(results), self.gold)
        else:
            both = zip(truths, results, strict=True)
            self.met = any(not set(row).isdisjoint(chain.from_iterable(t)) for t, row in both)

    def _truth(self, value: Any, key: str | None) -> Truth | None:
        """The ground truth of a sound record; a ValidationError says why it is not."""
        record = value if key is None else with_key(key, value, self._columns)
        assert self.model is not None  # noqa: S101
        model = self.model.model_validate(record, context=self.asked.context)
        return model.ground_truth.truth() if isinstance(model, Query) else None

    def _note_kind(self, case: Case, place: Place) -> None:
        for ids in ([one.id for one in case.listed], [one.id for one in case.results]):
            found = set(map(type, ids))
            # Both kinds in one list are told by the schema.
            if len(found) == 1 and self.kinds.is_other(kind := found.pop(), self.records.name):
                draft = self.kinds.draft(kind, self.records.name)
                if draft is not None:
                    self.sink.add(draft, place)

    def _close(self) -> None:
        if self.reading.head:
            self._check_head()
        if self.records.has_byte_order_mark:
            message = "the file begins with a byte order mark"
            self.sink.add(Draft("IO003", message, value="mark"), Place(self.records.name, None))
        if self._columns is None and self.is_sound:
            problem = Problem("no records", self.records.name, code="IO009")
            self.sink.add_problem(problem)

    def _check_head(self) -> None:
        try:
            read_head(self.reading, self.records.name)
        except InputError as error:
            self._end_early(error)


def model_of(batch: Batch) -> Model:
    """What records are: with ground truth, with results, or with both, as the first one is."""
    if tuple(batch.root(0))[:1] == ("queries",):
        return FixtureQuery
    return MODELS.get(detect_roles(batch.values[0]), Query)


def with_key(key: str, value: Any, columns: Columns | None) -> Any:
    """A record whose query id stands outside it."""
    if columns is None or (isinstance(value, Mapping) and set(value) & set(columns.names)):
        unused = next((name for name in FIELD_NAMES["id"] if name not in value), "id")
        return {unused: key, **value}
    return {"id": key, columns.main: value}


def _as_text(values: list[Any]) -> list[Any]:
    return [_as_text(one) if isinstance(one, list) else str(one) for one in values]


def as_data(value: Any) -> Any:
    """A record as plain data, if it is a model."""
    return value.model_dump() if isinstance(value, Query | RunQuery) else value


def _only(plain: Plain, numbers: list[int]) -> Plain:
    columns = {
        name: [content[number] for number in numbers] for name, content in plain.columns.items()
    }
    ids = [plain.ids[number] for number in numbers]
    return Plain(ids, columns, plain.truth_kind, plain.result_kind)


def _deepest(metrics: Any) -> int | None:
    """The deepest cutoff by rank among the names of metrics; None where one has none."""
    names = metrics if isinstance(metrics, list) else []
    cutoffs = [str(name).rpartition("@")[2] for name in names]
    return max(map(int, cutoffs)) if cutoffs and all(map(str.isdecimal, cutoffs)) else None


def _most_telling(drafts: list[Draft]) -> Iterator[Draft]:
    """Findings in the order of their places, each once."""
    seen: set[tuple[str, Any]] = set()
    for draft in sorted(drafts, key=lambda one: (list(map(_step, one.pointer)), one.code)):
        if (draft.code, tuple(draft.pointer)) not in seen:
            seen.add((draft.code, tuple(draft.pointer)))
            yield draft


def _step(step: str | int) -> tuple[int, str]:
    """Numbers in their order, before names in theirs."""
    return (step, "") if isinstance(step, int) else (sys.maxsize, str(step))
