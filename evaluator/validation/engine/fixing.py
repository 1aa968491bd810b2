"""Fixes: from findings to edits of the text, record by record."""

import re
import sys
from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any, NamedTuple

import orjson

from groupwise.evaluator.errors import InputError, Problem
from groupwise.evaluator.formats.groupwise_json import READERS
from groupwise.evaluator.formats.opening import open_editable
from groupwise.evaluator.reading.editing import Changes, Edit, apply_edits, without_overlaps
from groupwise.evaluator.reading.options import AS_IT_IS, Options
from groupwise.evaluator.reading.records import Records
from groupwise.evaluator.reading.scan import end_of_value, repeated_keys
from groupwise.evaluator.reading.source import MemorySource, Source
from groupwise.evaluator.reading.text_file import MARK, TextFile, encode_text
from groupwise.evaluator.validation.engine.findings import Findings
from groupwise.evaluator.validation.engine.source_check import MixedKinds, SourceCheck
from groupwise.evaluator.validation.facts.draft import Draft, Place
from groupwise.evaluator.validation.facts.request import Request
from groupwise.evaluator.validation.facts.session import SourceFacts
from groupwise.evaluator.validation.rules.registry import every_rule
from groupwise.evaluator.validation.rules.rule import Rule

MOST_ROUNDS = 100
"""A fix may make another one possible; fixing stops after this many rounds."""

Wants = Callable[[str, str | None], bool]


class Fixed(NamedTuple):
    """The text of a file before and after, and how many findings of each code were fixed.

    ``notes`` say what could not be fixed, and why; ``is_readable`` is False for invalid text.
    """

    old: str
    new: str
    by_code: Counter[str]
    notes: tuple[str, ...] = ()
    is_readable: bool = True
    file: TextFile | None = None

    @property
    def has_changed(self) -> bool:
        """Whether anything was fixed."""
        return self.old != self.new


class Found(NamedTuple):
    """A record, and what can be fixed in it."""

    place: Place
    drafts: list[Draft]


@dataclass
class FixableFindings(Findings):
    """Collects the drafts that can be fixed, by the place of their record."""

    records: "dict[tuple[int, int], Found]" = field(default_factory=dict)
    _last: Found | None = None

    @property
    def most_in_record(self) -> int:
        """How many findings of a code are described of one record: all are fixed."""
        return sys.maxsize

    def add(self, draft: Draft, place: Place) -> None:
        """Keep a draft that a selected rule can fix."""
        self.add_all([draft], place)

    def add_all(self, drafts: Collection[Draft], place: Place) -> None:
        """Keep the drafts that selected rules can fix."""
        wanted = {code: self.wants(code, place.file) for code in {each.code for each in drafts}}
        fixable = [draft for draft in drafts if draft.fixable and wanted[draft.code]]
        if place.batch is None or not fixable:
            return
        if self._last is None or self._last.place is not place:
            where = place.batch.place(place.number, ())
            self._last = self.records.setdefault(where, Found(place, []))
        self._last.drafts.extend(fixable)

    def add_problem(self, _problem: Problem) -> None:
        """Ignore a problem that a reader found: no rule can fix it."""


def fix_text(
    path: str, request: Request, wants: Wants, options: Options = AS_IT_IS, *, unsafe: bool
) -> Fixed:
    """Return the text of a file before and after all selected fixes; nothing is written.

    Both are blank if the text cannot be read, or is neither JSON nor JSON Lines.

    Raises:
        InputError: There is no such file, its format is unknown, or it is a pipe.
    """
    try:
        editable = open_editable(path, options)
        old = editable.file.text if editable else ""
    except InputError as error:
        if not all(problem.code for problem in error.problems):
            raise
        return Fixed("", "", Counter(), explain(path, error.problems[0].message), is_readable=False)
    if editable is None:
        return Fixed("", "", Counter(), explain(path, "only JSON and JSON Lines can be fixed"))
    rules = select_fixing_rules(path, wants, unsafe=unsafe)
    fixer = _TextFixer(path, READERS[editable.form], request, rules)
    new = fixer.fix(old)
    return Fixed(old, new, fixer.by_code, tuple(fixer.notes), file=editable.file)


def explain(place: str, reason: str) -> tuple[str, ...]:
    """Return the note on what was not fixed, and why."""
    return (f"{place}: not fixed, because {reason}",)


