"""Counts the findings of unsound records without describing them, once enough are described."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any, NamedTuple

from groupwise.evaluator.intake.bulk import BulkCheck
from groupwise.evaluator.intake.defect import Defect
from groupwise.evaluator.intake.defects import DefectFinder
from groupwise.evaluator.intake.query_ids import record_with_key
from groupwise.evaluator.native.loader import walk
from groupwise.evaluator.reading.records import Batch, split_columns
from groupwise.evaluator.validation.engine.checklist import Checklist, are_built_in
from groupwise.evaluator.validation.engine.findings import Findings
from groupwise.evaluator.validation.engine.mixed_kinds import MixedKinds
from groupwise.evaluator.validation.engine.schema_errors import MOST_ERRORS, SchemaRules
from groupwise.evaluator.validation.facts.case import NAMES
from groupwise.evaluator.validation.facts.outline import (
    SIMPLE,
    Outline,
    OutlinedRecords,
    outline,
    outline_all,
)
from groupwise.evaluator.validation.facts.request import Request
from groupwise.evaluator.validation.rules.io import UNEXPECTED_SHAPE
from groupwise.schemas.values import FIELD_NAMES, find_nearest

FIELDLESS = SIMPLE | {list}
BARE = FIELDLESS | {dict}
TRUTH_NAMES = FIELD_NAMES["ground_truth"]


class Counted(NamedTuple):
    """Records that need no description.

    Attributes:
        outlines: Their sound parts.
        codes: How often each code was found.
        bare: How many more there are, without any field.
    """

    outlines: list[Outline]
    codes: Counter[str]
    bare: int


def _depends_on_flat(value: Any, key: str | None) -> bool:
    """Whether the groups of a record may depend on the policy for flat lists."""
    if type(value) is not dict:
        return key is not None and _may_be_flat(value)
    if key is not None and NAMES.isdisjoint(value):
        return True
    return any(_may_be_flat(value[name]) for name in TRUTH_NAMES if name in value)


def _may_be_flat(truth: Any) -> bool:
    """Whether a ground truth may be ids, or grades by id, without groups."""
    if type(truth) is list:
        return list not in {*map(type, truth)}
    return type(truth) not in SIMPLE


def _find_bare_kind(value: Any) -> Any:
    """Return the type of a value that JSON can hold, if it has no fields; else None."""
    kind = type(value)
    return kind if kind in BARE and (kind is not dict or not value) else None


def _drop_more(codes: list[str], errors: int) -> list[str]:
    """Return the codes that a record reports, of so many errors.

    None if that depends on which errors come first.
    """
    if errors <= MOST_ERRORS:
        return codes
    are_alike = len({*codes}) == 1 and len(codes) == errors
    return codes[:MOST_ERRORS] if are_alike else []


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
        self._full: set[str] = set()
        rules = (rule for rule in findings.rules.values() if rule.check or rule.schema)
        self._has_policy = request.flat is not None or request.ids is not None
        self._groups_flat = request.flat is not None
        self._is_usable = findings.can_skip and are_built_in(rules)

    def take(self, batch: Batch, numbers: Sequence[int]) -> tuple[Counted, list[int]]:
        """Return what to count of these records, and the numbers of those to look at closely."""
        self._full = {code for code in self._schema.codes if self._is_full(code)}
        if not self._is_usable or not self._full:
            return Counted([], Counter(), 0), list(numbers)
        counts, others = self._drop_bare(batch, numbers)
        found = dict(self._outline(batch, self._drop_listing(batch, others)))
        for number in self._find_suspects(found):
            del found[number]
        counts.update(chain.from_iterable(codes for _, codes in found.values()))
        rest = [number for number in others if number not in found]
        bare = len(numbers) - len(others)
        return Counted([each for each, _ in found.values()], counts, bare), rest

    def _drop_bare(
        self, batch: Batch, numbers: Sequence[int]
    ) -> tuple[Counter[str], Sequence[int]]:
        """Count the codes of the records without any field; return the others.

        A million of them fit into a few megabytes, so they are told by their types.
        """
        counts: Counter[str] = Counter()
        kinds = Counter(map(_find_bare_kind, map(batch.values.__getitem__, numbers)))
        full: set[object] = set()
        for kind in kinds.keys() - {None} if batch.keys is None else ():
            if codes := self._list_codes(kind(), None):
                full.add(kind)
                counts.update(codes * kinds[kind])
        if not full:
            return counts, numbers
        return counts, [n for n in numbers if _find_bare_kind(batch.values[n]) not in full]

    def _drop_listing(self, batch: Batch, numbers: Sequence[int]) -> Sequence[int]:
        """Return the records whose outlines do not depend on policies."""
        if not self._has_policy:
            return numbers
        return [number for number in numbers if not self._depends_on_policy(batch, number)]

    def _depends_on_policy(self, batch: Batch, number: int) -> bool:
        """Whether policies may change what a record lists; a blank key is left to the models."""
        key = None if batch.keys is None else batch.keys[number]
        if key is not None and not key.strip():
            return True
        return self._groups_flat and _depends_on_flat(batch.values[number], key)

    def _is_full(self, code: str) -> bool:
        return self._findings.is_full(code, self._file)

    def _find_suspects(self, found: dict[int, tuple[Outline, list[str]]]) -> list[int]:
        """Return the numbers of the records that may break more rules than those of the models."""
        outlines = [each for each, _ in found.values()]
        sound = OutlinedRecords(outlines)
        if self._are_clean(outlines, sound):
            return []
        suspects = {*self._checks.screen(sound), *sound.repeating}
        return [number for row, number in enumerate(found) if row in suspects]

    def _are_clean(self, outlines: list[Outline], sound: OutlinedRecords) -> bool:
        """Whether the sweep, which covers all rules, finds all that is sound to be clean.

        It takes numbers among ids as they are written.
        """
        limits = self._checks.limits
        if limits is None or any(each.scores for each in outlines):
            return False
        truths = [*filter(None, sound.truths)]
        queries = [each.query for each in outlines if each.query is not None]
        return (
            walk.find_unclear(sound.results) == []
            and (not truths or walk.hash_clean_truths(truths, *limits) is not None)
            and (not queries or walk.hash_clean_texts(queries) is not None)
        )

    def _outline(
        self, batch: Batch, numbers: Sequence[int]
    ) -> Iterator[tuple[int, tuple[Outline, list[str]]]]:
        """Yield the records that are known to need no description of what the models refuse."""
        columns = self._split_columns(batch, numbers)
        defects = None if columns is None else self._defects.find_all(columns)
        if columns is None or defects is None:
            yield from self._outline_each(batch, numbers)
            return
        if not any(defects):
            return
        outlines = outline_all(columns)
        are_of_first_kind = self._are_of_first_kind(outlines)
        for number, found, sound in zip(numbers, defects, outlines, strict=True):
            codes = self._name_codes(found)
            if sound is None or not codes:
                continue
            if are_of_first_kind or self._is_of_first_kind(sound):
                yield number, (sound, codes)

    def _split_columns(self, batch: Batch, numbers: Sequence[int]) -> dict[str, Any] | None:
        """Return the values of each field, if these records have the same ones; else None."""
        values = [batch.values[number] for number in numbers]
        if batch.keys is None or not values:
            return split_columns(values) if values else None
        keys = [batch.keys[number] for number in numbers]
        are_bare = FIELDLESS.issuperset(map(type, values)) and {*map(type, keys)} == {str}
        return {"id": keys, self._bulk.main: values} if are_bare else None

    def _are_of_first_kind(self, outlines: list[Outline | None]) -> bool:
        """Whether all ids are texts, as the first one was."""
        groups = [each.groups for each in outlines if each and each.groups]
        results = [each.results for each in outlines if each and each.results]
        return (
            self._kinds.are_texts
            and (not groups or walk.kind_of_truths(groups) is str)
            and (not results or walk.kind_of_rankings(results) is str)
        )

    def _outline_each(
        self, batch: Batch, numbers: Sequence[int]
    ) -> Iterator[tuple[int, tuple[Outline, list[str]]]]:
        """Yield the same records, each looked at by itself."""
        values, keys, main = batch.values, batch.keys, self._bulk.main
        for number in numbers:
            value, key = values[number], None if keys is None else keys[number]
            codes = self._list_codes(value, key)
            if codes:
                sound = outline(value, key, main)
                if sound is not None and self._is_of_first_kind(sound):
                    yield number, (sound, codes)

    def _list_codes(self, value: Any, key: str | None) -> list[str]:
        """Return the codes of all errors of the models; none if one needs a description."""
        if key is not None:
            value = record_with_key(key, value, self._bulk.main, self._bulk.names)
        return self._name_codes(self._defects.find(value))

    def _name_codes(self, defects: list[Defect] | None) -> list[str]:
        """Return the codes of defects; none if there are too many, or one needs a description."""
        if not defects:
            return []
        find = self._schema.find_code
        pairs = [(find(each.type, each.field, each.value), each) for each in defects]
        if any(code not in self._full and self._needs_fix(code, each) for code, each in pairs):
            return []
        if len(pairs) == 1:
            return [pairs[0][0]]
        found = {(code, each.pointer) for code, each in pairs}
        return _drop_more([code for code, _ in found], len(pairs))

    def _needs_fix(self, code: str, defect: Defect) -> bool:
        """Whether a finding that is not full must be described: not if there is no fix for it.

        Of unexpected shapes, only a name that is misspelt is fixed, and nothing that is missing.
        """
        if not self._findings.only_fixable:
            return True
        if defect.type == "missing":
            return False
        if code != UNEXPECTED_SHAPE:
            return True
        if defect.type != "unknown_field":
            return False
        if len(defect.pointer) > 1:
            return True  # within a group or a result, other names are known
        return find_nearest(str(defect.pointer[-1]), NAMES.union(self._bulk.names)) is not None

    def _is_of_first_kind(self, sound: Outline) -> bool:
        """Whether the ids, where they are of one kind, are of that of all others."""
        kinds = self._kinds
        if (not sound.groups and not sound.results) or (kinds.are_texts and sound.are_texts):
            return True
        if kinds.are_spelled:
            return all(found <= {str} for found in sound.kinds)
        return all(found == {kinds.first_kind} for found in sound.kinds if len(found) == 1)
