"""Counts the findings of unsound records without describing them, once enough are described."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any, NamedTuple

from groupwise.evaluator.intake.bulk import BulkCheck
from groupwise.evaluator.intake.defects import Defect, DefectFinder
from groupwise.evaluator.intake.query_ids import record_with_key
from groupwise.evaluator.reading.records import Batch
from groupwise.evaluator.validation.engine.checklist import Checklist, are_built_in
from groupwise.evaluator.validation.engine.findings import Findings
from groupwise.evaluator.validation.engine.mixed_kinds import MixedKinds
from groupwise.evaluator.validation.engine.schema_errors import MOST_ERRORS, SchemaRules
from groupwise.evaluator.validation.facts.outline import Outline, OutlinedRecords, outline
from groupwise.evaluator.validation.facts.request import Request


class Counted(NamedTuple):
    """Records that need no description: their sound parts, and how often each code was found."""

    outlines: list[Outline]
    codes: Counter[str]


class QuickCount:
    """Tells which records of a source need no description.

    Such a record breaks rules of groupwise only, in a common way; of each code, the number of
    findings that are kept has been reached. All others are left to the models and to the checks.
    """

    def __init__(
        self,
        bulk: BulkCheck,
        checks: Checklist,
        request: Request,
        findings: Findings,
        kinds: MixedKinds,
        file: str,
    ) -> None:
        self._bulk = bulk
        self._checks = checks
        self._findings = findings
        self._kinds = kinds
        self._file = file
        context = request.context
        self._defects = DefectFinder(bulk.model, context["flat"], context["ids"])
        self._schema = SchemaRules(findings.rules)
        rules = (rule for rule in findings.rules.values() if rule.check or rule.schema)
        self._is_usable = findings.can_skip and request.flat is None and are_built_in(rules)

    def take(self, batch: Batch, numbers: Sequence[int]) -> tuple[Counted, list[int]]:
        """Return what to count of these records, and the numbers of those to look at closely."""
        found = dict(self._outline(batch, numbers)) if self._is_usable else {}
        for number in self._find_suspects(found):
            del found[number]
        codes = Counter(chain.from_iterable(codes for _, codes in found.values()))
        rest = [number for number in numbers if number not in found]
        return Counted([each for each, _ in found.values()], codes), rest

    def _find_suspects(self, found: dict[int, tuple[Outline, list[str]]]) -> list[int]:
        """Return the numbers of the records that may break more rules than those of the models."""
        if not found:
            return []
        sound = OutlinedRecords(each for each, _ in found.values())
        suspects = {*self._checks.screen(sound), *sound.repeating}
        return [number for row, number in enumerate(found) if row in suspects]

    def _outline(
        self, batch: Batch, numbers: Sequence[int]
    ) -> Iterator[tuple[int, tuple[Outline, list[str]]]]:
        """Yield the records that are known to need no description of what the models refuse."""
        for number in numbers:
            value, key = batch.values[number], None if batch.keys is None else batch.keys[number]
            codes = self._list_codes(value, key)
            if codes and all(self._findings.is_full(code, self._file) for code in codes):
                sound = outline(value, key, self._bulk.main)
                if sound is not None and self._is_of_first_kind(sound):
                    yield number, (sound, codes)

    def _list_codes(self, value: Any, key: str | None) -> list[str]:
        """Return the code of each error of the models; none if they need to be asked."""
        main, names = self._bulk.main, self._bulk.names
        record = value if key is None else record_with_key(key, value, main, names)
        defects = self._defects.find(record)
        if not defects or len(defects) > MOST_ERRORS:
            return []
        found = {(self._find_code(defect), defect.pointer) for defect in defects}
        return [code for code, _ in found]

    def _find_code(self, defect: Defect) -> str:
        return self._schema.find_code(defect.type, defect.field, defect.value)

    def _is_of_first_kind(self, sound: Outline) -> bool:
        """Whether the ids, where they are of one kind, are of that of all others."""
        first = {self._kinds.first_kind}
        return all(kinds == first for kinds in sound.kinds if len(kinds) == 1)