def select_fixing_rules(path: str, wants: Wants, *, unsafe: bool) -> dict[str, Rule]:
    """Return the rules whose findings are to be fixed, by code."""
    allowed = ("safe", "unsafe") if unsafe else ("safe",)
    rules = every_rule().values()
    return {rule.code: rule for rule in rules if rule.fixable in allowed and wants(rule.code, path)}


class Fixer:
    """Plans the fixes of rules, record by record.

    Attributes:
        rules: The rules, by code.
        request: What to look for.
        by_code: How many findings of each code were fixed.
        notes: What was not fixed, and why.
        unfixed: How many records were not fixed.
        most_notes: How many of them have a note.
    """

    most_notes = sys.maxsize

    def __init__(self, path: str, request: Request, rules: dict[str, Rule]) -> None:
        self._path = path
        self.rules = rules
        self.request = request
        for rule in rules.values():
            if rule.fix and rule.fix.prepare:
                self.request = rule.fix.prepare(self.request)
        self.by_code: Counter[str] = Counter()
        self.notes: list[str] = []
        self.unfixed = 0

    def begin_round(self) -> "FixableFindings":
        """Return where the findings of another reading go."""
        self.notes.clear()
        self.unfixed = 0
        return FixableFindings(wants=lambda code, _file: code in self.rules)

    def list_edits(self, text: str, start: int, line: int, found: Found) -> list[Edit]:
        """Return the edits of a record that begins at a place of a text; note if it has none."""
        place, drafts = found
        if _is_editable(text, start, _record_at(place)):
            return self._plan_changes(place, drafts).edits(text, start)
        self.unfixed += 1
        if len(self.notes) < self.most_notes:
            self.notes += explain(f"{self._path}:{line}", "a key is repeated")
        return []

    def _plan_changes(self, place: Place, drafts: list[Draft]) -> Changes:
        record = _record_at(place)
        changes, fixed = Changes(), Counter[str]()
        fixes = {code: rule.fix.apply for code, rule in self.rules.items() if rule.fix}
        by_code = sorted(drafts, key=attrgetter("code"))
        for draft in sorted(by_code, key=lambda draft: len(draft.pointer)):
            apply = fixes.get(draft.code)
            if apply is None or changes.concern(draft.pointer):
                continue
            if apply(changes, draft, record, self.request):
                fixed[draft.code] += 1
        self.by_code.update(fixed)
        return changes

    def list_rewrites(self, facts: SourceFacts) -> list[Callable[[str], str]]:
        """Return the fixes for findings about a file as a whole, and count them."""
        rewrites = []
        for rule in self.rules.values():
            rewrite = rule.fix and rule.fix.rewrite
            if rewrite and rule.check_source and any(rule.check_source(facts)):
                rewrites.append(rewrite)
                self.by_code[rule.code] += 1
        return rewrites


class _TextFixer(Fixer):
    """Applies fixes to a text, until nothing changes."""

    def __init__(
        self,
        path: str,
        reader: Callable[[Source], Records],
        request: Request,
        rules: dict[str, Rule],
    ) -> None:
        super().__init__(path, request, rules)
        self._reader = reader

    def fix(self, text: str) -> str:
        """Return the text with all fixes."""
        for _ in range(MOST_ROUNDS):
            new = self._fix_once(text)
            if new == text:
                break
            text = new
        return text

    def _fix_once(self, text: str) -> str:
        findings = self.begin_round()
        records = self._reader(MemorySource(self._path, encode_text(text)))
        check = SourceCheck(records, self.request, findings, MixedKinds(self.request.ids))
        check.run()
        for rewrite in self.list_rewrites(check.facts):
            text = rewrite(text)
        mark = MARK if text.startswith(MARK) else ""
        body = text.removeprefix(mark)
        starts = [0, *(match.end() for match in re.finditer("\n", body))]
        edits = []
        for (line, column), found in findings.records.items():
            edits += self.list_edits(body, starts[line - 1] + column - 1, line, found)
        return mark + apply_edits(body, without_overlaps(edits))


def _record_at(place: Place) -> Any:
    assert place.batch is not None  # noqa: S101
    return place.batch.values[place.number]


def _is_editable(text: str, start: int, record: Any) -> bool:
    """Whether pointers are unambiguous: where a key is repeated, nothing is edited.

    If the key of the record itself is repeated, another value than the record may be found there.
    """
    try:
        found = text[start : end_of_value(text, start)]
        return orjson.loads(found) == record and next(repeated_keys(found), None) is None
    except ValueError:
        return False
